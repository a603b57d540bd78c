"""What a program reads of the kernel's counters of its connections (TCP_INFO), noted beside it."""

import os
import subprocess

SOURCE = """
    #include <fcntl.h>
    #include <linux/tcp.h>
    #include <netinet/in.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>
    int getsockopt(int socket, int level, int name, void *value, socklen_t *size) {
      int result = syscall(SYS_getsockopt, socket, level, name, value, size);
      if (result != 0 || level != IPPROTO_TCP || name != TCP_INFO) return result;
      static int file = -1;
      if (file < 0) file = open(getenv("LUNA_TCP_COUNTERS"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      struct sockaddr_in6 own = {0};
      socklen_t length = sizeof own;
      getsockname(socket, (struct sockaddr *)&own, &length);
      const struct tcp_info *info = value;
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      // The port of an address of IPv4 is in the same place.
      dprintf(file, "%lld.%09ld %u %llu %llu\\n", (long long)now.tv_sec, now.tv_nsec, ntohs(own.sin6_port),
              (unsigned long long)info->tcpi_bytes_sent, (unsigned long long)info->tcpi_bytes_retrans);
      return 0;
    }
"""


def noted(folder):
    """What stands before a command whose reading is to be noted, and the file."""
    source, library, path = (os.path.join(folder, 'counters.' + kind) for kind in ('c', 'so', 'log'))
    with open(source, 'w') as file:
        file.write(SOURCE)
    subprocess.run(['cc', '-D_GNU_SOURCE', '-shared', '-fPIC', '-o', library, source], check=True)
    return ('env', 'LD_PRELOAD=' + library, 'LUNA_TCP_COUNTERS=' + path), path


def read(path):
    """What was noted, by ports: when, how many bytes were sent so far, and how many of them again."""
    flows = {}
    with open(path) as file:
        for line in file:
            if line.endswith('\n'):
                time, port, sent, again = line.split()
                flows.setdefault(int(port), []).append((float(time), int(sent), int(again)))
    return flows
