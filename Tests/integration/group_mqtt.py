"""What others are told: a home by a real broker, as Home Assistant sees it, and Prometheus."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request

from bench import ROOT, Bench, Luna, NotRun, World, free_port, never, wait_for
from gateways import PLACE

IN_VM = False


class Broker:
    """mosquitto on loopback, with a configuration of its own, and one who reads everything."""

    def __init__(self, bench, *lines, user=()):
        self.directory = tempfile.mkdtemp(dir=bench.directory)
        self.port = free_port()
        self.user = list(user)
        if user:
            subprocess.run(['mosquitto_passwd', '-b', '-c', f'{self.directory}/passwords', *user], check=True, stderr=subprocess.DEVNULL)
            lines = ('allow_anonymous false', f'password_file {self.directory}/passwords', *lines)
        with open(f'{self.directory}/conf', 'w') as file:
            file.write('\n'.join([f'listener {self.port} 127.0.0.1', 'user root', *(lines or ('allow_anonymous true',))]))
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ['/usr/sbin/mosquitto', '-c', f'{self.directory}/conf'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens():
            try:
                socket.create_connection(('127.0.0.1', self.port), 1).close()
                return True
            except OSError:
                return False

        wait_for(listens, 20, 'the broker to listen')
        self.messages = []
        self.reader = subprocess.Popen(self.client('sub', '-v', '-t', '#'), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        threading.Thread(target=self.read, args=(self.reader,), daemon=True).start()

    def client(self, what, *arguments):
        words = [f'mosquitto_{what}', '-h', '127.0.0.1', '-p', str(self.port)]
        return words + (['-u', self.user[0], '-P', self.user[1]] if self.user else []) + list(arguments)

    def read(self, reader):
        for line in reader.stdout:
            topic, _, payload = line.rstrip('\n').partition(' ')
            self.messages.append((topic, payload))

    def last(self, topic):
        return next((payload for name, payload in reversed(self.messages) if name == topic), None)

    def has(self, topic, payload, seconds=30):
        wait_for(lambda: self.last(topic) == payload, seconds, f'{topic} to be {payload}, not {self.last(topic)}')

    def found(self, component):
        """What Home Assistant finds of a kind."""
        return [json.loads(payload) for name, payload in self.messages if name.startswith(f'homeassistant/{component}/') and payload != '(null)']

    def publish(self, topic, payload):
        subprocess.run(self.client('pub', '-t', topic, '-m', payload), check=True)

    def publish_retained(self, topic, payload):
        subprocess.run(self.client('pub', '-r', '-t', topic, '-m', payload), check=True)

    def kill(self):
        for process in (self.process, self.reader):
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    @property
    def url(self):
        return f'mqtt://{self.user[0] + "@" if self.user else ""}127.0.0.1:{self.port}/home'


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    bench.owner = os.path.join(bench.directory, 'owner')
    keys = os.path.join(bench.directory, 'keys.json')
    Luna(bench, 'tracker', 'export', *bench.radio, keys).ends(0)
    Luna(bench, 'owner', 'import', keys, '--state', bench.owner).ends(0)
    bench.devices = Luna(bench, 'owner', 'list', '--state', bench.owner, '--format', 'jsonl').ends(0).lines()
    return bench


def local(bench, broker, *arguments):
    return Luna(
        bench, 'local', *bench.radio, '--format', 'jsonl', '--state', bench.owner, '--mqtt', broker.url, *arguments)


def gateway(bench, broker):
    return Luna(
        bench, 'finder', *bench.radio, '--location', PLACE, '--format', 'jsonl', '--state',
        os.path.join(bench.directory, 'gateway'), '--mqtt', broker.url)


def ident(device):
    return (device.get('device') or device.get('uuid')).lower()


def test_trackers_come_home_and_ring(bench):
    with Broker(bench) as broker:
        luna = local(bench, broker)
        broker.has('home/availability', 'online')
        device = ident(bench.devices[0])
        broker.has(f'home/devices/{device}/state', 'home')
        wait_for(lambda: int(broker.last(f'home/devices/{device}/rssi') or 0) < 0, 20, 'a signal')
        trackers = broker.found('device_tracker')
        assert len({t['unique_id'] for t in trackers}) == len(bench.devices), trackers
        mine = next(t for t in trackers if t['state_topic'] == f'home/devices/{device}/state')
        assert mine['source_type'] == 'bluetooth_le' and mine['availability_topic'] == 'home/availability', mine
        event = json.loads(broker.last('home/events'))
        assert event['type'] == 'device' and event['device'], event
        button = next(b for b in broker.found('button') if device in b['command_topic'])
        broker.publish(button['command_topic'], button['payload_press'])
        wait_for(lambda: 'MQTT: ringing' in luna.stderr(), 20, 'a ring')
        luna.signal(signal.SIGTERM)
        broker.has('home/availability', 'offline')


def test_a_tracker_that_comes_later(bench):
    """Who is onboarded or imported while it runs is told of from then on: nobody starts a service anew for that."""
    later = os.path.join(bench.directory, 'later')
    with Broker(bench) as broker:
        luna = Luna(bench, 'local', *bench.radio, '--format', 'jsonl', '--state', later, '--mqtt', broker.url)
        broker.has('home/availability', 'online')
        wait_for(lambda: [line for line in luna.lines() if line['type'] == 'device'], 30, 'trackers of nobody')
        assert not broker.found('device_tracker')
        Luna(bench, 'owner', 'import', os.path.join(bench.directory, 'keys.json'), '--state', later).ends(0)
        for device in bench.devices:
            broker.has(f'home/devices/{ident(device)}/state', 'home', 60)
        assert len({t['unique_id'] for t in broker.found('device_tracker')}) == len(bench.devices)
        luna.signal(signal.SIGTERM)
        luna.ends(143)


test_a_tracker_that_comes_later.seconds = 120


def test_a_radio_that_does_not_work(bench):
    """After the time-out nothing is known of anybody, which is no absence: that is said, and taken back when it works again."""
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}')
    with Broker(bench) as broker:
        luna = Luna(
            bench, 'local', '--radio', f'h4:{path}', '--timeout', '2s', '--format', 'jsonl', '--state',
            os.path.join(bench.directory, 'deaf'), '--mqtt', broker.url, '--metrics', '0')
        wait_for(luna.lines, 30, lambda: f'something that is heard; luna said: {luna.stderr()}')
        broker.has('home/availability', 'online')
        bench.world.process.kill()
        bench.world.process.wait()
        broker.has('home/availability', 'offline')
        assert numbers(luna)['luna_listening'] == '0'
        os.unlink(path)
        bench.world = World(bench.directory, f'unix:{path}')
        broker.has('home/availability', 'online')
        wait_for(lambda: numbers(luna)['luna_listening'] == '1', 20, 'the radio to be told to work')
        luna.signal(signal.SIGTERM)
        luna.ends(143)


test_a_radio_that_does_not_work.seconds = 120


def test_the_broker_tells_of_who_is_gone(bench):
    with Broker(bench) as broker:
        luna = local(bench, broker)
        broker.has('home/availability', 'online')
        luna.signal(signal.SIGKILL)
        broker.has('home/availability', 'offline')


def test_a_broker_that_comes_back(bench):
    with Broker(bench) as broker:
        luna = local(bench, broker)
        device = ident(bench.devices[0])
        broker.has(f'home/devices/{device}/state', 'home')
        heard = len(luna.lines())
        broker.kill()
        # Listening does not wait for it.
        wait_for(lambda: len(luna.lines()) > heard + 20, 30, 'lines without a broker')
        assert 'trying again' in luna.stderr(), luna.stderr()
        broker.start()
        # It has forgotten all.
        broker.has(f'home/devices/{device}/state', 'home')
        broker.has('home/availability', 'online')
        assert broker.found('device_tracker')
        luna.signal(signal.SIGTERM)
        broker.has('home/availability', 'offline')


def test_password_and_choice(bench):
    with Broker(bench, user=('luna', 'open sesame')) as broker:
        path = os.path.join(bench.directory, 'password')
        with open(path, 'w') as file:
            file.write('open sesame\n')
        device = bench.devices[0]
        luna = local(bench, broker, '--mqtt-password-file', path, '--allow', device['name'])
        broker.has(f'home/devices/{ident(device)}/state', 'home')
        assert len(broker.found('device_tracker')) == 1
        with open(f'/proc/{luna.process.pid}/cmdline') as words:
            assert 'sesame' not in words.read()
        assert 'sesame' not in luna.stderr()
        luna.signal(signal.SIGTERM)
        broker.has('home/availability', 'offline')
        with open(path, 'w') as file:
            file.write('wrong\n')
        luna = local(bench, broker, '--mqtt-password-file', path)
        wait_for(lambda: 'refuses this client' in luna.stderr(), 20, 'the refusal')
        wait_for(luna.lines, 20, 'lines all the same')
        assert 'wrong' not in luna.stderr(), luna.stderr()


def test_who_is_denied_is_forgotten(bench):
    with Broker(bench) as broker:
        shown, hidden = bench.devices[0], bench.devices[1]
        luna = local(bench, broker)
        broker.has(f'home/devices/{ident(hidden)}/state', 'home')
        luna.signal(signal.SIGTERM)
        luna.ends(143)
        # What an earlier run had the broker keep goes, whoever looks for it from now on.
        luna = local(bench, broker, '--allow', hidden['name'], '--allow', shown['name'], '--deny', hidden['name'])
        broker.has(f'home/devices/{ident(shown)}/state', 'home')
        wait_for(lambda: broker.last(f'home/devices/{ident(hidden)}/state') in ('', '(null)'), 20, 'the value to go')
        luna.signal(signal.SIGTERM)
        luna.ends(143)
        kept = retained(broker)
        assert ident(shown) in kept, kept
        assert ident(hidden) not in kept and ident(hidden).replace('-', '_') not in kept, kept


def retained(broker):
    return subprocess.run(
        broker.client('sub', '--retained-only', '-W', '2', '-v', '-t', '#'), stdout=subprocess.PIPE, text=True).stdout


def test_who_is_forgotten_or_renamed(bench):
    """While it runs and between two runs: nothing is left at the broker of a tracker that was forgotten, and what another
    machine tells under the same topics stays."""
    state = os.path.join(bench.directory, 'changing')
    shutil.copytree(bench.owner, state)

    def run():
        return Luna(bench, 'local', *bench.radio, '--format', 'jsonl', '--state', state, '--mqtt', broker.url)

    def forgets(device):
        Luna(bench, 'owner', 'forget', device['name'], '--yes', '--state', state).ends(0)

    with Broker(bench) as broker:
        stays, first, second = bench.devices[:3]
        broker.publish_retained('home/devices/of-another-machine/state', 'home')
        luna = run()
        for device in (stays, first, second):
            broker.has(f'home/devices/{ident(device)}/state', 'home')
        Luna(bench, 'owner', 'rename', stays['name'], 'Elsewhere', '--state', state).ends(0)
        wait_for(lambda: any(t['device']['name'] == 'Elsewhere' for t in broker.found('device_tracker')), 30, 'the new name')
        forgets(first)
        wait_for(lambda: broker.last(f'home/devices/{ident(first)}/state') in ('', '(null)'), 30, 'the value to go')
        luna.signal(signal.SIGTERM)
        luna.ends(143)
        forgets(second)
        luna = run()
        broker.has('home/availability', 'online')
        wait_for(lambda: broker.last(f'home/devices/{ident(second)}/state') in ('', '(null)'), 30, 'the value to go')
        luna.signal(signal.SIGTERM)
        luna.ends(143)
        kept = retained(broker)
        assert ident(stays) in kept and 'of-another-machine' in kept, kept
        for device in (first, second):
            assert ident(device) not in kept and ident(device).replace('-', '_') not in kept, kept
        # Nor are they told of again: another machine may have them by now.
        with open(os.path.join(state, 'mqtt-announced.json')) as file:
            known = next(uuids for key, uuids in json.load(file).items() if key.startswith(f'127.0.0.1:{broker.port} home '))
        assert ident(stays) in [uuid.lower() for uuid in known], known
        assert not {ident(first), ident(second)} & {uuid.lower() for uuid in known}, known


test_who_is_forgotten_or_renamed.seconds = 180


def test_home_assistant_begins_anew(bench):
    """What Home Assistant was told is told again when it says that it has begun."""
    with Broker(bench) as broker:
        programs = [local(bench, broker), gateway(bench, broker)]
        for topic in (f'home/devices/{ident(bench.devices[-1])}/state', 'home/sightings'):
            wait_for(lambda: broker.last(topic), 30, topic)
        before = {topic for topic, _ in broker.messages if topic.startswith('homeassistant/')}
        broker.messages.clear()
        broker.publish('homeassistant/status', 'online')
        wait_for(lambda: before <= {topic for topic, _ in broker.messages}, 30, 'all to be announced again')
        for luna in programs:
            luna.signal(signal.SIGTERM)


def test_home_assistant_reads_every_discovery(bench):
    made = subprocess.run(['scripts/lib/api-venv', 'home-assistant'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    if made.returncode:
        raise NotRun(f'there is no Home Assistant to be had here: {made.stderr.strip()[-200:]}')
    with Broker(bench) as broker:
        programs = [local(bench, broker), gateway(bench, broker)]
        for topic in (f'home/devices/{ident(bench.devices[-1])}/state', 'home/sightings'):
            wait_for(lambda: broker.last(topic), 30, topic)
        found = [(topic, payload) for topic, payload in broker.messages if topic.startswith('homeassistant/')]
        for luna in programs:
            luna.signal(signal.SIGTERM)
    assert {topic.split('/')[1] for topic, _ in found} == {'device_tracker', 'sensor', 'binary_sensor', 'button'}, found
    read = subprocess.run(
        [f'{made.stdout.strip()}/bin/python', 'Tests/integration/home_assistant.py'], input=json.dumps(found), cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert read.returncode == 0, read.stdout


test_home_assistant_reads_every_discovery.seconds = 300


def test_what_makes_no_sense(bench):
    for arguments, word in [
        (['--mqtt', 'http://host'], 'mqtt'),
        (['--mqtt', 'mqtt://me:secret@host'], 'password'),
        (['--mqtt', 'mqtt:me:secret@host'], 'mqtt'),
        (['--mqtt', 'mqtt://me:secret'], 'mqtt'),
        (['--allow', 'keys'], '--mqtt'),
        (['--mqtt', 'mqtt://host', '--mqtt-ca-file', '/dev/null'], 'mqtts'),
        (['--mqtt', 'mqtt://host', '--mqtt-password-file', '/dev/null'], 'USER'),
        (['--mqtt', 'mqtt://host', '-r', '/dev/null'], '--read'),
    ]:
        luna = Luna(bench, 'local', *arguments).ends(2)
        assert word in luna.stderr(), (arguments, luna.stderr())
        assert 'secret' not in luna.stderr(), luna.stderr()


def test_gateway(bench):
    with Broker(bench) as broker:
        luna = gateway(bench, broker)
        wait_for(lambda: int(broker.last('home/sightings') or 0) > 0, 30, 'sightings')
        broker.has('home/state', 'listening')
        event = json.loads(broker.last('home/events'))
        assert event['type'] == 'sighting' and event['heid'], event
        assert broker.found('sensor') and broker.found('binary_sensor')
        luna.signal(signal.SIGTERM)
        broker.has('home/availability', 'offline')


def numbers(luna):
    """The page of --metrics, by name and labels."""
    wait_for(lambda: 'numbers are at ' in luna.stderr(), 20, 'the page')
    address = luna.stderr().split('numbers are at ')[1].split()[0]
    assert address.startswith('http://127.0.0.1:'), address
    with urllib.request.urlopen(address, timeout=never(10)) as page:
        assert page.headers['Content-Type'].startswith('text/plain; version=0.0.4'), page.headers
        lines = page.read().decode().splitlines()
    return dict(line.rsplit(' ', 1) for line in lines if not line.startswith('#'))


def test_numbers(bench):
    state = os.path.join(bench.directory, 'numbers')
    gateway = Luna(
        bench, 'finder', *bench.radio, '--location', PLACE, '--format', 'jsonl', '--state', state, '--metrics', '0')
    wait_for(lambda: int(numbers(gateway)['luna_sightings_total']) > 0, 30, 'sightings')
    assert int(numbers(gateway)['luna_reports_total']) > 0
    local = Luna(bench, 'local', *bench.radio, '--format', 'jsonl', '--state', bench.owner, '--metrics', '127.0.0.1:0')
    name = bench.devices[0]['name']
    wait_for(lambda: any(key.startswith('luna_tracker_rssi_dbm{') and f'name="{name}"' in key for key in numbers(local)), 30, 'a signal')
    assert int(numbers(local)['luna_reports_total']) > 0
    scan = Luna(bench, 'scan', *bench.radio, '--format', 'jsonl', '--metrics', '0')
    wait_for(lambda: int(numbers(scan)['luna_reports_total']) > 0, 30, 'reports')
    assert numbers(scan)['luna_lost_total{reason="kernel"}'] == '0'
    assert [numbers(luna)['luna_recovery_steps_total'] for luna in (gateway, local, scan)] == ['0'] * 3
    for luna in (gateway, local, scan):
        wait_for(lambda: numbers(luna)['luna_listening'] == '1', 20, 'the radio to be told to work')
    for luna in (gateway, local, scan):
        luna.signal(signal.SIGTERM)
    Luna(bench, 'scan', *bench.radio, '--metrics', 'x').ends(2)


def doors(luna):
    """Where a program can be reached from a network: local addresses and ports of its own sockets, as the kernel writes them."""
    own, found = set(), []
    for name in os.listdir(f'/proc/{luna.process.pid}/fd'):
        with contextlib.suppress(OSError):
            own.add(os.readlink(f'/proc/{luna.process.pid}/fd/{name}'))
    for kind in ('tcp', 'tcp6', 'udp', 'udp6'):
        with contextlib.suppress(FileNotFoundError), open(f'/proc/{luna.process.pid}/net/{kind}') as lines:
            for fields in [line.split() for line in lines][1:]:
                # 0A: a TCP socket that listens. Who has a UDP socket gets what is sent to it.
                if f'socket:[{fields[9]}]' in own and (kind.startswith('udp') or fields[3] == '0A'):
                    found.append(f'{kind} {fields[1]}')
    return found


def test_nobody_listens_on_a_port_that_was_not_asked_for(bench):
    state = os.path.join(bench.directory, 'doors')
    for words in (
        ['finder', '--location', PLACE, '--state', state], ['local', '--state', bench.owner], ['scan'],
    ):
        for metrics in ([], ['--metrics', '0']):
            luna = Luna(bench, *words, *bench.radio, '--format', 'jsonl', *metrics)
            wait_for(luna.lines, 30, lambda: f'the first line; luna said: {luna.stderr()}')
            # The page is there before anything is heard.
            found = doors(luna)
            assert len(found) == len(metrics[1:]), (words, metrics, found)
            assert all(one.startswith('tcp 0100007F:') for one in found), found
            luna.signal(signal.SIGTERM)
            luna.ends(0 if 'finder' in words else 143)


def test_steps_that_bring_a_radio_back_are_counted(bench):
    """On the page, and in what is said on a signal."""
    folder = tempfile.mkdtemp(dir=bench.directory)
    paths = [os.path.join(folder, f'hci{number}.sock') for number in range(3)]
    world = World(folder, *(f'unix:{path}' for path in paths))
    try:
        rest = ('--format', 'jsonl', '--metrics', '0')
        programs = [
            Luna(bench, 'finder', '--radio', f'h4:{paths[0]}', '--location', PLACE, '--state', os.path.join(folder, 'gateway'), *rest),
            Luna(bench, 'local', '--radio', f'h4:{paths[1]}', '--state', bench.owner, *rest),
            Luna(bench, 'scan', '--radio', f'h4:{paths[2]}', *rest),
        ]
        for number, luna in enumerate(programs):
            wait_for(lambda: numbers(luna)['luna_listening'] == '1', 30, f'a radio that works; luna said: {luna.stderr()}')
            assert numbers(luna)['luna_recovery_steps_total'] == '0'
            world.tell(f'error {number} 20')
            wait_for(lambda: int(numbers(luna)['luna_recovery_steps_total']) > 0, 30, f'a step; luna said: {luna.stderr()}')
            luna.signal(signal.SIGUSR1)
            wait_for(lambda: ' to recover' in luna.stderr(), 20, lambda: f'the steps to be said; luna said: {luna.stderr()}')
            # And not at its end, where that is said too.
            assert luna.process.poll() is None, luna.stderr()
        for luna in programs:
            luna.signal(signal.SIGTERM)
    finally:
        world.close()


test_steps_that_bring_a_radio_back_are_counted.seconds = 120
