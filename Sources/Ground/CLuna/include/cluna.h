/* What LunaC needs beside luna.h; not for programs. */
#ifndef CLUNA_H
#define CLUNA_H

/* Keeps what went wrong for luna_error_text() and luna_error_remedy() of this thread: at most 1,023 bytes each. */
void cluna_set_error(const char *text, const char *remedy);

#endif
