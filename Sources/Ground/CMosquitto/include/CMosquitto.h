// libmosquitto, an MQTT client: what MQTT uses of it.
//
// The library is loaded when the first client is made, not linked: with what it needs itself it would
// cost every start of the command milliseconds, also of those who only scan.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cmosq_client cmosq_client;

// What is called, on the thread of cmosq_serve. `context` is that of the settings.
typedef struct cmosq_handlers {
  // The broker has accepted the connection.
  void (*connected)(void *context);
  // So many messages have reached the broker, or for quality 0 the socket.
  void (*delivered)(void *context, unsigned count);
  // A message of a subscription; nothing of it is valid afterwards.
  void (*received)(void *context, const char *topic, const void *_Nullable payload, size_t length,
                   bool retained);
} cmosq_handlers;

// All texts are copied.
typedef struct cmosq_settings {
  const char *host;
  int port;
  // Between signs of life, s.
  int keepalive;
  const char *client_id;
  const char *_Nullable user;
  const char *_Nullable password;
  // What the broker publishes, retained, when the connection breaks.
  const char *_Nullable will_topic;
  const char *_Nullable will_payload;
  bool uses_tls;
  // PEM; NULL for the authorities of the system.
  const char *_Nullable authorities;
  const char *_Nullable certificate;
  const char *_Nullable key;
  void *context;
  cmosq_handlers handlers;
} cmosq_settings;

// How a connection came to its end.
typedef enum cmosq_outcome {
  cmosq_stopped,
  cmosq_not_resolved,
  cmosq_not_connected,
  // The broker does not let this client in.
  cmosq_refused,
  cmosq_not_trusted,
  // Certificate, key or authorities cannot be used.
  cmosq_bad_files,
  cmosq_lost,
  cmosq_failed,
} cmosq_outcome;

// Loads the library. Returns NULL, or why that failed; the text stays.
const char *_Nullable cmosq_load(void);

cmosq_client *_Nullable cmosq_open(const cmosq_settings *settings);
// Connects, and stays on this thread until the connection ends. `problem` says why.
cmosq_outcome cmosq_serve(cmosq_client *client, char *problem, size_t room);
// Waits; false when the client is to stop.
bool cmosq_wait(cmosq_client *client, unsigned milliseconds);
// These can be called from any thread, and wait for nothing. False: there is no connection.
bool cmosq_publish(cmosq_client *client, const char *topic, const void *_Nullable payload, size_t length,
                   int quality, bool retain);
bool cmosq_subscribe(cmosq_client *client, const char *filter);
// Takes leave of the broker and ends cmosq_serve and cmosq_wait.
void cmosq_stop(cmosq_client *client);
// After cmosq_serve has returned for the last time.
void cmosq_close(cmosq_client *client);

#pragma clang assume_nonnull end
