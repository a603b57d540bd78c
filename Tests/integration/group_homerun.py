"""A home that runs, on the simulated room: what it says, does, keeps and survives."""

import calendar
import collections
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from bench import ROOT, Luna, NotRun, closed_port, lasting, never, wait_for
from gateways import PLACE, Server, finder, wait_lines
from group_mqtt import Broker
from remains import end_family
from uplink_rig import certify

IN_VM = False

# Says each time that it was started, with what it was told.
PROGRAM = '''
import os, sys
text = sys.stdin.read()
with open(sys.argv[1], 'a') as file:
    file.write(text + '\\n')
'''


class Bench:
    """A folder with a file, a state directory, and homes that run there."""

    def __init__(self):
        self.luna = os.environ['LUNA']
        self.directory = tempfile.mkdtemp(prefix='luna-homerun-')
        self.state = os.path.join(self.directory, 'state')
        self.file = os.path.join(self.directory, 'home.json')
        self.log = os.path.join(self.directory, 'log')
        self.environment = dict(os.environ, XDG_CONFIG_HOME=self.directory, XDG_DATA_HOME=self.directory, HOME=self.directory, SWIFT_BACKTRACE='enable=no')
        self.homes, self.started = [], []

    def write(self, **parts):
        document = {
            'box': {'radio': 'virtual:7'},
            'trackers': [
                # Whoever is in the room: one beacon, and what is no device.
                {'id': 'beacon', 'match': 'rssi > -127'},
                {'id': 'lamp', 'model': 'lamp'},
            ],
            'devices': [
                {
                    'class': 'Device', 'oemModel': 'lamp',
                    'managedProperties': [
                        {'name': 'light', 'type': 'number', 'min': 0, 'max': 100, 'actions': [{'name': 'full', 'value': 100}]},
                    ],
                }
            ],
            'exec': {'note': [sys.executable, '-c', PROGRAM, self.log], 'absent': ['/no/such/program']},
        }
        document.update(parts)
        with open(self.file, 'w') as file:
            json.dump(document, file)

    def home(self, *words):
        home = Home(self, words)
        self.homes.append(home)
        return home

    def run(self, *words):
        return subprocess.run([self.luna, *words], env=self.environment, capture_output=True, text=True, timeout=never(30))

    def notes(self):
        if not os.path.exists(self.log):
            return []
        return [json.loads(line) for line in open(self.log).read().splitlines() if line]

    def rows(self, sql):
        database = sqlite3.connect(f'file:{self.state}/home.sqlite?mode=ro', uri=True, timeout=never(15))
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def tidy(self):
        for program in self.homes + self.started:
            end_family(program.process)
        self.homes, self.started = [], []
        for name in os.listdir(self.directory):
            path = os.path.join(self.directory, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif not name.endswith(('.out', '.err')):
                os.unlink(path)

    def close(self):
        shutil.rmtree(self.directory, ignore_errors=True)


class Home:
    """A home that runs; its lines are read as they come."""

    def __init__(self, bench, words):
        self.bench = bench
        self.process = subprocess.Popen(
            [bench.luna, 'home', 'run', *(words or (bench.file,)), '--state', bench.state, '--format', 'jsonl'],
            env=bench.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.errors = [], []
        for stream, lines in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            threading.Thread(target=lambda s=stream, l=lines: [l.append(line.rstrip()) for line in s], daemon=True).start()

    def changes(self, name):
        return [change for change in map(json.loads, list(self.lines)) if change['type'] == name]

    def ready(self):
        self.begun()
        wait_for(lambda: any(c['name'] == 'radio' and c['link']['state'] == 'works' for c in self.changes('link')), 60, 'the radio to work')
        return self

    def begun(self):
        self.said('happens is kept in')
        return self

    def said(self, text):
        wait_for(lambda: any(text in line for line in list(self.errors)), 60, f'"{text}" in {self.errors}')

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(never(15))

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        # The path may be longer than an address has room for.
        place = os.open(self.bench.state, os.O_PATH | os.O_DIRECTORY)
        connection.connect(f'/proc/self/fd/{place}/home.sock')
        os.close(place)
        connection.settimeout(never(15))
        return connection


def prepare(mode):
    return Bench()


def call(connection, reader, **request):
    connection.sendall(json.dumps(dict(request, id=1)).encode() + b'\n')
    while True:
        answer = json.loads(reader.readline())
        if 'id' in answer and answer.get('type') is None:
            return answer


def test_runs_says_and_ends(bench):
    bench.write()
    home = bench.home().ready()
    assert oct(os.stat(f'{bench.state}/home.sqlite').st_mode & 0o777) == '0o600'
    assert oct(os.stat(f'{bench.state}/home.sock').st_mode & 0o777) == '0o600'
    second = bench.run('home', 'run', bench.file, '--state', bench.state)
    assert second.returncode == 6, second
    wait_for(lambda: any(c['tracker'] == 'beacon' and c['property'] == 'rssi' for c in home.changes('value')), 60, 'the beacon to be heard')
    assert home.end() == 0
    assert not os.path.exists(f'{bench.state}/home.sock')
    for words in (['home', 'do', 'lamp', 'full'], ['rule', 'run', 'r'], ['rule', 'snooze', 'r']):
        assert bench.run(*words, '--state', bench.state).returncode == 9


def test_a_log_of_its_own(bench):
    bench.write(sdkConfig={'consoleLogLevel': 'None', 'fileLogLevel': 'Info'}, trackers=[{'id': 'gone', 'device': 'nobody'}])
    home = bench.home().begun()
    path = f'{bench.state}/home.log'
    wait_for(lambda: os.path.exists(path) and 'gone' in open(path).read(), 60, 'the message in home.log')
    assert oct(os.stat(path).st_mode & 0o777) == '0o600'
    line = next(line for line in open(path).read().splitlines() if 'gone' in line)
    assert line.split(' ')[1] == 'INFO' and line.startswith('20'), line
    assert home.end() == 0
    assert not any('no device is there' in line for line in home.errors), home.errors


def test_the_first_backend_that_can_be_reached(bench):
    server = Server(bench)
    try:
        bench.write(sdkConfig={'serviceType': 'Dynamic'}, service={'endpoints': {
            'Field.Europe': {'url': f'http://127.0.0.1:{closed_port()}'}, 'Development.Europe': {'url': server.url}}})
        home = bench.home().begun()
        home.said(f'the backend is {server.url}')
        wait_for(lambda: any(c['name'] == 'backend' and c['link']['state'] == 'works' for c in home.changes('link')), 60, 'the backend to work')
        assert home.end() == 0
    finally:
        server.stop()


def test_a_client_of_the_socket(bench):
    bench.write(rules=[{'id': 'bright', 'when': [{'property': {'who': 'lamp', 'property': 'light', 'above': 50}}], 'then': [{'exec': {'name': 'note'}}]}])
    home = bench.home().ready()
    connection = home.connect()
    reader = connection.makefile()
    # Who calls and is told on one connection gets both in the order in which they come.
    listener = home.connect()
    told = listener.makefile()
    listener.sendall(b'{"subscribe":["tracker","rule"]}\n')
    assert json.loads(told.readline())['type'] == 'subscribed'
    # What is true already when it is first known is no event.
    assert call(connection, reader, call='do', tracker='lamp', action='set:light', value=10)['result']['state'] == 'done'
    assert call(connection, reader, call='do', tracker='lamp', action='full')['result']['state'] == 'done'
    seen = []
    while not any(line['type'] == 'outcome' for line in seen):
        seen.append(json.loads(told.readline()))
    assert [line['firing']['rule'] for line in seen if line['type'] == 'firing'] == ['bright']
    assert [line['state'] for line in seen if line['type'] == 'outcome'] == ['done']
    assert [note['action'] for note in bench.notes()] == ['exec']
    assert call(connection, reader, call='do', tracker='lamp', action='set:light', value=101)['error']['code'] == 'action'
    refused = call(connection, reader, call='do', tracker='nobody', action='full')['error']
    assert refused['code'] == 'notFound' and 'file' in refused['hint'], refused
    assert call(connection, reader, call='nonsense')['error']['code'] == 'action'
    state = call(connection, reader, call='state')['result']
    lamp = next(t for t in state['trackers'] if t['id'] == 'lamp')
    assert lamp['properties']['light']['value'] == 100
    assert {'full', 'set:light'} == set(lamp['actions'])
    connection.sendall(b'no json\n')
    assert json.loads(reader.readline())['error']['code'] == 'malformed'
    connection.sendall(b'x' * 100_000 + b'\n')
    # It ends the conversation, not the home.
    rest = reader.readlines()
    assert all('error' not in line for line in rest[1:]), rest
    assert bench.run('home', 'do', 'lamp', 'set:light', '20', '--state', bench.state).returncode == 0
    assert home.end() == 0


def test_the_watch_is_looked_at_and_marked(bench):
    """By the home that runs, and by what it has kept."""
    bench.write()
    assert bench.home().ready().end() == 0
    time_of_it = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())
    one = {'type': 'suspect', 'id': 'tile:000000000001', 'time': time_of_it, 'told': time_of_it, 'grade': 'suspect', 'family': 'tile',
           'identifiers': ['tile:000000000001'], 'confidence': 1.0, 'trips': 1, 'places': 2, 'minutes': 60, 'metres': 8000, 'reasons': ['madeTrip'],
           'rssi': None, 'rides': [], 'links': [], 'excluded': None, 'tracker': None, 'mark': None}
    database = sqlite3.connect(f'{bench.state}/home.sqlite')
    with database:
        database.execute('REPLACE INTO parts VALUES(?, ?)', ('suspect/' + one['id'], json.dumps(one).encode()))
    database.close()

    def watch(*words, code=0):
        result = bench.run('watch', *words, '--state', bench.state, '--format', 'jsonl')
        assert result.returncode == code, result
        return [json.loads(line) for line in result.stdout.splitlines()]

    home = bench.home().ready()
    assert [line['type'] for line in watch('list')] == ['suspect', 'listened']
    assert watch('show', one['id'])[0]['metres'] == 8000
    assert watch('mark', one['id'], 'known')[0]['mark']['as'] == 'known'
    watch('mark', 'tile:000000000002', 'known', code=1)
    connection = home.connect()
    reader = connection.makefile()
    assert call(connection, reader, call='suspect', suspect='tile:2')['error']['code'] == 'notFound'
    assert call(connection, reader, call='mark', suspect=one['id'], by='ada')['error']['code'] == 'action'
    assert call(connection, reader, call='mark', suspect=one['id'], by='ada', **{'as': 'own'})['error']['code'] == 'action'
    assert home.end() == 0
    assert watch('show', one['id'])[0]['excluded'] == 'known'
    assert watch('mark', one['id'], 'none')[0]['mark'] is None
    home = bench.home().ready()
    assert watch('show', one['id'])[0]['mark'] is None
    assert home.end() == 0


def test_says_why(bench):
    bench.write(rules=[
        {'id': 'run', 'cooldown': '1h', 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'absent'}}, {'exec': {'name': 'note'}}]},
        {'id': 'never', 'if': {'inside': {'who': 'lamp', 'place': 'home'}}, 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'note'}}]},
    ], places=[{'id': 'home', 'latitude': 52.5, 'longitude': 13.4, 'radius': 100}])
    home = bench.home().ready()
    connection = home.connect()
    reader = connection.makefile()
    for _ in range(2):
        call(connection, reader, call='message', name='go')
    # The first action fails, the next one runs.
    wait_for(lambda: [c['state'] for c in home.changes('outcome')] == ['failed', 'done'], 60, 'both actions to end')
    assert bench.run('rule', 'snooze', 'run', '--for', '1h', '--state', bench.state).returncode == 0
    call(connection, reader, call='message', name='go')
    assert bench.run('rule', 'run', 'run', '--state', bench.state).returncode == 0
    wait_for(lambda: len(home.changes('outcome')) == 4, 60, 'the rule to run by hand')
    assert home.end() == 0
    why = bench.run('rule', 'why', 'run', '--state', bench.state, '--format', 'jsonl')
    lines = [json.loads(line) for line in why.stdout.splitlines()]
    assert [(line['type'], line.get('why')) for line in lines] == [('firing', None), ('held', 'snoozed'), ('held', 'cooldown'), ('firing', None)], lines
    assert [outcome['state'] for outcome in lines[-1]['outcomes']] == ['failed', 'done']
    assert 'no such' in lines[-1]['outcomes'][0]['detail'].lower()
    why = bench.run('rule', 'why', 'never', '--state', bench.state, '--format', 'jsonl')
    assert {json.loads(line)['why'] for line in why.stdout.splitlines()} == {'unknown'}
    assert bench.run('rule', 'why', 'nobody', '--state', bench.state).returncode == 1


