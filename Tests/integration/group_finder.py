"""The whole way on loopback: trackers of the virtual radio, luna finder, luna backend, and their owner."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import xml.dom.minidom

from backends import PATIENCE
from bench import ROOT, Bench, Luna, chance, closed_port, free_port, lasting, needs_root, never, wait_for
from browser import Browser
from fake_gpsd import Gpsd
from floods import Air, flood
from gateways import Server, events, finder, of, sealed, status, wait_lines
from harms import CONFINED, HARMS, full, small_disk, tell
from network import ANSWERS, Network, Proxy

IN_VM = False


def runs(mode, seconds=120):
    """In which group a test is, and how long it may take."""

    def mark(test):
        test.modes, test.seconds = (mode,), seconds
        return test

    return mark


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    bench.keys = os.path.join(bench.directory, 'keys.json')
    bench.owner = os.path.join(bench.directory, 'owner')
    # The keys of the simulated trackers are public.
    Luna(bench, 'tracker', 'export', *bench.radio, bench.keys).ends(0)
    Luna(bench, 'owner', 'import', bench.keys, '--state', bench.owner).ends(0)
    bench.names = [d['name'] for d in Luna(bench, 'owner', 'list', '--state', bench.owner, '--format', 'jsonl').ends(0).lines()]
    assert bench.names, 'no trackers'
    return bench


def ended(gateway, number=signal.SIGTERM, code=0):
    gateway.signal(number)
    return gateway.ends(code, 60)


def memory(gateway):
    """KiB that it has in memory."""
    with open(f'/proc/{gateway.process.pid}/status') as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS'))


def cpu(gateway):
    """Seconds of processor time that it has used."""
    with open(f'/proc/{gateway.process.pid}/stat') as line:
        fields = line.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def failures(gateway):
    return [line for line in of(gateway, 'upload') if line.get('failed')]


def losses(bench, state):
    """What is lost by reason; each reason says since when."""
    dropped = status(bench, state)['dropped']
    assert all(line['since'] <= line['last'] for line in dropped), dropped
    return {line['reason']: line['count'] for line in dropped}


@runs('whole', 180)
def test_owner_gets_the_position(bench):
    server = Server(bench)
    gateway = finder(bench, 'gateway', *server.at('gateway'), '--batch-time', '1s')

    def heard_by_all():
        return all(events(bench, bench.owner, server, name).process.returncode == 0 for name in bench.names)

    wait_lines(gateway, 'upload')
    wait_for(heard_by_all, 120, 'events of all trackers')
    # The trackers of others are reported too; whose they are nobody here knows.
    wait_for(lambda: len({line['heid'] for line in of(gateway, 'sighting')}) > len(bench.names), 120, 'one of others')
    ended(gateway)
    assert status(bench, 'gateway')['waiting'] == 0
    for name in bench.names:
        run = events(bench, bench.owner, server, name).ends(0)
        lines = of(run, 'event')
        for line in lines:
            assert (line['latitude'], line['longitude'], line['altitude']) == (52.5, 13.25, 40), line
            assert line['simulated'] and line['plausible'], line
            assert 'storedAt' in line and 'batteryLow' in line, line
        assert run.lines()[-1]['unopened'] == [], run.lines()[-1]
    for form in ('gpx', 'kml', 'svg'):
        xml.dom.minidom.parse(events(bench, bench.owner, server, name, '--as', form).output.name)
    json.load(open(events(bench, bench.owner, server, name, '--as', 'geojson').output.name))
    rows = open(events(bench, bench.owner, server, name, '--as', 'csv').output.name).read().splitlines()
    assert len(rows) == len(lines) + 1 and {row.count(',') for row in rows} == {rows[0].count(',')}, rows
    # All of them with one question.
    where = ('owner', 'list', '--where', '--state', bench.owner, *server.at('owner'))
    listed = Luna(bench, *where, '--format', 'jsonl').ends(0, 60).lines()
    assert [device['name'] for device in listed] == bench.names, listed
    for newest in (device['newest'] for device in listed):
        assert (newest['latitude'], newest['longitude'], newest['altitude']) == (52.5, 13.25, 40), newest
        assert newest['simulated'] and newest['time'].endswith('Z') and newest['storedAt'].endswith('Z'), newest
    assert listed[-1]['newest']['time'] in {line['time'] for line in lines}, (listed[-1], lines)
    rows = open(Luna(bench, *where, '--format', 'csv').ends(0, 60).output.name).read().splitlines()
    assert rows[0].endswith(',newest.time,newest.latitude,newest.longitude,newest.horizontalAccuracy'), rows
    assert len(rows) == len(bench.names) + 1 and all(',52.5,13.25' in row for row in rows[1:]), rows
    table = open(Luna(bench, *where, '--format', 'table').ends(0, 60).output.name).read().splitlines()
    assert 'WHERE' in table[0] and all('52.50000, 13.25000' in row for row in table[1:]), table
    # Who asks for no places asks nobody, whatever is said of a backend.
    plain = Luna(bench, 'owner', 'list', '--state', bench.owner, '--format', 'jsonl', '--backend', f'http://127.0.0.1:{closed_port()}').ends(0, 60)
    assert all('newest' not in device for device in plain.lines()), plain.lines()


@runs('page', 240)
def test_page_in_a_browser(bench):
    server = Server(bench)
    gateway = finder(bench, 'gateway', *server.at('gateway'), '--batch-time', '1s')
    wait_for(lambda: events(bench, bench.owner, server, bench.names[0]).process.returncode == 0, 120, 'events')
    ended(gateway)
    hostile = '<img src=x onerror="canary=1">'
    Luna(bench, 'owner', 'rename', bench.names[0], hostile, '--state', bench.owner).ends(0)
    count = len(of(events(bench, bench.owner, server, hostile).ends(0), 'event'))
    page = os.path.join(bench.directory, 'page.html')
    shutil.copy(events(bench, bench.owner, server, hostile, '--format', 'html').ends(0).output.name, page)
    for size in ('desk', 'phone'):
        browser = Browser('file://', size)
        try:
            browser.open(page)
            assert browser.script("return [document.title, document.querySelector('h1').textContent]") == [hostile, hostile]
            assert browser.script("return document.querySelectorAll('tbody tr').length") == count
            assert browser.script("return document.querySelectorAll('#map canvas').length") > 0
            zone = browser.script('return Intl.DateTimeFormat().resolvedOptions().timeZone')
            assert browser.script("return document.getElementById('zone').textContent") == f'Time ({zone})'
            assert browser.script("return document.querySelector('tbody time').title").endswith(' UTC')
            assert browser.script("const t = document.querySelector('tbody time'); return new Date(t.textContent.replace(' ', 'T')).getTime() === new Date(t.dateTime).getTime()")
            browser.script("document.querySelector('tbody button').click()")
            link = wait_for(lambda: browser.script("return document.querySelector('.leaflet-popup-content a')?.href"), PATIENCE, 'a popup')
            assert link.startswith('https://www.openstreetmap.org/?mlat=52.50000&mlon=13.25000#'), link
            # Nothing was asked of anybody, nothing was refused, and no tile is there.
            assert browser.script('return document.images.length') == 0
            browser.is_clean()
            # This test asks nobody either.
            browser.driver.execute_cdp_cmd('Network.enable', {})
            browser.driver.execute_cdp_cmd('Network.emulateNetworkConditions', {
                'offline': True, 'latency': 0, 'downloadThroughput': 0, 'uploadThroughput': 0})
            browser.press('Show streets: openstreetmap.org then learns', exact=False)
            wait_for(lambda: browser.script('return document.images.length'), PATIENCE, 'tiles')
            sources = browser.script('return [...document.images].map((one) => one.src)')
            assert all(source.startswith('https://tile.openstreetmap.org/') for source in sources), sources
            assert browser.script('return globalThis.violations') == []
            browser.says('© OpenStreetMap contributors')
        finally:
            browser.close()


@runs('whole', 180)
def test_outage(bench):
    server = Server(bench, 'outage')
    server.stop()
    gateway = finder(bench, 'outage', *server.at('gateway'), '--batch-time', '1s', '--interval', '2s')
    wait_lines(gateway, 'sighting', 12)
    wait_for(lambda: len(failures(gateway)) >= 2, 60, 'two attempts')
    waiting = status(bench, 'outage')
    assert waiting['waiting'] >= 10 and waiting['oldest'] and waiting['hoursLeft'] > 0, waiting
    server.start()
    accepted = lambda: sum(line['accepted'] for line in of(gateway, 'upload'))
    # New ones come all the time: how soon the queue is empty for a moment depends on the machine.
    wait_for(lambda: accepted() >= waiting['waiting'], 100, 'what has waited to be accepted')
    ended(gateway)
    accepted = accepted()
    assert accepted == len(of(gateway, 'sighting')) == len(set(server.events())), accepted
    assert status(bench, 'outage')['waiting'] == 0


@runs('buzz', 300)
def test_remote_buzz(bench):
    server = Server(bench, 'buzz')
    gateway = finder(bench, 'buzz', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
    wait_lines(gateway, 'upload', 2)
    buzz = Luna(bench, 'owner', 'buzz', bench.names[0], '--remote', '--hours', '2', '--seconds', '3',
                '--format', 'jsonl', '--state', bench.owner, *server.at('owner'))
    # The command outlives its backend, and who follows it waits.
    wait_lines(buzz, 'command')
    server.stop(signal.SIGKILL)
    wait_for(lambda: 'asking again' in buzz.stderr(), 60, 'the owner to notice')
    server.start()
    buzz.ends(0, seconds=220)
    last = buzz.lines()[-1]
    assert last['state'] == 'confirmed' and last['verified'] and last['status'] == 'done', last
    ended(gateway)
    assert [line['event'] for line in of(gateway, 'command')][-3:] == ['started', 'done', 'confirmed'], gateway.stderr()


def shared(bench, name, who, *rights):
    """A tracker of the owner as somebody has it with whom it is shared: its name there, and the state directory."""
    state, file = (os.path.join(bench.directory, who + end) for end in ('', '.lunashare'))
    # What its owner has learned of its clock goes along.
    Luna(bench, 'local', *bench.radio, '--state', bench.owner, '-T', lasting(6), '--format', 'jsonl').ends(0, 60)

    def say(place, *words):
        return Luna(bench, *words, '--state', place, '--format', 'jsonl').ends(0, 60).lines()

    cards = [say(place, 'contact', 'card', '--name', own)[0]['text'] for place, own in [(bench.owner, 'Anna'), (state, who)]]
    say(state, 'contact', 'add', 'anna', '--card', cards[0])
    say(bench.owner, 'contact', 'add', who, '--card', cards[1])
    say(bench.owner, 'share', 'add', name, who, *rights, '--yes', '-o', file)
    say(state, 'share', 'import', file)
    [device] = say(state, 'owner', 'list')
    return device['name'], state


@runs('buzz', 300)
def test_whom_it_is_shared_with_reads_reports_and_rings_it(bench):
    server = Server(bench, 'shared')
    name, ben = shared(bench, bench.names[0], 'ben', '--days', '1', '--ring', '--ring-seconds', '3')
    gateway = finder(bench, 'shared', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
    wait_for(lambda: events(bench, ben, server, name).process.returncode == 0, 120, 'reports of what is shared')
    # No more of them than its owner can read, and none of the other trackers.
    theirs = {(line['time'], line['latitude']) for line in of(events(bench, ben, server, name).ends(0), 'event')}
    own = {(line['time'], line['latitude']) for line in of(events(bench, bench.owner, server, bench.names[0]).ends(0), 'event')}
    assert theirs and theirs <= own, (theirs, own)
    ring = Luna(bench, 'owner', 'buzz', name, '--remote', '--hours', '2', '--format', 'jsonl', '--state', ben, *server.at('owner'))
    # Delivered, and not proven: the answer is for the owner alone.
    ring.ends(1, seconds=220)
    last = [line for line in ring.lines() if line['type'] == 'command'][-1]
    assert last['state'] == 'confirmed' and not last.get('verified'), last
    ended(gateway)


def deaf_home(bench, server, state, device):
    """A home that hears nothing itself, and learns from a backend alone where its one tracker is."""
    path = state + '.home.json'
    shutil.copy(server.tokens['owner'], os.path.join(state, 'owner.token'))
    with open(path, 'w') as file:
        json.dump({
            'box': {'radio': f'h4:tcp:127.0.0.1:{closed_port()}'}, 'server': {'listen': '127.0.0.1:0'},
            'service': {'fetchEvery': '1m', 'endpoints': {'Field.Europe': {'url': server.url}}},
            'trackers': [{'id': 'bike', 'device': device}],
            'places': [{'id': 'shed', 'latitude': 52.5, 'longitude': 13.25, 'radius': 200}]}, file)
    return Luna(bench, 'home', 'run', path, '--state', state, '--format', 'jsonl')


@runs('buzz', 600)
def test_two_homes_with_one_backend(bench):
    """Anna shares a tracker with Carl; each has a home, and neither hears it: both see where it is, and Carl rings it until Anna
    ends that and he takes what she sends."""
    server, anna = Server(bench, 'homes'), bench.owner
    name, carl = shared(bench, bench.names[0], 'carl', '--days', '1', '--ring', '--ring-seconds', '3')
    gateway = finder(bench, 'homes', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
    wait_for(lambda: events(bench, carl, server, name).process.returncode == 0, 120, 'reports of what is shared')
    homes = {state: deaf_home(bench, server, state, device) for state, device in ((anna, bench.names[0]), (carl, name))}

    def do(state):
        run = Luna(bench, 'home', 'do', 'bike', 'turn_on', '--state', state, '--format', 'jsonl')
        run.process.wait(never(220))
        return run.process.returncode, ([line for line in run.lines() if line['type'] == 'command'] or [{}])[-1]

    for home in homes.values():
        wait_for(lambda: any(line.get('property') == 'zone' and line['value'] == 'shed' for line in home.lines()), 120,
                 lambda: f'the tracker to be in the shed: {home.stderr()} {home.lines()[-5:]}')
    code, last = do(carl)
    assert (code, last.get('state'), last.get('detail')) == (0, 'done', 'delivered; only its owner can prove that it rang'), last
    # Her next command works after it.
    code, last = do(anna)
    assert (code, last.get('state')) == (0, 'done'), last
    shares = Luna(bench, 'share', 'list', '--state', anna, '--format', 'jsonl').ends(0).lines()
    [share] = [line for line in shares if line['contact'] == 'carl']
    end = os.path.join(bench.directory, 'end.lunashare')
    Luna(bench, 'share', 'end', share['id'], '-o', end, '--state', anna, '--format', 'jsonl').ends(0)
    shutil.copytree(carl, carl + '-copy', ignore=shutil.ignore_patterns('*.sock'))
    Luna(bench, 'share', 'import', end, '--state', carl, '--format', 'jsonl').ends(0)
    homes[carl].signal(signal.SIGHUP)
    wait_for(lambda: 'no device is there for the trackers bike' in homes[carl].stderr(), 60, lambda: homes[carl].stderr())
    code, last = do(carl)
    assert code != 0 and last.get('state') != 'done', last
    for home in homes.values():
        home.signal(signal.SIGTERM)
        home.ends(0, 60)
    # What he kept of it before goes on until its end, as she was told.
    old = Luna(bench, 'owner', 'packages', name, '--state', carl + '-copy').ends(0).lines()
    assert old, 'no packages of what was shared'
    ended(gateway)


class Impatience(Network):
    """Presses Ctrl-C as soon as a ring is on its way to the backend."""

    def __init__(self, port):
        self.ring, self.begun = None, threading.Event()
        super().__init__(port, trouble=0)

    def carry(self, request):
        if request.startswith(b'POST /v1/commands '):
            self.begun.wait()
            self.ring.signal(signal.SIGINT)
        return super().carry(request)


class Silent(Network):
    """A backend that from some time on answers nobody."""

    def __init__(self, port):
        self.is_silent, self.asked, self.over = threading.Event(), threading.Event(), threading.Event()
        super().__init__(port, trouble=0)

    def carry(self, request):
        if not self.is_silent.is_set():
            return super().carry(request)
        if request.startswith(b'DELETE '):
            self.asked.set()
        self.over.wait()
        return None


@runs('whole')
def test_remote_rings_are_listed_and_called_off(bench):
    """Ctrl-C takes a ring along; SIGTERM and the end of --wait leave it, for --cancel from anywhere."""
    server, name = Server(bench, 'calloff'), bench.names[0]
    at = ('--format', 'jsonl', '--state', bench.owner, *server.at('owner'))

    def buzz(*more):
        return Luna(bench, 'owner', 'buzz', name, '--remote', *more, *at)

    def listed(*which):
        return Luna(bench, 'owner', 'commands', *which, *at).ends(0).lines()

    assert listed() == []
    ring = buzz()
    wait_lines(ring, 'command')
    ring.signal(signal.SIGUSR1)
    wait_for(lambda: 'luna: waiting for a gateway that hears it' in ring.stderr(), 20, 'what is known of the ring')
    ring.signal(signal.SIGINT)
    last = ring.ends(130).lines()[-1]
    assert last['state'] == 'expired' and last['createdAt'] <= last['cancelledAt'] <= last['expiresAt'], last
    assert 'called off' in ring.stderr(), ring.stderr()
    for end in (signal.SIGTERM, None):
        ring = buzz(*(() if end else ('--wait', '1s')))
        wait_lines(ring, 'command')
        if end:
            ring.signal(end)
        ring.ends(143 if end else 1)
    lines = listed()
    assert [line['state'] for line in lines] == ['queued', 'queued', 'expired'], lines
    assert len({line['device'] for line in lines}) == 1 and listed(name) == lines and listed(bench.names[1]) == []
    # By hand, from a pipe and as a person sees it.
    assert [line['state'] for line in buzz('--cancel').ends(0).lines()] == ['expired', 'expired']
    assert 'nothing waits' in buzz('--cancel').ends(1).stderr()
    assert all('cancelledAt' in line for line in listed())
    table = Luna(bench, 'owner', 'commands', '--format', 'table', *at[2:]).ends(0)
    with open(table.output.name) as file:
        assert file.read().count('called off') == 3
    rows = Luna(bench, 'owner', 'commands', '--format', 'csv', *at[2:]).ends(0)
    with open(rows.output.name) as file:
        head, *cells = file.read().splitlines()
    assert head == 'device,requestId,state,createdAt,expiresAt,cancelledAt' and len(cells) == 3, cells
    # Who loses patience while it is being sent calls it off as well.
    network = Impatience(server.port)
    network.ring = Luna(bench, 'owner', 'buzz', name, '--remote', *at[:4], '--backend', network.url,
                        '--token-file', server.tokens['owner'])
    network.begun.set()
    assert 'cancelledAt' in network.ring.ends(130).lines()[-1], network.ring.stderr()
    network.close()
    # One that does not answer keeps nobody for long, nor who presses Ctrl-C again at all; nor one that hangs up.
    for presses, hangs_up in ((1, False), (2, False), (1, True)):
        network = Silent(server.port)
        if hangs_up:
            network.over.set()
        ring = Luna(bench, 'owner', 'buzz', name, '--remote', *at[:4], '--backend', network.url,
                    '--token-file', server.tokens['owner'])
        wait_lines(ring, 'command')
        network.is_silent.set()
        ring.signal(signal.SIGINT)
        wait_for(network.asked.is_set, 20, 'the wish to call it off')
        if presses == 2:
            ring.signal(signal.SIGINT)
        ring.ends(130)
        assert ('called off' in ring.stderr()) == (presses == 1), ring.stderr()
        # What nobody knows is not said.
        assert 'keeps waiting' not in ring.stderr(), ring.stderr()
        network.over.set()
        network.close()
    # Without the backend it says so, and does not keep who wants to go.
    ring = buzz()
    wait_lines(ring, 'command')
    server.stop()
    ring.signal(signal.SIGINT)
    ring.ends(130)
    assert 'could not be called off' in ring.stderr(), ring.stderr()


@runs('whole')
def test_gpsd_that_is_restarted(bench):
    fix = {'class': 'TPV', 'mode': 3, 'time': '-1', 'lat': 48.0, 'lon': 11.0, 'altHAE': 500, 'eph': 6}
    gpsd = Gpsd([fix], free_port())
    gateway = finder(bench, 'gpsd', location=f'gpsd:127.0.0.1:{gpsd.port}')
    wait_lines(gateway, 'sighting')
    first = [line for line in of(gateway, 'location') if line['known']][0]
    assert (first['latitude'], first['longitude'], first['horizontalAccuracy']) == (48, 11, 6), first
    port = gpsd.port
    gpsd.close()
    gpsd = Gpsd([dict(fix, lat=48.001)], port)
    wait_for(lambda: of(gateway, 'location')[-1].get('latitude') == 48.001, 60, 'the next position')
    ended(gateway)
    gpsd.close()


@runs('whole')
def test_nothing_is_reported_without_a_position(bench):
    gpsd = Gpsd([{'class': 'TPV', 'mode': 1}, {'class': 'TPV', 'mode': 3, 'time': '-40', 'lat': 1, 'lon': 2}])
    gateway = finder(bench, 'lost', '--once', location=f'gpsd:127.0.0.1:{gpsd.port}')
    lost = [line['reason'] for line in wait_lines(gateway, 'dropped')]
    assert set(lost) == {'noLocation'}, lost
    ended(gateway)
    assert not of(gateway, 'sighting')
    told = sum(line['count'] for line in of(gateway, 'dropped'))
    assert losses(bench, 'lost') == {'noLocation': told}, status(bench, 'lost')
    assert of(gateway, 'end')[0]['dropped'] == {'noLocation': told}, gateway.lines()[-1]
    gpsd.close()
    # Where there is no gpsd it is said once, with what there is instead.
    gateway = finder(bench, 'nowhere', location=f'gpsd:127.0.0.1:{closed_port()}')
    wait_lines(gateway, 'dropped', 4)
    ended(gateway)
    assert gateway.stderr().count('cannot connect to gpsd') == gateway.stderr().count('static:LAT,LON') == 1, gateway.stderr()


@runs('buzz')
def test_refused_token_is_said(bench):
    server = Server(bench, 'token')
    path = os.path.join(bench.directory, 'wrong.token')
    open(path, 'w').write('luna-gateway-' + '0' * 64 + '\n')
    for once in (['--once'], []):
        gateway = finder(bench, 'token', '--backend', server.url, '--token-file', path, *once, '-T', lasting(6))
        gateway.ends(9, seconds=60)
        assert status(bench, 'token')['waiting'] > 0
        reason = failures(gateway)[0]['reason']
        assert 'does not know the token' in reason and 'header' not in reason, reason


@runs('buzz')
def test_two_finders_do_not_share_a_queue(bench):
    gateway = finder(bench, 'two')
    wait_lines(gateway, 'sighting')
    finder(bench, 'two').ends(6, 60)
    ended(gateway, signal.SIGINT, 130)


@runs('trouble', 330)
def test_two_hundred_kills(bench):
    """kill -9 of gateway and backend, most of them during an upload, with a bad network between them: what was
    queued is at the backend, once, and nothing else is."""
    lots = chance()
    server = Server(bench, 'kills')
    network = Network(server.port, seed=lots.random())
    arguments = ['--backend', network.url, '--token-file', server.tokens['gateway'], '--batch', '3', '--batch-time', '0.1s']
    gateway = finder(bench, 'kills', *arguments, '--interval', '0.2s')
    during = 0
    for number in range(200):
        if lots.random() < 0.7:
            during += network.wait_for_upload(never(2))
            time.sleep(lots.uniform(0, 0.01))
        else:
            time.sleep(lots.uniform(0, 0.1))
        if number % 2:
            server.stop(signal.SIGKILL)
            server.start()
        else:
            gateway.process.kill()
            gateway.process.wait()
            bench.started.remove(gateway)
            gateway = finder(bench, 'kills', *arguments, '--interval', '0.2s')
    gateway.process.kill()
    gateway.process.wait()
    # The last one brings away what is left.
    network.trouble = 0
    last = finder(bench, 'kills', *arguments, '--interval', '1h')
    wait_lines(last, 'upload')
    wait_for(lambda: status(bench, 'kills')['waiting'] == 0, 100, 'an empty queue')
    ended(last)
    left = status(bench, 'kills')
    assert left['waiting'] == 0 and left['dropped'] == [] and left['setAside'] == [], left
    network.settle()
    server.stop()
    network.close()
    stored = server.events()
    assert len(stored) == len(set(stored)) == sealed(bench, 'kills'), (len(stored), len(set(stored)), sealed(bench, 'kills'))
    assert set(stored) <= network.seen, 'events that nobody sent'
    assert during >= 70 and all(network.faults.values()), (during, network.faults)


@runs('trouble', 180)
def test_full_queue(bench):
    """An outage that is too long: the newest events are kept, the others are counted."""
    recording = os.path.join(bench.directory, 'hours.btsnoop')
    generate = os.path.join(ROOT, 'scripts', 'lib', 'bench', 'generate_day.py')
    command = [sys.executable, generate, recording, '--hours', '1', '--trackers', '50', '--start', str(int(time.time()) - 3600)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    bench.radio, radio = ('-r', recording), bench.radio
    collected = finder(bench, 'full', '--queue-limit', '1000').ends(0, 60)
    bench.radio = radio
    heids = [line['heid'] for line in of(collected, 'sighting')]
    left = status(bench, 'full')
    assert len(heids) > 2000 and left['waiting'] == left['limit'] == 1000 and left['hoursLeft'] == 0, left
    lost = losses(bench, 'full')
    # More than 50 came within the first minute: one that was heard only once more is not reported.
    assert lost.pop('crowd', 0) < 5 and lost == {'queueFull': len(heids) - 1000}, left
    told = [line['count'] for line in of(collected, 'dropped') if line['reason'] == 'queueFull']
    assert sum(told) == len(heids) - 1000, 'dropped without a word'
    assert collected.lines()[-1]['type'] == 'end' and collected.lines()[-1]['dropped'] == losses(bench, 'full')
    server = Server(bench, 'full')
    away = finder(bench, 'full', *server.at('gateway'), '--queue-limit', '2000', '--interval', '1h')
    wait_for(lambda: status(bench, 'full')['waiting'] == 0, 100, 'an empty queue')
    ended(away)
    more = len(of(away, 'sighting'))
    server.stop()
    stored = server.events()
    assert len(stored) == len(set(stored)) == 1000 + more, (len(stored), more)
    kept = sorted(heid.hex() for heid, _ in stored)
    assert kept == sorted(heids[-1000:] + [line['heid'] for line in of(away, 'sighting')])


@runs('trouble', 180)
def test_full_disk(bench):
    """On a small disk: refused and counted, nothing lost that was accepted; with room it goes on."""
    place = os.path.join(bench.directory, 'small')
    with small_disk(place, '640k'):
        gateway = finder(bench, 'small', '--interval', '0.1s')
        wait_lines(gateway, 'sighting', 5)
        restore = full(os.path.join(place, 'luna-finder-memory.data'))
        dropped = wait_lines(gateway, 'dropped', 3, seconds=100)
        assert all(line['reason'] == 'storage' for line in dropped), dropped
        assert 'full' in gateway.stderr(), gateway.stderr()
        before = status(bench, 'small')['waiting']
        restore()
        wait_for(lambda: status(bench, 'small')['waiting'] > before, 60, 'further events')
        ended(gateway)
        after = status(bench, 'small')
        told = sum(line['count'] for line in of(gateway, 'dropped'))
        assert losses(bench, 'small') == {'storage': told}, (after, told)
        assert after['waiting'] == len(of(gateway, 'sighting')), after
        bench.tidy()


@runs('trouble', 180)
def test_the_harm_of_a_full_disk(bench):
    """The lines of the tables that are about all files at once: who uses a queue, and who uses a store, ends on it."""
    place = os.path.join(bench.directory, 'no-room')
    with small_disk(place, '640k'):
        gateway = finder(bench, 'no-room', '--interval', '0.1s', '--batch-time', '1s', prefix=CONFINED)
        wait_lines(gateway, 'sighting', 8)
        restore = full(os.path.join(place, 'luna-finder-memory.data'))
        wait_lines(gateway, 'dropped', 3, seconds=100)
        gateway.signal(signal.SIGTERM)
        code = gateway.process.wait(never(15))
        bench.started.remove(gateway)
        restore()
        waiting, sightings = status(bench, 'no-room')['waiting'], len(of(gateway, 'sighting'))
        dropped = of(gateway, 'dropped')
        tell('queue*', 'full disk', f'{sightings} sightings: {waiting} wait; told of {len(dropped)} losses; ended with {code}')
        assert code in (0, 7) and {line['reason'] for line in dropped} == {'storage'}, (code, dropped)
        # Those of one second may be on their way when it ends.
        assert abs(sightings - waiting) <= len(bench.names), (sightings, waiting, gateway.stderr())
    place = os.path.join(bench.directory, 'no-room-keys')
    with small_disk(place, '2m'):
        state = os.path.join(place, 'state')
        shutil.copytree(bench.owner, state)
        local = follows(bench, state)
        hears(bench, local)
        restore = full(os.path.join(state, 'luna-finder-memory-devices.data'))
        result, isRight = keeps(bench, '', 'full disk', state, local, restore)
        tell('devices*', 'full disk', result, isRight)
        assert isRight, (result, local.stderr())


@runs('trouble', 180)
def test_floods(bench):
    """A transmitter makes identifiers up, and ten trackers come one after the other: each is reported."""
    server = Server(bench, 'flood')
    for rate in (20, 200, 2000):
        recording, keys = flood(os.path.join(bench.directory, f'flood{rate}.btsnoop'), rate, seconds=120)
        bench.radio, radio = ('-r', recording), bench.radio
        run = finder(bench, f'flood{rate}', *server.at('gateway')).ends(0, 120)
        bench.radio = radio
        lines = run.lines()
        assert lines[0]['type'] == 'start' and lines[-1]['type'] == 'end', (lines[0], lines[-1])
        states = [line for line in of(run, 'state') if line['state'] == 'underAttack']
        assert states and states[-1]['newPerMinute'] > rate * 50, states
        heids = [line['heid'] for line in of(run, 'sighting')]
        assert len(heids) < 1400 + 120 * 20, len(heids)
        missing = set(keys) - set(heids)
        assert not missing, (rate, len(missing))
        assert lines[-1]['dropped']['crowd'] > rate * 60, lines[-1]


@runs('trouble', 180)
def test_flood_over_the_air(bench):
    """The same at 2,000 a second from an H4 controller, while the clock runs; status says so, and memory stays."""
    air = Air(2000)
    bench.radio, radio = ('--radio', f'h4:tcp:127.0.0.1:{air.port}'), bench.radio
    gateway = finder(bench, 'air', '--duty', 'full')
    bench.radio = radio
    wait_for(lambda: set(air.heids) <= {line['heid'] for line in of(gateway, 'sighting')}, 90, 'all trackers')
    time.sleep(5)
    first = memory(gateway)
    time.sleep(25)
    told = status(bench, 'air')
    assert told['underAttack'] is True and told['newPerMinute'] > 1000, told
    # What is known of a flood is limited; the rest of the process does not grow with it.
    assert memory(gateway) < first + 40_000, (first, memory(gateway))
    print(f'{memory(gateway)} KiB, {cpu(gateway):.1f} s of processor time, {air.sent} frames')
    ended(gateway)
    air.close()


@runs('buzz', 180)
def test_a_queue_that_is_deleted(bench):
    """Its file is deleted while events wait: there is a new one with all of them, and it is said."""
    server = Server(bench, 'deleted')
    server.stop()
    gateway = finder(bench, 'deleted', *server.at('gateway'), '--interval', '1s', '--batch-time', '1s')
    wait_lines(gateway, 'sighting', 10)
    directory = os.path.join(bench.directory, 'deleted')
    for name in os.listdir(directory):
        if name.startswith('luna-finder-memory.data') and not name.endswith('.lock'):
            os.unlink(os.path.join(directory, name))
    renewed = wait_lines(gateway, 'queue')
    assert renewed[0]['event'] == 'renewed' and renewed[0]['lost'] == 0 and 'deleted' in renewed[0]['reason'], renewed
    assert 'new file' in gateway.stderr(), gateway.stderr()
    shutil.rmtree(directory)
    wait_lines(gateway, 'queue', 2)
    gateway.process.kill()
    gateway.process.wait()
    bench.started.remove(gateway)
    server.start()
    queued = len(of(gateway, 'sighting'))
    last = finder(bench, 'deleted', *server.at('gateway'), '--interval', '1h')
    wait_for(lambda: status(bench, 'deleted')['waiting'] == 0, 60, 'an empty queue')
    ended(last)
    server.stop()
    stored = server.events()
    # One may have been on its way when the process was killed.
    assert queued <= len(set(stored)) - len(of(last, 'sighting')) <= queued + len(bench.names), (queued, len(stored))


@runs('trouble', 120)
def test_an_index_that_is_cut(bench):
    """SQLite has the index of the queue's log in memory: the finder says what happened and ends, and loses nothing."""
    directory = os.path.join(bench.directory, 'index')
    gateway = finder(bench, 'index', '--interval', '1s', '--batch-time', '1s')
    wait_lines(gateway, 'sighting', 5)
    index = next(name for name in os.listdir(directory) if name.endswith('-shm'))
    os.truncate(os.path.join(directory, index), 0)
    gateway.ends(7)
    assert f'{index} was cut while it was in use' in gateway.stderr(), gateway.stderr()
    queued = len(of(gateway, 'sighting'))
    # One may have been told of that was on its way into the queue.
    assert status(bench, 'index')['waiting'] >= queued - len(bench.names)


