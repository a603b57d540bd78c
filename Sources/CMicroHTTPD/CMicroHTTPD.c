#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <dlfcn.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions that are used, with the types that the header gives them.
#define FUNCTIONS(X)            \
  X(MHD_add_response_header)    \
  X(MHD_create_response_from_buffer) \
  X(MHD_destroy_response)       \
  X(MHD_get_connection_info)    \
  X(MHD_get_connection_values_n) \
  X(MHD_get_version)            \
  X(MHD_queue_response)         \
  X(MHD_quiesce_daemon)         \
  X(MHD_resume_connection)      \
  X(MHD_start_daemon)           \
  X(MHD_stop_daemon)            \
  X(MHD_suspend_connection)

static struct {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
} mhd;

static char problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
#define X(name)                                                            \
  if (!(mhd.name = (__typeof__(&name))dlsym(library, #name))) {             \
    snprintf(problem, sizeof problem, "libmicrohttpd has no %s", #name);    \
    return;                                                                 \
  }
  FUNCTIONS(X)
#undef X
}

const char *cmhd_load(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

const char *cmhd_version(void) { return cmhd_load() ? "none" : mhd.MHD_get_version(); }

// MARK: From the library to the handlers

static enum MHD_Result access_request(void *cls, struct MHD_Connection *connection, const char *url,
                                      const char *method, const char *version, const char *data,
                                      size_t *count, void **request) {
  const cmhd_settings *settings = cls;
  (void)url;
  // `request` holds the target until the head is complete (see keep_target): marked by bit 0.
  uintptr_t mark = (uintptr_t)*request;
  if (mark & 1) {
    char *target = (char *)(mark & ~(uintptr_t)1);
    *request = NULL;
    *request = settings->handlers.begin(settings->context, connection, method, target, version);
    free(target);
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
  (void)cls, (void)connection;
  char *copy = strdup(target);
  return copy ? (void *)((uintptr_t)copy | 1) : NULL;
}

static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls, (void)connection;
  return strlen(text);
}

static void completed(void *cls, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode how) {
  const cmhd_settings *settings = cls;
  (void)how;
  uintptr_t mark = (uintptr_t)*request;
  if (mark & 1) {
    free((char *)(mark & ~(uintptr_t)1));
  } else if (*request) {
    settings->handlers.end(settings->context, *request, connection);
  }
  *request = NULL;
}

static void notify(void *cls, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code) {
  const cmhd_settings *settings = cls;
  (void)context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    settings->handlers.connected(settings->context, connection, info ? info->connect_fd : -1);
  } else {
    settings->handlers.disconnected(settings->context, connection);
  }
}

// What the library has to say concerns single connections; the server counts and logs requests.
static void ignore_message(void *cls, const char *format, va_list arguments) {
  (void)cls, (void)format, (void)arguments;
}

// MARK: The server

struct MHD_Daemon *cmhd_start(const cmhd_settings *settings) {
  struct MHD_OptionItem options[24];
  int count = 0;
#define ADD(name, number, pointer) \
  options[count++] = (struct MHD_OptionItem){(name), (intptr_t)(number), (void *)(pointer)}
  ADD(MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)ignore_message, NULL);
  ADD(MHD_OPTION_LISTEN_SOCKET, settings->listening_socket, NULL);
  ADD(MHD_OPTION_CONNECTION_LIMIT, settings->connections, NULL);
  if (settings->connections_per_address)
    ADD(MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_address, NULL);
  ADD(MHD_OPTION_CONNECTION_TIMEOUT, settings->seconds_of_patience, NULL);
  ADD(MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->bytes_for_head, NULL);
  if (settings->threads > 1) ADD(MHD_OPTION_THREAD_POOL_SIZE, settings->threads, NULL);
  ADD(MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL);
  ADD(MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL);
  ADD(MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)keep_target, settings);
  ADD(MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escapes, NULL);
  ADD(MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, settings);
  ADD(MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notify, settings);
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                   MHD_USE_ERROR_LOG;
  if (settings->certificate) {
    flags |= MHD_USE_TLS;
    ADD(MHD_OPTION_HTTPS_MEM_CERT, 0, settings->certificate);
    ADD(MHD_OPTION_HTTPS_MEM_KEY, 0, settings->key);
    ADD(MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2");
  }
  ADD(MHD_OPTION_END, 0, NULL);
#undef ADD
  return mhd.MHD_start_daemon(flags, 0, NULL, NULL, &access_request, (void *)settings,
                              MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

void cmhd_quiesce(struct MHD_Daemon *server) { mhd.MHD_quiesce_daemon(server); }
void cmhd_stop(struct MHD_Daemon *server) { mhd.MHD_stop_daemon(server); }
void cmhd_suspend(struct MHD_Connection *connection) { mhd.MHD_suspend_connection(connection); }
void cmhd_resume(struct MHD_Connection *connection) { mhd.MHD_resume_connection(connection); }

// MARK: Requests and answers

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
  mhd.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit_header, &visitor);
}

bool cmhd_answer(struct MHD_Connection *connection, unsigned status, const void *body, size_t length,
                 const cmhd_header *headers, size_t count) {
  struct MHD_Response *response =
      mhd.MHD_create_response_from_buffer(length, (void *)body, MHD_RESPMEM_MUST_COPY);
  if (!response) return false;
  for (size_t i = 0; i < count; i++)
    mhd.MHD_add_response_header(response, headers[i].name, headers[i].value);
  enum MHD_Result result = mhd.MHD_queue_response(connection, status, response);
  mhd.MHD_destroy_response(response);
  return result == MHD_YES;
}