def test_reads_its_file_again(bench):
    rule = {'id': 'r', 'cooldown': '0s', 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'note'}}]}
    bench.write(rules=[rule])
    home = bench.home().ready()
    home.process.send_signal(signal.SIGUSR1)
    home.said('luna: 2 trackers; ')
    home.said('; radio works: ')
    bench.write(rules=[rule, dict(rule, id='second')])
    home.process.send_signal(signal.SIGHUP)
    home.said('was read again, and holds')
    with open(bench.file, 'w') as file:
        file.write('{"rules": [')
    home.process.send_signal(signal.SIGHUP)
    home.said('goes on with the file that it had')
    wait_for(lambda: any(n['kind'] == 'badFile' for c in home.changes('notice') for n in c['notices']), 60, 'the notice of the bad file')
    connection = home.connect()
    call(connection, connection.makefile(), call='message', name='go')
    wait_for(lambda: len(home.changes('outcome')) == 2, 60, 'both rules to run')
    assert {c['firing']['rule'] for c in home.changes('firing')} == {'r', 'second'}
    assert home.end() == 0


def test_says_who_is_there_at_each_start(bench):
    """Who is still there is told anew, whatever time the home ran by before; no rule runs by it."""
    bench.write(rules=[{'id': 'came', 'when': [{'beaconIn': {'who': 'beacon'}}], 'then': [{'exec': {'name': 'note'}}]}])
    for words in ((), (bench.file, '--speed', '100', '--epoch', '2026-01-01T00:00:00Z'), ()):
        home = bench.home(*words).ready()
        wait_for(
            lambda: any((c['tracker'], c['property'], c['value']) == ('beacon', 'present', 'yes') for c in home.changes('value')),
            60, f'the beacon to be there: {words}')
        assert home.end() == 0
        assert not home.changes('firing'), home.changes('firing')


