#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define FUNCTIONS(X)            \
  X(MHD_add_response_header)    \
  X(MHD_create_response_from_buffer) \
  X(MHD_create_response_from_callback) \
  X(MHD_create_response_for_upgrade) \
  X(MHD_destroy_response)       \
  X(MHD_get_connection_info)    \
  X(MHD_get_connection_values_n) \
  X(MHD_get_reason_phrase_for)  \
  X(MHD_get_version)            \
  X(MHD_queue_response)         \
  X(MHD_quiesce_daemon)         \
  X(MHD_resume_connection)      \
  X(MHD_start_daemon)           \
  X(MHD_stop_daemon)            \
  X(MHD_suspend_connection)     \
  X(MHD_upgrade_action)

#include "../loading.h"

// Of the library for TLS, which comes with libmicrohttpd.
static ssize_t (*tls_send)(void *session, const void *bytes, size_t count);

static void load(void) {
  void *library = load_library("libmicrohttpd.so.12");
  if (library) tls_send = (__typeof__(tls_send))dlsym(library, "gnutls_record_send");
}

const char *cmhd_load(void) {
  pthread_once(&once, load);
  return loading_problem[0] ? loading_problem : NULL;
}

const char *cmhd_version(void) { return cmhd_load() ? "none" : lib.MHD_get_version(); }

// What is known of a request until its head is complete.
struct pending {
  char *target;
  struct MHD_Connection *connection;
  pthread_t thread;
  // What stands for it when it was refused before.
  void *request;
  struct pending *next;
  struct pending **link;
};

static struct pending *all_pending;
static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;

// In place of a request until it has one, marked by bit 0.
static void *mark_of(struct pending *pending) { return (void *)((uintptr_t)pending | 1); }

static struct pending *pending_of(void *request) {
  uintptr_t mark = (uintptr_t)request;
  return mark & 1 ? (struct pending *)(mark & ~(uintptr_t)1) : NULL;
}

static void forget(struct pending *pending) {
  pthread_mutex_lock(&pending_lock);
  *pending->link = pending->next;
  if (pending->next) pending->next->link = pending->link;
  pthread_mutex_unlock(&pending_lock);
  free(pending->target);
  free(pending);
}

// What the library finds in a query: it takes it apart, which nobody needs and which may be more than
// it has memory for. So it sees one long word.
static char hidden(char byte) { return byte == '&' || byte == '=' || byte == '+' ? '!' : byte; }

// A walk over the bytes of a head.
struct walk {
  const char *at;
  const char *end;
  bool is_plain;
};

// Goes over `count` bytes that are known and the zero bytes that the library wrote behind them.
static void step(struct walk *walk, const char *bytes, size_t count, size_t zeros) {
  walk->is_plain = walk->is_plain && bytes && (size_t)(walk->end - walk->at) >= count + zeros &&
                   memcmp(walk->at, bytes, count) == 0;
  if (!walk->is_plain) return;
  walk->at += count;
  for (; zeros > 0; zeros--) walk->is_plain = walk->is_plain && *walk->at++ == '\0';
}

static enum MHD_Result step_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                   size_t name_length, const char *value, size_t value_length) {
  struct walk *walk = cls;
  (void)kind;
  // In their place: a line that goes on in the next one was put together elsewhere.
  if (name != walk->at) walk->is_plain = false;
  step(walk, name, name_length, 1);
  while (walk->is_plain && walk->at < walk->end && (*walk->at == ' ' || *walk->at == '\t')) walk->at++;
  if (value && value != walk->at) walk->is_plain = false;
  step(walk, value ? value : "", value_length, 2);
  return walk->is_plain ? MHD_YES : MHD_NO;
}

// Whether a head is what the library makes of it, and nothing else. The library ends texts at a zero
// byte, takes LF for CRLF, more than one blank in the request line, and lines that go on in the next
// one. It works in place, with a zero byte for each blank, colon, CR and LF that it understood; so the
// bytes tell.
static bool is_plain(struct MHD_Connection *connection, const char *method, const char *target,
                     const char *version, size_t size) {
  struct walk walk = {method, method + size, true};
  step(&walk, method, strlen(method), 1);
  size_t path = strcspn(target, "?");
  step(&walk, target, path, target[path] ? 1 : 0);
  for (const char *byte = target + path; *byte && *++byte;) {
    const char seen = hidden(*byte);
    step(&walk, &seen, 1, 0);
  }
  step(&walk, "", 0, 1);
  step(&walk, version, strlen(version), 2);
  lib.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, step_header, &walk);
  step(&walk, "", 0, 2);
  return walk.is_plain && walk.at == walk.end;
}

