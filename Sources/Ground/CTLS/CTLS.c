#define _GNU_SOURCE
#include "CTLS.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used; the functions of libcrypto come with libssl.
#define FUNCTIONS(X)                    \
  X(BIO_ctrl)                           \
  X(BIO_ctrl_get_write_guarantee)       \
  X(BIO_ctrl_pending)                   \
  X(BIO_free)                           \
  X(BIO_new_bio_pair)                   \
  X(BIO_read)                           \
  X(BIO_write)                          \
  X(ERR_clear_error)                    \
  X(ERR_peek_error)                     \
  X(ERR_reason_error_string)            \
  X(SSL_CTX_check_private_key)          \
  X(SSL_CTX_ctrl)                       \
  X(SSL_CTX_free)                       \
  X(SSL_CTX_load_verify_file)           \
  X(SSL_CTX_new)                        \
  X(SSL_CTX_set_alpn_select_cb)         \
  X(SSL_CTX_set_default_verify_paths)   \
  X(SSL_CTX_set_options)                \
  X(SSL_CTX_set_verify)                 \
  X(SSL_CTX_use_PrivateKey_file)        \
  X(SSL_CTX_use_certificate_chain_file) \
  X(SSL_ctrl)                           \
  X(SSL_do_handshake)                   \
  X(SSL_free)                           \
  X(SSL_get0_alpn_selected)             \
  X(SSL_get0_param)                     \
  X(SSL_get_error)                      \
  X(SSL_get_servername)                 \
  X(SSL_get_verify_result)              \
  X(SSL_is_init_finished)               \
  X(SSL_new)                            \
  X(SSL_read_ex)                        \
  X(SSL_set_accept_state)               \
  X(SSL_set_alpn_protos)                \
  X(SSL_set_bio)                        \
  X(SSL_set_connect_state)              \
  X(SSL_shutdown)                       \
  X(SSL_write_ex)                       \
  X(TLS_method)                         \
  X(X509_VERIFY_PARAM_set1_host)        \
  X(X509_VERIFY_PARAM_set1_ip_asc)      \
  X(X509_VERIFY_PARAM_set_flags)        \
  X(X509_VERIFY_PARAM_set_hostflags)    \
  X(X509_verify_cert_error_string)

#include "../loading.h"

static void load(void) {
  load_library("libssl.so.3");
}

const char *ctls_load(void) {
  pthread_once(&once, load);
  return loading_problem[0] ? loading_problem : NULL;
}

// What each direction holds at most, bytes: a whole record, and the beginning of the next one.
enum { pair_room = 32768 };

struct ctls_session {
  SSL_CTX *context;
  SSL *ssl;
  // The side of the pair that is not TLS's.
  BIO *wire;
  // The protocol with its length before it, as ALPN has it.
  unsigned char protocol[256];
  // What it came to; ctls_done as long as it goes on.
  ctls_outcome end;
  char problem[256];
};

static const char *reason(void) {
  unsigned long error = lib.ERR_peek_error();
  if (ERR_SYSTEM_ERROR(error)) return strerror(ERR_GET_REASON(error));
  const char *text = error ? lib.ERR_reason_error_string(error) : NULL;
  return text ? text : "no reason is given";
}

// What a call that did not succeed means; the end, where it is one, is kept.
static ctls_outcome outcome(ctls_session *session, int result) {
  int code = lib.SSL_get_error(session->ssl, result);
  if (code == SSL_ERROR_WANT_READ || code == SSL_ERROR_WANT_WRITE) return ctls_waiting;
  unsigned long error = lib.ERR_peek_error();
  int cause = code == SSL_ERROR_SSL && ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
  long verdict = lib.SSL_get_verify_result(session->ssl);
  const char *text = reason();
  session->end = ctls_failed;
  if (code == SSL_ERROR_ZERO_RETURN) {
    session->end = ctls_left;
    text = "the other side has taken leave";
  } else if (code == SSL_ERROR_SYSCALL || cause == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    session->end = ctls_cut;
    text = "the connection ended without a word";
  } else if (cause == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    bool is_name = verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH;
    session->end = is_name ? ctls_other_name : ctls_not_trusted;
    text = lib.X509_verify_cert_error_string(verdict);
  } else if (
      cause == SSL_R_WRONG_VERSION_NUMBER || cause == SSL_R_HTTP_REQUEST ||
      cause == SSL_R_PACKET_LENGTH_TOO_LONG || cause == SSL_R_RECORD_LENGTH_MISMATCH) {
    session->end = ctls_not_spoken;
  }
  snprintf(session->problem, sizeof session->problem, "%s", text);
  lib.ERR_clear_error();
  return session->end;
}

