// libssl, which speaks TLS: what TLSStream uses of it. A session reads and writes no socket: what the other
// side said is put into it, and what goes to the other side is fetched from it.
//
// The library is loaded when the first session is made, not linked: most commands never speak TLS themselves.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct ctls_session ctls_session;

typedef struct ctls_settings {
  bool is_server;
  // Of a client, a file of certificates in PEM; NULL for those of the system.
  const char *_Nullable authorities;
  // Of a client, the name or address that the certificate has to have; NULL for any.
  const char *_Nullable checked_name;
  // Of a client, the name that it asks for (SNI); NULL for none.
  const char *_Nullable server_name;
  // What is spoken over TLS (ALPN); NULL for nothing.
  const char *_Nullable protocol;
  // Whether TLS 1.2 is the newest version that is spoken.
  bool is_older;
  // Of a server, files in PEM.
  const char *_Nullable certificate;
  const char *_Nullable key;
} ctls_settings;

typedef enum ctls_outcome {
  ctls_done,
  // Bytes have to be put in or fetched first.
  ctls_waiting,
  // The other side has taken leave.
  ctls_left,
  // It ended without.
  ctls_cut,
  ctls_not_trusted,
  // The certificate is for another name.
  ctls_other_name,
  // What came is not TLS.
  ctls_not_spoken,
  // A file cannot be used.
  ctls_bad_files,
  ctls_failed,
} ctls_outcome;

// Loads the library. Returns NULL, or why that failed; the text stays.
const char *_Nullable ctls_load(void);

// Makes a session, to be used by one thread at a time. NULL: `problem` says why, and `outcome`.
ctls_session *_Nullable ctls_open(
    const ctls_settings *settings, ctls_outcome *outcome, char *problem, size_t room);
void ctls_close(ctls_session *session);

// How many bytes can be put in; how many there are to be fetched.
size_t ctls_room(const ctls_session *session);
size_t ctls_waiting_bytes(const ctls_session *session);
// Puts bytes of the other side in, and returns how many; and says that no more will come.
size_t ctls_put(ctls_session *session, const void *bytes, size_t count);
void ctls_put_end(ctls_session *session);
// Fetches bytes for the other side.
size_t ctls_fetch(ctls_session *session, void *bytes, size_t count);

ctls_outcome ctls_handshake(ctls_session *session);
// `done` is how many bytes it was. What was not written is to be written again, from where it ended.
ctls_outcome ctls_read(ctls_session *session, void *bytes, size_t count, size_t *done);
ctls_outcome ctls_write(ctls_session *session, const void *bytes, size_t count, size_t *done);
// Takes leave of the other side.
void ctls_leave(ctls_session *session);

// Whether the other side agreed to speak the protocol of the settings.
bool ctls_agreed(const ctls_session *session);
// The name that a client asked a server for; NULL for none.
const char *_Nullable ctls_asked_name(const ctls_session *session);
// Why the session came to its end.
const char *ctls_problem(const ctls_session *session);

#pragma clang assume_nonnull end
