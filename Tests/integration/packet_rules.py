"""A middlebox: reads the packets that a client sends, and treats connections that a rule names otherwise than others.

  python3 packet_rules.py RULE CLIENT-DEVICE SERVER-DEVICE   (RULE as JSON; reads until it is ended)

What is limited or dropped is sorted into a class of its own on both devices, where the kernel does it (htb): so the packets
themselves never wait for this program. Says "ready" when it reads.
"""

import collections
import ctypes
import dataclasses
import json
import socket
import struct
import subprocess
import sys

from namespaces import add_class

TCP, UDP = 6, 17
SYN, RST = 2, 4
# The class of those who share a limit; the first one of those with one of their own.
SHARED, FIRST = 16, 17
# How many connections are kept sorted: a kernel goes through all of them for each packet.
MOST = 32


@dataclasses.dataclass
class Rule:
    # What has to be in a packet of the client, as latin-1.
    word: str
    # limit, drop or reset.
    action: str = 'limit'
    # Of a limit, as tc writes it; how much may go at once; and whether each connection has one of its own.
    rate: str = '10mbit'
    burst: str = '15k'
    each: bool = False
    # In which packet with data of a connection it has to be; None for any.
    packet: int | None = None
    # After how many bytes of a connection, both ways together, something is done.
    after: int = 0
    # Only handshakes of TLS are looked at: others are too many on a fast link.
    handshakes: bool = False

    def json(self):
        return json.dumps(dataclasses.asdict(self))


class Packet:
    """What of a packet of IPv4 over TCP or UDP is looked at."""

    def __init__(self, data):
        header = (data[0] & 15) * 4
        length = min(len(data), struct.unpack('!H', data[2:4])[0])
        self.protocol, self.addresses = data[9], (data[12:16], data[16:20])
        self.source, self.target = struct.unpack('!HH', data[header : header + 4])
        start, self.flags, self.number, self.expected = header + 8, 0, 0, 0
        if self.protocol == TCP:
            self.number, self.expected = struct.unpack('!II', data[header + 4 : header + 12])
            start, self.flags = header + (data[header + 12] >> 4) * 4, data[header + 13]
        self.data = data[start:length]

    @staticmethod
    def read(data):
        """None for what is none."""
        try:
            packet = Packet(data)
        except (struct.error, IndexError):
            return None
        return packet if packet.protocol in (TCP, UDP) else None

    @property
    def key(self):
        return self.protocol, self.source


class Flow:
    """What is known of a connection."""

    def __init__(self, packet):
        self.packets, self.sent, self.first = 0, 0, packet.expected
        self.is_named = self.is_treated = False

    def take(self, packet, rule):
        if packet.data:
            self.packets += 1
            self.sent += len(packet.data)
            is_looked_at = rule.packet in (None, self.packets)
            self.is_named = self.is_named or (is_looked_at and rule.word.encode('latin-1') in packet.data)

    def bytes(self, packet):
        """Both ways: what has come is known by what is acknowledged."""
        return self.sent + (packet.expected - self.first) % (1 << 32)


