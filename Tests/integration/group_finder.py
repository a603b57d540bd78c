"""The whole way on loopback: trackers of the virtual radio, luna finder, luna backend, and their owner."""

import gzip
import http.server
import json
import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
import xml.dom.minidom

from bench import Bench, Luna, wait_for
from fake_gpsd import Gpsd

IN_VM = False
SEED = 5
PLACE = 'static:52.5,13.25,40'


def runs(mode, seconds=60):
    """In which group a test is, and how long it may take."""

    def mark(test):
        test.modes, test.seconds = (mode,), seconds
        return test

    return mark


def prepare(mode):
    bench = Bench()
    bench.radio = f'virtual:{SEED}'
    bench.keys = os.path.join(bench.directory, 'keys.json')
    bench.owner = os.path.join(bench.directory, 'owner')
    # The keys of the simulated trackers are public.
    luna(bench, 'tracker', 'export', '--radio', bench.radio, bench.keys).ends(0)
    luna(bench, 'owner', 'import', bench.keys, '--state', bench.owner).ends(0)
    bench.names = [d['name'] for d in luna(bench, 'owner', 'list', '--state', bench.owner, '--format', 'jsonl').ends(0).lines()]
    assert bench.names, 'no trackers'
    return bench


def luna(bench, *arguments):
    return Luna(bench, *arguments)


class Server:
    """A luna backend with a token for a gateway and one for an owner."""

    def __init__(self, bench, name='backend', port=0):
        self.bench, self.store = bench, 'sqlite:' + os.path.join(bench.directory, name + '.db')
        self.tokens = {}
        for role in ('gateway', 'owner'):
            path = os.path.join(bench.directory, f'{name}-{role}.token')
            if not os.path.exists(path):
                luna(bench, 'backend', 'token', 'create', role, name, '--store', self.store, '--out', path).ends(0)
            self.tokens[role] = path
        self.start(port)

    def start(self, port=0):
        self.process = luna(self.bench, 'backend', '--store', self.store, '--listen', f'127.0.0.1:{port}')
        wait_for(lambda: '"listening"' in self.process.stderr(), 15, 'the backend; it said: ' + self.process.stderr())
        line = next(line for line in self.process.stderr().splitlines() if '"listening"' in line)
        self.port = int(json.loads(line)['address'].rsplit(':', 1)[1])
        self.url = f'http://127.0.0.1:{self.port}'
        return self

    def stop(self, number=signal.SIGTERM):
        self.process.signal(number)
        self.process.process.wait(15)

    def at(self, role):
        return ['--backend', self.url, '--token-file', self.tokens[role]]


def finder(bench, state, *arguments, location=PLACE):
    return luna(
        bench, 'finder', '--radio', bench.radio, '--location', location, '--format', 'jsonl', '--state',
        os.path.join(bench.directory, state), *arguments)


def of(process, kind):
    return [line for line in process.lines() if line['type'] == kind]


def wait_lines(process, kind, count=1, seconds=40):
    def enough():
        if process.process.poll() is not None and len(of(process, kind)) < count:
            raise AssertionError(f'luna ended with {process.process.returncode}: {process.stderr()}')
        return len(of(process, kind)) >= count

    wait_for(enough, seconds, f'{count} x {kind}; it said: {process.stderr()}')
    return of(process, kind)


def events(bench, server, name, *arguments):
    run = luna(bench, 'owner', 'events', name, '--state', bench.owner, '--from', str(int(time.time()) - 7200),
               *server.at('owner'), *arguments)
    run.process.wait(30)
    return run


def status(bench, state):
    run = luna(bench, 'finder', 'status', '--format', 'jsonl', '--state', os.path.join(bench.directory, state)).ends(0)
    return run.lines()[0]


@runs('whole', 100)
def test_owner_gets_the_position(bench):
    server = Server(bench)
    gateway = finder(bench, 'gateway', *server.at('gateway'), '--batch-time', '1s')
    wait_lines(gateway, 'sighting', 3)
    wait_lines(gateway, 'upload')
    gateway.signal(signal.SIGTERM)
    gateway.ends(0)
    assert status(bench, 'gateway')['waiting'] == 0
    found = 0
    for name in bench.names:
        run = events(bench, server, name)
        lines = [line for line in run.lines() if line['type'] == 'event']
        if not lines:
            continue
        found += 1
        assert run.process.returncode == 0, run.stderr()
        for line in lines:
            assert (line['latitude'], line['longitude'], line['altitude']) == (52.5, 13.25, 40), line
            assert line['simulated'] and line['plausible'], line
            assert 'receivedAt' in line and 'batteryStatus' in line, line
        assert run.lines()[-1]['unopened'] == [], run.lines()[-1]
        for form in ('gpx', 'kml', 'svg'):
            text = open(events(bench, server, name, '--as', form).output.name).read()
            xml.dom.minidom.parseString(text)
        json.load(open(events(bench, server, name, '--as', 'geojson').output.name))
    assert found == len(bench.names), f'{found} of {len(bench.names)} trackers have events'
    # The trackers of others are reported too; whose they are nobody here knows.
    assert len({line['heid'] for line in of(gateway, 'sighting')}) > len(bench.names)


