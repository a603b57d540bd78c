#define _GNU_SOURCE
#include "CMosquitto.h"

#include <errno.h>
#include <mosquitto.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(X)                  \
  X(mosquitto_connack_string)         \
  X(mosquitto_connect_async)          \
  X(mosquitto_connect_callback_set)   \
  X(mosquitto_destroy)                \
  X(mosquitto_disconnect)             \
  X(mosquitto_lib_init)               \
  X(mosquitto_log_callback_set)       \
  X(mosquitto_loop)                   \
  X(mosquitto_message_callback_set)   \
  X(mosquitto_new)                    \
  X(mosquitto_publish)                \
  X(mosquitto_publish_callback_set)   \
  X(mosquitto_strerror)               \
  X(mosquitto_subscribe)              \
  X(mosquitto_threaded_set)           \
  X(mosquitto_tls_opts_set)           \
  X(mosquitto_tls_set)                \
  X(mosquitto_username_pw_set)        \
  X(mosquitto_will_set)

#include "../loading.h"

static void load(void) {
  if (load_library("libmosquitto.so.1")) lib.mosquitto_lib_init();
}

const char *cmosq_load(void) {
  pthread_once(&once, load);
  return loading_problem[0] ? loading_problem : NULL;
}

struct cmosq_client {
  cmosq_settings settings;
  pthread_mutex_t lock;
  pthread_cond_t stopped;
  // Under the lock: the connection, and whether the broker has accepted it.
  struct mosquitto *connection;
  bool is_accepted;
  bool is_stopping;
  // On the thread that serves.
  bool is_new;
  int refusal;
  unsigned delivered;
  char message[256];
};

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

cmosq_client *cmosq_open(const cmosq_settings *settings) {
  if (cmosq_load()) return NULL;
  cmosq_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->settings = *settings;
  client->settings.host = copy(settings->host);
  client->settings.client_id = copy(settings->client_id);
  client->settings.user = copy(settings->user);
  client->settings.password = copy(settings->password);
  client->settings.will_topic = copy(settings->will_topic);
  client->settings.will_payload = copy(settings->will_payload);
  client->settings.authorities = copy(settings->authorities);
  client->settings.certificate = copy(settings->certificate);
  client->settings.key = copy(settings->key);
  pthread_mutex_init(&client->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&client->stopped, &attributes);
  pthread_condattr_destroy(&attributes);
  return client;
}

static void forget(const char *secret) {
  if (secret) explicit_bzero((void *)secret, strlen(secret));
  free((void *)secret);
}

void cmosq_close(cmosq_client *client) {
  free((void *)client->settings.host);
  free((void *)client->settings.client_id);
  free((void *)client->settings.user);
  forget(client->settings.password);
  free((void *)client->settings.will_topic);
  free((void *)client->settings.will_payload);
  free((void *)client->settings.authorities);
  free((void *)client->settings.certificate);
  free((void *)client->settings.key);
  pthread_mutex_destroy(&client->lock);
  pthread_cond_destroy(&client->stopped);
  free(client);
}

static void connected(struct mosquitto *connection, void *context, int refusal) {
  cmosq_client *client = context;
  (void)connection;
  client->refusal = refusal;
  client->is_new = refusal == 0;
}

static void published(struct mosquitto *connection, void *context, int id) {
  (void)connection, (void)id;
  ((cmosq_client *)context)->delivered++;
}

static void received(struct mosquitto *connection, void *context,
                     const struct mosquitto_message *message) {
  cmosq_client *client = context;
  (void)connection;
  client->settings.handlers.received(client->settings.context, message->topic, message->payload,
                                     message->payloadlen > 0 ? (size_t)message->payloadlen : 0,
                                     message->retain);
}

static void logged(struct mosquitto *connection, void *context, int level, const char *text) {
  cmosq_client *client = context;
  (void)connection;
  if (level == MOSQ_LOG_ERR) snprintf(client->message, sizeof client->message, "%s", text);
}

// The passphrase of a key: there is nobody who could be asked.
static int no_passphrase(char *text, int size, int writes, void *context) {
  (void)text, (void)size, (void)writes, (void)context;
  return 0;
}

static int prepare(cmosq_client *client, struct mosquitto *connection) {
  const cmosq_settings *settings = &client->settings;
  lib.mosquitto_threaded_set(connection, true);
  lib.mosquitto_connect_callback_set(connection, connected);
  lib.mosquitto_publish_callback_set(connection, published);
  lib.mosquitto_message_callback_set(connection, received);
  lib.mosquitto_log_callback_set(connection, logged);
  int error = 0;
  if (settings->user)
    error = lib.mosquitto_username_pw_set(connection, settings->user, settings->password);
  if (!error && settings->will_topic) {
    const char *payload = settings->will_payload ? settings->will_payload : "";
    error = lib.mosquitto_will_set(connection, settings->will_topic, (int)strlen(payload), payload, 1,
                                   true);
  }
  if (!error && settings->uses_tls) {
    error = lib.mosquitto_tls_set(connection, settings->authorities,
                                  settings->authorities ? NULL : "/etc/ssl/certs",
                                  settings->certificate, settings->key, no_passphrase);
    if (!error) error = lib.mosquitto_tls_opts_set(connection, 1, NULL, NULL);
    if (error) return -error;
  }
  return error;
}