static int choose_protocol(
    SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
    unsigned count, void *context) {
  const ctls_session *session = context;
  (void)ssl;
  for (unsigned i = 0; i < count && offered[i] < count - i; i += 1u + offered[i]) {
    if (memcmp(offered + i, session->protocol, 1u + session->protocol[0]) != 0) continue;
    *chosen = offered + i + 1;
    *length = offered[i];
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_NOACK;
}

// What a client asks for, and what it demands of the server.
static bool set_client(ctls_session *session, const ctls_settings *settings) {
  SSL *ssl = session->ssl;
  lib.SSL_set_connect_state(ssl);
  X509_VERIFY_PARAM *rules = lib.SSL_get0_param(ssl);
  // A file of authorities may name the server's own certificate alone.
  if (settings->authorities) lib.X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
  lib.X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const char *name = settings->checked_name;
  if (name && lib.X509_VERIFY_PARAM_set1_ip_asc(rules, name) != 1 &&
      lib.X509_VERIFY_PARAM_set1_host(rules, name, 0) != 1)
    return false;
  if (settings->server_name &&
      lib.SSL_ctrl(
          ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)settings->server_name) != 1)
    return false;
  // This one returns 0 when it succeeds.
  return !session->protocol[0] ||
         lib.SSL_set_alpn_protos(ssl, session->protocol, 1u + session->protocol[0]) == 0;
}

// The text says which file it is, or nothing.
static const char *set_files(SSL_CTX *context, const ctls_settings *settings) {
  if (settings->is_server) {
    if (lib.SSL_CTX_use_certificate_chain_file(context, settings->certificate) != 1) return "the certificate";
    if (lib.SSL_CTX_use_PrivateKey_file(context, settings->key, SSL_FILETYPE_PEM) != 1 ||
        lib.SSL_CTX_check_private_key(context) != 1)
      return "the key";
  } else if (settings->authorities) {
    if (lib.SSL_CTX_load_verify_file(context, settings->authorities) != 1) return "the certificate authorities";
  } else if (lib.SSL_CTX_set_default_verify_paths(context) != 1) {
    return "the system's certificate authorities";
  }
  return NULL;
}

static ctls_outcome prepare(ctls_session *session, const ctls_settings *settings, char *problem, size_t room) {
  size_t length = settings->protocol ? strlen(settings->protocol) : 0;
  if (length > 255) length = 0;
  session->protocol[0] = (unsigned char)length;
  if (length) memcpy(session->protocol + 1, settings->protocol, length);

  SSL_CTX *context = session->context = lib.SSL_CTX_new(lib.TLS_method());
  if (!context) return ctls_failed;
  lib.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
  if (settings->is_older) lib.SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, TLS1_2_VERSION, NULL);
  lib.SSL_CTX_ctrl(
      context, SSL_CTRL_MODE,
      SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS, NULL);
  lib.SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  const char *file = set_files(context, settings);
  if (file) {
    snprintf(problem, room, "%s: %s", file, reason());
    return ctls_bad_files;
  }
  if (settings->is_server) {
    if (length) lib.SSL_CTX_set_alpn_select_cb(context, choose_protocol, session);
  } else {
    lib.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  }

  session->ssl = lib.SSL_new(context);
  BIO *inner = NULL;
  if (!session->ssl || lib.BIO_new_bio_pair(&inner, pair_room, &session->wire, pair_room) != 1)
    return ctls_failed;
  lib.SSL_set_bio(session->ssl, inner, inner);
  if (settings->is_server) {
    lib.SSL_set_accept_state(session->ssl);
    return ctls_done;
  }
  return set_client(session, settings) ? ctls_done : ctls_failed;
}

