// libmicrohttpd, an HTTP server: what LunaBackend uses of it, without variadic functions.
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

// What is called, on threads of the server. `context` is that of the settings.
typedef struct cmhd_handlers {
  // The head of a request is complete. Returns what stands for it in the other calls, or NULL to
  // close the connection.
  void *_Nullable (*_Nonnull begin)(void *context, struct MHD_Connection *connection, const char *method,
                                    const char *target, const char *version);
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
} cmhd_handlers;

typedef struct cmhd_settings {
  int listening_socket;
  unsigned threads;
  unsigned connections;
  // 0: no limit.
  unsigned connections_per_address;
  // Of silence on a connection.
  unsigned seconds_of_patience;
  size_t bytes_for_head;
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

#pragma clang assume_nonnull end
