"""Programs that see another date."""

import os
import subprocess


def dated(folder, seconds):
    """A library that has a program see another date; what is measured by no date stays."""
    source, library = (os.path.join(folder, 'date.' + kind) for kind in ('c', 'so'))
    with open(source, 'w') as file:
        file.write("""
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            int clock_gettime(clockid_t clock, struct timespec *time) {
              int result = syscall(SYS_clock_gettime, clock, time);
              if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += AHEAD;
              return result;
            }
        """)
    subprocess.run(['cc', '-D_GNU_SOURCE', f'-DAHEAD=({seconds})', '-shared', '-fPIC', '-o', library, source], check=True)
    return library