static void *begin(const cmhd_settings *settings, struct pending *pending, const char *method,
                   const char *version, bool is_refused) {
  const union MHD_ConnectionInfo *info =
      lib.MHD_get_connection_info(pending->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  size_t size = info ? info->header_size : 0;
  cmhd_head head = {method, pending->target, version, size, true, is_refused};
  head.is_plain = is_refused || is_plain(pending->connection, method, pending->target, version, size);
  return settings->handlers.begin(settings->context, pending->connection, &head);
}

static enum MHD_Result access_request(void *cls, struct MHD_Connection *connection, const char *url,
                                      const char *method, const char *version, const char *data,
                                      size_t *count, void **request) {
  const cmhd_settings *settings = cls;
  (void)url;
  struct pending *pending = pending_of(*request);
  if (pending) {
    *request = begin(settings, pending, method, version, false);
    forget(pending);
    return *request ? MHD_YES : MHD_NO;
  }
  if (!*request) return MHD_NO;
  if (*count > 0) {
    bool goes_on = settings->handlers.receive(settings->context, *request, data, *count);
    *count = 0;
    return goes_on ? MHD_YES : MHD_NO;
  }
  return settings->handlers.complete(settings->context, *request, connection) ? MHD_YES : MHD_NO;
}

// Keeps the target as it was sent: path and query, before anything is decoded.
static void *keep_target(void *cls, const char *target, struct MHD_Connection *connection) {
  (void)cls;
  struct pending *pending = calloc(1, sizeof *pending);
  if (!pending) return NULL;
  pending->target = strdup(target);
  if (!pending->target) {
    free(pending);
    return NULL;
  }
  pending->connection = connection;
  pending->thread = pthread_self();
  for (char *byte = strchr((char *)target, '?'); byte && *byte; byte++) *byte = hidden(*byte);
  pthread_mutex_lock(&pending_lock);
  pending->next = all_pending;
  pending->link = &all_pending;
  if (all_pending) all_pending->link = &pending->next;
  all_pending = pending;
  pthread_mutex_unlock(&pending_lock);
  return mark_of(pending);
}

static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls, (void)connection;
  return strlen(text);
}

static void completed(void *cls, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode how) {
  const cmhd_settings *settings = cls;
  (void)how;
  struct pending *pending = pending_of(*request);
  void *known = pending ? pending->request : *request;
  if (pending) forget(pending);
  if (known) settings->handlers.end(settings->context, known, connection);
  *request = NULL;
}

// Held while an upgraded connection is closed. The library's own thread may see that it is closed, and free the
// connection, before the call is over that closes it, which still writes to it (libmicrohttpd 0.9.75, in
// MHD_upgrade_action: `was_closed` is set before MHD_resume_connection is called).
static pthread_mutex_t closing_lock = PTHREAD_MUTEX_INITIALIZER;

static void notify(void *cls, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code) {
  const cmhd_settings *settings = cls;
  (void)context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    settings->handlers.connected(settings->context, connection, info ? info->connect_fd : -1);
  } else {
    settings->handlers.disconnected(settings->context, connection);
    // The last that is heard before the library frees it: whoever closes an upgraded one writes to it until then.
    pthread_mutex_lock(&closing_lock);
    pthread_mutex_unlock(&closing_lock);
  }
}