@runs('whole', 120)
def test_outage(bench):
    server = Server(bench, 'outage')
    server.stop()
    gateway = finder(bench, 'outage', *server.at('gateway'), '--batch-time', '1s', '--interval', '2s')
    wait_lines(gateway, 'sighting', 12)
    wait_lines(gateway, 'uploadFailed', 2)
    waiting = status(bench, 'outage')
    assert waiting['waiting'] >= 10 and waiting['oldest'] and waiting['hoursLeft'] > 0, waiting
    server.start(server.port)
    wait_lines(gateway, 'upload', 2, seconds=50)
    gateway.signal(signal.SIGTERM)
    gateway.ends(0)
    sightings = len(of(gateway, 'sighting'))
    accepted = sum(line['accepted'] for line in of(gateway, 'upload'))
    assert accepted == sightings, (accepted, sightings)
    assert status(bench, 'outage')['waiting'] == 0


@runs('buzz', 200)
def test_remote_buzz(bench):
    server = Server(bench, 'buzz')
    gateway = finder(bench, 'buzz', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
    wait_lines(gateway, 'upload', 2)
    buzz = luna(bench, 'owner', 'buzz', bench.names[0], '--remote', '--hours', '2', '--seconds', '3', '--wait', '150s',
                '--state', bench.owner, *server.at('owner'))
    buzz.ends(0, seconds=170)
    last = buzz.lines()[-1]
    assert last['state'] == 'confirmed' and last['verified'] and last['status'] == 'done', last
    assert [line['event'] for line in of(gateway, 'command')] == ['started', 'done'], of(gateway, 'command')
    gateway.signal(signal.SIGTERM)
    gateway.ends(0)
    assert of(gateway, 'confirmed'), gateway.stderr()


@runs('whole')
def test_gpsd_that_is_restarted(bench):
    fix = {'class': 'TPV', 'mode': 3, 'time': '-1', 'lat': 48.0, 'lon': 11.0, 'altHAE': 500, 'eph': 6}
    gpsd = Gpsd([fix])
    gateway = finder(bench, 'gpsd', location=f'gpsd:127.0.0.1:{gpsd.port}')
    first = wait_lines(gateway, 'location')[0]
    assert (first['latitude'], first['longitude'], first['horizontalAccuracy']) == (48, 11, 6), first
    wait_lines(gateway, 'sighting')
    port = gpsd.port
    gpsd.close()
    gpsd = Gpsd([dict(fix, lat=48.001)], port)
    wait_for(lambda: of(gateway, 'location')[-1].get('latitude') == 48.001, 30, 'the next position')
    gateway.signal(signal.SIGTERM)
    gateway.ends(0)
    gpsd.close()


@runs('whole')
def test_nothing_is_reported_without_a_position(bench):
    gpsd = Gpsd([{'class': 'TPV', 'mode': 1}, {'class': 'TPV', 'mode': 3, 'time': '-40', 'lat': 1, 'lon': 2}])
    gateway = finder(bench, 'lost', '--once', '-T', '8s', location=f'gpsd:127.0.0.1:{gpsd.port}')
    gateway.ends(1, seconds=30)
    assert not of(gateway, 'sighting')
    assert sum(line['count'] for line in of(gateway, 'dropped') if line['reason'] == 'noLocation') > 0
    lost = {entry['reason']: entry['count'] for entry in status(bench, 'lost')['dropped']}
    assert lost['noLocation'] > 0, lost
    gpsd.close()


@runs('buzz')
def test_refused_token_is_said(bench):
    server = Server(bench, 'token')
    path = os.path.join(bench.directory, 'wrong.token')
    open(path, 'w').write('luna-gateway-' + '0' * 64 + '\n')
    gateway = finder(bench, 'token', '--backend', server.url, '--token-file', path, '--once', '-T', '6s')
    gateway.ends(9, seconds=40)
    assert status(bench, 'token')['waiting'] > 0
    assert 'token' in of(gateway, 'uploadFailed')[0]['reason'], of(gateway, 'uploadFailed')


@runs('buzz')
def test_two_finders_do_not_share_a_queue(bench):
    gateway = finder(bench, 'two')
    wait_lines(gateway, 'sighting')
    finder(bench, 'two').ends(6)
    gateway.signal(signal.SIGINT)
    gateway.ends(130)


class Collector:
    """A backend that remembers every event and answers badly now and then."""

    def __init__(self):
        self.events, self.copies, self.lock = {}, 0, threading.Lock()
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                if self.headers.get('Content-Encoding') == 'gzip':
                    body = gzip.decompress(body)
                chance = random.random()
                if chance < 0.05:
                    self.close_connection = True
                    return  # a request that got lost
                results = []
                with collector.lock:
                    for index, event in enumerate(json.loads(body)['events']):
                        key = (event['heid'], event['encodedLocation'])
                        known = key in collector.events
                        collector.copies += known
                        collector.events[key] = event
                        results.append({'index': index, 'status': 'duplicate' if known else 'accepted'})
                reply = json.dumps({'results': results, 'commandRequests': []}).encode()
                if chance < 0.10:
                    self.close_connection = True
                    return  # a reply that got lost
                self.send_response(200)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(reply)))
                self.end_headers()
                self.wfile.write(reply[: len(reply) // 2] if chance < 0.12 else reply)
                if chance < 0.12:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()


@runs('trouble', 110)
def test_two_hundred_kills(bench):
    """kill -9 at random moments: what was queued is at the backend, once, and nothing else is."""
    collector = Collector()
    token = os.path.join(bench.directory, 'any.token')
    open(token, 'w').write('luna-gateway-' + '1' * 64 + '\n')
    began, kills = time.monotonic(), 0
    arguments = ['--backend', collector.url, '--token-file', token, '--interval', '0.2s', '--batch-time', '0.1s', '--batch', '3']
    while kills < 200 and time.monotonic() - began < 50:
        gateway = finder(bench, 'kills', *arguments)
        time.sleep(random.uniform(0.02, 0.35))
        gateway.process.kill()
        gateway.process.wait()
        bench.started.remove(gateway)
        kills += 1
    # The last one brings away what is left.
    last = finder(bench, 'kills', *arguments)
    wait_for(lambda: status(bench, 'kills')['waiting'] == 0, 30, 'an empty queue')
    last.signal(signal.SIGTERM)
    last.ends(0, seconds=25)
    left = status(bench, 'kills')
    assert left['waiting'] == 0 and left['dropped'] == [], left
    # Every number that the queue has given stands for an event that the backend has.
    database = sqlite3.connect(os.path.join(bench.directory, 'kills', 'luna-finder-memory.data'))
    given = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()[0]
    assert database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
    assert len(collector.events) == given, (len(collector.events), given, collector.copies)
    assert kills >= 100, f'{kills} kills only'
    collector.close()


@runs('trouble', 120)
def test_full_disk(bench):
    """On a disk of 1 MiB: refused and counted, nothing lost that was accepted; with room it goes on."""
    if os.geteuid() != 0:
        print('(a tmpfs needs root: left out)')
        return
    place = os.path.join(bench.directory, 'small')
    os.mkdir(place)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=640k', 'luna-test', place], check=True)
    try:
        ballast = os.path.join(place, 'ballast')
        gateway = finder(bench, 'small', '--interval', '0.1s')
        wait_lines(gateway, 'sighting', 5)
        with open(ballast, 'wb') as file:
            try:
                while True:
                    file.write(b'x' * 4096)
                    file.flush()
            except OSError:
                pass
        dropped = wait_lines(gateway, 'dropped', 3, seconds=60)
        assert all(line['reason'] == 'storage' for line in dropped), dropped
        assert 'full' in gateway.stderr(), gateway.stderr()
        before = status(bench, 'small')['waiting']
        os.unlink(ballast)
        wait_for(lambda: status(bench, 'small')['waiting'] > before, 30, 'further events')
        gateway.signal(signal.SIGTERM)
        gateway.ends(0)
        after = status(bench, 'small')
        lost = {entry['reason']: entry['count'] for entry in after['dropped']}
        told = sum(line['count'] for line in of(gateway, 'dropped'))
        assert lost == {'storage': told}, (lost, told)
        assert after['waiting'] == len(of(gateway, 'sighting')) - told, (after, told)
    finally:
        for process in bench.started:
            process.process.kill()
            process.process.wait()
        subprocess.run(['umount', place], check=True)
