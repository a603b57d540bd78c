#define _GNU_SOURCE
#include "luna_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int names_same(const char *entry, const char *other) {
  size_t length = strcspn(entry, "=");
  return strncmp(entry, other, length) == 0 && other[length] == '=';
}

// The environment of the shell: our entries first, then what is left of the inherited ones. An entry without a
// value only takes one away.
static char **make_environment(const char *const *entries, int count) {
  int inherited = 0;
  while (environ && environ[inherited]) inherited++;
  char **made = calloc((size_t)(count + inherited) + 1, sizeof *made);
  if (!made) return NULL;
  int used = 0;
  for (int i = 0; i < count; i++)
    if (strchr(entries[i], '=')) made[used++] = (char *)entries[i];
  for (int i = 0; i < inherited; i++) {
    int taken = 0;
    for (int j = 0; j < count && !taken; j++) taken = names_same(entries[j], environ[i]);
    if (!taken) made[used++] = environ[i];
  }
  return made;
}

// What a service manager gave this thread for every program that it starts (capabilities(7), "ambient").
static unsigned long long lower_ambient(void) {
  unsigned long long had = 0;
  for (int capability = 0; capability < 64; capability++)
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) == 1) had |= 1ULL << capability;
  if (had) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return had;
}

static void raise_ambient(unsigned long long had) {
  for (int capability = 0; capability < 64; capability++)
    if (had & 1ULL << capability) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
}

pid_t luna_spawn_shell(const char *text, const char *const *entries, int count) {
  char **environment = make_environment(entries, count);
  if (!environment) return -ENOMEM;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {"sh", "-c", (char *)text, NULL};
  pid_t process = 0;
  // They are each thread's own: the child has what this one has now.
  unsigned long long had = lower_ambient();
  int failed = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment);
  raise_ambient(had);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(environment);
  return failed ? -failed : process;
}

pid_t luna_spawn_on_socket(const char *program, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {(char *)program, NULL}, *environment[] = {NULL};
  pid_t process = 0;
  int failed = posix_spawn(&process, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -failed : process;
}

int luna_memory_file(void) {
  int file = memfd_create("luna", MFD_CLOEXEC);
  return file < 0 ? -errno : file;
}

int luna_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }
