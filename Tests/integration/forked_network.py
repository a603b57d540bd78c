"""A network of namespaces in which the paths to two servers part, with limits for connections that ask for a name:

  client - gate - fork - router - one
                       - two

A limit is made by the kernel (htb). Who asks for a name is seen by a reader of packets at the gate, which sorts the connection
into the class that is limited. Only root can make it.

  python3 forked_network.py PREFIX MODE RATE NAME...   (in the gate's namespace: reads packets until it is ended)
"""

import itertools
import os
import socket
import struct
import subprocess
import sys

from namespaces import Namespaces, add_class

# What is not limited has so much, and a queue so many packets.
LINK, QUEUE = '40mbit', 60
NAMES = {'one.test': '10.77.4.2', 'two.test': '10.77.5.2'}
# Where a limit of each mode is: place and device.
LIMITED = {'shared': [('gate', 'c2a')], 'separate': [('fork', 'c3a'), ('fork', 'c5a')], 'single': [('fork', 'c3a')]}
LIMITED['connection'] = LIMITED['shared']


class ForkedNetwork(Namespaces):
    """`mode`: which limit there is: shared, separate, single (on one of the paths), connection or none; `rate`: of it, as tc
    writes it."""

    CABLES = [('client', 'gate', 1), ('gate', 'fork', 2), ('fork', 'router', 3), ('router', 'one', 4), ('fork', 'two', 5)]
    ROUTES = {
        'client': [('default', 1, 2)],
        'gate': [('default', 2, 2)],
        'fork': [('10.77.1.0/24', 2, 1), ('10.77.4.0/24', 3, 2)],
        'router': [('default', 3, 1)],
        'one': [('default', 4, 1)],
        'two': [('default', 5, 1)],
    }
    NAMES = NAMES

    def __init__(self, mode, rate):
        self.mode, self.rate = mode, rate
        super().__init__()

    def make(self):
        super().make()
        for place, device in LIMITED['shared'] + LIMITED['separate']:
            self.shape(place, device, LINK, QUEUE)
        if self.mode != 'none':
            self.start('gate', sys.executable, os.path.abspath(__file__), self.prefix, self.mode, self.rate, *NAMES)


class MeetingNetwork(Namespaces):
    """One in which the paths part, and meet again before the servers:

      client - gate - left  - join - one
                    - right -      - two
    """

    CABLES = [('client', 'gate', 1), ('gate', 'left', 2), ('gate', 'right', 3), ('left', 'join', 4), ('right', 'join', 5)]
    CABLES += [('join', 'one', 6), ('join', 'two', 7)]
    ROUTES = {
        'client': [('default', 1, 2)],
        'gate': [('10.77.6.0/24', 2, 2), ('10.77.7.0/24', 3, 2)],
        'left': [('10.77.1.0/24', 2, 1), ('10.77.6.0/23', 4, 2)],
        'right': [('10.77.1.0/24', 3, 1), ('10.77.6.0/23', 5, 2)],
        'join': [('default', 4, 1)],
        'one': [('default', 6, 1)],
        'two': [('default', 7, 1)],
    }
    NAMES = {'one.test': '10.77.6.2', 'two.test': '10.77.7.2'}


def read(prefix, mode, rate, names):
    """Sorts connections that ask for one of the names into the class that is limited: one for all, or one for each."""

    def run(place, *words):
        # The gate is where this runs.
        inside = [] if place == 'gate' else ['ip', 'netns', 'exec', f'{prefix}{place}']
        subprocess.run([*inside, *words], check=True, capture_output=True)

    numbers = itertools.count(16)
    places = LIMITED[mode]
    if mode != 'connection':
        for place, device in places:
            add_class(lambda *words, place=place: run(place, *words), device, 16, rate)
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
    packets.bind(('c1b', 0x0800))
    print('ready', flush=True)
    seen = set()
    while True:
        packet = packets.recv(65536)
        header = (packet[0] & 15) * 4
        if packet[9] != 6 or len(packet) < header + 20:
            continue
        source = struct.unpack('!H', packet[header : header + 2])[0]
        data = packet[header + (packet[header + 12] >> 4) * 4 :]
        # A handshake of TLS, which names the server.
        if source in seen or data[:1] != b'\x16' or not any(name.encode() in data for name in names):
            continue
        seen.add(source)
        number = next(numbers) if mode == 'connection' else 16
        for place, device in places:
            if mode == 'connection':
                add_class(lambda *words, place=place: run(place, *words), device, number, rate)
            words = ['tc', 'filter', 'add', 'dev', device, 'parent', '1:', 'protocol', 'ip', 'u32']
            run(place, *words, 'match', 'ip', 'sport', str(source), '0xffff', 'flowid', f'1:{number:x}')


if __name__ == '__main__':
    read(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