// What the library has to say concerns single connections; the server counts and logs requests. But
// when it says something while a head is complete and not handed over yet, it has refused it: it does
// not understand the length of the body. It would then answer with two heads, so the server is faster.
static void hear_message(void *cls, const char *format, va_list arguments) {
  const cmhd_settings *settings = cls;
  (void)format, (void)arguments;
  struct pending *refused = NULL;
  pthread_mutex_lock(&pending_lock);
  for (struct pending *each = all_pending; each && !refused; each = each->next) {
    // A connection belongs to one thread, and only complete heads have a size.
    if (pthread_equal(each->thread, pthread_self()) && !each->request &&
        lib.MHD_get_connection_info(each->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE))
      refused = each;
  }
  pthread_mutex_unlock(&pending_lock);
  if (refused) refused->request = begin(settings, refused, "", "", true);
}

struct MHD_Daemon *cmhd_start(const cmhd_settings *settings) {
  struct MHD_OptionItem options[24];
  int count = 0;
#define ADD(name, number, pointer) \
  options[count++] = (struct MHD_OptionItem){(name), (intptr_t)(number), (void *)(pointer)}
  ADD(MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)hear_message, settings);
  ADD(MHD_OPTION_LISTEN_SOCKET, settings->listening_socket, NULL);
  ADD(MHD_OPTION_CONNECTION_LIMIT, settings->connections, NULL);
  ADD(MHD_OPTION_CONNECTION_TIMEOUT, settings->seconds_of_patience, NULL);
  ADD(MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory, NULL);
  if (settings->threads > 1) ADD(MHD_OPTION_THREAD_POOL_SIZE, settings->threads, NULL);
  // What it would refuse when it is strict, we do, in our words.
  ADD(MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL);
  ADD(MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL);
  ADD(MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)keep_target, settings);
  ADD(MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escapes, NULL);
  ADD(MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, settings);
  ADD(MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notify, settings);
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                   MHD_USE_ERROR_LOG;
  if (settings->upgrades) flags |= MHD_ALLOW_UPGRADE;
  if (settings->certificate) {
    flags |= MHD_USE_TLS;
    ADD(MHD_OPTION_HTTPS_MEM_CERT, 0, settings->certificate);
    ADD(MHD_OPTION_HTTPS_MEM_KEY, 0, settings->key);
    ADD(MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2");
  }
  ADD(MHD_OPTION_END, 0, NULL);
#undef ADD
  return lib.MHD_start_daemon(flags, 0, NULL, NULL, &access_request, (void *)settings,
                              MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

void cmhd_quiesce(struct MHD_Daemon *server) { lib.MHD_quiesce_daemon(server); }
void cmhd_stop(struct MHD_Daemon *server) { lib.MHD_stop_daemon(server); }
void cmhd_suspend(struct MHD_Connection *connection) { lib.MHD_suspend_connection(connection); }
void cmhd_resume(struct MHD_Connection *connection) { lib.MHD_resume_connection(connection); }

struct visitor {
  void *context;
  void (*visit)(void *, const char *, size_t, const char *, size_t);
};

static enum MHD_Result visit_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                    size_t name_length, const char *value, size_t value_length) {
  struct visitor *visitor = cls;
  (void)kind;
  visitor->visit(visitor->context, name, name_length, value ? value : "", value_length);
  return MHD_YES;
}

void cmhd_headers(struct MHD_Connection *connection, void *context,
                  void (*visit)(void *, const char *, size_t, const char *, size_t)) {
  struct visitor visitor = {context, visit};
  lib.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit_header, &visitor);
}

bool cmhd_answer(struct MHD_Connection *connection, unsigned status, const void *body, size_t length,
                 const cmhd_header *headers, size_t count) {
  struct MHD_Response *response =
      lib.MHD_create_response_from_buffer(length, (void *)body, MHD_RESPMEM_MUST_COPY);
  if (!response) return false;
  for (size_t i = 0; i < count; i++)
    lib.MHD_add_response_header(response, headers[i].name, headers[i].value);
  enum MHD_Result result = lib.MHD_queue_response(connection, status, response);
  lib.MHD_destroy_response(response);
  return result == MHD_YES;
}

struct source {
  void *stream;
  ptrdiff_t (*read)(void *, void *, size_t);
  void (*release)(void *);
  bool is_sized;
};

static ssize_t read_source(void *cls, uint64_t position, char *bytes, size_t room) {
  struct source *source = cls;
  (void)position;
  ptrdiff_t count = source->read(source->stream, bytes, room);
  if (count >= 0) return count;
  // The end of a body of a known length is known by itself.
  return source->is_sized ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
}

