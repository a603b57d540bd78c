#pragma once
// libpq; a macro that is a character as a number.

#include <libpq-fe.h>

static inline int cpq_sqlstate_field(void) { return PG_DIAG_SQLSTATE; }