@runs('trouble', 120)
def test_a_directory_that_becomes_a_file(bench):
    """What waits has no place any more: it is counted, said, and no success."""
    directory = os.path.join(bench.directory, 'place')
    gateway = finder(bench, 'place', '--interval', '1s', '--batch-time', '1s')
    wait_lines(gateway, 'sighting', 5)
    shutil.rmtree(directory)
    open(directory, 'w').close()
    wait_lines(gateway, 'problem')
    gateway.process.send_signal(signal.SIGINT)
    gateway.ends(7)
    lost = sum(line['count'] for line in of(gateway, 'dropped') if line['reason'] == 'storage')
    told = re.search(r'(\d+) events are lost', gateway.stderr())
    # What came later had no place from the beginning.
    assert told and 5 <= int(told[1]) <= lost, (lost, gateway.stderr())
    os.unlink(directory)


@runs('trouble', 120)
def test_a_queue_that_is_cut_while_nobody_looks(bench):
    """After a kill somebody cuts the log: the next start takes what can be read, and says how much is missing."""
    first = finder(bench, 'cut', '--interval', '1s', '--batch-time', '1s')
    wait_lines(first, 'sighting', 10)
    first.process.kill()
    first.process.wait()
    bench.started.remove(first)
    log = os.path.join(bench.directory, 'cut', 'luna-finder-memory.data-wal')
    os.truncate(log, os.path.getsize(log) // 2)
    second = finder(bench, 'cut', '--interval', '1s', '--batch-time', '1s')
    [renewed] = wait_lines(second, 'queue')
    assert renewed['lost'] > 0 and 'was cut' in renewed['reason'] and renewed['setAside'].endswith('.damaged-1'), renewed
    wait_lines(second, 'sighting', 2)
    ended(second)
    sightings = len(of(first, 'sighting')) + len(of(second, 'sighting'))
    left = status(bench, 'cut')
    # One may have been on its way when the process was killed.
    assert abs(sightings - left['waiting'] - renewed['lost']) <= len(bench.names), (sightings, left, renewed)
    assert losses(bench, 'cut')['storage'] == renewed['lost'], left


@runs('trouble', 240)
def test_harms_to_its_files(bench):
    """Every harm to every file of a queue: each sighting waits after it or is counted as lost, and nothing ends by a signal."""
    cases = []
    for name in ('', '-wal', '-shm'):
        for what, harm in HARMS.items():
            state = f'harm-{len(cases)}'
            gateway = finder(bench, state, '--interval', '1s', '--batch-time', '1s', prefix=CONFINED)
            cases.append((name, what, harm, state, gateway))
    restores = []
    for name, what, harm, state, gateway in cases:
        wait_lines(gateway, 'sighting', 8)
        directory = os.path.join(bench.directory, state)
        queue = next(entry for entry in os.listdir(directory) if entry.endswith('.data'))
        restores.append(harm(os.path.join(directory, queue + name)))
    for *_, gateway in cases:
        before = len(of(gateway, 'sighting'))
        wait_for(lambda: gateway.process.poll() is not None or len(of(gateway, 'sighting')) > before + 3, 60, 'more sightings')
    faults = []
    for (name, what, harm, state, gateway), restore in zip(cases, restores):
        gateway.signal(signal.SIGTERM)
        code = gateway.process.wait(never(15))
        bench.started.remove(gateway)
        if restore:
            restore()
        sightings = len(of(gateway, 'sighting'))
        lost = sum(line['count'] for line in of(gateway, 'dropped') if line['reason'] == 'storage')
        told = [line['event'] for line in of(gateway, 'queue')]
        asked = subprocess.run(
            [bench.luna, 'finder', 'status', '--format', 'jsonl', '--state', os.path.join(bench.directory, state)], capture_output=True, text=True)
        waiting = json.loads(asked.stdout.splitlines()[0])['waiting'] if asked.returncode == 0 else 0
        # Those of one second may be on their way when it ends.
        isRight = code in (0, 7) and abs(sightings - waiting - lost) <= len(bench.names)
        result = f'{sightings} sightings: {waiting} wait, {lost} lost, {told}; ended with {code}'
        tell(f'queue{name}', what, result, isRight)
        if not isRight:
            faults.append(f'queue{name} {what}: {result} {gateway.stderr()[-600:]}')
    assert not faults, faults


@runs('trouble')
def test_a_queue_that_may_not_be_opened(bench):
    """It is said, and nothing is lost by that."""
    first = finder(bench, 'closed', '--interval', '1s', '--batch-time', '1s', prefix=CONFINED)
    wait_lines(first, 'sighting', 5)
    ended(first)
    path = os.path.join(bench.directory, 'closed', 'luna-finder-memory.data')
    restore = HARMS['no permission'](path)
    second = finder(bench, 'closed', prefix=CONFINED).ends(4)
    assert 'luna-finder-memory.data' in second.stderr(), second.stderr()
    restore()
    assert status(bench, 'closed')['waiting'] == len(of(first, 'sighting'))


@runs('trouble')
def test_recording_to_a_small_disk(bench):
    """What is written before it is full stays, and nobody is told that nothing was lost."""
    needs_root('mount a small disk')
    folder = os.path.join(bench.directory, 'little')
    os.mkdir(folder)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder], check=True)
    try:
        path = os.path.join(folder, 'air.btsnoop')
        capture = Luna(bench, 'capture', *bench.radio, '-w', path).ends(7, 60)
        said = capture.stderr()
        assert 'advertisements heard in' in said and 'nothing lost' not in said, said
        assert 'free some space; what was written before that is complete' in said, said
        shown = Luna(bench, 'scan', '-r', path, '--format', 'jsonl').ends(0)
        assert [line for line in shown.lines() if line['type'] == 'advertisement'] and 'damaged' not in shown.stderr()
    finally:
        subprocess.run(['umount', folder], check=True)