def test_a_day_is_judged_again(bench):
    bench.write(rules=[{'id': 'near', 'cooldown': '0s', 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'note'}}]}])
    home = bench.home().ready()
    connection = home.connect()
    reader = connection.makefile()
    wait_for(lambda: any(c['tracker'] == 'beacon' and c['property'] == 'rssi' for c in home.changes('value')), 60, 'the beacon to be heard')
    for _ in range(3):
        call(connection, reader, call='message', name='go')
    wait_for(lambda: len(home.changes('firing')) == 3, 60, 'the rule to run')
    assert home.end() == 0
    day = os.path.join(bench.directory, 'day.jsonl')
    lines = []
    # It may be midnight meanwhile.
    for name in ('today', time.strftime('%Y-%m-%d', time.localtime(time.time() - 86400))):
        lines += bench.run('home', 'export', '--day', name, '--state', bench.state).stdout.splitlines()
    kinds = {json.loads(line)['kind'] for line in lines}
    assert {'frame', 'message', 'receiver'} <= kinds, kinds
    with open(day, 'w') as file:
        file.write('\n'.join(lines))
    notes = len(bench.notes())
    result = bench.run('rule', 'test', 'near', '--file', bench.file, '--replay', day, '--expect', '3')
    assert result.returncode == 0, (result.stdout, result.stderr)
    assert len(bench.notes()) == notes


def test_nothing_is_done_twice_after_kills(bench):
    """Killed again and again while rules run: no program is started twice for a firing, and what was begun is told."""
    bench.write(rules=[{'id': 'r', 'cooldown': '0s', 'maxPerHour': 3600, 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'note'}}]}])
    asked = 0
    for round in range(40):
        home = bench.home().ready()
        connection = home.connect()
        try:
            for number in range(20):
                connection.sendall(json.dumps({'id': number, 'call': 'message', 'name': 'go'}).encode() + b'\n')
                asked += 1
                if number == round % 20 and round % 2:
                    home.process.kill()
            # In each second one while it tells of them.
            wait_for(lambda: home.changes('firing') or round % 2, 60, 'the rule to run')
        except OSError:
            pass
        home.process.kill()
        home.process.wait()
    home = bench.home().ready()
    assert home.end() == 0
    firings = [note['firing'] for note in bench.notes()]
    assert len(firings) == len(set(firings)), 'a program was started twice'
    states = dict(bench.rows('SELECT state, count(*) FROM outcomes GROUP BY state'))
    assert 'begun' not in states, states
    kept = {row[0] for row in bench.rows('SELECT firing FROM outcomes')}
    # What was done, or told, was known before to be to be done. The last line of who was killed may be cut.
    assert set(firings) <= kept
    told = [json.loads(line)['firing']['id'] for home in bench.homes for line in list(home.lines) if line.startswith('{"type":"firing"') and line.endswith('}}')]
    assert told and set(told) <= kept and len(told) == len(set(told)), 'a firing was told that is not kept, or twice'
    assert {row[0] for row in bench.rows('SELECT firing FROM records WHERE kind = 0')} == kept
    assert bench.rows('PRAGMA integrity_check') == [('ok',)]


def test_home_assistant_by_a_broker(bench):
    with Broker(bench) as broker:
        def write(**parts):
            bench.write(
                name='My house', outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port, **parts}},
                rules=[{'id': 'told', 'cooldown': '0s', 'when': [{'message': 'bell'}], 'then': [{'publish': {'topic': 'other/topic', 'payload': 'ding'}}]}])

        write()
        home = bench.home().ready()
        broker.has('luna/my_house/status', 'online')
        found = json.loads(next(p for t, p in broker.messages if t == 'homeassistant/device/luna_luna_my_house_lamp/config'))
        assert found['avty_mode'] == 'all' and found['qos'] == 1 and 'o' in found
        number = found['cmps']['custom_light']
        assert number['p'] == 'number' and number['cmd_t'] == 'luna/my_house/tracker/lamp/set/light'
        broker.publish('luna/my_house/tracker/lamp/set/light', '42')
        wait_for(lambda: '"light":42' in (broker.last('luna/my_house/tracker/lamp/state') or ''), 30, 'the value to be set')
        broker.publish('luna/my_house/tracker/lamp/do', 'full')
        wait_for(lambda: '"light":100' in broker.last('luna/my_house/tracker/lamp/state'), 30, 'the action to be done')
        # Of what is longer than any command nobody reads anything, and of what nobody can do the log has no more than a line.
        for size in (900_000, 3_000_000):
            subprocess.run(broker.client('pub', '-t', 'luna/my_house/tracker/lamp/do', '-s'), input=bytes(size), check=True)
        broker.publish('luna/my_house/message/bell', '')
        broker.has('other/topic', 'ding')
        broker.publish('luna/my_house/tracker/lamp/do', 'x' * 60_000)
        wait_for(lambda: any('xxx' in line for line in home.errors), 30, 'the log to tell')
        assert max(map(len, home.errors)) < 1000, [line[:200] for line in home.errors]
        wait_for(lambda: any(t == 'luna/my_house/event' for t, _ in broker.messages), 30, 'the firing to be told')
        # With QoS 1.
        reader = subprocess.Popen(broker.client('sub', '-q', '1', '-C', '1', '-F', '%q', '-t', 'luna/my_house/event'), stdout=subprocess.PIPE, text=True)
        wait_for(lambda: broker.publish('luna/my_house/message/bell', '') or reader.poll() is not None, 30, 'an event to come')
        assert reader.stdout.read().strip() == '1'
        # Home Assistant begins anew: all is said again.
        count = len(broker.messages)
        broker.publish('homeassistant/status', 'online')
        wait_for(lambda: any(t.startswith('homeassistant/device/') for t, _ in broker.messages[count:]), 30, 'everything again')
        home.process.kill()
        broker.has('luna/my_house/status', 'offline')
        # What the broker has kept is not obeyed.
        subprocess.run(broker.client('pub', '-r', '-t', 'luna/my_house/tracker/lamp/set/light', '-m', '7'), check=True)
        home = bench.home().ready()
        broker.has('luna/my_house/status', 'online')
        # It would come before what is sent now.
        broker.publish('luna/my_house/tracker/lamp/set/light', '42')
        values = lambda: [c['value'] for c in home.changes('value') if (c['tracker'], c['property']) == ('lamp', 'light')]
        wait_for(lambda: 42 in values(), 30, 'the value to be set once more')
        assert 7 not in values(), values()
        # A broker that comes back has everything again.
        broker.kill()
        broker.start()
        broker.has('luna/my_house/status', 'online', 60)
        wait_for(lambda: broker.last('homeassistant/device/luna_luna_my_house_lamp/config'), 30, 'the discovery again')
        assert home.end() == 0
        broker.has('luna/my_house/status', 'offline')


def test_who_goes_while_no_home_runs_is_taken_back(bench):
    """By the next home, also where the one before was killed, or has not reached the broker; and nobody else is."""
    with Broker(bench) as broker:
        def write(*trackers, name='My house', port=broker.port):
            bench.write(name=name, outputs={'mqtt': {'host': '127.0.0.1', 'port': port}}, trackers=[{'id': one, 'model': 'lamp'} for one in trackers])

        gone = (None, '', '(null)')
        state = lambda one, base='my_house': f'luna/{base}/tracker/{one}/state'
        found = lambda one, base='my_house': f'homeassistant/device/luna_luna_{base}_{one}/config'
        # Of another home under the same base, of which this one knows nothing.
        others = [state('cellar'), found('cellar'), 'luna/other/status']
        for topic in others:
            broker.publish_retained(topic, 'theirs')
        write('lamp', 'bulb')
        home = bench.home().begun()
        for one in ('lamp', 'bulb'):
            wait_for(lambda: all(broker.last(topic(one)) not in gone for topic in (state, found)), 30, f'{one} to be told of')
        home.process.kill()
        home.process.wait()
        write('bulb')
        home = bench.home().begun()
        wait_for(lambda: all(broker.last(topic('lamp')) in gone for topic in (state, found)), 30, 'the lamp to be taken back')
        assert all(broker.last(topic('bulb')) not in gone for topic in (state, found)), broker.messages
        assert home.end() == 0
        # The home is called otherwise: what it told under its other name goes as well.
        write('bulb', name='Flat')
        home = bench.home().begun()
        broker.has('luna/flat/status', 'online')
        wait_for(lambda: all(broker.last(topic) in gone for topic in (state('bulb'), found('bulb'), 'luna/my_house/status')), 30, 'the other name to be taken back')
        wait_for(lambda: broker.last(found('bulb', 'flat')) not in gone, 30, 'the bulb to be told of')
        assert home.end() == 0
        # One that does not get to the broker keeps it in mind.
        broker.kill()
        write(name='Flat')
        assert bench.home().begun().end() == 0
        broker.start()
        for topic in others:
            broker.publish_retained(topic, 'theirs')
        broker.publish_retained(found('bulb', 'flat'), 'left')
        broker.has(found('bulb', 'flat'), 'left')
        home = bench.home().begun()
        wait_for(lambda: broker.last(found('bulb', 'flat')) in gone, 30, 'the bulb to be taken back')
        assert home.end() == 0
        # It was taken back: by now it may be somebody else's.
        broker.publish_retained(found('bulb', 'flat'), 'theirs')
        broker.has(found('bulb', 'flat'), 'theirs')
        home = bench.home().begun()
        broker.has('luna/flat/status', 'online')
        assert home.end() == 0
        broker.has('luna/flat/status', 'offline')
        for topic in (*others, found('bulb', 'flat')):
            assert broker.last(topic) == 'theirs', (topic, broker.last(topic))


