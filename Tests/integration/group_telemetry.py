"""Telemetry: what `luna telemetry` and `luna finder` record, the queue through kills, a full disk and a network that
loses and repeats, and what a backend takes of it."""

import ctypes
import datetime
import gzip
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import uuid

import pace
import ties
from backends import LUNA, PATIENCE, Backend, event
import recordings
from bench import ROOT, chance, needs_root, wait_for
from dates import dated
from recordings import Advertiser
from telemetry import Lossy, Queue, stored

IN_VM = False
# How often writers and flushers are killed in one test.
KILLS = int(os.environ.get('LUNA_TELEMETRY_KILLS', '40'))


class Bench:
    def __init__(self):
        self.backend = Backend('--events-per-second', '0').start()
        self.others, self.folders, self.running = [], [], []

    def queue(self):
        self.folders.append(tempfile.mkdtemp(prefix='luna-telemetry.'))
        return Queue(self.folders[-1])

    def other(self, *options):
        self.others.append(Backend('--events-per-second', '0', *options).start())
        return self.others[-1]

    def lossy(self, *words, **how):
        self.running.append(Lossy(*words, **how))
        return self.running[-1]

    def tidy(self):
        for running in self.running:
            running.close() if isinstance(running, Lossy) else (running.poll() is None and running.kill())
        for other in self.others:
            other.close()
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)
        self.others, self.folders, self.running = [], [], []

    def close(self):
        self.tidy()
        self.backend.close()


def prepare(mode):
    return Bench()


def now(seconds=0):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.isoformat().replace('+00:00', 'Z')


def item(key='luna.event.test', value='1', count=1, seconds=0, **changes):
    return {'id': uuid.uuid4().hex, 'time': now(seconds), 'key': key, 'value': value, 'count': count, **changes}


def send(backend, body, role='gateway', name='test', **how):
    return backend.call('POST', '/v1/telemetry', body, role, name, **how)


# The command


def test_the_command(bench):
    queue = bench.queue()
    assert queue.status()['waiting'] == 0
    assert not os.path.exists(queue.path), 'looking made a queue'
    for _ in range(3):
        queue.luna('log', 'door.open')
    queue.luna('log', 'battery level', '83')
    queue.luna('log', 'door.open', '--telemetry-root', 'kitchen')
    assert queue.rows() == [
        ('luna.event.door.open', '1', 3, 1, 0), ('luna.event.battery_level', '83', 1, 1, 0),
        ('kitchen.event.door.open', '1', 1, 1, 0)], queue.rows()
    assert oct(os.stat(queue.path).st_mode & 0o777) == '0o600'
    for words in [('log', 'a/b'), ('log', ''), ('log', 'a..b'), ('log', 'x' * 65), ('log', 'a', 'x' * 65),
                  ('log', '.'.join('a' * 15)), ('log',), ('time', 'a'), ('time', 'a/b', '--', 'true'), ('flush',),
                  ('log', 'a', '--telemetry-root', 'a/b')]:
        done = queue.luna(*words, code=2)
        assert done.stderr.strip(), words
    assert queue.status()['waiting'] == 3
    assert json.loads(queue.luna('clear', '--format', 'jsonl').stdout) == {'type': 'telemetryClear', 'cleared': 3}
    assert queue.status()['waiting'] == 0


def test_the_time_of_a_program(bench):
    queue = bench.queue()

    def run(*words):
        # What comes after -- is the program's.
        return subprocess.run([LUNA, 'telemetry', 'time', '--state', queue.directory, 'job', '--', *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)

    assert run('true').returncode == 0
    assert run('sh', '-c', 'exit 42').returncode == 42
    assert run('sh', '-c', 'kill -9 $$').returncode == 137
    done = run('/no/such/program')
    assert done.returncode == 127 and 'No such file' in done.stderr, done
    assert run('/etc/passwd').returncode == 126
    done = run('sh', '-c', 'echo out; echo err >&2; sleep 0.3')
    assert (done.stdout, done.stderr) == ('out\n', 'err\n'), done
    # The words of the program are its own.
    assert run('printf', '%s', '--state').stdout == '--state'
    rows = queue.rows()
    assert {key for key, *_ in rows} == {'luna.operation.job'}, rows
    assert sum(count for _, _, count, *_ in rows) == 5, rows
    assert any(300 <= int(value) < 30000 for _, value, *_ in rows), rows
    # Who ends luna ends the program.
    begun = os.path.join(queue.directory, 'begun')
    process = subprocess.Popen([LUNA, 'telemetry', 'time', 'job', '--state', queue.directory, '--', 'sh', '-c', f'touch {begun}; exec sleep 600'])
    bench.running.append(process)
    wait_for(lambda: os.path.exists(begun), PATIENCE, 'the program to run')
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 143


def test_sending(bench):
    queue, backend = bench.queue(), bench.other()
    assert queue.flush(backend).stdout and backend.alive()
    queue.luna('log', 'sent.once')
    report = json.loads(queue.flush(backend).stdout)
    assert report == {'type': 'telemetryFlush', 'accepted': 1, 'duplicates': 0, 'refused': 0, 'samples': 0, 'waiting': 0}
    assert stored(backend) == {'luna.event.sent.once': 1}
    assert 'sentAt' in queue.status() and 'problem' not in queue.status()
    # Nobody there, or one who does not know the token: kept, and said.
    queue.luna('log', 'kept')
    backend.stop()
    # How far it came is told all the same.
    assert json.loads(queue.flush(backend, code=9).stdout.splitlines()[0])['waiting'] > 0
    assert queue.status()['waiting'] == 1 and queue.status()['problem']
    backend.start()
    queue.flush(bench.backend, role='owner')
    assert stored(bench.backend)['luna.event.kept'] == 1


def test_signed_out(bench):
    queue = bench.queue()
    queue.luna('log', 'waits')
    url = f'http://127.0.0.1:{bench.backend.port}'
    done = queue.luna('flush', '--backend', url, '--sign-in', code=9)
    assert 'signed in' in done.stderr, done
    assert queue.status()['waiting'] == 1
    queue.luna('flush', '--backend', url, '--sign-in', '--when-signed-out', 'drop', code=9)
    status = queue.status()
    assert status['waiting'] == 0 and status['dropped'][0]['reason'] == 'signedOut', status


# What a backend takes


def test_each_item_by_itself(bench):
    good, twice = item(), item()
    items = [good, item(key='no key'), item(value='x' * 65), item(seconds=660), item(seconds=-8 * 86400 - 60), twice, twice]
    answer = send(bench.backend, {'product': 'test/1', 'items': items})
    assert answer.status == 200, answer.body
    results = answer.json['results']
    assert [r['index'] for r in results] == list(range(7))
    assert [r['status'] for r in results] == ['accepted'] + ['rejected'] * 4 + ['accepted', 'duplicate']
    assert [r.get('code') for r in results[1:5]] == ['key', 'value', 'future', 'expired']
    # An id is used up by the first, whatever became of it; others have theirs.
    again = send(bench.backend, {'product': 'test/1', 'items': [good, {**items[1], 'key': 'now.good'}]})
    assert [r['status'] for r in again.json['results']] == ['duplicate', 'duplicate']
    assert send(bench.backend, {'items': [good]}, name='other').json['results'][0]['status'] == 'accepted'
    assert send(bench.backend, {'items': [good]}, 'owner').json['results'][0]['status'] == 'accepted'


def test_limits_of_an_upload(bench):
    backend = bench.backend
    assert send(backend, {'items': [item() for _ in range(500)]}, compress=True).status == 200
    assert send(backend, {'items': [item() for _ in range(501)]}).status == 400
    big = json.dumps({'items': [], 'more': 'x' * (256 << 10)}).encode()
    for body in [big, gzip.compress(big)]:
        headers = {'Content-Encoding': 'gzip'} if body is not big else {}
        assert send(backend, body, headers=headers).status == 413
    for body in [[], {'items': {}}, {'items': [1]}, {'items': [item(id='x')]}, {'items': [item(count=0)]},
                 {'items': [item(time='yesterday')]}, {'items': [item(key=5)]}, {'items': [item(value=5)]},
                 {'health': {'uptime': -1}}, {'health': {'adapters': [{'id': 'hci0', 'state': 'asleep'}]}},
                 {'samples': [{'time': now()}]}, {'health': 1}]:
        assert send(backend, body).status == 400, body
    assert backend.call('POST', '/v1/telemetry', {}, 'admin').status == 403
    assert backend.call('POST', '/v1/telemetry', {}).status == 401
    assert send(backend, {}).json == {'results': []}


def test_health_is_of_gateways(bench):
    backend = bench.other()
    health = {'version': '1.2', 'uptime': 60, 'diskFreeMiB': 100, 'families': {'tile': 3},
              'adapters': [{'id': 'hci0', 'state': 'scanning', 'packetsPerSecond': 1.5}], 'news': 'from tomorrow'}
    sample = {'time': now(-60), 'health': health}
    for role in ('owner', 'gateway'):
        for _ in range(2):
            assert send(backend, {'health': health, 'samples': [sample], 'items': []}, role).status == 200
    with sqlite3.connect(backend.store.removeprefix('sqlite:')) as database:
        rows = database.execute('SELECT gateway, verdict, reasons, report FROM health').fetchall()
        samples = database.execute('SELECT step, count FROM samples ORDER BY step').fetchall()
    assert len(rows) == 1 and rows[0][:3] == ('test', 'bad', 'diskFull'), rows
    assert json.loads(rows[0][3])['families'] == {'tile': 3} and 'news' not in rows[0][3]
    assert samples == [(0, 1), (1, 1), (2, 1)], samples


def test_nothing_ties_an_event_to_its_gateway(bench):
    backend = bench.other()
    events = ties.sends(backend, GATEWAY, 'luna.event.of-the-canary')
    ties.are_none(backend, GATEWAY, events, ['luna.event.of-the-canary'], ties.sqlite_rows(backend.store))


# Kills, losses, a full disk


def test_kills_of_writers_and_senders(bench):
    """Everything that a command has recorded is at the backend once; who was killed may have recorded it."""
    queue, backend = bench.queue(), bench.other()
    way = bench.lossy(backend, trouble=0.4)
    queue.luna('log', 'first')
    token = os.path.join(queue.directory, 'token')
    with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
        file.write(backend.token('gateway'))
    lots = chance()
    durable, doubtful = {'luna.event.first': 1}, {}
    senders, killed = [], {'log': 0, 'flush': 0}
    for number in range(KILLS):
        key = f'k{number % 17}'
        writer = subprocess.Popen([LUNA, 'telemetry', 'log', key, '--state', queue.directory],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        senders.append(subprocess.Popen(
            [LUNA, 'telemetry', 'flush', '--backend', way.url, '--token-file', token, '--state', queue.directory],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(lots.uniform(0.0, 0.08) * pace.slower())
        if number % 2:
            writer.kill()
            killed['log'] += 1
        if lots.random() < 0.7:
            senders.pop(lots.randrange(len(senders))).kill()
            killed['flush'] += 1
        name = 'luna.event.' + key
        if writer.wait(PATIENCE) == 0:
            durable[name] = durable.get(name, 0) + 1
        else:
            doubtful[name] = doubtful.get(name, 0) + 1
        # Those that wait for their turn would be more and more.
        while len(senders) > 3:
            senders.pop(0).wait(PATIENCE)
    for sender in senders:
        sender.wait(PATIENCE)
    way.trouble = 0
    wait_for(lambda: queue.flush(backend, url=way.url, code=None).returncode == 0, PATIENCE, 'the rest to be sent')
    status, have = queue.status(), stored(backend)
    assert status['waiting'] == 0 and not status['setAside'] and not status['dropped'], status
    assert queue.rows() == []
    for name in durable.keys() | doubtful.keys():
        low, high = durable.get(name, 0), durable.get(name, 0) + doubtful.get(name, 0)
        assert low <= have.get(name, 0) <= high, (name, low, have.get(name, 0), high)
    assert killed['log'] + killed['flush'] >= KILLS, killed


test_kills_of_writers_and_senders.seconds = 60 + 2 * KILLS


def test_a_network_that_loses_and_repeats(bench):
    queue, backend = bench.queue(), bench.other()
    queue.luna('log', 'one')
    with sqlite3.connect(queue.path) as database:
        database.executemany(
            "INSERT INTO items(id, kind, time, key, value, count) VALUES(randomblob(16), 1, ?, ?, '1', 1)",
            [(int(time.time() * 1e6), f'luna.event.n{number}') for number in range(1300)])
    way = bench.lossy(backend, seed=3)
    for _ in range(60):
        if queue.flush(backend, url=way.url, code=None).returncode == 0:
            break
    assert queue.status()['waiting'] == 0
    have = stored(backend)
    assert len(have) == 1301 and set(have.values()) == {1}


def test_the_clock_jumps(bench):
    """Whatever the clock of a gateway shows: each item is at the backend once, or is refused by a rule that is told."""
    queue, backend = bench.queue(), bench.other()
    bench.folders.append(tempfile.mkdtemp(prefix='luna-dates.'))
    offset = os.path.join(bench.folders[-1], 'offset')
    library = dated(bench.folders[-1], offset)
    jumping = {'LD_PRELOAD': library}

    def jump(seconds):
        with open(offset + '.new', 'w') as file:
            file.write(str(int(seconds)))
        os.rename(offset + '.new', offset)

    def log(key, seconds):
        jump(seconds)
        queue.luna('log', key, env=dict(os.environ, **jumping))

    day = 86400
    # Recorded and sent while the clock is far ahead: by the clock of the backend that has not been yet.
    log('sent.ahead', 365 * day)
    queue.flush(backend, environment=jumping)
    began = time.time()
    log('now', 0)
    log('hour.back', -3600)
    log('week.back', -7 * day)
    log('long.back', -9 * day)
    # Once the clock is back these are of the future, which is when they are dated anew.
    log('minutes.ahead', 300)
    log('year.ahead', 365 * day)
    # As after a start without a battery for the clock: dated when it shows what can be.
    log('no.clock', 100 - began)
    assert queue.status()['waiting'] == 7
    queue.flush(backend, code=None, environment=jumping)
    assert queue.status()['waiting'] == 7 and stored(backend) == {}, 'while the clock shows nothing that can be, nothing is sent'
    # The clock is right now, and is set again while what waits is sent: what the backend says goes by its own.
    jump(0)
    way = bench.lossy(backend, trouble=0.5, seed=5)
    for number in range(60):
        if queue.flush(backend, url=way.url, code=None, environment=jumping).returncode == 0:
            break
        jump([-3600, 2 * day, -40 * day, 0][number % 4])
    status = queue.status()
    assert status['waiting'] == 0 and queue.rows() == [], status
    assert {one['reason']: one['count'] for one in status['setAside']} == {'expired': 1, 'future': 1}, status
    assert not status['dropped'], status
    have = stored(backend)
    dates = {'now': 0, 'hour.back': -3600, 'week.back': -7 * day, 'minutes.ahead': 0, 'year.ahead': 0, 'no.clock': 0}
    assert have == {'luna.event.' + key: 1 for key in dates}, have
    with sqlite3.connect(backend.store.removeprefix('sqlite:')) as database:
        times = dict(database.execute("SELECT key, time / 1e6 FROM telemetry WHERE key <> ''"))
    for key, seconds in dates.items():
        assert -1 < times['luna.event.' + key] - began - seconds < time.time() - began + 1, (key, times)
    # What is measured is measured by no date.
    for seconds in (-30 * day, 365 * day):
        jump(0)
        done = subprocess.run([LUNA, 'telemetry', 'time', '--state', queue.directory, 'job', '--', 'sh', '-c', f'echo {seconds} >{offset}; sleep 0.3'],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, env=dict(os.environ, **jumping))
        assert done.returncode == 0, done.stderr
    measured = [int(value) for key, value, *_ in queue.rows() if key == 'luna.operation.job']
    assert len(measured) == 2 and all(300 <= value < 30000 for value in measured), measured


test_the_clock_jumps.seconds = 120


def test_one_bad_item_stops_no_other(bench):
    """Also one that only another backend would have refused, with nothing but a status."""
    queue, backend = bench.queue(), bench.other()
    queue.luna('log', 'one')
    with sqlite3.connect(queue.path) as database:
        database.executemany(
            "INSERT INTO items(id, kind, time, key, value, count) VALUES(randomblob(16), 1, ?, ?, '1', ?)",
            [(int(time.time() * 1e6), f'luna.event.n{number}', 0 if number == 250 else 1) for number in range(499)])
    queue.flush(backend)
    assert len(stored(backend)) == 499
    status = queue.status()
    assert status['waiting'] == 0 and status['setAside'] == [{'reason': 'malformed', 'count': 1}], status


def test_a_full_disk(bench):
    needs_root('mount a small disk')
    queue = bench.queue()
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', queue.directory], check=True)
    try:
        queue.luna('log', 'before')
        with open(queue.directory + '/other', 'wb', buffering=0) as other:
            try:
                while True:
                    other.write(bytes(4096))
            except OSError:
                pass
        codes = [queue.luna('log', f'full.{n}.{"x" * 60}', code=None).returncode for n in range(120)]
        assert codes[-1] == 7, codes[-1]
        kept = codes.count(0)
        # What was there is still there. It is sent, as far as an item that goes makes room, or said to wait.
        full = queue.flush(bench.backend, code=None)
        told = json.loads(full.stdout.splitlines()[0])
        assert full.returncode in (0, 7) and (full.returncode == 7) == (told['waiting'] > 0), (full, told)
        assert told['accepted'] + told['waiting'] > kept, (told, kept)
        os.unlink(queue.directory + '/other')
        queue.luna('log', 'after')
        queue.flush(bench.backend)
        have = stored(bench.backend)
        assert have['luna.event.before'] == have['luna.event.after'] == 1
        assert sum(key.startswith('luna.event.full.') for key in have) == kept
    finally:
        subprocess.run(['umount', '-l', queue.directory], check=True)


test_a_full_disk.seconds = 120


def test_two_programs_and_many_keys(bench):
    """Twenty programs at once record the same: each is counted."""
    queue = bench.queue()
    queue.luna('log', 'warm')
    programs = [subprocess.Popen([LUNA, 'telemetry', 'log', 'same', '--state', queue.directory]) for _ in range(20)]
    assert [program.wait(PATIENCE) for program in programs] == [0] * 20
    assert sum(count for key, _, count, *_ in queue.rows() if key == 'luna.event.same') == 20


# A gateway


# What its tokens are called: nothing else is.
GATEWAY = 'canary-of-the-gateway'


class Finder:
    """A `luna finder` that hears a recording or a simulated room, and what it sends."""

    def __init__(self, bench, queue, url, backend, *words, environment=None, **more):
        token = os.path.join(queue.directory, 'gateway.token')
        with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
            file.write(backend.token('gateway', GATEWAY))
        self.log = open(os.path.join(queue.directory, 'log'), 'ab')
        self.process = subprocess.Popen(
            [LUNA, 'finder', '--backend', url, '--state', queue.directory, '--location', 'static:52.518611,13.376389',
             '--format', 'jsonl', *words],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=dict(os.environ, **(environment or {})),
            **more)
        bench.running.append(self.process)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def health_of(backend, name=GATEWAY):
    with sqlite3.connect(backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as database:
        row = database.execute('SELECT report, verdict FROM health WHERE gateway = ?', [name]).fetchone()
        return row and json.loads(row[0])


def test_a_gateway_tells_how_it_is(bench):
    queue, backend = bench.queue(), bench.other()
    finder = Finder(bench, queue, f'http://127.0.0.1:{backend.port}', backend, '--radio', 'virtual:7')
    # Every minute.
    health = wait_for(lambda: health_of(backend), 70, 'the health of the gateway')
    assert health['radioPath'] == 'virtual' and health['adapters'][0]['state'] == 'scanning', health
    assert health['advertisers'] > 0 and health['families'] and health['locationState'] == 'known', health
    for name in ('version', 'uptime', 'packetsPerSecond', 'packetsDropped', 'packetsMalformed', 'sightingsPerMinute',
                 'recoveries', 'silentSeconds', 'queueDepth', 'eventsLost', 'uploadFailures', 'commandsDone',
                 'commandsFailed', 'memoryMiB', 'diskFreeMiB'):
        assert name in health, (name, health)
    assert health['diskFreeMiB'] > 0 and health['memoryMiB'] > 1, health
    assert finder.stop() in (0, 143)
    with sqlite3.connect(backend.store.removeprefix('sqlite:')) as database:
        assert database.execute('SELECT count(*) FROM samples WHERE step = 0').fetchone() == (1,)
        # Without anybody asking for it nothing else is recorded.
        assert database.execute('SELECT count(*) FROM telemetry').fetchone() == (0,)


test_a_gateway_tells_how_it_is.seconds = 150


def test_a_gateway_without_a_radio_tells_why_it_ends(bench):
    queue, backend = bench.queue(), bench.other()
    finder = Finder(bench, queue, f'http://127.0.0.1:{backend.port}', backend, '--radio', f'h4:{queue.directory}/nothing')
    assert finder.process.wait(PATIENCE) == 3
    health = health_of(backend)
    assert health and [(one['id'], one['state']) for one in health['adapters']] == [('h4', 'lost')], health
    # It is started again and again: that is no course of a day.
    with sqlite3.connect(backend.store.removeprefix('sqlite:')) as database:
        assert database.execute('SELECT count(*) FROM samples').fetchone() == (0,)


def test_a_gateway_that_is_not_to_tell(bench):
    queue, backend = bench.queue(), bench.other()
    way = bench.lossy(backend, trouble=0)
    finder = Finder(bench, queue, way.url, backend, '--radio', 'virtual:7', '--no-health')
    wait_for(lambda: any(path == '/trackerEvent' for path, *_ in way.seen), PATIENCE, 'an upload')
    # One that begins now and is to tell has told: so would this one.
    other = Finder(bench, bench.queue(), f'http://127.0.0.1:{backend.port}', backend, '--radio', 'virtual:7')
    wait_for(lambda: health_of(backend), PATIENCE, 'the health of another gateway')
    assert other.stop() in (0, 143)
    assert finder.stop() in (0, 143)
    assert not [path for path, *_ in way.seen if path == '/v1/telemetry']
    assert not os.path.exists(queue.path)


test_a_gateway_that_is_not_to_tell.seconds = 150


def test_usage_is_recorded_only_when_wanted(bench):
    queue, backend = bench.queue(), bench.other()
    environment = {'LUNA_TELEMETRY_USAGE': 'yes', 'LUNA_STATE': queue.directory}
    finder = Finder(bench, queue, f'http://127.0.0.1:{backend.port}', backend, '--radio', 'virtual:7', '--batch-time', '2s',
                    environment=environment)
    wait_for(lambda: '"type":"upload"' in open(os.path.join(queue.directory, 'log')).read(), PATIENCE, 'an upload')
    assert finder.stop() in (0, 143)
    queue.luna('status', env=dict(os.environ, **environment))
    queue.flush(backend)
    have = stored(backend)
    for key in ('luna.finder.appear', 'luna.finder.disappear', 'luna.finder.operation.start',
                'luna.finder.operation.flush', 'luna.command.finder.appear', 'luna.command.telemetry.disappear'):
        assert have.get(key), (key, have)


test_usage_is_recorded_only_when_wanted.seconds = 150


# What a gateway hears


STAYS = Advertiser('C0:FF:EE:00:00:01', [recordings.ibeacon(1)])
PUBLIC = Advertiser('00:1B:DC:00:00:02', [recordings.named('Canary lamp')], kind=recordings.PUBLIC, rssi=-75)
PASSES = Advertiser('C0:FF:EE:00:00:03', [recordings.ibeacon(3)])
ROTATES = Advertiser('5A:FF:EE:00:00:04', [recordings.ibeacon(4)])
TRACKERS = [
    Advertiser(f'D{number:X}:FF:EE:00:01:{number:02X}', payloads)
    for number, payloads in enumerate([
        [recordings.TILE], [recordings.SMART_TAG], [recordings.CHIPOLO], [recordings.PEBBLEBEE], [recordings.DULT],
        [recordings.FIND_MY], [recordings.EXPOSURE],
        # In turn something else: what was a tracker once is one.
        [recordings.ibeacon(9), recordings.TILE, recordings.named('Canary keys')]])]


def a_day(folder):
    """A recording of the last hours: who stays, who passes by, and trackers. Gives its path and its canaries."""
    hour = int(time.time()) // 3600 * 3600
    heard = [(hour - 3600 * back + 1, one) for back in range(8) for one in [STAYS, ROTATES, *TRACKERS]]
    heard += [(hour - 3600 * back + 2, PUBLIC) for back in range(0, 6, 2)]
    heard += [(hour - 3600 * back + 3, PASSES) for back in range(2)]
    path = os.path.join(folder, 'day.btsnoop')
    recordings.write(path, heard)
    return path, {one.address for _, one in heard} | {'Canary lamp', 'Canary keys'}


def hear(bench, queue, backend, name, recording, *words):
    """Has a gateway hear a recording; gives the telemetry that it sent."""
    way = bench.lossy(backend, trouble=0)
    token = os.path.join(queue.directory, 'gateway.token')
    with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
        file.write(backend.token('gateway', name))
    done = subprocess.run([LUNA, 'finder', '--read', recording, '--location', 'static:52.518611,13.376389', '--backend', way.url,
                           '--state', queue.directory, '--once', *words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    # Nobody's tracker is in it.
    assert done.returncode in (0, 1), done.stderr
    bodies = [gzip.decompress(body) if headers.get('Content-Encoding') == 'gzip' else body
              for path, headers, body in way.seen if path == '/v1/telemetry']
    return [json.loads(body) for body in bodies]


def told(uploads):
    return {device['ref']: device for upload in uploads for device in upload.get('devices', [])}


def test_what_a_gateway_hears(bench):
    backend, one, two = bench.other(), bench.queue(), bench.queue()
    recording, _ = a_day(one.directory)
    for words in [(), ('--devices', 'counts'), ('--devices', 'off')]:
        assert not told(hear(bench, one, backend, 'one', recording, *words)), words
    assert not os.path.exists(os.path.join(one.directory, 'devices.key'))
    first = told(hear(bench, one, backend, 'one', recording, '--devices', 'refs'))
    # The key lasts, and nobody else reads it.
    assert told(hear(bench, one, backend, 'one', recording, '--devices', 'refs')).keys() == first.keys()
    assert oct(os.stat(os.path.join(one.directory, 'devices.key')).st_mode & 0o777) == '0o600'
    second = told(hear(bench, two, backend, 'two', recording, '--devices', 'refs'))
    assert len(first) == len(second) == 2, (first, second)
    assert not first.keys() & second.keys()
    gateways = {one['key']: one['id'] for one in backend.call('GET', '/v1/gateways', role='admin').json['gateways']}
    listed = backend.call('GET', f'/v1/gateways/{gateways["one"]}/devices', role='admin').json
    assert {device['ref'] for device in listed['devices']} == first.keys()
    assert listed['families'] == {'ibeacon': 1, 'unknown': 1}, listed
    by_family = {device['family']: device for device in listed['devices']}
    assert by_family['ibeacon']['staying'] and by_family['ibeacon']['band'] == 'near'
    assert not by_family['unknown']['staying'] and by_family['unknown']['band'] == 'mid'
    assert {(count['family'], count['count']) for count in listed['staying']} == {('ibeacon', 1)}, listed
    ref = by_family['ibeacon']['ref']
    found = backend.call('GET', f'/v1/devices/{ref}', role='admin').json['devices']
    assert [device['gateway'] for device in found] == [gateways['one']]
    the_command(backend, gateways['one'], ref)
    # Who is no gateway tells nothing, and mistakes are told.
    report = {name: by_family['ibeacon'][name] for name in ('ref', 'family', 'first', 'last', 'hours', 'band')}
    assert send(backend, {'devices': [{**report, 'ref': 'f' * 16}]}, 'owner').status == 200
    assert backend.call('GET', f'/v1/devices/{"f" * 16}', role='admin', check=False).status == 404
    for wrong in [{'ref': 'x'}, {'hours': 1 << 24}, {'band': 'here'}, {'first': now()}, {'family': 'a b'}]:
        assert send(backend, {'devices': [{**report, **wrong}]}, name='one').status == 400, wrong
    assert send(backend, {'devices': [{**report, 'ref': f'{n:016x}'} for n in range(257)]}, name='one').status == 400
    # A clock that is ahead costs the hours to come, and nothing else.
    ahead = {**report, 'ref': '0' * 15 + '1', 'last': f'{int(report["last"][:4]) + 1}{report["last"][4:]}'}
    assert send(backend, {'health': {'uptime': 1}, 'devices': [ahead]}, name='one').status == 200
    assert backend.call('GET', '/v1/devices/' + ahead['ref'], role='admin', check=False).status == 404


def the_command(backend, gateway, ref):
    """`luna fleet devices`: lists, edits, approves, hides, brings back."""
    token = os.path.join(backend.directory, 'operator.token')
    with open(os.open(token, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
        file.write(backend.command('token', 'create', 'admin', 'operator', '--role', 'operator')[0]['token'])

    def fleet(*words, code=0):
        done = subprocess.run([LUNA, 'fleet', *words, '--backend', f'http://127.0.0.1:{backend.port}', '--token-file', token, '--format', 'jsonl'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert ref in {device['ref'] for device in fleet('devices', gateway)}
    (edited,) = fleet('devices', gateway, '--edit', ref, '--name', 'Lamp', '--place', 'on the shelf', '--priority', 'high', '--manufacturer', 'Acme')
    assert (edited['type'], edited['name'], edited['place'], edited['priority'], edited['manufacturer']) == (
        'fleetDevice', 'Lamp', 'on the shelf', 'high', 'Acme')
    assert 'place' not in fleet('devices', gateway, '--edit', ref, '--place', '')[0]
    assert not fleet('devices', gateway, '--approve', ref)[0]['staying']
    fleet('undo')
    assert next(device for device in fleet('devices', gateway) if device['ref'] == ref)['staying']
    fleet('devices', gateway, '--forget', ref)
    assert ref not in {device['ref'] for device in fleet('devices', gateway)}
    fleet('undo')
    assert ref in {device['ref'] for device in fleet('devices', gateway)}
    fleet('devices', gateway, '--approve', 'f' * 16, code=1)
    for words in [('--edit', ref), ('--name', 'x'), ('--approve', ref, '--forget', ref)]:
        fleet('devices', gateway, *words, code=2)


test_what_a_gateway_hears.seconds = 180


LIBC = ctypes.CDLL(None, use_errno=True)
HOST_NAME = b'canary-of-the-host'


def on_another_host():
    """Gives a child a name of the host that is nothing else: the machine's own may be two letters long."""
    # CLONE_NEWUTS
    if LIBC.unshare(0x04000000) or LIBC.sethostname(HOST_NAME, len(HOST_NAME)):
        raise OSError(ctypes.get_errno(), 'cannot name the host; root can')


def canaries(bench, is_on):
    """Has a gateway hear a room, recordings and a day, and looks at each byte that it sends: what it hears, where it is and
    what it is called is in none, but for the identifiers that an owner asks for in what it uploads. Gives the backend, all
    that was sent, and the events in it."""
    captures = os.path.join(ROOT, 'Tests', 'captures')
    queue, backend = bench.queue(), bench.other()
    way = bench.lossy(backend, trouble=0)
    own = {'52.518611', '13.376389', '52.5186', '13.3763', HOST_NAME.decode(), queue.directory, '/tmp/',
           os.environ.get('USER', 'root') + '@'}
    heard, known = set(), set()
    done = subprocess.run([LUNA, 'scan', '--radio', 'virtual:7', '--duration', '4', '--format', 'jsonl'],
                          stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        for name in ('address', 'name', 'data'):
            if isinstance(found.get(name), str) and len(found[name]) >= 4:
                heard.add(found[name])
        # What a tracker is called at first is the name of this program, too.
        heard.discard('Luna')
        for beacon in found.get('beacons', []):
            heard.update(v for n, v in beacon.items() if n in ('eid', 'aotp') and isinstance(v, str))
            known.update(v for n, v in beacon.items() if n == 'heid' and isinstance(v, str))
    assert len(heard) > 10 and known, (heard, known)
    day, addresses = a_day(queue.directory)
    heard |= addresses
    environment = {'LUNA_STATE': queue.directory, **({'LUNA_TELEMETRY_USAGE': 'yes'} if is_on else {})}
    words = lambda devices: ['--devices', devices] if is_on else ['--devices', 'off', '--no-health']
    finder = Finder(bench, queue, way.url, backend, '--radio', 'virtual:7', '--batch-time', '2s', *words('refs'),
                    environment=environment, preexec_fn=on_another_host)
    wait_for(lambda: health_of(backend) if is_on else any(path == '/trackerEvent' for path, *_ in way.seen), 70, 'what the gateway tells')
    assert finder.stop() in (0, 143)
    runs = [(os.path.join(captures, name), 'refs' if number % 2 else 'counts') for number, name in enumerate(sorted(os.listdir(captures)))
            if name.endswith(('.btsnoop', '.pcap', '.pcapng'))]
    for recording, devices in [*runs, (day, 'counts'), (day, 'refs')]:
        subprocess.run([LUNA, 'finder', '--read', recording, '--location', 'static:52.518611,13.376389', '--backend', way.url,
                        '--state', queue.directory, '--once', *words(devices)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE,
                       env=dict(os.environ, **environment), preexec_fn=on_another_host)
    if is_on:
        queue.flush(backend, url=way.url, name=GATEWAY, preexec_fn=on_another_host)
    sent = [(path, '\n'.join([path, *(f'{name}: {value}' for name, value in headers.items())]),
             gzip.decompress(body) if headers.get('Content-Encoding') == 'gzip' else body) for path, headers, body in way.seen]
    events = [one for path, _, body in sent if path == '/trackerEvent' for one in json.loads(body)['events']]
    known |= {one['heid'] for one in events}
    assert events
    # What is sealed has any four characters in it by chance.
    long = {one for one in heard if len(one) >= 8}

    def has(text, some):
        return [one for one in some if any(form in text for form in (one.lower(), one.lower().replace(':', '')))]

    for path, head, body in sent:
        assert path in ('/trackerEvent', '/v1/telemetry'), path
        for text, some in [(head, own | heard | known), (body.decode(), own | (long if path == '/trackerEvent' else heard | known))]:
            assert not has(text.lower(), some), (has(text.lower(), some), path, text[:2000])
    return backend, sent, events


def test_canaries(bench):
    """With all that there is of telemetry; and nothing at the backend tells of an event which gateway it came from."""
    backend, sent, events = canaries(bench, is_on=True)
    telemetry = [json.loads(body) for path, _, body in sent if path == '/v1/telemetry']
    assert telemetry and len(sent) > len(telemetry)
    # Of all that was heard, what stays and is no tracker; no more.
    assert len(told(telemetry)) == 2
    keys = {one['key'] for upload in telemetry for one in upload['items']}
    assert keys
    rows = ties.sqlite_rows(backend.store)
    # Some are of recordings that are older than anything that is kept.
    kept = [one for one in events if any(one['heid'] in text for _, text in rows)]
    ties.are_none(backend, GATEWAY, kept, keys, rows)
    log = open(backend.log_path).read()
    assert not any(one['heid'] in log for one in events)


test_canaries.seconds = 240


def test_canaries_without_telemetry(bench):
    _, sent, _ = canaries(bench, is_on=False)
    assert {path for path, *_ in sent} == {'/trackerEvent'}, 'nothing else is sent'


test_canaries_without_telemetry.seconds = 240
