#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
// Where Debian has it.
#include <postgresql/libpq-fe.h>
#endif

#define FUNCTIONS(X)      \
  X(PQbackendPID)         \
  X(PQcancel)             \
  X(PQclear)              \
  X(PQcmdTuples)          \
  X(PQconnectPoll)        \
  X(PQconnectStartParams) \
  X(PQconninfoFree)       \
  X(PQconninfoParse)      \
  X(PQconsumeInput)       \
  X(PQerrorMessage)       \
  X(PQfinish)             \
  X(PQflush)              \
  X(PQfreeCancel)         \
  X(PQfreemem)            \
  X(PQftype)              \
  X(PQgetCancel)          \
  X(PQgetisnull)          \
  X(PQgetlength)          \
  X(PQgetResult)          \
  X(PQgetvalue)           \
  X(PQisBusy)             \
  X(PQnfields)            \
  X(PQnotifies)           \
  X(PQntuples)            \
  X(PQreset)              \
  X(PQresultErrorField)   \
  X(PQresultErrorMessage) \
  X(PQresultStatus)       \
  X(PQsendPrepare)        \
  X(PQsendQuery)          \
  X(PQsendQueryPrepared)  \
  X(PQserverVersion)      \
  X(PQsetnonblocking)     \
  X(PQsetNoticeReceiver)  \
  X(PQsocket)             \
  X(PQstatus)             \
  X(PQtransactionStatus)

#include "../loading.h"

static void load(void) {
  load_library("libpq.so.5");
}

const char *cpq_load(void) {
  pthread_once(&once, load);
  return loading_problem[0] ? loading_problem : NULL;
}

// To libpq these are PGconn and PGresult.
static PGconn *pg(const cpq_connection *connection) { return (PGconn *)connection; }
static const PGresult *rows(const cpq_result *result) { return (const PGresult *)result; }

bool cpq_can_read(const char *settings) {
  char *reason = NULL;
  PQconninfoOption *options = lib.PQconninfoParse(settings, &reason);
  bool can = options != NULL;
  lib.PQconninfoFree(options);
  lib.PQfreemem(reason);
  return can;
}

cpq_connection *cpq_connect_start_params(const char *const *names, const char *const *values, int expand) {
  if (cpq_load()) return NULL;
  return (cpq_connection *)lib.PQconnectStartParams(names, values, expand);
}

cpq_polling cpq_connect_poll(cpq_connection *connection) {
  switch (lib.PQconnectPoll(pg(connection))) {
    case PGRES_POLLING_READING: return cpq_reading;
    case PGRES_POLLING_WRITING: return cpq_writing;
    case PGRES_POLLING_OK: return cpq_made;
    default: return cpq_failed;
  }
}

void cpq_reset(cpq_connection *connection) { lib.PQreset(pg(connection)); }
void cpq_finish(cpq_connection *connection) {
  if (connection) lib.PQfinish(pg(connection));
}

bool cpq_is_connected(const cpq_connection *connection) {
  return connection && lib.PQstatus(pg(connection)) == CONNECTION_OK;
}

bool cpq_is_bad(const cpq_connection *connection) { return lib.PQstatus(pg(connection)) == CONNECTION_BAD; }
bool cpq_is_idle(const cpq_connection *connection) { return lib.PQtransactionStatus(pg(connection)) == PQTRANS_IDLE; }
bool cpq_is_active(const cpq_connection *connection) {
  return lib.PQtransactionStatus(pg(connection)) == PQTRANS_ACTIVE;
}
int cpq_socket(const cpq_connection *connection) { return lib.PQsocket(pg(connection)); }
int cpq_server_version(const cpq_connection *connection) { return lib.PQserverVersion(pg(connection)); }
int cpq_backend_pid(const cpq_connection *connection) { return lib.PQbackendPID(pg(connection)); }

const char *cpq_error_message(const cpq_connection *connection) {
  // Without one there is no memory, or no library.
  return connection ? lib.PQerrorMessage(pg(connection)) : loading_problem[0] ? loading_problem : "out of memory";
}

