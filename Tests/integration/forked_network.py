"""A network of namespaces in which the paths to two servers part, with limits for connections that ask for a name:

  client - gate - fork - router - one
                       - two

A limit is made by the kernel (htb). Who asks for a name is seen by a reader of packets at the gate, which sorts the connection
into the class that is limited. Only root can make it.

  python3 forked_network.py PREFIX MODE RATE NAME...   (in the gate's namespace: reads packets until it is ended)
"""

import itertools
import os
import shutil
import socket
import struct
import subprocess
import sys

# What is not limited has so much, and a queue so many packets.
LINK, QUEUE = '40mbit', '60'
NAMES = {'one.test': '10.77.4.2', 'two.test': '10.77.5.2'}


class ForkedNetwork:
    """`mode`: which limit there is: shared, separate, connection or none; `rate`: of it, as tc writes it."""

    # Between which namespaces cables lie, with the third byte of their addresses; the first end has .1.
    CABLES = [('client', 'gate', 1), ('gate', 'fork', 2), ('fork', 'router', 3), ('router', 'one', 4), ('fork', 'two', 5)]
    ROUTES = {
        'client': [('default', 1, 2)],
        'gate': [('default', 2, 2)],
        'fork': [('10.77.1.0/24', 2, 1), ('10.77.4.0/24', 3, 2)],
        'router': [('default', 3, 1)],
        'one': [('default', 4, 1)],
        'two': [('default', 5, 1)],
    }

    def __init__(self, mode, rate):
        self.mode, self.rate = mode, rate
        self.prefix = f'luna{os.getpid()}'
        self.reader = None
        self.hosts = f'/etc/netns/{self.name("client")}'
        try:
            self.make()
        except BaseException:
            self.close()
            raise

    def name(self, place):
        return f'{self.prefix}{place}'

    def inside(self, place):
        """What stands before a command that runs there."""
        return ('ip', 'netns', 'exec', self.name(place))

    def run(self, place, *words):
        subprocess.run([*self.inside(place), *words], check=True, capture_output=True)

    def make(self):
        for place in self.ROUTES:
            subprocess.run(['ip', 'netns', 'add', self.name(place)], check=True, capture_output=True)
            self.run(place, 'ip', 'link', 'set', 'lo', 'up')
            self.run(place, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
        for first, second, number in self.CABLES:
            ends = [(first, f'c{number}a', 1), (second, f'c{number}b', 2)]
            words = ['ip', 'link', 'add', ends[0][1], 'netns', self.name(first), 'type', 'veth']
            subprocess.run(
                [*words, 'peer', 'name', ends[1][1], 'netns', self.name(second)], check=True, capture_output=True
            )
            for place, device, host in ends:
                self.run(place, 'ip', 'address', 'add', f'10.77.{number}.{host}/24', 'dev', device)
                # Packets as a network has them: large ones would be one burst.
                self.run(place, 'ip', 'link', 'set', device, 'mtu', '1500', 'gso_max_segs', '1', 'up')
        for place, routes in self.ROUTES.items():
            for target, number, host in routes:
                self.run(place, 'ip', 'route', 'add', target, 'via', f'10.77.{number}.{host}')
        for place, device in LIMITED['shared'] + LIMITED['separate']:
            self.run(place, 'tc', 'qdisc', 'add', 'dev', device, 'root', 'handle', '1:', 'htb', 'default', '2')
            add_class(lambda *words, place=place: self.run(place, *words), device, 2, LINK)
        os.makedirs(self.hosts)
        with open(os.path.join(self.hosts, 'hosts'), 'w') as file:
            file.write('127.0.0.1 localhost\n' + ''.join(f'{address} {name}\n' for name, address in NAMES.items()))
        if self.mode != 'none':
            self.reader = subprocess.Popen(
                [*self.inside('gate'), sys.executable, os.path.abspath(__file__), self.prefix, self.mode, self.rate, *NAMES],
                stdout=subprocess.PIPE,
                text=True,
            )
            assert self.reader.stdout.readline() == 'reading\n'

    def close(self):
        if self.reader:
            self.reader.kill()
            self.reader.wait()
        for place in self.ROUTES:
            subprocess.run(['ip', 'netns', 'delete', self.name(place)], capture_output=True)
        shutil.rmtree(self.hosts, ignore_errors=True)


# Where a limit of each mode is: place and device.
LIMITED = {'shared': [('gate', 'c2a')], 'separate': [('fork', 'c3a'), ('fork', 'c5a')]}
LIMITED['connection'] = LIMITED['shared']


def add_class(run, device, number, rate):
    run('tc', 'class', 'add', 'dev', device, 'parent', '1:', 'classid', f'1:{number:x}', 'htb', 'rate', rate, 'burst', '15k')
    run('tc', 'qdisc', 'add', 'dev', device, 'parent', f'1:{number:x}', 'pfifo', 'limit', QUEUE)


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
    print('reading', flush=True)
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