def test_what_a_rule_publishes_is_said_each_time_and_not_again(bench):
    """Also where the broker keeps it: somebody else may say something else there, and is not to be talked over."""
    with Broker(bench) as broker:
        def rule(name, **message):
            return {'id': name, 'cooldown': '0s', 'when': [{'message': name}], 'then': [{'publish': message}]}

        bench.write(
            name='My house', outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port}},
            rules=[rule('light', topic='lamp/set', payload='ON', retain=True), rule('bell', topic='bell/ring', payload='{{rule.name}} at {{place.name}}.')])
        home = bench.home().ready()
        broker.has('luna/my_house/status', 'online')
        said = lambda: [payload for topic, payload in broker.messages if topic == 'lamp/set']
        for count in (1, 2):
            broker.publish('luna/my_house/message/light', '')
            wait_for(lambda: said().count('ON') == count, 30, lambda: f'the lamp to be told {count} times: {said()}')
            broker.publish_retained('lamp/set', 'OFF')
            broker.has('lamp/set', 'OFF')
        # Home Assistant begins anew: it is told how everything is. The bell comes behind that.
        broker.publish('homeassistant/status', 'online')
        broker.publish('luna/my_house/message/bell', '')
        broker.has('bell/ring', 'bell at .')
        assert said() == ['ON', 'OFF'] * 2, said()
        assert home.end() == 0


class Guarded(Broker):
    """A broker that wants TLS and a password."""

    def __init__(self, bench):
        self.certificate, key = certify(bench.directory, ['DNS:localhost', 'IP:127.0.0.1'])
        super().__init__(bench, f'certfile {self.certificate}', f'keyfile {key}', user=('luna', 'open sesame'))

    def client(self, what, *arguments):
        return super().client(what, '--cafile', self.certificate, *arguments)


def test_a_broker_with_tls_and_a_password(bench):
    secret, folder = os.path.join(bench.directory, 'password'), os.path.join(bench.directory, 'other')
    os.mkdir(folder)
    other, _ = certify(folder, ['DNS:localhost', 'IP:127.0.0.1'])
    with Guarded(bench) as broker:
        def home(authorities, password):
            with open(secret, 'w') as file:
                file.write(password)
            os.chmod(secret, 0o600)
            bench.write(name='My house', outputs={'mqtt': {
                'host': '127.0.0.1', 'port': broker.port, 'user': 'luna', 'password': {'file': secret}, 'tls': {'ca': authorities}}})
            return bench.home().begun()

        def lost(home):
            return [c['link'] for c in home.changes('link') if c['name'] == 'broker' and c['link']['state'] == 'lost']

        one = home(broker.certificate, 'open sesame')
        broker.has('luna/my_house/status', 'online')
        with open(f'/proc/{one.process.pid}/cmdline') as words:
            assert 'sesame' not in words.read()
        assert one.end() == 0
        broker.has('luna/my_house/status', 'offline')
        # What is wrong is said, and never the password.
        for authorities, password, words in [(broker.certificate, 'not this one', 'outputs.mqtt'), (other, 'open sesame', '')]:
            count = len(broker.messages)
            one = home(authorities, password)
            wait_for(lambda: lost(one), 60, lambda: f'the broker to be lost: {one.changes("link")}')
            assert words in lost(one)[-1]['text'], lost(one)
            assert one.end() == 0
            assert broker.messages[count:] == [], broker.messages[count:]
            assert not any(password in line for line in one.lines + one.errors), one.errors


