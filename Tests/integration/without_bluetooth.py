"""Runs a command that can make no socket of Bluetooth, as RestrictAddressFamilies= of systemd does it (seccomp)."""

import ctypes
import os
import struct
import sys

AF_BLUETOOTH, EAFNOSUPPORT = 31, 97
SYS_SOCKET = {'x86_64': 41, 'aarch64': 198}[os.uname().machine]
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, FILTER = 22, 2

# nr, then the first argument, of struct seccomp_data.
program = [
    (LOAD, 0, 0, 0),
    (JUMP_EQUAL, 0, 2, SYS_SOCKET),
    (LOAD, 0, 0, 16),
    (JUMP_EQUAL, 1, 0, AF_BLUETOOTH),
    (RETURN, 0, 0, ALLOW),
    (RETURN, 0, 0, ERROR | EAFNOSUPPORT),
]
code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *line) for line in program))
filter_ = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(program), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(filter_), 0, 0) != 0:
    sys.exit(f'no seccomp: {os.strerror(ctypes.get_errno())}')
os.execv(sys.argv[1], sys.argv[1:])