def keeps_its_devices(name, what):
    """Whether a harm to a file of a store leaves all that is in it: then saying so is not enough. What is wrong with
    the log is for a person to decide on, as nobody knows what was in it."""
    if what in ('no permission', 'full disk'):
        return True
    if name == '-shm':
        # It is made anew; where something else is in its place it cannot be.
        return what not in ('a link', 'a directory')
    return (name, what) in {('', 'replaced'), ('', 'a link'), ('-wal', 'replaced')}


def follows(bench, state):
    """luna local with the devices of a store."""
    return Luna(bench, 'local', *bench.radio, '--format', 'jsonl', '--state', state, prefix=CONFINED)


def hears(bench, local):
    wait_for(lambda: {line.get('name') for line in of(local, 'device')} >= set(bench.names), 60, 'the devices')


def keeps(bench, name, what, state, local, restore):
    """What becomes of a device store when who follows with it ends, for the table, and whether it is right."""
    # What it has learned is written at its end.
    local.signal(signal.SIGTERM)
    code = local.process.wait(never(15))
    bench.started.remove(local)
    if restore:
        restore()
    asked = subprocess.run(
        [bench.luna, 'owner', 'list', '--format', 'jsonl', '--state', state], capture_output=True, text=True)
    names = sorted(json.loads(line)['name'] for line in asked.stdout.splitlines()) if asked.returncode == 0 else None
    isThere = names == sorted(bench.names)
    # By who follows with them, while it happens, or by who reads them next.
    isSaid = 'luna-finder-memory-devices' in local.stderr() or (
        asked.returncode in (4, 7, 8) and 'luna-finder-memory-devices' in asked.stderr)
    isRight = code in (143, 7) and (isThere or isSaid and not keeps_its_devices(name, what))
    return f'ended with {code}; then {names or asked.stderr.strip()[:200]}', isRight