def test_home_assistant_reads_every_discovery(bench):
    """Of every kind of property, and of one's own tracker; what is taken out of the file is taken back."""
    made = subprocess.run(['scripts/lib/api-venv', 'home-assistant'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    if made.returncode:
        raise NotRun(f'there is no Home Assistant to be had here: {made.stderr.strip()[-200:]}')
    keys = os.path.join(bench.directory, 'keys.json')
    assert bench.run('tracker', 'export', '--radio', 'virtual:5', keys).returncode == 0
    assert bench.run('owner', 'import', keys, '--state', bench.state).returncode == 0
    device = json.loads(bench.run('owner', 'list', '--state', bench.state, '--format', 'jsonl').stdout.splitlines()[0])
    properties = [{'name': 'on', 'type': 'bool'}, {'name': 'light', 'type': 'number', 'min': 0, 'max': 100, 'unit': '%'}, {'name': 'plain', 'type': 'number'},
                  {'name': 'mode', 'type': 'enum', 'actions': [{'name': 'eco', 'value': 'eco'}, {'name': 'full', 'value': 2}]}, {'name': 'it\'s \\ "Wörter"', 'type': 'text'},
                  {'name': 'свет', 'type': 'bool'}, {'name': 'тень', 'type': 'bool'}]
    mine, lamp = {'id': 'mine', 'name': 'Ключи', 'device': device['name']}, {'id': 'lamp', 'name': 'Lamp', 'model': 'lamp'}
    with Broker(bench) as broker:
        def write(*trackers):
            bench.write(
                name='My house', box={'radio': 'virtual:5'}, trackers=trackers, devices=[{'class': 'Device', 'oemModel': 'lamp', 'managedProperties': properties}],
                outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port}})

        topic = lambda one: f'homeassistant/device/luna_luna_my_house_{one}/config'
        write(mine, lamp)
        home = bench.home().ready()
        for one in ('mine', 'lamp'):
            wait_for(lambda: broker.last(topic(one)), 30, f'the discovery of {one}')
        found = [(name, payload) for name, payload in broker.messages if name.startswith('homeassistant/') and payload]
        parts = json.loads(broker.last(topic('lamp')))['cmps']
        assert len({part['unique_id'] for part in parts.values()}) == len(properties) == len(parts), parts
        platforms = {part['p'] for _, payload in found for part in json.loads(payload)['cmps'].values()}
        assert platforms == {'device_tracker', 'binary_sensor', 'sensor', 'button', 'switch', 'number', 'select'}, platforms
        read = subprocess.run(
            [f'{made.stdout.strip()}/bin/python', 'Tests/integration/home_assistant.py'], input=json.dumps(found), cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert read.returncode == 0, read.stdout
        write(mine)
        home.process.send_signal(signal.SIGHUP)
        wait_for(lambda: broker.last(topic('lamp')) in ('', '(null)'), 30, 'the discovery to go')
        assert broker.last('luna/my_house/tracker/lamp/state') in ('', '(null)')
        assert json.loads(broker.last(topic('mine')))['dev']['name'] == 'Ключи'
        assert home.end() == 0


test_home_assistant_reads_every_discovery.seconds = 300


def owned(bench):
    """The trackers of the simulated room become the owner's; gives their names."""
    keys = os.path.join(bench.directory, 'keys.json')
    assert bench.run('tracker', 'export', '--radio', 'virtual:5', keys).returncode == 0
    assert bench.run('owner', 'import', keys, '--state', bench.state).returncode == 0
    return [json.loads(line)['name'] for line in bench.run('owner', 'list', '--state', bench.state, '--format', 'jsonl').stdout.splitlines()]


def test_where_a_tracker_is_stays_here_but_for_its_zone(bench):
    """With `precision: zone` no coordinate is in anything that the broker is told, also where a rule waits for a location."""
    near, shown = owned(bench)[:2]
    with Broker(bench) as broker:
        rule = lambda name, trigger: {'id': name, 'cooldown': '0s', 'when': [trigger], 'then': [{'exec': {'name': 'note'}}]}
        moves = lambda who: {'property': {'who': who, 'property': 'location', 'changes': True}}

        def write(latitude, place):
            bench.write(
                name='My house', box={'radio': 'virtual:5', 'location': f'static:{latitude},13.5757'}, outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port}},
                places=[{'id': place, 'name': f'The {place}', 'latitude': latitude, 'longitude': 13.5757, 'radius': 200}],
                trackers=[{'id': 'near', 'device': near, 'precision': 'zone'}, {'id': 'shown', 'device': shown}],
                rules=[rule('moved', moves('near')), rule('seen', moves('shown')), rule('said', {'message': 'go'})])

        topic = lambda one, part: f'luna/my_house/tracker/{one}/{part}'
        events = lambda: [json.loads(text)['firing']['rule'] for name, text in list(broker.messages) if name == 'luna/my_house/event']
        # The box is somewhere else when it begins again, and so are they.
        for latitude, place in [(52.4242, 'den'), (52.4642, 'hut')]:
            write(latitude, place)
            home = bench.home().ready()
            for one in ('near', 'shown'):
                broker.has(topic(one, 'zone'), f'The {place}', 60)
            wait_for(lambda: str(latitude) in (broker.last(topic('shown', 'attributes')) or ''), 60, 'the place of who is shown')
            if place == 'hut':
                wait_for(lambda: {'moved', 'seen'} <= set(events()), 60, 'both rules to be told of')
                broker.publish('homeassistant/status', 'online')
                broker.publish('luna/my_house/message/go', '')
                wait_for(lambda: 'said' in events(), 60, 'the last event')
            assert home.end() == 0
        broker.has('luna/my_house/status', 'offline')
        told = [(name, text) for name, text in broker.messages if '/shown/' not in name and '_shown/' not in name]
        expected = {topic('near', part) for part in ('state', 'zone', 'health')} | {'homeassistant/device/luna_luna_my_house_near/config', 'luna/my_house/event'}
        assert expected <= {name for name, _ in told}, told
        # What is taken back in case an earlier run has told it is empty.
        there = [one for one in told if one[1] not in ('', '(null)') and re.search(r'52\.4|13\.5|latitude|longitude|gps_accuracy|attributes', ' '.join(one))]
        assert not there, there


def kept_by(broker):
    """The topics that a broker would give to who comes now."""
    said = subprocess.run(broker.client('sub', '--retained-only', '-W', '2', '-v', '-t', '#'), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return {line.split(' ')[0] for line in said.splitlines()}


def test_nothing_of_a_tracker_that_is_gone_stays_at_the_broker(bench):
    """Taken out of the file while the home runs; and where a tracker is does not stay there when it is not to be told any more."""
    near, shown = owned(bench)[:2]
    with Broker(bench) as broker:
        def write(*trackers):
            bench.write(name='My house', box={'radio': 'virtual:5', 'location': 'static:52.4242,13.5757'}, outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port}},
                        trackers=[*trackers, {'id': 'lamp', 'model': 'lamp'}])

        of = lambda name: {one for one in kept_by(broker) if f'/{name}/' in one or one.endswith(f'_{name}/config')}
        one, other = {'id': 'near', 'device': near}, {'id': 'shown', 'device': shown}
        write(one, other)
        home = bench.home().ready()
        for name in ('near', 'shown'):
            wait_for(lambda: broker.last(f'luna/my_house/tracker/{name}/attributes'), 60, f'where {name} is')
            assert len(of(name)) == 5, of(name)
        # Of another machine.
        broker.publish_retained('luna/other/tracker/near/state', '{}')
        write(other)
        home.process.send_signal(signal.SIGHUP)
        wait_for(lambda: of('near') == {'luna/other/tracker/near/state'}, 15, 'all of it to go')
        assert home.end() == 0
        # Changed while no home runs.
        for precision, left in [('zone', 4), ('off', 0)]:
            write({**other, 'precision': precision})
            home = bench.home().ready()
            wait_for(lambda: len(of('shown')) == left, 15, lambda: f'no more to be kept than with {precision}: {of("shown")}')
            assert not any(one.endswith('/attributes') for one in of('shown'))
            assert home.end() == 0
        assert len(of('lamp')) >= 3, of('lamp')


for test in [test_where_a_tracker_is_stays_here_but_for_its_zone, test_nothing_of_a_tracker_that_is_gone_stays_at_the_broker]:
    test.seconds = 240


class Echoing(Broker):
    """A broker with devices that say what they were set to, which is never what they said before."""

    def read(self, reader):
        count = 0
        for line in reader.stdout:
            topic, _, payload = line.rstrip('\n').partition(' ')
            self.messages.append((topic, payload))
            if topic in ('left/set', 'right/set'):
                count += 1
                self.publish(topic.replace('set', 'state'), str(count))


