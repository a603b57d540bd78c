"""Networks of namespaces of the kernel, with cables (veth) between them. Only root can make them."""

import itertools
import os
import shutil
import signal
import subprocess

# A network has addresses of its own in namespaces of its own: many may be there at once.
NUMBERS = itertools.count(1)
# They have the name of the run, by which scripts/test finds those that a group which was killed has left.
RUN = os.path.basename(os.environ.get('TMPDIR', '').rstrip('/')) or 'luna'


class Namespaces:
    """What a network is made of it says itself: `CABLES`, between which places they lie, with the third byte of their addresses
    (the first end has .1, the second .2); `ROUTES`, of each place: where to, over which cable, to which of its ends; `NAMES`,
    what the client finds under which name."""

    CABLES, ROUTES, NAMES = [], {}, {}
    # How many packets may go through at once as one large one: more than 1 is one burst.
    packets = 1

    def __init__(self):
        self.prefix = f'{RUN}.{os.getpid()}x{next(NUMBERS)}'
        self.hosts = f'/etc/netns/{self.name("client")}'
        self.programs = []
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
        done = subprocess.run([*self.inside(place), *words], capture_output=True, text=True)
        assert done.returncode == 0, (place, words, done.stderr)
        return done.stdout

    def start(self, place, *words):
        """Starts a program there that says when it is ready, and ends with the network."""
        alone = ('setpriv', '--pdeathsig', 'KILL')
        program = subprocess.Popen([*alone, *self.inside(place), *words], stdout=subprocess.PIPE, text=True)
        self.programs.append(program)
        said = program.stdout.readline()
        assert said == 'ready\n', (words, said)
        return program

    def make(self):
        for place in self.ROUTES:
            subprocess.run(['ip', 'netns', 'add', self.name(place)], check=True, capture_output=True)
            self.run(place, 'ip', 'link', 'set', 'lo', 'up')
            # Paths there and back may differ.
            for name in ('ip_forward=1', 'conf.all.rp_filter=0', 'conf.default.rp_filter=0'):
                self.run(place, 'sysctl', '-qw', f'net.ipv4.{name}')
            # Which speaks of itself without being asked.
            if os.path.exists('/proc/sys/net/ipv6'):
                for name in ('all', 'default'):
                    self.run(place, 'sysctl', '-qw', f'net.ipv6.conf.{name}.disable_ipv6=1')
        for first, second, number in self.CABLES:
            self.lay(first, second, number)
            for place, device, host in ((first, f'c{number}a', 1), (second, f'c{number}b', 2)):
                self.run(place, 'ip', 'address', 'add', f'10.77.{number}.{host}/24', 'dev', device)
        for place, routes in self.ROUTES.items():
            for target, number, host in routes:
                self.run(place, 'ip', 'route', 'add', target, 'via', f'10.77.{number}.{host}')
        os.makedirs(self.hosts)
        with open(os.path.join(self.hosts, 'hosts'), 'w') as file:
            file.write('127.0.0.1 localhost\n' + ''.join(f'{address} {name}\n' for name, address in self.NAMES.items()))

    def lay(self, first, second, number):
        """A cable between two places: `c`, its number, and a or b are its ends."""
        ends = [(first, f'c{number}a'), (second, f'c{number}b')]
        words = ['ip', 'link', 'add', ends[0][1], 'netns', self.name(first), 'type', 'veth']
        subprocess.run([*words, 'peer', 'name', ends[1][1], 'netns', self.name(second)], check=True, capture_output=True)
        for place, device in ends:
            # Packets as a network has them.
            size = ('mtu', '1500', 'gso_max_segs', str(self.packets))
            self.run(place, 'ip', 'link', 'set', device, *size, 'up')

    def shape(self, place, device, rate, queue, burst='15k'):
        """Gives a device a rate for all that is not sorted into another class."""
        self.run(place, 'tc', 'qdisc', 'add', 'dev', device, 'root', 'handle', '1:', 'htb', 'default', '2')
        add_class(lambda *words: self.run(place, *words), device, 2, rate, burst, queue)

    def counters(self, place, device):
        """How many bytes and packets went through a device, both ways together, all headers included."""
        folder = f'/sys/class/net/{device}/statistics/'
        names = ('rx_bytes', 'tx_bytes', 'rx_packets', 'tx_packets')
        values = [int(value) for value in self.run(place, 'cat', *(folder + name for name in names)).split()]
        return values[0] + values[1], values[2] + values[3]

    def close(self):
        for program in self.programs:
            program.send_signal(signal.SIGKILL)
            program.wait()
            program.stdout.close()
        for place in self.ROUTES:
            subprocess.run(['ip', 'netns', 'delete', self.name(place)], capture_output=True)
        shutil.rmtree(self.hosts, ignore_errors=True)


def add_class(run, device, number, rate, burst='15k', queue=60):
    """A class that has a rate, and a queue of so many packets; none lets nothing through."""
    run('tc', 'class', 'add', 'dev', device, 'parent', '1:', 'classid', f'1:{number:x}', 'htb', 'rate', rate, 'burst', burst)
    run('tc', 'qdisc', 'add', 'dev', device, 'parent', f'1:{number:x}', 'pfifo', 'limit', str(queue))