@runs('trouble', 240)
def test_harms_to_the_keys(bench):
    """Every harm to every file of a device store that luna local follows with: afterwards the devices are there, or it
    is said why they cannot be, and nothing ends by a signal."""
    cases = []
    for name in ('', '-wal', '-shm'):
        for what, harm in HARMS.items():
            state = os.path.join(bench.directory, f'keys-{len(cases)}')
            shutil.copytree(bench.owner, state)
            cases.append((name, what, harm, state, follows(bench, state)))
    faults = []
    for name, what, harm, state, local in cases:
        hears(bench, local)
        # Who follows has not written yet: without this there would be nothing in the log to harm.
        for old, new in ((bench.names[0], 'Elsewhere'), ('Elsewhere', bench.names[0])):
            Luna(bench, 'owner', 'rename', old, new, '--state', state).ends(0)
        restore = harm(os.path.join(state, 'luna-finder-memory-devices.data') + name)
        result, isRight = keeps(bench, name, what, state, local, restore)
        tell(f'devices{name}', what, result, isRight)
        if not isRight:
            faults.append(f'devices{name} {what}: {result} {local.stderr()[-600:]}')
    assert not faults, faults


@runs('buzz', 240)
def test_proxies_that_answer_in_its_place(bench):
    """Whatever comes for 8 s in the place of the backend costs no event, and is not asked often."""
    server = Server(bench, 'proxy')
    for status_line, body in ANSWERS:
        proxy, began = Proxy(server.port, status_line, body, 8), time.monotonic()
        gateway = finder(bench, 'proxy', '--backend', proxy.url, '--token-file', server.tokens['gateway'],
                         '--interval', '1s', '--batch', '3', '--batch-time', '0.1s')
        wait_lines(gateway, 'sighting', 12)
        wait_for(lambda: proxy.passed > 0, 90, f'an upload after {status_line!r}')
        wait_for(lambda: status(bench, 'proxy')['waiting'] < 10, 60, f'a short queue after {status_line!r}')
        ended(gateway)
        left = status(bench, 'proxy')
        assert left['setAside'] == [] and left['dropped'] == [], (status_line, left)
        # It tries more and more seldom; a machine that is slow gives it more time to.
        assert len(proxy.refused) <= 20 + (time.monotonic() - began) / 2, (status_line, proxy.refused)
        proxy.close()
    server.stop()
    assert len(server.events()) == len(set(server.events())) == sealed(bench, 'proxy') - status(bench, 'proxy')['waiting']


