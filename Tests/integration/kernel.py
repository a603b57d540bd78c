"""The kernel's Bluetooth interfaces, as far as tests need them: mgmt, the user channel, rfkill."""

import ctypes
import os
import socket
import struct
import time

AF_BLUETOOTH, BTPROTO_HCI = 31, 1
RAW, USER, MONITOR, CONTROL = range(4)
NO_DEVICE = 0xFFFF
# After this the kernel never answers.
SECONDS = 120
libc = ctypes.CDLL(None, use_errno=True)


def open_channel(channel, device=NO_DEVICE):
    # Python cannot name the channel in bind.
    opened = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_CLOEXEC, BTPROTO_HCI)
    address = struct.pack('<HHH', AF_BLUETOOTH, device, channel)
    if libc.bind(opened.fileno(), address, len(address)) < 0:
        number = ctypes.get_errno()
        opened.close()
        raise OSError(number, os.strerror(number))
    return opened


def has_bluetooth():
    try:
        open_channel(CONTROL).close()
        return True
    except OSError:
        return False


class Mgmt:
    """The management interface, doc/mgmt-api.txt of BlueZ."""

    def __init__(self):
        self.socket = open_channel(CONTROL)
        self.socket.settimeout(SECONDS)

    def command(self, code, index=NO_DEVICE, parameters=b''):
        """Returns status and return parameters."""
        self.drain()
        self.socket.send(struct.pack('<HHH', code, index, len(parameters)) + parameters)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            packet = self.socket.recv(4096)
            event, of, _ = struct.unpack_from('<HHH', packet)
            if event in (1, 2) and of == index and struct.unpack_from('<H', packet, 6)[0] == code:
                return packet[8], packet[9:]
        raise TimeoutError(f'mgmt command {code:04X} got no answer')

    def drain(self):
        """Events have piled up since the last command, and an answer might not fit any more."""
        self.socket.setblocking(False)
        try:
            while self.socket.recv(4096):
                pass
        except BlockingIOError:
            self.socket.settimeout(SECONDS)

    def indexes(self):
        _, answer = self.command(0x0003)
        return list(struct.unpack_from(f'<{struct.unpack_from("<H", answer)[0]}H', answer, 2))

    def settings(self, index):
        """Bits: 0 powered, 9 LE."""
        status, answer = self.command(0x0004, index)
        assert status == 0, f'mgmt Read Controller Information: status {status}'
        return struct.unpack_from('<I', answer, 13)[0]

    def power(self, index, on=True):
        status, _ = self.command(0x0005, index, bytes([on]))
        assert status == 0, f'mgmt Set Powered: status {status}'

    def monitors(self, index):
        """The handles of the advertisement monitors that are registered."""
        status, answer = self.command(0x0051, index)
        assert status == 0, f'mgmt Read Advertisement Monitor Features: status {status}'
        count = struct.unpack_from('<H', answer, 11)[0]
        return list(struct.unpack_from(f'<{count}H', answer, 13))

    def close(self):
        self.socket.close()


def block_bluetooth(blocked):
    """Sets or clears the soft block of all Bluetooth devices, as `rfkill block bluetooth` does."""
    with open('/dev/rfkill', 'wb', buffering=0) as device:
        device.write(struct.pack('<IBBBB', 0, 2, 3, blocked, 0))


def allow_with_file_capabilities(path, *capabilities):
    """What `setcap CAPABILITIES=ep PATH` does."""
    mask = sum(1 << number for number in capabilities)
    os.setxattr(path, 'security.capability', struct.pack('<IIIII', 0x02000001, mask, 0, 0, 0))


CAP_NET_ADMIN, CAP_NET_RAW = 12, 13
