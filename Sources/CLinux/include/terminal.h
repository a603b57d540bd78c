// A terminal that is put back into its old state whatever happens to the process.
//
// In C because it has to work inside a signal handler, where a Swift runtime may take locks.
#pragma once
#include <stdint.h>

// Makes `fd` raw (no echo, no line editing; Ctrl-C and Ctrl-Z still make signals), switches to the
// alternate screen without a cursor, and undoes both
//   - in luna_terminal_leave and at exit;
//   - before any of SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT and SIGSYS takes its course;
//   - before SIGINT, SIGTERM, SIGHUP and SIGQUIT take theirs, where the program has no handler of
//     its own (one that has calls luna_terminal_leave itself);
//   - while the process is stopped by SIGTSTP, in the same way.
// After SIGCONT everything is done again. Then, and after SIGWINCH, 1 is added to the eventfd
// `notify`. One terminal at a time. Returns 0, or an errno.
int luna_terminal_enter(int fd, int notify);

// Puts everything back; again does nothing. Safe in a signal handler.
void luna_terminal_leave(void);

// The size in characters; 0 where the terminal does not say, or an errno.
int luna_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
