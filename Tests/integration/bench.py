"""What the tests work with: the virtual air, the luna program, bluetoothd, and how to compare."""

import contextlib
import glob
import json
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import kernel
import pace
from remains import end_family

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CACHE = os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'luna-vm')
NOBODY = 65534
# Deadlines are for what never comes: on a machine that has a lot to do everything takes longer (and see pace.py).
PATIENCE = 4


# What the running test was drawn by.
SEEDS = []


def chance():
    """Something to draw lots with. Its seed is told when the test fails, and LUNA_SEED gives it again: the same lots, though
    programs that run side by side may meet in another order."""
    seed = int(os.environ.get('LUNA_SEED') or random.randrange(1 << 32))
    SEEDS.append(seed)
    return random.Random(seed)


def never(seconds):
    """When something has not come that takes up to so many seconds."""
    return seconds * PATIENCE * pace.slower()


def lasting(seconds):
    """For -T: how long a command is to listen that has heard what is wanted after so many seconds, on an idle machine."""
    return f'{seconds * pace.slower():.0f}s'


def heeds(process, number):
    """Whether a program sees to a signal itself by now: handles it, or keeps it from its threads, of which one waits for it
    (and does not seem to keep it from itself meanwhile)."""
    for path in glob.glob(f'/proc/{process.pid}/task/*/status'):
        with contextlib.suppress(OSError), open(path) as lines:
            masks = dict(line.split(':') for line in lines if line.startswith('Sig'))
            if any(int(masks[name], 16) >> number - 1 & 1 for name in ('SigBlk', 'SigCgt')):
                return True
    return False


def wait_for(condition, seconds=10, what=None):
    """Returns the first true result of `condition`; `what` is waited for, or a function says it when it did not come."""
    end = pace.Deadline(seconds * PATIENCE)
    try:
        while True:
            result = condition()
            if result:
                return result
            assert end.left() > 0, f'waited {time.monotonic() - end.began:.0f} s for {what() if callable(what) else what or condition}'
            time.sleep(0.05)
    except TookTooLong as limit:
        # A function that says it might ask whoever does not answer.
        raise TookTooLong(f'{limit}, waiting for {what}') if isinstance(what, str) else limit


CLAIMS = []


def free_port():
    """A port that nobody has, and that no client gets by chance before it is used: those have ports from 32768 on. Nor does
    any other group or run on this machine choose it while this process lives, though nobody may listen at it now and then."""
    while True:
        number, claim = random.randrange(20000, 32000), socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f'\0luna-test-port-{number}')
            with socket.socket() as listener:
                listener.bind(('127.0.0.1', number))
        except OSError:
            claim.close()
            continue
        CLAIMS.append(claim)
        return number


CLOSED = []


def closed_port():
    """A port that refuses connections: nobody listens at it, and nobody else can while this process lives."""
    CLOSED.append(socket.socket())
    CLOSED[-1].bind(('127.0.0.1', 0))
    return CLOSED[-1].getsockname()[1]


class TookTooLong(Exception):
    """The deadline of a test has passed, whatever it was waiting for."""


class NotRun(Exception):
    """What a test lacks that this machine does not have: it has neither passed nor failed, and the run says so."""


def needs_root(what):
    """Says so where a test cannot be made by anybody else. Such tests are no part of the gate."""
    assert os.geteuid() == 0, f'only root can {what}; everybody else has the gate (scripts/test without --all)'


