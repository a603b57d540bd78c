// libmicrohttpd, an HTTP server: what HTTPServer uses of it, without variadic functions.
//
// The library is loaded when a server starts, not linked: with what it needs itself it would cost
// every start of the command milliseconds, also of those who only scan.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_UpgradeResponseHandle;

// The first part of a request. The texts end at the first zero byte.
typedef struct cmhd_head {
  const char *method;
  // Path and query as they were sent.
  const char *target;
  const char *version;
  // From the first byte to the empty line, with it.
  size_t size;
  // Whether these and the headers are all that was sent, each line with CR and LF. What is not plain,
  // others may read otherwise: a zero byte, a line that goes on in the next one, a lone LF.
  bool is_plain;
  // Whether the library has refused it already; method and version are empty then.
  bool is_refused;
} cmhd_head;

// What is called, on threads of the server. `context` is that of the settings.
typedef struct cmhd_handlers {
  // The head of a request is complete. Returns what stands for it in the other calls, or NULL to
  // close the connection.
  void *_Nullable (*_Nonnull begin)(void *context, struct MHD_Connection *connection,
                                    const cmhd_head *head);
  // A piece of the body. Returns false to close the connection.
  bool (*receive)(void *context, void *request, const void *bytes, size_t count);
  // The request is complete; called again after cmhd_resume. Answers it, or suspends the connection;
  // returns false to close it.
  bool (*complete)(void *context, void *request, struct MHD_Connection *connection);
  // The request is over, however it ended.
  void (*end)(void *context, void *request, struct MHD_Connection *connection);
  // A connection was made, or is about to be closed.
  void (*connected)(void *context, struct MHD_Connection *connection, int socket);
  void (*disconnected)(void *context, struct MHD_Connection *connection);
  // A connection is HTTP no more: its bytes come and go by `socket`, which does not block, after those that
  // had come already. The request is over some time after cmhd_close_upgraded, which has to be called.
  void (*upgraded)(void *context, void *request, int socket, struct MHD_UpgradeResponseHandle *handle,
                   const void *bytes, size_t count);
} cmhd_handlers;

typedef struct cmhd_settings {
  int listening_socket;
  unsigned threads;
  unsigned connections;
  // Of silence on a connection.
  unsigned seconds_of_patience;
  // Of a connection, for the head of its request and what the library notes of it.
  size_t memory;
  // Whether connections may be upgraded.
  bool upgrades;
  // PEM, or NULL for plain HTTP.
  const char *_Nullable certificate;
  const char *_Nullable key;
  void *context;
  cmhd_handlers handlers;
} cmhd_settings;

// Loads the library. Returns NULL, or why that failed; the text stays.
const char *_Nullable cmhd_load(void);
// The version of the library.
const char *cmhd_version(void);

struct MHD_Daemon *_Nullable cmhd_start(const cmhd_settings *settings);
// Stops accepting connections; the listening socket stays open and belongs to the caller.
void cmhd_quiesce(struct MHD_Daemon *server);
// Closes all connections. None may be suspended.
void cmhd_stop(struct MHD_Daemon *server);

// Calls `visit` with every header; names and values as they came.
void cmhd_headers(struct MHD_Connection *connection, void *context,
                  void (*visit)(void *context, const char *name, size_t name_length,
                                const char *value, size_t value_length));

void cmhd_suspend(struct MHD_Connection *connection);
void cmhd_resume(struct MHD_Connection *connection);

typedef struct cmhd_header {
  const char *name;
  const char *value;
} cmhd_header;

// Answers with a copy of the body.
bool cmhd_answer(struct MHD_Connection *connection, unsigned status, const void *_Nullable body,
                 size_t length, const cmhd_header *headers, size_t count);

// Answers with what `read` gives, on a thread of the server, for as long as it gives something. It gives a
// number of bytes, none after it has suspended the connection, or a negative number at the end. `release`
// is called when the library needs the stream no more, also when this fails. The length is that of the body, and a
// negative number before it ends the connection; UINT64_MAX where nobody knows it.
bool cmhd_answer_stream(struct MHD_Connection *connection, unsigned status, const cmhd_header *headers,
                        size_t count, uint64_t length, void *stream,
                        ptrdiff_t (*read)(void *stream, void *bytes, size_t room),
                        void (*release)(void *stream));

// Answers with 101. The settings are those that the server was started with.
bool cmhd_answer_upgrade(struct MHD_Connection *connection, const cmhd_settings *settings,
                         const cmhd_header *headers, size_t count);
// Gives the socket back, once; it must not be used any more. May be called by any thread.
void cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle);

// Answers in place of the library, which has an answer of its own ready and takes no other: writes it
// to the socket, after which nothing can be written any more.
void cmhd_answer_instead(struct MHD_Connection *connection, unsigned status,
                         const void *_Nullable body, size_t length, const cmhd_header *headers,
                         size_t count);

// The address of the client: 4 or 16 bytes, or none. `bytes` has room for 16.
size_t cmhd_address(struct MHD_Connection *connection, uint8_t *bytes);

#pragma clang assume_nonnull end