@runs('buzz')
def test_enrolment(bench):
    """A gateway gets its token for a code, once, and uploads with it."""
    server = Server(bench, 'enrol')
    made = Luna(bench, 'backend', 'enroll', 'attic', '--store', 'sqlite:' + server.path, '--format', 'jsonl').ends(0)
    code, state = os.path.join(bench.directory, 'code'), os.path.join(bench.directory, 'attic')
    # As luna backend enroll prints it into a file.
    open(code, 'w').write(json.dumps(made.lines()[0]) + '\n')
    enroll = ['finder', 'enroll', '--backend', server.url, '--code-file', code, '--state', state]
    assert 'attic' in Luna(bench, *enroll).ends(0).stderr()
    assert os.stat(os.path.join(state, 'gateway.token')).st_mode & 0o777 == 0o600
    gateway = finder(bench, 'attic', '--backend', server.url, '--batch-time', '0.1s')
    wait_lines(gateway, 'upload')
    ended(gateway)
    Luna(bench, *enroll).ends(9)


@runs('trouble')
def test_no_code_is_used_up_where_the_token_has_no_room(bench):
    """The file is made before the code is sent: on a full disk the code stays good."""
    needs_root('mount a small disk')
    server = Server(bench, 'room')
    made = Luna(bench, 'backend', 'enroll', 'loft', '--store', 'sqlite:' + server.path, '--format', 'jsonl').ends(0)
    code, state = os.path.join(bench.directory, 'room.code'), os.path.join(bench.directory, 'loft')
    open(code, 'w').write(made.lines()[0]['code'] + '\n')
    os.mkdir(state)
    enroll = ['finder', 'enroll', '--backend', server.url, '--code-file', code, '--state', state]
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'luna-test', state], check=True)
    try:
        filler = os.path.join(state, 'filler')
        restore = full(filler)
        Luna(bench, *enroll).ends(7)
        assert os.listdir(state) == ['ballast']
        restore()
        assert 'loft' in Luna(bench, *enroll).ends(0).stderr()
    finally:
        subprocess.run(['umount', '-l', state], check=True)


