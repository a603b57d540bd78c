#define _GNU_SOURCE
#include "luna_mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static char ending[16], text[160];
static int status;
static struct sigaction before;
static atomic_flag told = ATOMIC_FLAG_INIT;

// A line of /proc/self/maps is an address range, four more words and the path (proc_pid_maps(5)), which
// can be as long as PATH_MAX.
static char line[8192];

// A handler of signals may call little more than read and write: no stdio, no memory.
static bool next_line(int file) {
  size_t length = 0;
  bool too_long = false;
  char byte;
  while (true) {
    ssize_t count = read(file, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (byte == '\n') break;
    if (length + 1 < sizeof line) {
      line[length++] = byte;
    } else {
      too_long = true;
    }
  }
  line[too_long ? 0 : length] = 0;
  return true;
}

static uintptr_t hexadecimal(const char **end) {
  uintptr_t value = 0;
  for (;; (*end)++) {
    char digit = **end;
    if (digit >= '0' && digit <= '9') {
      value = value << 4 | (uintptr_t)(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = value << 4 | (uintptr_t)(digit - 'a' + 10);
    } else {
      return value;
    }
  }
}

// The path of the file in whose mapping an address lies, or NULL.
static char *path_at(uintptr_t address) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  char *path = NULL;
  while (!path && next_line(file)) {
    const char *rest = line;
    uintptr_t start = hexadecimal(&rest);
    if (*rest++ != '-') continue;
    uintptr_t end = hexadecimal(&rest);
    if (address >= start && address < end) path = strchr(line, '/');
    if (address < end) break;
  }
  close(file);
  if (!path) return NULL;
  // What the kernel adds to the path of a file that has no name any more.
  static const char gone[] = " (deleted)";
  size_t length = strlen(path);
  if (length >= sizeof gone && strcmp(path + length + 1 - sizeof gone, gone) == 0) {
    path[length + 1 - sizeof gone] = 0;
  }
  return path;
}

static void put(const char *part) {
  for (size_t left = strlen(part); left > 0;) {
    ssize_t written = write(STDERR_FILENO, part, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    part += written;
    left -= (size_t)written;
  }
}

static void on_bus_error(int signal, siginfo_t *info, void *context) {
  (void)context;
  // Threads that meet it at the same time: the first one tells, and ends them all.
  while (info->si_code == BUS_ADRERR && atomic_flag_test_and_set(&told)) pause();
  char *path = info->si_code == BUS_ADRERR ? path_at((uintptr_t)info->si_addr) : NULL;
  size_t length = path ? strlen(path) : 0, count = strlen(ending);
  if (length < count || strcmp(path + length - count, ending) != 0) {
    atomic_flag_clear(&told);
    // It comes again when this returns, with its address; one that was sent does not.
    sigaction(signal, &before, NULL);
    if (info->si_code <= 0) raise(signal);
    return;
  }
  for (char *byte = path; *byte; byte++) {
    if ((unsigned char)*byte < 0x20 || *byte == 0x7F) *byte = '?';
  }
  put("luna: ");
  put(path);
  put(" ");
  put(text);
  put("\n");
  _exit(status);
}

void luna_end_on_cut_file(const char *file_ending, const char *what_happened, int exit_status) {
  strncpy(ending, file_ending, sizeof ending - 1);
  strncpy(text, what_happened, sizeof text - 1);
  status = exit_status;
  struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &before);
}