static void explain(cmosq_client *client, int error, int code, char *problem, size_t room) {
  const char *reason = client->refusal ? lib.mosquitto_connack_string(client->refusal)
                       : error == MOSQ_ERR_ERRNO ? strerror(code)
                       : error == MOSQ_ERR_EAI   ? gai_strerror(code)
                       // The library calls it an unknown error.
                       : error == MOSQ_ERR_KEEPALIVE ? "it says nothing"
                                                     : lib.mosquitto_strerror(error);
  if (client->message[0] && strcmp(client->message, reason) != 0)
    snprintf(problem, room, "%s (%s)", reason, client->message);
  else
    snprintf(problem, room, "%s", reason);
}

static cmosq_outcome outcome_of(cmosq_client *client, int error, bool was_accepted) {
  if (client->refusal) return cmosq_refused;
  switch (error) {
    case MOSQ_ERR_EAI:
    case MOSQ_ERR_LOOKUP: return cmosq_not_resolved;
    case MOSQ_ERR_TLS:
    case MOSQ_ERR_TLS_HANDSHAKE: return was_accepted ? cmosq_lost : cmosq_not_trusted;
    case MOSQ_ERR_INVAL:
    case MOSQ_ERR_NOMEM: return cmosq_failed;
    default: return was_accepted ? cmosq_lost : cmosq_not_connected;
  }
}

static bool stopping(cmosq_client *client) {
  pthread_mutex_lock(&client->lock);
  bool is_stopping = client->is_stopping;
  pthread_mutex_unlock(&client->lock);
  return is_stopping;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Tells what the library has told meanwhile: not from within it, since the answer may be a message.
static void tell(cmosq_client *client) {
  if (client->is_new) {
    client->is_new = false;
    pthread_mutex_lock(&client->lock);
    client->is_accepted = true;
    pthread_mutex_unlock(&client->lock);
    client->settings.handlers.connected(client->settings.context);
  }
  if (client->delivered) {
    unsigned count = client->delivered;
    client->delivered = 0;
    client->settings.handlers.delivered(client->settings.context, count);
  }
}

cmosq_outcome cmosq_serve(cmosq_client *client, char *problem, size_t room) {
  problem[0] = 0;
  client->is_new = false;
  client->refusal = 0;
  client->delivered = 0;
  client->message[0] = 0;
  // A new one each time: nothing of an earlier connection is sent again behind our back.
  struct mosquitto *connection = lib.mosquitto_new(client->settings.client_id, true, client);
  if (!connection) {
    snprintf(problem, room, "%s", strerror(errno));
    return cmosq_failed;
  }
  int error = prepare(client, connection);
  if (error) {
    explain(client, error < 0 ? -error : error, errno, problem, room);
    lib.mosquitto_destroy(connection);
    return error < 0 ? cmosq_bad_files : cmosq_failed;
  }
  pthread_mutex_lock(&client->lock);
  client->connection = connection;
  pthread_mutex_unlock(&client->lock);
  errno = 0;
  error = lib.mosquitto_connect_async(connection, client->settings.host, client->settings.port,
                                      client->settings.keepalive);
  int code = errno;
  double end = 0;
  while (!error) {
    errno = 0;
    error = lib.mosquitto_loop(connection, 10000, 1);
    code = errno;
    if (!error && client->refusal) error = MOSQ_ERR_CONN_REFUSED;
    tell(client);
    if (stopping(client)) {
      // The broker takes leave too, or has had its time; who was not let in has none to take.
      if (end == 0) end = now() + 2;
      pthread_mutex_lock(&client->lock);
      bool is_accepted = client->is_accepted;
      pthread_mutex_unlock(&client->lock);
      if (!is_accepted || now() > end) break;
    }
  }
  pthread_mutex_lock(&client->lock);
  bool was_accepted = client->is_accepted, is_stopping = client->is_stopping;
  client->connection = NULL;
  client->is_accepted = false;
  pthread_mutex_unlock(&client->lock);
  if (!is_stopping) explain(client, error, code, problem, room);
  lib.mosquitto_destroy(connection);
  return is_stopping ? cmosq_stopped : outcome_of(client, error, was_accepted);
}

bool cmosq_wait(cmosq_client *client, unsigned milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
  pthread_mutex_lock(&client->lock);
  while (!client->is_stopping &&
         pthread_cond_timedwait(&client->stopped, &client->lock, &end) != ETIMEDOUT) continue;
  bool goes_on = !client->is_stopping;
  pthread_mutex_unlock(&client->lock);
  return goes_on;
}

bool cmosq_publish(cmosq_client *client, const char *topic, const void *payload, size_t length,
                   int quality, bool retain) {
  pthread_mutex_lock(&client->lock);
  bool is_sent = client->connection && client->is_accepted &&
                 lib.mosquitto_publish(client->connection, NULL, topic, (int)length, payload, quality,
                                       retain) == MOSQ_ERR_SUCCESS;
  pthread_mutex_unlock(&client->lock);
  return is_sent;
}

bool cmosq_subscribe(cmosq_client *client, const char *filter) {
  pthread_mutex_lock(&client->lock);
  bool is_sent = client->connection && client->is_accepted &&
                 lib.mosquitto_subscribe(client->connection, NULL, filter, 1) == MOSQ_ERR_SUCCESS;
  pthread_mutex_unlock(&client->lock);
  return is_sent;
}

void cmosq_stop(cmosq_client *client) {
  pthread_mutex_lock(&client->lock);
  client->is_stopping = true;
  if (client->connection) lib.mosquitto_disconnect(client->connection);
  pthread_cond_broadcast(&client->stopped);
  pthread_mutex_unlock(&client->lock);
}
