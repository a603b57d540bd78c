"""Notes the packets over TCP that a client sends: when each came (s since 1970, by the kernel), from which port, the number of
its first byte, and how many bytes it has.

  python3 packet_log.py DEVICE FILE   (until it is ended)
"""

import socket
import struct
import sys

from packet_rules import TCP, Packet, reader

SO_TIMESTAMPNS = 35


def log(device, path):
    packets = reader(device)
    packets.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    with open(path, 'w', buffering=1) as file:
        print('ready', flush=True)
        while True:
            data, told, _, _ = packets.recvmsg(65536, 256)
            packet = Packet.read(data)
            if packet and packet.protocol == TCP and packet.data:
                times = [value for level, kind, value in told if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS)]
                seconds, rest = struct.unpack('ll', times[0])
                file.write(f'{seconds}.{rest:09} {packet.source} {packet.number} {len(packet.data)}\n')


def read(path):
    """What was noted, by ports: when, how many bytes, and how many of them had been sent before."""
    flows, ends = {}, {}
    with open(path) as file:
        for line in file:
            if not line.endswith('\n'):
                continue
            time, port, number, length = line.split()
            port, number, length = int(port), int(number), int(length)
            end = (number + length) % (1 << 32)
            # How far it goes beyond all before, in a circle of numbers.
            news = (end - ends.get(port, number) + (1 << 31)) % (1 << 32) - (1 << 31)
            if news > 0:
                ends[port] = end
            again = length - min(max(news, 0), length)
            flows.setdefault(port, []).append((float(time), length, again))
    return flows


if __name__ == '__main__':
    log(*sys.argv[1:])