@runs('trouble')
def test_what_a_signal_ends_leaves_no_half_a_file(bench):
    """A token's file is made before the code is sent; a backend that says nothing is not waited for."""
    code, state = os.path.join(bench.directory, 'signal.code'), os.path.join(bench.directory, 'signalled')
    open(code, 'w').write('ABCD-EFGH\n')
    with socket.create_server(('127.0.0.1', 0)) as silent:
        url = f'http://127.0.0.1:{silent.getsockname()[1]}'
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            gateway = Luna(bench, 'finder', 'enroll', '--backend', url, '--code-file', code, '--state', state)
            wait_for(lambda: os.path.isdir(state) and os.listdir(state), 30, 'the file of the token')
            gateway.signal(number)
            gateway.ends(status)
            assert os.listdir(state) == [], (number, os.listdir(state))


@runs('buzz')
def test_refusals_say_why_and_what_to_do(bench):
    token = os.path.join(bench.directory, 'any.token')
    open(token, 'w').write('luna-gateway-' + '0' * 64 + '\n')
    closed = f'http://127.0.0.1:{closed_port()}'
    nowhere = ['--backend', closed, '--token-file', token]

    def says(run, code, *words):
        run.ends(code, 60)
        assert all(word in run.stderr() for word in words), run.stderr()
        error = run.lines()[-1] if run.lines() else {}
        if 'jsonl' in run.process.args:
            assert error.get('type') == 'error' and error['code'] == code and error['reason'], run.lines()
        else:
            assert error.get('type') != 'error', run.lines()

    def once(*arguments):
        return finder(bench, 'said', '--once', '-T', lasting(4), *arguments)

    says(once('--backend', 'luna.example'), 2, 'not a URL', 'https://HOST')
    says(once('--backend', 'http://luna.example', '--token-file', token), 2, 'not https', 'use https')
    says(once(*nowhere), 9, 'cannot connect', 'check that it runs')
    says(once('--backend', closed, '--token-file', token + '.missing'), 8, 'cannot read the token file', 'luna backend token create')
    says(Luna(bench, 'finder', 'status', '--format', 'jsonl', '--state', os.path.join(bench.directory, 'none')), 1, 'no queue')
    taken = os.path.join(bench.directory, 'taken')
    os.makedirs(os.path.join(taken, 'luna-finder-memory.data'))
    says(Luna(bench, 'finder', 'status', '--state', taken), 8, 'a directory is in its place', 'Move it away')
    owner = ['--state', bench.owner, '--from', '2026-01-01']
    says(Luna(bench, 'owner', 'events', bench.names[0], *owner), 2, '--backend')
    # Before any request: there is nobody to ask.
    says(Luna(bench, 'owner', 'events', bench.names[0], *owner, '--to', '2027-02-01', *nowhere), 2, '366 days')
    says(Luna(bench, 'owner', 'events', bench.names[0], *owner, *nowhere), 9, 'cannot connect')
    says(Luna(bench, 'owner', 'list', '--where', '--state', bench.owner), 2, '--backend')
    says(Luna(bench, 'owner', 'list', '--where', '--state', bench.owner, *nowhere), 9, 'cannot connect')
    says(Luna(bench, 'owner', 'buzz', bench.names[0], '--remote', '--state', bench.owner, *nowhere), 9, 'cannot connect')
    usage = Luna(bench, 'finder', '--location', 'static:91,0').ends(2)
    assert 'latitude' in usage.stderr(), usage.stderr()