void cpq_set_notice_receiver(cpq_connection *connection, void (*receiver)(void *, const cpq_result *), void *context) {
  lib.PQsetNoticeReceiver(pg(connection), (PQnoticeReceiver)receiver, context);
}

bool cpq_take_notices(cpq_connection *connection) {
  bool some = false;
  if (lib.PQconsumeInput(pg(connection)) == 1) {
    for (PGnotify *notice; (notice = lib.PQnotifies(pg(connection))); some = true) lib.PQfreemem(notice);
  }
  return some;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// Without it, sending waits for a server that reads nothing.
static PGconn *patient(cpq_connection *connection) {
  lib.PQsetnonblocking(pg(connection), 1);
  return pg(connection);
}

// The last result of what was sent, as PQexec gives it, or NULL when the time is over.
static cpq_result *result(cpq_connection *connection, int sent, int limit) {
  PGconn *c = pg(connection);
  PGresult *last = NULL;
  long long end = milliseconds() + limit;
  while (sent) {
    while (lib.PQisBusy(c)) {
      struct pollfd entry = {lib.PQsocket(c), lib.PQflush(c) > 0 ? POLLIN | POLLOUT : POLLIN, 0};
      long long left = end - milliseconds();
      int count = left > 0 ? poll(&entry, 1, (int)left) : 0;
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        lib.PQclear(last);
        return NULL;
      }
      if (!lib.PQconsumeInput(c)) break;
    }
    PGresult *next = lib.PQgetResult(c);
    if (!next) break;
    lib.PQclear(last);
    last = next;
  }
  return (cpq_result *)last;
}

cpq_result *cpq_exec(cpq_connection *connection, const char *sql, int limit) {
  return result(connection, lib.PQsendQuery(patient(connection), sql), limit);
}

cpq_result *cpq_prepare(cpq_connection *connection, const char *name, const char *sql, int count,
                        const unsigned *types, int limit) {
  return result(connection, lib.PQsendPrepare(patient(connection), name, sql, count, types), limit);
}

cpq_result *cpq_exec_prepared(cpq_connection *connection, const char *name, int count, const char *const *values,
                              const int *lengths, const int *formats, int limit) {
  return result(connection,
                lib.PQsendQueryPrepared(patient(connection), name, count, values, lengths, formats, 1), limit);
}

cpq_cancel *cpq_get_cancel(cpq_connection *connection) { return (cpq_cancel *)lib.PQgetCancel(pg(connection)); }

void cpq_cancel_now(cpq_cancel *cancel) {
  char why[256];
  if (!cancel) return;
  lib.PQcancel((PGcancel *)cancel, why, sizeof why);
  lib.PQfreeCancel((PGcancel *)cancel);
}

void cpq_clear(cpq_result *result) {
  if (result) lib.PQclear((PGresult *)result);
}

bool cpq_is_success(const cpq_result *result) {
  ExecStatusType status = lib.PQresultStatus(rows(result));
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

const char *cpq_result_error_message(const cpq_result *result) { return lib.PQresultErrorMessage(rows(result)); }

const char *cpq_result_error_field(const cpq_result *result, int field) {
  return lib.PQresultErrorField(rows(result), field);
}

int cpq_ntuples(const cpq_result *result) { return lib.PQntuples(rows(result)); }
int cpq_nfields(const cpq_result *result) { return lib.PQnfields(rows(result)); }
unsigned cpq_ftype(const cpq_result *result, int column) { return lib.PQftype(rows(result), column); }
const char *cpq_cmd_tuples(cpq_result *result) { return lib.PQcmdTuples((PGresult *)result); }

bool cpq_getisnull(const cpq_result *result, int row, int column) {
  return lib.PQgetisnull(rows(result), row, column) != 0;
}

int cpq_getlength(const cpq_result *result, int row, int column) { return lib.PQgetlength(rows(result), row, column); }

const char *cpq_getvalue(const cpq_result *result, int row, int column) {
  return lib.PQgetvalue(rows(result), row, column);
}
