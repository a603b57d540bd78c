// A terminal that is put back into its old state whatever happens to the process.
//
// In C because it has to work inside a signal handler, where a Swift runtime may take locks.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Makes `fd` raw (no echo, no line editing; Ctrl-C and Ctrl-Z still make signals), switches to the
// alternate screen without a cursor, and undoes both
//   - in luna_terminal_leave and at exit;
//   - before any of SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT and SIGSYS takes its course;
//   - before SIGINT, SIGTERM, SIGHUP and SIGQUIT take theirs, where the program has no handler of
//     its own (one that has calls luna_terminal_leave itself);
//   - while the process is stopped by SIGTSTP, in the same way.
// `fd` should not block. After SIGTSTP, SIGCONT and SIGWINCH 1 is added to the eventfd `notify`:
// the thread that draws then calls luna_terminal_settle and draws anew. One terminal at a time.
// Returns 0 or -errno.
int luna_terminal_enter(int fd, int notify);

// Stops the process if SIGTSTP wanted it, with the terminal put back meanwhile, and enters again
// after that and after any other SIGCONT.
void luna_terminal_settle(void);

// Writes a frame; nothing while the terminal is put back. What nobody takes within a second is
// left out: the next frame draws everything anew. One thread at a time.
void luna_terminal_write(const char *bytes, size_t count);

// Puts everything back; again does nothing. Safe in a signal handler.
void luna_terminal_leave(void);

// The size in characters, 0 by 0 where the terminal does not say. Returns 0 or -errno.
int luna_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
