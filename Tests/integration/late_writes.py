"""What the library of HTTP frees, watched: nobody is to write to it afterwards.

A thread that closes an upgraded connection is held up where the library's own may overtake it, so that what happens
once in thousands of runs on a busy machine happens each time: as much longer as this machine is slower.
"""

import os
import subprocess

import pace

SOURCE = """
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <malloc.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <unistd.h>
    #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
    #define FROM_LIBRARY is_library(__builtin_return_address(0))
    enum { MOST = 4096, LEFT = 0xDD };
    void __libc_free(void *);
    static __thread int ends;
    static struct { unsigned char *bytes; size_t count; } kept[MOST];
    static int count;
    static int is_library(void *caller) {
      Dl_info info;
      return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libmicrohttpd");
    }
    int shutdown(int socket, int how) {
      int result = NEXT(shutdown)(socket, how);
      ends = how == SHUT_RDWR && FROM_LIBRARY;
      return result;
    }
    int pthread_mutex_lock(pthread_mutex_t *mutex) {
      static int (*next)(pthread_mutex_t *);
      if (!next) next = NEXT(pthread_mutex_lock);
      if (ends && FROM_LIBRARY) ends = 0, usleep(atoi(getenv("LUNA_HOLD_UP")));
      return next(mutex);
    }
    void free(void *bytes) {
      size_t size = bytes ? malloc_usable_size(bytes) : 0;
      // A connection is as large; what is larger and comes often need not be kept.
      int number = size >= 400 && size <= 1600 && FROM_LIBRARY ? __sync_fetch_and_add(&count, 1) : MOST;
      if (number >= MOST) return __libc_free(bytes);
      memset(bytes, LEFT, size);
      kept[number].count = size;
      kept[number].bytes = bytes;
      // All before: whoever was late is through by now, or will be when the next one is freed.
      int written = 0;
      for (int each = 0; each < number; each++)
        for (size_t at = 0; kept[each].bytes && at < kept[each].count; at++) written += kept[each].bytes[at] != LEFT;
      int file = open(getenv("LUNA_LATE_WRITES"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      dprintf(file, "%d\\n", written);
      close(file);
    }
"""


def watched(folder):
    """What stands before a command that is to be watched, and the file of what was found."""
    source, library, path = (os.path.join(folder, 'late.' + kind) for kind in ('c', 'so', 'log'))
    with open(source, 'w') as file:
        file.write(SOURCE)
    subprocess.run(['cc', '-D_GNU_SOURCE', '-shared', '-fPIC', '-O1', '-o', library, source], check=True)
    hold_up = round(20_000 * pace.slower())  # microseconds
    return ('env', 'LD_PRELOAD=' + library, 'LUNA_LATE_WRITES=' + path, f'LUNA_HOLD_UP={hold_up}'), path


def read(path):
    """Of each that was freed, how many bytes of those before it were written to by then."""
    with open(path) as file:
        return [int(line) for line in file if line.endswith('\n')]