def test_rules_that_set_each_other_by_an_echo_stop(bench):
    """Each sets what the other waits for; what comes back from the broker belongs to the chain, which is cut."""
    with Echoing(bench) as broker:
        properties = [{'name': name, 'type': 'number', 'notify': True, 'source': {'mqtt': f'{name}/state'}, 'sink': {'mqtt': f'{name}/set'}} for name in ('left', 'right')]
        rule = lambda name, when, then: {'id': name, 'cooldown': '0s', 'maxPerHour': 3600, 'when': [{'property': {'who': 'lamp', 'property': when, 'changes': True}}],
                                         'then': [{'set': {'who': 'lamp', 'property': then, 'value': 0}}]}
        bench.write(name='My house', outputs={'mqtt': {'host': '127.0.0.1', 'port': broker.port}}, rules=[rule('one', 'left', 'right'), rule('two', 'right', 'left')],
                    devices=[{'class': 'Device', 'oemModel': 'lamp', 'managedProperties': properties}])
        home = bench.home().ready()
        broker.has('luna/my_house/status', 'online')
        loops = lambda: {c['held']['rule'] for c in home.changes('held') if c['held']['why'] == 'loop'}
        broker.publish('left/state', '1000')
        wait_for(lambda: loops() == {'one', 'two'}, 30, lambda: f'both rules to be cut: {loops()}')
        count = len(home.changes('firing'))
        assert 1 <= count <= 8, home.changes('firing')
        # They rest: what starts them now does not.
        held = len(home.changes('held'))
        broker.publish('left/state', '2000')
        wait_for(lambda: len(home.changes('held')) > held, 30, 'the rule to rest')
        assert home.end() == 0
        assert len(home.changes('firing')) == count, home.changes('firing')
        for one in ('one', 'two'):
            why = bench.run('rule', 'why', one, '--state', bench.state, '--format', 'jsonl')
            lines = [json.loads(line) for line in why.stdout.splitlines()]
            assert 'loop' in [line.get('why') for line in lines] and 'firing' in [line['type'] for line in lines], lines


def test_a_rule_starts_and_stops_the_gateway(bench):
    """Between a stop and the next start nothing of what is heard is reported."""
    server = Server(bench)
    try:
        os.makedirs(bench.state, mode=0o700)
        for role in ('gateway', 'owner'):
            shutil.copy(server.tokens[role], f'{bench.state}/{role}.token')
        rule = lambda word: {'id': word, 'cooldown': '0s', 'when': [{'message': word}], 'then': [{'finder': word}]}
        bench.write(box={'radio': 'virtual:5', 'location': PLACE}, service={'endpoints': {'Field.Europe': {'url': server.url}}}, rules=[rule('start'), rule('stop')])
        home = bench.home().ready()
        connection = home.connect()
        reader = connection.makefile()

        def say(word):
            count = len(home.changes('outcome'))
            call(connection, reader, call='message', name=word)
            wait_for(lambda: [c['state'] for c in home.changes('outcome')][count:] == ['done'], 60, f'the rule {word}')

        stored = lambda: len(server.events())
        # A home that is no gateway reports nothing of what it hears.
        signals = lambda: len([c for c in home.changes('value') if c['property'] == 'rssi'])
        wait_for(signals, 60, 'somebody to be heard')
        assert stored() == 0
        say('start')
        wait_for(stored, 60, 'what is heard to be reported')
        say('stop')
        # It would report each again after a minute, and is given more than that by what the home goes on hearing.
        last = lambda: max(calendar.timegm(time.strptime(c['time'][:19], '%Y-%m-%dT%H:%M:%S')) for c in home.changes('value'))
        end = last() + 80
        wait_for(lambda: last() > end, 90, 'the home to hear on')
        again = lambda: [heid for heid, count in collections.Counter(heid for heid, _ in server.events()).items() if count > 1]
        assert not again(), again()
        say('start')
        wait_for(again, 60, 'those that were reported before to be reported again')
        assert home.end() == 0
    finally:
        server.stop()


test_a_rule_starts_and_stops_the_gateway.seconds = 300


