// libpq, the client of PostgreSQL: what LunaBackend uses of it.
//
// The library is loaded when the first storage is made, not linked: a backend that keeps its data in SQLite, and every
// other command, needs neither it nor what it needs itself. cpq_connect_start_params loads it as well; where that fails
// there is no connection.
//
// Where nothing else is said, a function is the one of libpq by that name: cpq_exec is PQexec.
#pragma once
#include <stdbool.h>

#pragma clang assume_nonnull begin

typedef struct cpq_connection cpq_connection;
typedef struct cpq_result cpq_result;
typedef struct cpq_cancel cpq_cancel;

// What a connection that is being made waits for.
typedef enum cpq_polling { cpq_failed, cpq_reading, cpq_writing, cpq_made } cpq_polling;

// Loads the library. Returns NULL, or why that failed; the text stays.
const char *_Nullable cpq_load(void);

// Whether these are settings that libpq can read (PQconninfoParse); to be called when it is loaded.
bool cpq_can_read(const char *settings);

cpq_connection *_Nullable cpq_connect_start_params(const char *_Nullable const *_Nonnull names,
                                                   const char *_Nullable const *_Nonnull values, int expand);
cpq_polling cpq_connect_poll(cpq_connection *connection);
void cpq_reset(cpq_connection *connection);
void cpq_finish(cpq_connection *_Nullable connection);
// PQstatus: connected and usable; given up. Neither while a connection is being made.
bool cpq_is_connected(const cpq_connection *_Nullable connection);
bool cpq_is_bad(const cpq_connection *connection);
// PQtransactionStatus: connected, and outside of a transaction.
bool cpq_is_idle(const cpq_connection *connection);
// PQtransactionStatus: a statement has not ended.
bool cpq_is_active(const cpq_connection *connection);
int cpq_socket(const cpq_connection *connection);
int cpq_server_version(const cpq_connection *connection);
int cpq_backend_pid(const cpq_connection *connection);
const char *_Nullable cpq_error_message(const cpq_connection *_Nullable connection);
void cpq_set_notice_receiver(cpq_connection *connection,
                             void (*receiver)(void *_Nullable context, const cpq_result *_Nullable notice),
                             void *_Nullable context);
// PQconsumeInput and PQnotifies: takes all notices (NOTIFY) that have come, and says whether there were some.
bool cpq_take_notices(cpq_connection *connection);

// These wait for so many milliseconds at most: what the server waits for itself, as for a standby, its own limits do not
// end. Then they return NULL, and the connection is active; it can only be finished.
cpq_result *_Nullable cpq_exec(cpq_connection *connection, const char *sql, int limit);
cpq_result *_Nullable cpq_prepare(cpq_connection *connection, const char *name, const char *sql, int count,
                                  const unsigned *types, int limit);
// With parameters and a result in binary format.
cpq_result *_Nullable cpq_exec_prepared(cpq_connection *connection, const char *name, int count,
                                        const char *_Nullable const *_Nonnull values, const int *lengths,
                                        const int *formats, int limit);
// What ends the statement of a connection, by any thread, even when the connection is finished; used once.
cpq_cancel *_Nullable cpq_get_cancel(cpq_connection *connection);
// PQcancel and PQfreeCancel.
void cpq_cancel_now(cpq_cancel *_Nullable cancel);
void cpq_clear(cpq_result *_Nullable result);
// PQresultStatus: whether the statement was carried out, with rows or without.
bool cpq_is_success(const cpq_result *_Nullable result);
const char *_Nullable cpq_result_error_message(const cpq_result *_Nullable result);
// PQresultErrorField: the field is a letter of the protocol, such as 'C' for the SQLSTATE and 'M' for the message.
const char *_Nullable cpq_result_error_field(const cpq_result *_Nullable result, int field);
int cpq_ntuples(const cpq_result *result);
int cpq_nfields(const cpq_result *result);
unsigned cpq_ftype(const cpq_result *result, int column);
const char *cpq_cmd_tuples(cpq_result *result);
bool cpq_getisnull(const cpq_result *result, int row, int column);
int cpq_getlength(const cpq_result *result, int row, int column);
const char *_Nullable cpq_getvalue(const cpq_result *result, int row, int column);

#pragma clang assume_nonnull end
