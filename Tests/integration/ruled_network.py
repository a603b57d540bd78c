"""A network of namespaces in which a middlebox treats connections by what is in them:

  client - gate - server

The link is what the gate lets through each way (htb); the rule is that of packet_rules.py, the way behind the gate that of
long_wire.py. Only root can make it."""

import os
import sys

from namespaces import Namespaces

HERE = os.path.dirname(os.path.abspath(__file__))
# What stands for the server, and for another one.
NAME, OTHER = 'luna.test', 'other.test'
SERVER = '10.77.2.2'


def mbit(rate):
    """A rate as tc writes it."""
    return f'{round(rate * 1000)}kbit'


def burst(rate):
    """How much may go at once: what goes in a millisecond, or the kernel cannot keep to the rate."""
    return f'{max(15, round(rate / 8))}k'


class RuledNetwork(Namespaces):
    """`link`: Mbit/s each way; `rule`: of the middlebox, None without one; `way`: behind the gate, None for a cable; `queue`: how
    many packets wait at the gate; `packets`: how many may go through as one large one."""

    NAMES = {NAME: SERVER, OTHER: SERVER}

    def __init__(self, link, rule=None, way=None, queue=60, packets=1):
        self.link, self.rule, self.way, self.queue, self.packets = link, rule, way, queue, packets
        self.CABLES = [('client', 'gate', 1)] + ([] if way else [('gate', 'server', 2)])
        self.ROUTES = {'client': [('default', 1, 2)], 'gate': [], 'server': []}
        if way:
            self.ROUTES['wire'] = []
        super().__init__()

    def make(self):
        super().make()
        if self.way:
            # One network of Ethernet, with the wire in its middle.
            self.lay('gate', 'wire', 2)
            self.lay('wire', 'server', 3)
            for place, device, host in (('gate', 'c2a', 1), ('server', 'c3b', 2)):
                self.run(place, 'ip', 'address', 'add', f'10.77.2.{host}/24', 'dev', device)
        self.run('server', 'ip', 'route', 'add', 'default', 'via', '10.77.2.1')
        if self.way:
            self.start('wire', sys.executable, os.path.join(HERE, 'long_wire.py'), self.way.json(), 'c2b', 'c3a')
        for device in ('c2a', 'c1b'):
            self.shape('gate', device, mbit(self.link), self.queue, burst(self.link))
        if self.rule:
            program = os.path.join(HERE, 'packet_rules.py')
            self.start('gate', sys.executable, program, self.rule.json(), 'c1b', 'c2a')

    def change(self, link=None, rate=None):
        """From now on the link, or what the rule limits together, has another rate."""
        for number, value in ((2, link), (16, rate)):
            if value is not None:
                for device in ('c2a', 'c1b'):
                    words = ('classid', f'1:{number:x}', 'htb', 'rate', mbit(value), 'burst', burst(value))
                    self.run('gate', 'tc', 'class', 'change', 'dev', device, 'parent', '1:', *words)

    def used(self, device='c1a'):
        """How many bytes, and packets, went through the client's device."""
        return self.counters('client', device)