def lives(process):
    """Whether there is such a process; one that has ended stays in the list where nobody asks for it."""
    try:
        with open(f'/proc/{process}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


def test_ends_in_time(bench):
    """Whatever it is in the middle of; what was not done to its end is told afterwards."""
    bench.write(exec={'slow': ['/bin/sh', '-c', f'sleep 3600 & echo $$ $! >{bench.log}; wait']}, rules=[{'id': 'r', 'when': [{'message': 'go'}], 'then': [{'exec': {'name': 'slow'}}]}])
    home = bench.home().ready()
    connection = home.connect()
    call(connection, connection.makefile(), call='message', name='go')
    wait_for(lambda: bench.rows("SELECT count(*) FROM outcomes WHERE state = 'begun'")[0][0] == 1, 60, 'the program to run')
    # The program takes an hour, and is started with a process of its own.
    wait_for(lambda: os.path.exists(bench.log) and open(bench.log).read().endswith('\n'), 60, 'the program to say who it is')
    program, child = map(int, open(bench.log).read().split())
    assert home.end() == 0
    # Nothing of it goes on without the home.
    wait_for(lambda: not any(lives(process) for process in (program, child)), 10, 'the program to be ended')
    home = bench.home().ready()
    assert home.end() == 0
    assert bench.rows('SELECT state FROM outcomes') == [('interrupted',)]


def test_what_others_have_heard(bench):
    """A gateway hears a tracker and a backend keeps that; the home, which hears nothing itself, learns where it was, once."""
    keys = os.path.join(bench.directory, 'keys.json')
    bench.radio = ('--radio', 'virtual:5')
    Luna(bench, 'tracker', 'export', *bench.radio, keys).ends(0)
    Luna(bench, 'owner', 'import', keys, '--state', bench.state).ends(0)
    devices = [json.loads(line) for line in bench.run('owner', 'list', '--state', bench.state, '--format', 'jsonl').stdout.splitlines()]
    server = Server(bench)
    gateway = finder(bench, 'gateway', *server.at('gateway'), '--batch-time', '1s', '--interval', '2s')
    wait_lines(gateway, 'upload', 2)
    gateway.signal(signal.SIGTERM)
    gateway.ends(0, 60)
    shutil.copy(server.tokens['owner'], f'{bench.state}/owner.token')
    latitude, longitude = (float(part) for part in PLACE.split(':')[1].split(',')[:2])
    bench.write(
        box={'radio': f'h4:tcp:127.0.0.1:{closed_port()}'},
        service={'endpoints': {'Field.Europe': {'url': server.url}}},
        trackers=[{'id': f't{number}', 'device': device['name']} for number, device in enumerate(devices)] + [{'id': 'lost', 'device': 'No such'}],
        places=[{'id': 'home', 'latitude': latitude, 'longitude': longitude, 'radius': 200}],
        rules=[{'id': 'deaf', 'when': [{'system': 'radioLost'}], 'then': [{'exec': {'name': 'note'}}]},
               {'id': 'alone', 'when': [{'system': 'backendLost'}], 'then': [{'exec': {'name': 'note'}}]}])
    home = bench.home().begun()

    def place():
        return [c for c in home.changes('value') if c['property'] == 'zone' and c['value'] == 'home']

    wait_for(place, 60, lambda: f'a tracker to be at home: {home.lines[-20:]}')
    name = place()[0]['tracker']
    wait_for(lambda: any(c['firing']['rule'] == 'deaf' for c in home.changes('firing')), 60, 'the lost radio to be told')
    wait_for(lambda: any(c['name'] == 'backend' and c['link']['state'] == 'works' for c in home.changes('link')), 60, 'the backend to answer')
    connection = home.connect()
    state = call(connection, connection.makefile(), call='state')['result']
    assert state['radio']['state'] == 'lost' and state['backend']['state'] == 'works', state
    assert 'luna doctor' in state['radio']['text'], state['radio']
    assert [notice['kind'] for notice in state['notices']] == ['unusable']
    tracker = next(t for t in state['trackers'] if t['id'] == name)
    location = tracker['properties']['location']['value']
    assert abs(location['latitude'] - latitude) < 0.001 and location['source'] == 'report' and location['accuracy'] >= 40, location
    # Who is not heard nearby is never away, and is not known to be there either.
    assert tracker['properties']['present']['value'] == 'unknown'
    assert home.end() == 0
    count = bench.rows('SELECT count(*) FROM fixes')[0][0]
    assert count > 0
    # The same events again are no news.
    inputs = bench.rows("SELECT count(*) FROM inputs WHERE value LIKE '%\"fix\"%'")[0][0]
    home = bench.home().begun()
    wait_for(lambda: any(c['name'] == 'backend' and c['link']['state'] == 'works' for c in home.changes('link')), 60, 'the backend to answer')
    assert home.end() == 0
    assert bench.rows('SELECT count(*) FROM fixes')[0][0] == count
    assert bench.rows("SELECT count(*) FROM inputs WHERE value LIKE '%\"fix\"%'")[0][0] == inputs
    # Without a backend it goes on.
    server.stop()
    home = bench.home().begun()
    wait_for(lambda: any(c['firing']['rule'] == 'alone' for c in home.changes('firing')), 60, 'the lost backend to be told')
    assert home.end() == 0


def test_demonstration(bench):
    """Without an adapter, a tracker and a file; all of it is marked, and nothing is left."""
    home = bench.home('--demo').ready()
    place = next(line for line in home.errors if 'is kept in' in line).rsplit(' ', 1)[1]
    assert all(c['link']['simulated'] for c in home.changes('link'))
    wait_for(lambda: {c['tracker'] for c in home.changes('value') if c['property'] == 'zone' and c['value'] == 'home'} >= {'wallet', 'camera'}, 60, 'both to be at home')
    bench.state, state = os.path.dirname(place), bench.state
    connection = home.connect()
    # It accepts connections once in 64 s: how that ends is not waited for.
    assert call(connection, connection.makefile(), call='do', tracker='wallet', action='turn_on')['result']['state'] == 'begun'
    assert bench.rows('SELECT count(*) FROM fixes')[0][0] >= 2 * 7 * 96
    bench.state = state
    assert home.end() == 0
    assert not os.path.exists(os.path.dirname(place))


def test_a_demonstration_that_is_told_twice_to_end(bench):
    """It ends at once, leaves nothing either, and does not complain that its own files go."""
    for _ in range(6):
        home = bench.home('--demo').begun()
        place = os.path.dirname(next(line for line in home.errors if 'is kept in' in line).rsplit(' ', 1)[1])
        assert os.path.exists(place)
        home.process.send_signal(signal.SIGTERM)
        home.process.send_signal(signal.SIGINT)
        status = home.process.wait(never(15))
        assert status in (0, 128 + signal.SIGINT, 128 + signal.SIGTERM), (status, home.errors)
        assert not os.path.exists(os.path.dirname(place)), os.listdir(os.path.dirname(place))
        assert not any(word in line for line in home.lines + home.errors for word in ('cannot be kept', 'was deleted or moved')), home.errors


def test_a_capture_is_judged_again(bench):
    """One's own trackers are known in a recording by their keys, whatever they are called in the air."""
    keys, capture = (os.path.join(bench.directory, name) for name in ('keys.json', 'air.pcapng'))
    assert bench.run('tracker', 'export', '--radio', 'virtual:5', keys).returncode == 0
    assert bench.run('owner', 'import', keys, '--state', bench.state).returncode == 0
    device = json.loads(bench.run('owner', 'list', '--state', bench.state, '--format', 'jsonl').stdout.splitlines()[0])
    assert bench.run('capture', '--radio', 'virtual:5', '-w', capture, '-T', lasting(8)).returncode == 0
    bench.write(trackers=[{'id': 'mine', 'device': device['name']}, {'id': 'other', 'match': 'rssi > 100'}], rules=[
        {'id': who, 'cooldown': '0s', 'when': [{'property': {'who': who, 'property': 'heardBy', 'changes': True}}], 'then': [{'exec': {'name': 'note'}}]}
        for who in ('mine', 'other')])
    words = ['--file', bench.file, '--replay', capture, '--state', bench.state, '--format', 'jsonl']
    result = bench.run('rule', 'test', *words)
    fired = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0 and [line['rule'] for line in fired] == ['mine'], result
    assert fired[0]['who'] == 'mine'
    assert bench.run('rule', 'test', 'other', *words).returncode == 1
    assert bench.notes() == []