class Middlebox:
    def __init__(self, rule, client_device, server_device):
        self.rule, self.devices = rule, (server_device, client_device)
        self.flows = {}
        # The sorted connections, each with the number of its filters and the class of its own, the oldest first.
        self.sorted, self.count = collections.OrderedDict(), 0
        self.packets = reader(client_device, rule.handshakes)
        self.raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        for device in self.devices if rule.action != 'reset' and not rule.each else ():
            self.add_class(device, SHARED)

    def run(self):
        print('ready', flush=True)
        while True:
            packet = Packet.read(self.packets.recv(65536))
            if packet:
                self.look(packet)

    def look(self, packet):
        if packet.flags & SYN:
            # A port that comes again is another connection.
            self.flows.pop(packet.key, None)
            self.release(packet.key)
            return
        if self.rule.handshakes and packet.data[5:6] == b'\x01':
            # It is the first one, of which the beginning is not seen.
            self.flows[packet.key] = Flow(packet)
        flow = self.flows.setdefault(packet.key, Flow(packet))
        flow.take(packet, self.rule)
        if not flow.is_named:
            if self.rule.handshakes:
                self.release(packet.key)
        elif self.rule.action == 'reset':
            if flow.bytes(packet) >= self.rule.after:
                self.reset(packet)
        elif not flow.is_treated and flow.bytes(packet) >= self.rule.after:
            flow.is_treated = True
            self.sort(packet)

    # Classes

    def add_class(self, device, number):
        queue = 0 if self.rule.action == 'drop' else 60
        add_class(tc, device, number, self.rule.rate, self.rule.burst, queue)

    def sort(self, packet):
        """Sorts what a connection sends, and what it is sent."""
        if packet.key in self.sorted:
            return
        while len(self.sorted) >= MOST:
            self.release(next(iter(self.sorted)))
        self.count += 1
        number = FIRST + self.count if self.rule.each else SHARED
        self.sorted[packet.key] = (self.count, number)
        for device, side in zip(self.devices, ('sport', 'dport')):
            if self.rule.each:
                self.add_class(device, number)
            tc('tc', 'filter', 'add', 'dev', device, 'parent', '1:', 'protocol', 'ip', 'prio', str(self.count), 'u32',
               'match', 'ip', 'protocol', str(packet.protocol), '0xff', 'match', 'ip', side, str(packet.source), '0xffff',
               'flowid', f'1:{number:x}')

    def release(self, key):
        if key not in self.sorted:
            return
        count, number = self.sorted.pop(key)
        for device in self.devices:
            tc('tc', 'filter', 'del', 'dev', device, 'parent', '1:', 'protocol', 'ip', 'prio', str(count))
            if self.rule.each:
                tc('tc', 'class', 'del', 'dev', device, 'classid', f'1:{number:x}')

    # Resets

    def reset(self, packet):
        """Says to both sides that the other one has closed, in the place of each."""
        client, server = packet.addresses
        self.send(client, server, packet.source, packet.target, (packet.number + len(packet.data)) % (1 << 32))
        self.send(server, client, packet.target, packet.source, packet.expected)

    def send(self, source, target, source_port, target_port, number):
        segment = struct.pack('!HHIIBBHHH', source_port, target_port, number, 0, 5 << 4, RST, 0, 0, 0)
        check = checksum(source + target + struct.pack('!HH', TCP, len(segment)) + segment)
        segment = segment[:16] + struct.pack('!H', check) + segment[18:]
        # The kernel puts in what is 0: length, identification, checksum.
        header = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 0, 0, 0, 64, TCP, 0, source, target)
        self.raw.sendto(header + segment, (socket.inet_ntoa(target), 0))


def tc(*words):
    # What is not there any more need not go.
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode and words[2] != 'del':
        sys.exit(f'{" ".join(words)}: {done.stderr}')


def checksum(data):
    total = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


# Of IPv4 (as a socket of this kind sees it): TCP, whose data begins with a record of a handshake of TLS.
HANDSHAKE = [
    (0x30, 0, 0, 9),  # the protocol
    (0x15, 0, 8, TCP),
    (0xB1, 0, 0, 0),  # x: the length of the header
    (0x50, 0, 0, 12),  # the length of the one of TCP, in its high bits, as words of 4 bytes
    (0x54, 0, 0, 0xF0),
    (0x74, 0, 0, 2),
    (0x0C, 0, 0, 0),  # both
    (0x07, 0, 0, 0),
    (0x50, 0, 0, 0),  # the first byte of the data; where there is none, the packet is none
    (0x15, 0, 1, 0x16),
    (0x06, 0, 0, 65535),
    (0x06, 0, 0, 0),
]


def reader(device, handshakes=False):
    """A socket that is given the packets of IPv4 that come to a device."""
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0)
    packets.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)  # SO_RCVBUFFORCE: none is to be missed
    if handshakes:
        lines = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *line) for line in HANDSHAKE))
        program = struct.pack('HP', len(HANDSHAKE), ctypes.addressof(lines))
        packets.setsockopt(socket.SOL_SOCKET, 26, program)  # SO_ATTACH_FILTER
    packets.bind((device, 0x0800))
    return packets


if __name__ == '__main__':
    Middlebox(Rule(**json.loads(sys.argv[1])), *sys.argv[2:]).run()
