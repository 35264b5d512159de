// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift cannot see: SQLite copies what is bound.
static inline int busd_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_text(statement, index, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}

static inline int busd_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count ? sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

// Memory statistics cost a process-wide lock on every allocation; only before the first connection.
static inline int busd_sqlite3_disable_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// A damaged file or a stray statement cannot make SQLite write to its own tables.
static inline int busd_sqlite3_defend(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