ctls_session *ctls_open(const ctls_settings *settings, ctls_outcome *outcome, char *problem, size_t room) {
  *outcome = ctls_failed;
  problem[0] = 0;
  if (ctls_load()) return NULL;
  ctls_session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  lib.ERR_clear_error();
  *outcome = prepare(session, settings, problem, room);
  if (*outcome == ctls_done) return session;
  if (!problem[0]) snprintf(problem, room, "%s", reason());
  lib.ERR_clear_error();
  ctls_close(session);
  return NULL;
}

void ctls_close(ctls_session *session) {
  lib.SSL_free(session->ssl);
  lib.BIO_free(session->wire);
  lib.SSL_CTX_free(session->context);
  free(session);
}

size_t ctls_room(const ctls_session *session) { return lib.BIO_ctrl_get_write_guarantee(session->wire); }

size_t ctls_waiting_bytes(const ctls_session *session) { return lib.BIO_ctrl_pending(session->wire); }

static int limited(size_t count) { return count < pair_room ? (int)count : pair_room; }

size_t ctls_put(ctls_session *session, const void *bytes, size_t count) {
  int taken = count ? lib.BIO_write(session->wire, bytes, limited(count)) : 0;
  return taken > 0 ? (size_t)taken : 0;
}

void ctls_put_end(ctls_session *session) { lib.BIO_ctrl(session->wire, BIO_C_SHUTDOWN_WR, 0, NULL); }

size_t ctls_fetch(ctls_session *session, void *bytes, size_t count) {
  int given = count ? lib.BIO_read(session->wire, bytes, limited(count)) : 0;
  return given > 0 ? (size_t)given : 0;
}

// Others use libcrypto on this thread too: what is in its queue of errors is not this call's.
#define BEGIN                          \
  if (session->end) return session->end; \
  lib.ERR_clear_error()

ctls_outcome ctls_handshake(ctls_session *session) {
  BEGIN;
  int result = lib.SSL_do_handshake(session->ssl);
  return result == 1 ? ctls_done : outcome(session, result);
}

ctls_outcome ctls_read(ctls_session *session, void *bytes, size_t count, size_t *done) {
  *done = 0;
  BEGIN;
  int result = lib.SSL_read_ex(session->ssl, bytes, count, done);
  return result == 1 ? ctls_done : outcome(session, result);
}

ctls_outcome ctls_write(ctls_session *session, const void *bytes, size_t count, size_t *done) {
  *done = 0;
  // After the other side has taken leave it may still listen.
  if (session->end && session->end != ctls_left) return session->end;
  if (!count) return ctls_done;
  lib.ERR_clear_error();
  int result = lib.SSL_write_ex(session->ssl, bytes, count, done);
  return result == 1 ? ctls_done : outcome(session, result);
}

void ctls_leave(ctls_session *session) {
  if ((session->end && session->end != ctls_left) || !lib.SSL_is_init_finished(session->ssl)) return;
  lib.ERR_clear_error();
  lib.SSL_shutdown(session->ssl);
  lib.ERR_clear_error();
}

bool ctls_agreed(const ctls_session *session) {
  const unsigned char *name = NULL;
  unsigned length = 0;
  lib.SSL_get0_alpn_selected(session->ssl, &name, &length);
  return length && length == session->protocol[0] && memcmp(name, session->protocol + 1, length) == 0;
}

const char *ctls_asked_name(const ctls_session *session) {
  return lib.SSL_get_servername(session->ssl, TLSEXT_NAMETYPE_host_name);
}

const char *ctls_problem(const ctls_session *session) { return session->problem; }
