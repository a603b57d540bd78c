"""Programs that see another date."""

import os
import subprocess


def dated(folder, seconds):
    """A library that has a program see another date; what is measured by no date stays. The seconds are a number, or a
    file that holds one, which may become another at any time."""
    if isinstance(seconds, str):
        seconds = f'held("{seconds}")'
    source, library = (os.path.join(folder, 'date.' + kind) for kind in ('c', 'so'))
    with open(source, 'w') as file:
        file.write("""
            #include <fcntl.h>
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            static inline long held(const char *path) {
              char text[32] = "";
              int file = open(path, O_RDONLY | O_CLOEXEC);
              if (file < 0) return 0;
              if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
              close(file);
              return atol(text);
            }
            int clock_gettime(clockid_t clock, struct timespec *time) {
              int result = syscall(SYS_clock_gettime, clock, time);
              if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += AHEAD;
              return result;
            }
        """)
    subprocess.run(['cc', '-D_GNU_SOURCE', f'-DAHEAD=({seconds})', '-shared', '-fPIC', '-o', library, source], check=True)
    return library
