#pragma once
// SQLite; what Swift cannot import of it (the casts of SQLITE_TRANSIENT, variadic functions) wrapped.

#include <sqlite3.h>

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

// With 1, closing the last connection leaves the write-ahead log as it is.
static inline int csqlite_keep_log(sqlite3 *database, int keep) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// The index of the write-ahead log, as this connection has it in memory: 32 KiB each; NULL when there is
// none. To be read in no other way: opening and closing the file would let go of all locks that this
// process holds on it (fcntl(2), "record locks"), and another process would take the database as unused.
static inline const void *csqlite_log_index(sqlite3 *database, int block) {
  sqlite3_file *file = 0;
  void volatile *index = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  file->pMethods->xShmMap(file, block, 32768, 0, &index);
  return (const void *)index;
}