class Place:
    """A folder of a group's own, and the command, which has everything there."""

    def __init__(self, name):
        self.luna = os.environ['LUNA']
        self.folder = tempfile.mkdtemp(prefix=f'luna-{name}-')
        self.environment = dict(os.environ, XDG_CONFIG_HOME=self.folder, XDG_DATA_HOME=self.folder, HOME=self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tidy(self):
        pass

    def close(self):
        shutil.rmtree(self.folder)


class World:
    """scripts/vm/world.py: adapters and what is in the air around them."""

    def __init__(self, directory, *adapters, mode='legacy', period=4):
        self.journal_path = os.path.join(directory, 'journal')
        open(self.journal_path, 'w').close()
        self.process = subprocess.Popen(
            [os.path.join(CACHE, 'venv', 'bin', 'python'), os.path.join(ROOT, 'scripts', 'vm', 'world.py')]
            + [*adapters, '--mode', mode, '--journal', self.journal_path, '--period', str(period)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answers = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        ready = self.answers.get(timeout=never(30))
        self.places, self.addresses = ready['adapters'], ready['addresses']

    def listen(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))

    def tell(self, command, seconds=30):
        """Has the world do something; see world.py --help."""
        self.begin(command)
        return self.finish(seconds)

    def begin(self, command):
        self.process.stdin.write(command + '\n')
        self.process.stdin.flush()

    def finish(self, seconds=30):
        answer = self.answers.get(timeout=never(seconds))
        assert 'error' not in answer, answer
        return answer

    def journal(self, *events, adapter=None, since=0.0):
        """What was written in the journal, of these kinds, since a time."""
        found = []
        with open(self.journal_path) as file:
            for line in file:
                if line.endswith('\n'):
                    entry = json.loads(line)
                    if entry['time'] >= since and (not events or entry['event'] in events):
                        if adapter is None or entry.get('adapter', adapter) == adapter:
                            found.append(entry)
        return found

    def heard(self, adapter=0, since=0.0):
        """The PDUs that an adapter was told of, in order."""
        return [entry for entry in self.journal('air', since=since) if adapter in entry['heard']]

    def scanning(self, adapter=0):
        """The last "scan" entry: what the controller was told to do."""
        return (self.journal('scan', adapter=adapter) or [{'on': False}])[-1]

    def wait_for_silence(self, adapter=0, seconds=3):
        wait_for(lambda: not self.scanning(adapter)['on'], seconds, 'the controller to be told to stop scanning')

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def stands(pid):
    """What the threads of a program wait for, for somebody who has to find out why it does not end."""
    threads = []
    for thread in sorted(os.listdir(f'/proc/{pid}/task')):
        told = []
        for name in ('comm', 'syscall', 'wchan'):
            try:
                with open(f'/proc/{pid}/task/{thread}/{name}') as file:
                    told.append(file.read().strip())
            except OSError:
                pass
        threads.append(' '.join(told))
    if shutil.which('gdb'):
        words = ['gdb', '-p', str(pid), '-batch', '-ex', 'thread apply all bt 8']
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors='replace')
        threads += [line for line in done.stdout.splitlines() if line.startswith('#')]
    return 'threads: ' + '; '.join(threads)


class Luna:
    """A running luna. Its output goes to a file, so that it never waits for the test."""

    def __init__(self, bench, *arguments, prefix=(), program=None, stdin=subprocess.DEVNULL):
        self.output = tempfile.NamedTemporaryFile('w+', dir=bench.directory, suffix='.out')
        self.errors = tempfile.NamedTemporaryFile('w+', dir=bench.directory, suffix='.err')
        self.began = time.time()
        self.process = subprocess.Popen(
            [*prefix, program or bench.luna, *arguments],
            stdin=stdin,
            stdout=self.output,
            stderr=self.errors,
            env=dict(os.environ, HOME=bench.directory, XDG_DATA_HOME=os.path.join(bench.directory, 'data')),
        )
        bench.started.append(self)

    def lines(self):
        with open(self.output.name) as file:
            return [json.loads(line) for line in file if line.endswith('\n')]

    def advertisements(self):
        return [line for line in self.lines() if line['type'] == 'advertisement']

    def load_numbers(self):
        """The sequence numbers of the world's "load" reports."""
        load = [line['data'] for line in self.advertisements() if line['data'].startswith('0bffffff4c4f4144')]
        return [int(data[-8:], 16) for data in load]

    def stderr(self):
        with open(self.errors.name, errors='replace') as file:
            return file.read().strip()

    def hears(self, count=1, seconds=15):
        """Waits for advertisements."""

        def enough():
            if self.process.poll() is not None:
                raise AssertionError(f'luna ended with {self.process.returncode}: {self.stderr()}')
            return len(self.advertisements()) >= count

        wait_for(enough, seconds, f'{count} advertisements; luna said: {self.stderr()}')
        return self

    def last_lines(self):
        with open(self.output.name, errors='replace') as file:
            return file.read()[-600:].strip()

    def signal(self, number):
        self.process.send_signal(number)

    def ends(self, code, seconds=20):
        """Waits for the end and checks the exit code."""
        seconds = never(seconds)
        try:
            got = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            where = stands(self.process.pid)
            end_family(self.process)
            raise AssertionError(
                f'luna did not end within {seconds:.0f} s; it said: {self.stderr()}; its last lines: {self.last_lines()}; {where}'
            )
        assert got == code, f'exit code {got} instead of {code}; luna said: {self.stderr()}'
        return self


class Bench:
    """A place with a virtual air and luna."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix='luna-test.')
        os.chmod(self.directory, 0o777)
        self.luna = os.environ['LUNA']
        self.started, self.world, self.bluetoothd = [], None, None

    def scan(self, radio, *arguments, **how):
        return Luna(self, 'scan', '--format', 'jsonl', '--radio', radio, *arguments, **how)

    def listens(self, count, radio, *arguments, until=None, **how):
        """A scan that somebody ends when it has heard so many advertisements, and then when they are as `until` wants."""
        luna = self.scan(radio, *arguments, **how).hears(count, seconds=30)
        if until:
            wait_for(lambda: until(luna.advertisements()), 30, 'what is to be heard')
        luna.signal(signal.SIGINT)
        return luna.ends(130)

    def tidy(self):
        """After each test: ends what it left running."""
        for luna in self.started:
            end_family(luna.process)
        self.started.clear()

    def close(self):
        if self.world:
            self.world.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class Machine(Bench):
    """The VM: a Bench with a system bus and bluetoothd."""

    def __init__(self, *adapters, mode='legacy', daemon=True):
        super().__init__()
        # Where every user may run it, whatever the modes of the checkout's directories.
        self.luna = shutil.copy(self.luna, '/usr/local/bin/luna')
        self.bus = None
        if daemon:
            self.start_bus()
            self.start_bluetoothd()
        if adapters:
            self.world = World(self.directory, *adapters, mode=mode)
        if daemon and adapters:
            self.ready()

    def ready(self):
        """Puts everything right that an earlier test may have left wrong: all runs, adapter 0 is on."""
        if self.bus.poll() is not None:
            self.start_bus()
        if self.bluetoothd.poll() is not None:
            self.start_bluetoothd()
        kernel.block_bluetooth(False)
        for index, place in enumerate(self.world.places):
            if (place is None) == (index == 0):
                self.plug(index) if index == 0 else self.unplug(index)
        try:
            wait_for(lambda: self.property('Address'), what='bluetoothd to have the adapter')
        except AssertionError:
            # It hangs since an earlier test.
            self.stop_bluetoothd(signal.SIGKILL)
            self.start_bluetoothd()
            wait_for(lambda: self.property('Address'), what='a new bluetoothd to have the adapter')
        wait_for(self.powered, what='bluetoothd to power the adapter')
        return self

    def powered(self):
        import dbus

        try:
            return self.property('Powered') or self.property('Powered', True)
        except dbus.DBusException:
            return False  # it is busy with the change that an earlier test began

    def plug(self, index):
        """Returns the hciN that the world's adapter becomes."""
        self.world.places[index] = self.world.tell(f'plug {index}')['name']
        return self.world.places[index]

    def unplug(self, index):
        self.world.tell(f'unplug {index}')
        self.world.places[index] = None

    def start_bus(self):
        os.makedirs('/run/dbus', exist_ok=True)
        subprocess.run(['dbus-uuidgen', '--ensure'], check=True)
        self.bus = subprocess.Popen(['dbus-daemon', '--system', '--nofork', '--nopidfile', '--nosyslog'], stderr=subprocess.DEVNULL)
        wait_for(lambda: os.path.exists('/run/dbus/system_bus_socket'), what='the system bus')

    def stop_bus(self):
        self.bus.kill()
        self.bus.wait()
        os.unlink('/run/dbus/system_bus_socket')

    def start_bluetoothd(self):
        os.makedirs('/var/lib/bluetooth', exist_ok=True)
        self.bluetoothd = subprocess.Popen(['/usr/libexec/bluetooth/bluetoothd', '-n'], stderr=subprocess.DEVNULL)
        wait_for(self.owns_name, what='bluetoothd on the bus')

    def stop_bluetoothd(self, number=signal.SIGTERM):
        self.bluetoothd.send_signal(number)
        self.bluetoothd.wait()

    def owns_name(self):
        return self.connection().name_has_owner('org.bluez')

    def connection(self):
        """A connection to the bus of its own for each call: bluetoothd counts clients by it."""
        import dbus

        return dbus.bus.BusConnection(dbus.bus.BusConnection.TYPE_SYSTEM)

    def property(self, name, value=None, adapter=None):
        """Reads or sets a property of an adapter; None when there is no such adapter."""
        import dbus

        connection = self.connection()
        try:
            properties = dbus.Interface(
                connection.get_object('org.bluez', f'/org/bluez/{adapter or self.world.places[0]}', introspect=False),
                'org.freedesktop.DBus.Properties',
            )
            if value is None:
                return properties.Get('org.bluez.Adapter1', name)
            properties.Set('org.bluez.Adapter1', name, value, signature='ssv')
        except dbus.DBusException:
            if value is not None:
                raise
            return None
        finally:
            connection.close()

    def as_nobody(self, *capabilities):
        """What to put before a command for it to run as a user with these capabilities only."""
        wanted = ','.join(f'+{name}' for name in capabilities)
        prefix = ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups']
        return prefix + ([f'--inh-caps={wanted}', f'--ambient-caps={wanted}'] if wanted else [])


class Client:
    """Another program that scans through bluetoothd."""

    def __init__(self, machine):
        import dbus

        self.connection = machine.connection()
        self.adapter = dbus.Interface(
            self.connection.get_object('org.bluez', f'/org/bluez/{machine.world.places[0]}', introspect=False),
            'org.bluez.Adapter1',
        )
        self.adapter.SetDiscoveryFilter(dbus.Dictionary({'Transport': 'le', 'DuplicateData': True}, signature='sv'))
        self.adapter.StartDiscovery()

    def close(self):
        self.connection.close()


# Comparing what luna printed with what was in the air

COMPARED = ['address', 'addressType', 'pdu', 'rssi', 'data', 'primaryPhy', 'secondaryPhy', 'sid', 'dataStatus']


def picture(entry):
    """What luna and the journal must agree on."""
    return {field: entry[field] for field in COMPARED if field in entry}


def check_complete(luna, heard, at_least=10, missing_at_ends=True):
    """Every report, in order, with every field; luna may have come late and left early."""
    got, expected = [picture(line) for line in luna], [picture(entry) for entry in heard]
    assert len(got) >= at_least, f'{len(got)} advertisements, not even {at_least}'
    assert got[0] in expected, f'{luna[0]} was not in the air'
    start, lateness = first_heard(got, expected), []
    for number, line in enumerate(got):
        assert start + number < len(expected), f'{len(got)} advertisements, more than the {len(expected)} in the air'
        assert line == expected[start + number], (
            f'advertisement {number} is {line}, but {expected[start + number]} was in the air'
        )
        lateness.append(luna_time(luna[number]) - heard[start + number]['time'])
        # A machine that is very busy may deliver one of them late.
        assert -1 < lateness[-1] < 10 * pace.slower(), f'advertisement {number} has a time that is {lateness[-1]:.3f} s wrong'
    assert sorted(lateness)[len(lateness) // 2] < pace.slower(), f'the times are wrong, such as by {lateness[0]:.3f} s'
    if not missing_at_ends:
        assert len(got) == len(expected), f'{len(expected)} were in the air, luna printed {len(got)}'


def first_heard(got, expected):
    """Where luna began to hear. What an advertiser repeats may come twice with the same RSSI, and its scan response
    comes with it: the beginning is where the most of what follows agrees."""

    def agreeing(start):
        pairs = enumerate(zip(got, expected[start:]))
        return next((number for number, (line, entry) in pairs if line != entry), len(got))

    return max((start for start, entry in enumerate(expected) if entry == got[0]), key=agreeing)


def luna_time(line):
    """Seconds since 1970 of an RFC 3339 time with microseconds."""
    from datetime import datetime

    assert len(line['time']) == 27 and line['time'].endswith('Z'), line['time']
    return datetime.fromisoformat(line['time'].replace('Z', '+00:00')).timestamp()


def check_beacons(lines, extended, scan_responses=True):
    """Every kind of the world's beacons is there and decoded; `lines` come from a path that tells PDUs."""

    def those(**fields):
        return [line for line in lines if all(line.get(k) == v for k, v in fields.items())]

    def beacon(line):
        return (line.get('beacons') or [{}])[0]

    ibeacons = [line for line in those(pdu='ADV_NONCONN_IND') if beacon(line).get('beacon') == 'ibeacon']
    assert ibeacons, 'no iBeacon'
    for line in ibeacons:
        told = beacon(line)
        assert told['uuid'].upper() == 'E2C56DB5-DFFB-48D2-B060-D0F5A71096E0', line
        assert (told['major'], told['power']) == (1, -59), line
        assert told['minor'] == int(line['data'][-6:-2], 16), line
        assert line['addressKind'] == 'non-resolvable', line
        assert (line['connectable'], line['scannable'], line['legacy']) == (False, False, True), line
        assert line['flags'] == 0x1A and list(line['manufacturerData']) == ['004c'], line
    tags = [line for line in those(pdu='ADV_IND') if '1804' in line.get('services', [])]
    assert tags, 'no tag with 0x1804'
    for line in tags:
        assert (line['connectable'], line['scannable']) == (True, True), line
        assert line['serviceData'] == {'1804': line['data'][-8:]}, line
        assert line['addressKind'] in ('static', 'resolvable'), line
    families = {beacon(line).get('beacon') for line in lines}
    assert {'eddystone-uid', 'eddystone-tlm'} <= families, families
    named = those(pdu='ADV_SCAN_IND', addressType='public')
    assert named and all('addressKind' not in line for line in named), 'no public address in ADV_SCAN_IND'
    answers = those(pdu='SCAN_RSP')
    if scan_responses:
        assert {'FakeTag', 'Luna'} <= {line.get('name') for line in answers}, answers[:2]
        assert all(line['scanResponse'] for line in answers)
    else:
        assert not answers, answers[0]
    if extended:
        lengths = {len(line['data']) // 2 for line in those(pdu='ADV_EXT_IND', dataStatus='complete')}
        assert {118, 500} <= lengths, lengths
        assert all(not line['legacy'] for line in those(pdu='ADV_EXT_IND'))
        assert {line.get('txPower') for line in those(pdu='ADV_EXT_IND', sid=1)} == {-4}
    else:
        assert not those(pdu='ADV_EXT_IND')


def check_refusals(world, since=0.0):
    """No command was refused: the right ones were used, and never legacy and extended ones mixed."""
    refused = [entry for entry in world.journal('command', since=since) if entry.get('status')]
    assert not refused, refused[:3]


def without_adapter(mode):
    """A machine to which an adapter may come later: `prepare` of a group."""
    machine = Machine(mode=mode)
    machine.mode = mode
    return machine


def with_adapter(machine):
    """The first tests have none."""
    if not machine.world:
        machine.world = World(machine.directory, 'vhci', mode=machine.mode)
    return machine.ready()