static void release_source(void *cls) {
  struct source *source = cls;
  source->release(source->stream);
  free(source);
}

bool cmhd_answer_stream(struct MHD_Connection *connection, unsigned status, const cmhd_header *headers,
                        size_t count, uint64_t length, void *stream,
                        ptrdiff_t (*read)(void *, void *, size_t), void (*release)(void *)) {
  struct source *source = malloc(sizeof *source);
  struct MHD_Response *response = NULL;
  if (source) {
    *source = (struct source){stream, read, release, length != UINT64_MAX};
    response = lib.MHD_create_response_from_callback(
        source->is_sized ? length : MHD_SIZE_UNKNOWN, source->is_sized ? 32768 : 4096, read_source,
        source, release_source);
  }
  if (!response) {
    release(stream);
    free(source);
    return false;
  }
  for (size_t i = 0; i < count; i++)
    lib.MHD_add_response_header(response, headers[i].name, headers[i].value);
  enum MHD_Result result = lib.MHD_queue_response(connection, status, response);
  lib.MHD_destroy_response(response);
  return result == MHD_YES;
}

static void upgraded(void *cls, struct MHD_Connection *connection, void *request, const char *extra,
                     size_t count, MHD_socket socket, struct MHD_UpgradeResponseHandle *handle) {
  const cmhd_settings *settings = cls;
  (void)connection;
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  // As an answer in pieces may have left them; with TLS it is no socket of TCP, and has neither.
  const int off = 0, on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_CORK, &off, sizeof off);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  settings->handlers.upgraded(settings->context, request, socket, handle, extra ? extra : "",
                              extra ? count : 0);
}

bool cmhd_answer_upgrade(struct MHD_Connection *connection, const cmhd_settings *settings,
                         const cmhd_header *headers, size_t count) {
  // It adds "Connection: Upgrade".
  struct MHD_Response *response = lib.MHD_create_response_for_upgrade(upgraded, (void *)settings);
  if (!response) return false;
  for (size_t i = 0; i < count; i++)
    lib.MHD_add_response_header(response, headers[i].name, headers[i].value);
  enum MHD_Result result = lib.MHD_queue_response(connection, MHD_HTTP_SWITCHING_PROTOCOLS, response);
  lib.MHD_destroy_response(response);
  return result == MHD_YES;
}

void cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  pthread_mutex_lock(&closing_lock);
  lib.MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
  pthread_mutex_unlock(&closing_lock);
}

// Waits for nothing: what does not fit is lost.
static void send_all(struct MHD_Connection *connection, int socket, const char *bytes, size_t count) {
  const union MHD_ConnectionInfo *info =
      lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (info && info->tls_session) {
    if (tls_send) tls_send(info->tls_session, bytes, count);
  } else {
    send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

void cmhd_answer_instead(struct MHD_Connection *connection, unsigned status, const void *body,
                         size_t length, const cmhd_header *headers, size_t count) {
  const union MHD_ConnectionInfo *info =
      lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (!info) return;
  int socket = info->connect_fd;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return;
  time_t now = time(NULL);
  struct tm parts;
  char date[64] = "";
  if (gmtime_r(&now, &parts)) strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  fprintf(stream, "HTTP/1.1 %u %s\r\nDate: %s\r\nContent-Length: %zu\r\n", status,
          lib.MHD_get_reason_phrase_for(status), date, length);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "%s: %s\r\n", headers[i].name, headers[i].value);
  fputs("\r\n", stream);
  if (body) fwrite(body, 1, length, stream);
  if (fclose(stream) == 0) send_all(connection, socket, text, size);
  free(text);
  // What is unread when a socket is closed would take the answer with it.
  char rest[4096];
  for (int i = 0; i < 256 && recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0; i++) continue;
  shutdown(socket, SHUT_WR);
}

size_t cmhd_address(struct MHD_Connection *connection, uint8_t *bytes) {
  const union MHD_ConnectionInfo *info =
      lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  if (info->client_addr->sa_family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return 4;
  }
  if (info->client_addr->sa_family != AF_INET6) return 0;
  memcpy(bytes, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
  return 16;
}
