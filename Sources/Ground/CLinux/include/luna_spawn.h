// Starting programs: what of posix_spawn the Glibc module does not export or cannot express.
#pragma once
#include <sys/types.h>

// Starts `/bin/sh -c text` in a process group of its own, with default signals. It reads nothing,
// what it prints goes to our standard error, and no other descriptor of ours is open in it, nor has it our
// ambient capabilities. Its environment is ours with `count` entries (NAME=VALUE) that take the place of those of
// that name; NAME alone takes it away.
// Returns the process, or -errno.
pid_t luna_spawn_shell(const char *text, const char *const *entries, int count);

// Starts the program at a path, without arguments and environment. A socket is its standard input; no
// other descriptor of ours is open in it, and what it prints is nobody's. Returns the process, or -errno.
pid_t luna_spawn_on_socket(const char *program, int socket);

// A file in memory that nobody else sees, for what a program reads; -errno on failure.
int luna_memory_file(void);

// pipe(2) whose two ends no program inherits that another thread starts at the same moment; 0 or -errno.
int luna_pipe(int *ends);
