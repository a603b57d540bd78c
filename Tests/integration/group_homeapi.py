"""The API of a home by raw requests: trackers and contacts that people make, what they are told, a full disk."""

import base64
import http.client
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time

import pace
from backends import LUNA, PATIENCE
from bench import NotRun, never, wait_for
from browser import axe
from group_homeweb import EXPECTED, FILE, PASSWORD, Bench, Home, code_of
from playing import Played, Showing

IN_VM = False


def prepare(mode):
    return Bench()


class Sink(Played):
    """A server of topics, as ntfy is one."""

    def __init__(self):
        self.requests = []
        super().__init__()

    def answer(self, request):
        self.requests.append((request.path, request.body))
        request.says(200)


class SmallDisk(Home):
    """A home whose state directory is a small file system, in a mount namespace of its own."""

    def start(self):
        self.log = open(os.path.join(self.directory, 'log'), 'a+')
        state = os.path.join(self.directory, 'state')
        os.makedirs(state, exist_ok=True)
        self.private = ['-m'] if os.geteuid() == 0 else ['-r', '-m']
        self.process = subprocess.Popen(
            ['unshare', *self.private, 'sh', '-c', 'mount -t tmpfs -o size=6m,mode=0700 luna "$1" && exec "$2" home run "$3" --state "$1" --format jsonl', 'sh', state, LUNA, self.path],
            stdout=subprocess.DEVNULL, stderr=self.log)
        wait_for(self.answers, PATIENCE, 'the home to answer')
        return self

    def command(self, *words):
        enter = ['nsenter', '-t', str(self.process.pid), '-m'] + ([] if os.geteuid() == 0 else ['-U', '--preserve-credentials'])
        return subprocess.run([*enter, LUNA, 'home', *words, '--state', os.path.join(self.directory, 'state'), '--format', 'jsonl'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)

    @property
    def ballast(self):
        return f'/proc/{self.process.pid}/root{self.directory}/state/ballast'

    def fill(self):
        with open(self.ballast, 'ab', buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass

    def empty(self):
        os.remove(self.ballast)


def ended(home, owner, command):
    """What became of a command, once it has ended."""
    def look():
        answer = home.call('GET', '/api/v1/commands/' + command, headers=owner)
        assert answer.status == 200, answer.body
        return answer.json if answer.json['state'] in ('done', 'failed', 'interrupted', 'expired') else None

    return wait_for(look, 3 * PATIENCE, 'the command to end')


def new_tracker(home, name):
    """A tracker in factory state that is near; gives its code."""
    done = subprocess.run([LUNA, 'tracker', 'create', '--onboardable', name, '--state', os.path.join(home.directory, 'state')],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)['code']


def test_makes_a_tracker_ones_own_changes_and_forgets_it(bench):
    home, owner = bench.home, bench.owner()
    member = bench.member('may')
    code = new_tracker(home, 'box')
    # The room is as it was when the radio began.
    home.end()
    home.start()
    assert home.call('POST', '/api/v1/onboard', {'code': code}, member).status == 403
    for body, status in [({}, 400), ({'code': 'LUNA1:NO'}, 422), ({'picture': 'bm8='}, 422), ({'code': code, 'picture': 'bm8='}, 400), ({'picture': '!'}, 422)]:
        answer = home.call('POST', '/api/v1/onboard', body, owner)
        assert answer.status == status, (body, answer.body)
    # The code as a picture of the label, as a page sends one.
    picture = subprocess.run(['qrencode', '-o', '-', '-s', '6', code], stdout=subprocess.PIPE, check=True).stdout
    begun = home.call('POST', '/api/v1/onboard', {'picture': 'data:image/png;base64,' + base64.b64encode(picture).decode(), 'name': 'My Box!'}, owner)
    assert begun.status == 202, begun.body
    assert code_of(home.call('POST', '/api/v1/onboard', {'code': code}, owner)) == (409, 'action')
    # How an owner makes a tracker their own is nobody else's matter.
    assert home.call('GET', '/api/v1/commands/' + begun.json['commandId'], headers=member).status == 404
    command = ended(home, owner, begun.json['commandId'])
    assert (command['state'], command['tracker']) == ('done', 'my-box'), command
    states = [step['state'] for step in command['steps']]
    assert states[0] == 'begun' and states[-1] == 'done' and 'listening' in states and 'agreeing' in states, states
    answer = home.call('GET', '/api/v1/trackers/my-box', headers=owner)
    tag, tracker = answer.headers['ETag'], answer.json
    assert (tracker['name'], tracker['managedBy'], tracker['keepDays'], 'turn_on' in tracker['actions']) == ('My Box!', 'web', 90, True)
    path = '/api/v1/trackers/my-box'
    assert code_of(home.call('PATCH', path, {'name': 'Other'}, owner)) == (428, 'ifMatch')
    assert code_of(home.call('PATCH', path, {'name': 'Other'}, {**owner, 'If-Match': '"no"'})) == (412, 'changed')
    assert home.call('PATCH', path, {'device': 'x'}, {**owner, 'If-Match': tag}).status == 400
    assert home.call('PATCH', path, {'keepDays': 0}, {**owner, 'If-Match': tag}).status == 422
    assert home.call('PATCH', path, {'name': 'Other'}, {**member, 'If-Match': tag}).status == 403
    changed = home.call('PATCH', path, {'name': 'Other', 'tags': ['red'], 'keepDays': 7, 'icon': None}, {**owner, 'If-Match': tag})
    assert changed.status == 200 and (changed.json['name'], changed.json['tags'], changed.json['keepDays']) == ('Other', ['red'], 7), changed.body
    tag = changed.headers['ETag']
    # What the file has is the file's.
    assert code_of(home.call('PATCH', '/api/v1/trackers/heating', {'name': 'x'}, {**owner, 'If-Match': '*'})) == (409, 'managedByFile')
    assert code_of(home.call('DELETE', '/api/v1/trackers/heating', headers={**owner, 'If-Match': '*'})) == (409, 'managedByFile')
    assert home.call('PATCH', '/api/v1/trackers/nothing', {'name': 'x'}, {**owner, 'If-Match': '*'}).status == 404
    # It lasts.
    home.end()
    home.start()
    assert home.call('GET', path, headers=owner).json['name'] == 'Other'
    rule = {'id': 'needs', 'when': [{'beaconIn': {'who': 'my-box'}}], 'then': [{'blink': {}}]}
    made = home.call('POST', '/api/v1/rules', rule, owner)
    assert made.status == 201, made.body
    assert code_of(home.call('DELETE', path, headers={**owner, 'If-Match': tag})) == (409, 'inUse')
    assert home.call('DELETE', '/api/v1/rules/needs', headers={**owner, 'If-Match': made.headers['ETag']}).status == 204
    rows = lambda: sqlite3.connect(f'file:{home.directory}/state/home.sqlite?mode=ro', uri=True).execute(
        "SELECT count(*) FROM series WHERE tracker = 'my-box'").fetchone()[0]
    wait_for(rows, PATIENCE, 'something to be kept of it')
    assert home.call('DELETE', path + '?history=perhaps', headers={**owner, 'If-Match': tag}).status == 400
    assert home.call('DELETE', path + '?history=true&keys=true', headers={**owner, 'If-Match': tag}).status == 204
    assert home.call('GET', path, headers=owner).status == 404
    assert rows() == 0


def test_sealed_keys_are_opened_in_the_app(bench):
    """Without a passphrase a home begins all the same, says so, and listens once somebody has given it."""
    home, owner = bench.home, bench.owner()
    member = bench.member('sam')
    code = new_tracker(home, 'bike')
    home.end()
    home.start()
    begun = home.call('POST', '/api/v1/onboard', {'code': code, 'name': 'Bike'}, owner)
    assert ended(home, owner, begun.json['commandId'])['state'] == 'done'
    home.end()
    secret = os.path.join(home.directory, 'passphrase')
    with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
        file.write('correct horse')
    done = subprocess.run([LUNA, 'owner', 'seal', '--new-passphrase-file', secret, '--state', os.path.join(home.directory, 'state')],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    home.start()
    kinds = lambda: [one['kind'] for one in home.call('GET', '/api/v1/problems', headers=owner).json['notices']]
    heard = lambda: home.call('GET', '/api/v1/trackers/bike', headers=owner).json['properties'].get('present', {}).get('value') == 'yes'
    wait_for(lambda: 'locked' in kinds(), PATIENCE, 'the notice')
    assert code_of(home.call('POST', '/api/v1/trackers/bike/do', {'action': 'ping'}, owner)) == (423, 'locked')
    assert code_of(home.call('POST', '/api/v1/onboard', {'code': code}, owner)) == (423, 'locked')
    # What needs no keys works.
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:target', 'value': 20}, owner).status in (202, 409)
    assert home.call('POST', '/api/v1/unlock', {'passphrase': 'correct horse'}, member).status == 403
    assert code_of(home.call('POST', '/api/v1/unlock', {'passphrase': 'wrong horse'}, owner)) == (422, 'passphrase')
    assert home.call('POST', '/api/v1/unlock', {}, owner).status == 400
    assert 'locked' in kinds()
    assert home.call('POST', '/api/v1/unlock', {'passphrase': 'correct horse'}, owner).status == 204
    assert 'locked' not in kinds()
    wait_for(heard, 2 * PATIENCE, 'the tracker to be heard')
    pinged = home.call('POST', '/api/v1/trackers/bike/do', {'action': 'ping'}, owner)
    assert pinged.status == 202 and ended(home, owner, pinged.json['commandId'])['state'] == 'done', pinged.body
    # It holds until the service ends.
    home.end()
    home.start()
    wait_for(lambda: 'locked' in kinds(), PATIENCE, 'the notice')
    told = 'Until they are open, trackers are neither recognised nor rung.'
    browser = bench.signed_in(headers=member)
    assert told not in browser.text()
    browser = bench.signed_in()
    browser.says(told)
    assert browser.barriers(axe()) == []
    browser.write('Passphrase', 'wrong horse')
    browser.press('Unlock')
    assert 'passphrase' in browser.alert().lower()
    browser.write('Passphrase', 'correct horse')
    browser.press('Unlock')
    browser.says('The keys are open until the service ends.')
    wait_for(lambda: told not in browser.text(), PATIENCE, 'the card to go')
    assert 'locked' not in kinds()
    browser.is_clean(EXPECTED)


def tiles_file(path, tiles, attribution='Somebody'):
    """An MBTiles file; `tiles` are {(level, column, row from the south): bytes}."""
    with sqlite3.connect(path) as database:
        database.execute('CREATE TABLE metadata (name text, value text)')
        database.execute('CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)')
        database.execute('INSERT INTO metadata VALUES (?, ?)', ('attribution', attribution))
        database.executemany('INSERT INTO tiles VALUES (?, ?, ?, ?)', [(*place, data) for place, data in tiles.items()])
    database.close()
    return path


def test_the_map_comes_from_a_file(bench):
    picture = base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==')
    with tempfile.TemporaryDirectory() as directory:
        path = tiles_file(os.path.join(directory, 'map.mbtiles'), {(0, 0, 0): picture, (2, 1, 3): picture, (2, 0, 0): b'<script>'},
                          '<img src=x> & others')
        home = Home({'name': 'Mapped'}, mbtiles=path)
        try:
            owner = home.person(home.link('link'), 'ada')
            get = lambda place: home.call('GET', '/api/v1/tiles/' + place, headers=owner)
            assert home.call('GET', '/api/v1/tiles/0/0/0').status == 401
            assert 'tiles' not in home.call('GET', '/api/v1/ui').json
            assert home.call('GET', '/api/v1/ui', headers=owner).json['tiles'] == {
                'url': '/api/v1/tiles/{z}/{x}/{y}', 'least': 0, 'most': 2, 'attribution': '<img src=x> & others', 'photographs': False}
            answer = get('0/0/0')
            assert (answer.status, answer.headers['Content-Type'], answer.body) == (200, 'image/png', picture)
            # Rows are counted from the north on the web, from the south in the file.
            assert get('2/1/0').status == 200 and get('2/1/3').status == 404
            # What is no picture is given to nobody.
            assert get('2/0/3').status == 404
            os.unlink(path)
            tiles_file(path, {(level, x, y): picture for level in (0, 1, 2) for x in range(1 << level) for y in range(1 << level)}, '<img src=x onerror="canary=1"> & others')
            browser = bench.signed_in(home, owner)
            browser.open('/ui/screens/map')
            wait_for(lambda: browser.script("return document.querySelectorAll('img.leaflet-tile-loaded').length"), PATIENCE, 'tiles')
            browser.says('<img src=x onerror="canary=1"> & others')
            assert browser.barriers(axe()) == []
            browser.is_clean(EXPECTED)
            # Streets are dark where all is; photographs stay as they are.
            filters = lambda browser: browser.script("return getComputedStyle(document.querySelector('.leaflet-tile-pane .leaflet-layer')).filter")
            assert filters(browser) == 'none'
            dark = bench.signed_in(home, owner, is_dark=True)
            showing = lambda: wait_for(lambda: dark.script("return document.querySelectorAll('img.leaflet-tile').length"), PATIENCE, 'tiles')
            dark.open('/ui/screens/map')
            showing()
            assert 'invert(1)' in filters(dark), filters(dark)
            os.unlink(path)
            tiles_file(path, {(0, 0, 0): b'\xff\xd8\xff\xe0 no more of it'})
            assert home.call('GET', '/api/v1/ui', headers=owner).json['tiles']['photographs'] is True
            dark.open('/ui/screens/map')
            showing()
            assert filters(dark) == 'none'
            os.unlink(path)
            tiles_file(path, {(level, x, y): picture for level in (0, 1, 2) for x in range(1 << level) for y in range(1 << level)})
            for place in ['2/4/0', '2/-1/0', '99/0/0', '2/x/0', '9223372036854775807/0/0', '24/16777216/0']:
                assert get(place).status == 404, place
            # Another file takes its place; a broken one is no map, and the home goes on.
            os.unlink(path)
            assert get('0/0/0').status == 503
            assert home.call('GET', '/api/v1/ui', headers=owner).json['tiles'] is None
            with open(path, 'wb') as file:
                file.write(b'no database' * 1000)
            assert home.call('GET', '/api/v1/ui', headers=owner).json['tiles'] is None
            os.unlink(path)
            tiles_file(path, {(0, 0, 0): b'\x1f\x8b vector tile'})
            assert home.call('GET', '/api/v1/ui', headers=owner).json['tiles'] is None
            os.unlink(path)
            tiles_file(path, {(1, 0, 0): picture})
            assert get('1/0/1').status == 200
        finally:
            home.close()


def test_the_map_comes_from_a_server_that_the_home_asks(bench):
    picture = base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==')
    server = Showing('image/png', picture)
    home = Home({'name': 'Mapped'}, tileURL=server.url + '/map/{z}/{x}/{y}.png')
    try:
        owner = home.person(home.link('link'), 'ada')
        get = lambda place: home.call('GET', '/api/v1/tiles/' + place, headers=owner)
        assert home.call('GET', '/api/v1/tiles/3/1/2').status == 401 and server.asked == []
        for _ in range(2):
            answer = get('3/1/2')
            assert (answer.status, answer.headers['Content-Type'], answer.body) == (200, 'image/png', picture)
        assert server.asked == ['/map/3/1/2.png'], server.asked
        assert get('3/8/0').status == 404 and len(server.asked) == 1
        # The browser asks the home alone.
        browser = bench.signed_in(home, owner)
        browser.open('/ui/screens/map')
        wait_for(lambda: browser.script("return document.querySelectorAll('img.leaflet-tile-loaded').length"), PATIENCE, 'tiles')
        browser.says('127.0.0.1')
        browser.is_clean(EXPECTED)
        # Without the server there is still what was kept.
        server.close()
        assert get('3/1/2').status == 200
        assert get('9/300/200').status in (404, 503)
    finally:
        bench.tidy()
        home.close()


def test_ten_thousand_guesses(bench):
    home = Home()
    try:
        owner = home.person(home.link('link'), 'ada')
        answers, over = [], threading.Event()

        def guess(thread):
            # Wrong passwords make further ones wait; they do not wait for that.
            connection = http.client.HTTPConnection('127.0.0.1', home.port, timeout=1, source_address=(f'127.0.1.{thread}', 0))
            for number in range(1250):
                try:
                    connection.request('POST', '/api/v1/session', json.dumps({'name': 'ada', 'password': f'guess number {thread} {number}'}),
                                       {'Content-Type': 'application/json', 'Origin': home.base})
                    answer = connection.getresponse()
                    answer.read()
                    answers.append(answer.status)
                except TimeoutError:
                    answers.append(None)
                    connection.close()

        threads = [threading.Thread(target=guess, args=(1 + thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        # Whoever is signed in notices nothing.
        while any(thread.is_alive() for thread in threads):
            assert home.call('GET', '/api/v1/trackers', headers=owner).status == 200
            over.wait(0.1)
        assert len(answers) == 10_000 and set(answers) <= {401, 429, None}, {one: answers.count(one) for one in set(answers)}
        # Five are free, and those that are on their way at once.
        assert answers.count(401) <= 5 + 8 and answers.count(None) <= 8 * 20 * pace.slower(), {one: answers.count(one) for one in set(answers)}
    finally:
        home.close()


def test_a_thousand_streams_take_nothing_from_others(bench):
    home = Home()
    streams = []
    try:
        owner = home.person(home.link('link'), 'ada')
        made = home.command('account', 'token', 'add', 'greedy', '--role', 'guest')
        greedy = {'Authorization': 'Bearer ' + json.loads(made.stdout)['token']}

        def open_stream(headers, number=0):
            stream = http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE, source_address=(f'127.0.2.{1 + number % 250}', 0))
            stream.request('GET', '/api/v1/stream', headers=headers)
            streams.append(stream)
            return stream.getresponse()

        statuses = []
        for number in range(1000):
            # Faster than anybody may call is refused as such.
            wait_for(lambda: home.call('GET', '/api/v1/me', headers=greedy).status == 200, PATIENCE, 'a turn') if number % 40 == 0 else None
            statuses.append(open_stream(greedy, number).status)
        assert statuses.count(200) == 16 and set(statuses) <= {200, 429}, {one: statuses.count(one) for one in set(statuses)}
        mine = open_stream(owner)
        assert mine.status == 200
        wait_for(lambda: mine.readline().strip() == b'event: hello', PATIENCE, 'the first event')
        assert home.call('GET', '/api/v1/trackers', headers=owner).status == 200
        # Those that are closed are free again.
        for stream in streams[:-1]:
            stream.close()
        wait_for(lambda: open_stream(greedy).status == 200, PATIENCE, 'a stream for whom they were taken from')
    finally:
        for stream in streams:
            stream.close()
        home.close()


def test_contacts_are_told(bench):
    sink = Sink()
    file = {**FILE, 'notifications': {'channels': [{'id': 'push', 'type': 'ntfy', 'url': f'http://127.0.0.1:{sink.port}', 'topic': 'all'}]},
            'contacts': [{'id': 'bob', 'name': 'Bob', 'ntfy': 'bob'}]}
    home = None
    try:
        other = Bench.__new__(Bench)
        home = other.home = Home(file)
        other.browsers, other.headers = [], {}
        owner, member = other.owner(), other.member('mel')
        made = home.call('POST', '/api/v1/contacts', {'id': 'ann', 'name': 'Ann', 'ntfy': 'anns', 'quiet': [{'from': '22:00', 'to': '07:00'}]}, owner)
        assert made.status == 201 and made.json['managedBy'] == 'web', made.body
        assert home.call('POST', '/api/v1/contacts', {'id': 'eve'}, member).status == 403
        assert code_of(home.call('POST', '/api/v1/contacts', {'id': 'eve', 'quiet': [{'from': 'noon'}]}, owner)) == (422, 'unusable')
        assert code_of(home.call('POST', '/api/v1/contacts', {'id': 'bob'}, owner)) == (409, 'idTaken')
        assert code_of(home.call('DELETE', '/api/v1/contacts/bob', headers={**owner, 'If-Match': '*'})) == (409, 'managedByFile')
        # Who may not change them sees no addresses.
        assert [set(one) for one in home.call('GET', '/api/v1/contacts', headers=member).json['contacts']] == [{'id', 'name', 'managedBy'}] * 2
        changed = home.call('PUT', '/api/v1/contacts/ann', {'name': 'Ann', 'ntfy': 'ann'}, {**owner, 'If-Match': made.headers['ETag']})
        assert changed.status == 200, changed.body
        # A test shows what was said.
        for body, status in [({}, 400), ({'channel': 'push', 'contact': 'ann'}, 400), ({'channel': 'ann'}, 404), ({'contact': 'nobody'}, 404)]:
            assert home.call('POST', '/api/v1/notify/test', body, owner).status == status, body
        assert home.call('POST', '/api/v1/notify/test', {'contact': 'ann'}, member).status == 403
        told = home.call('POST', '/api/v1/notify/test', {'contact': 'ann'}, owner)
        assert told.status == 200, told.body
        result, = told.json['results']
        assert (result['channel'], result['contact'], result['state']) == ('push', 'ann', 'sent') and result['transcript'], result
        topics = lambda: [json.loads(body)['topic'] for _, body in sink.requests]
        assert topics().count('ann') == 1, sink.requests
        # A rule tells a contact that somebody has made here, and the outbox says so.
        rule = {'id': 'tell', 'when': [{'property': {'who': 'heating', 'property': 'on_off', 'is': 1}}], 'then': [{'notify': {'to': ['ann'], 'template': 'it is on'}}]}
        home.file['devices'][0]['managedProperties'][1]['notify'] = True
        home.write()
        assert home.call('POST', '/api/v1/reload', headers=owner).status == 200
        made = home.call('POST', '/api/v1/rules', rule, owner)
        assert made.status == 201, made.body
        assert code_of(home.call('DELETE', '/api/v1/contacts/ann', headers={**owner, 'If-Match': changed.headers['ETag']})) == (409, 'inUse')
        for action in ('turn_off', 'turn_on'):
            assert home.call('POST', '/api/v1/trackers/heating/do', {'action': action}, owner).status == 202
        outbox = lambda: home.call('GET', '/api/v1/outbox', headers=member).json
        sent = wait_for(lambda: [one for one in outbox()['sent'] if one['state'] == 'sent'], PATIENCE, lambda: f'the message to be sent; there is {outbox()}')
        assert (sent[0]['contact'], sent[0]['text']) == ('ann', 'it is on'), sent
        assert topics().count('ann') == 2, sink.requests
        for number in ('1', '99', 'x', '-1'):
            assert home.call('POST', f'/api/v1/outbox/{number}/retry', headers=owner).status == 404
    finally:
        sink.close()
        if home:
            home.close()


def test_gives_a_day(bench):
    home, owner = bench.home, bench.owner()
    home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 19.5}, owner)

    def lines():
        answer = home.call('GET', '/api/v1/export', headers=owner)
        assert answer.status == 200 and answer.headers['Content-Type'].startswith('application/x-ndjson'), answer.body
        found = [json.loads(line) for line in answer.body.splitlines()]
        return [one for one in found if one.get('property') == 'temp_setpoint'] and found

    assert {one['type'] for one in wait_for(lines, PATIENCE, 'the day')} == {'input'}
    assert home.call('GET', '/api/v1/export?day=2001-01-01', headers=owner).body == b''
    assert home.call('GET', '/api/v1/export?day=yesterday', headers=owner).status == 400
    assert home.call('GET', '/api/v1/export', headers=bench.member('max')).status == 404


def test_a_rule_is_tested_with_what_was_heard(bench):
    """The editor's test knows what was heard as luna rule test does with the day that is exported."""
    home = Home({**FILE, 'trackers': [*FILE['trackers'], {'id': 'beacon', 'match': 'rssi > -127'}]})
    try:
        owner = home.person(home.link('link'), 'ada')
        rule = {'id': 'heard', 'cooldown': '0s', 'maxPerHour': 3600, 'when': [{'property': {'who': 'beacon', 'property': 'rssi', 'changes': True}}], 'then': [{'blink': {}}]}
        answered = lambda: home.call('POST', '/api/v1/rules/test', {'rule': rule}, owner).json['outcomes']
        ran = wait_for(lambda: [one for one in answered() if one['type'] == 'firing'], PATIENCE, lambda: f'what was heard to be judged; there is {answered()}')
        assert {one['cause']['tracker'] for one in ran} == {'beacon'}, ran
        # Nothing was done, and what ends before it begins holds nothing.
        assert home.call('GET', '/api/v1/firings?rule=heard', headers=owner).json['firings'] == []
        span = {'from': '2026-01-02T00:00:00Z', 'to': '2026-01-01T00:00:00Z'}
        assert home.call('POST', '/api/v1/rules/test', {'rule': rule, **span}, owner).json == {'inputs': 0, 'outcomes': []}
    finally:
        home.close()


def test_numbers_for_prometheus(bench):
    home, owner = bench.home, bench.owner()
    do = lambda action: home.call('POST', '/api/v1/trackers/heating/do', {'action': action}, owner).status
    rule = {'id': 'counted', 'cooldown': '0s', 'when': [{'property': {'who': 'heating', 'property': 'on_off', 'is': 1}}], 'then': [{'set': {'who': 'odd', 'property': 'on_off', 'value': 0}}]}
    made = home.call('POST', '/api/v1/rules', rule, owner)
    assert made.status == 201, made.body

    def told(number):
        answer = home.call('GET', '/metrics')
        assert answer.status == 200, answer.body
        return answer.body.decode() if re.search(f'^{number}', answer.body.decode(), re.M) else None

    def counted():
        assert do('turn_off') == 202 and do('turn_on') == 202
        return told('luna_home_firings_total{rule="counted"} [1-9]')

    wait_for(counted, PATIENCE, 'the run of the rule to be counted')
    text = wait_for(lambda: told('luna_home_link_works{link="radio"} 1$'), PATIENCE, 'the radio')
    assert home.call('DELETE', '/api/v1/rules/counted', headers={**owner, 'If-Match': made.headers['ETag']}).status == 204
    numbers = dict(re.findall(r'^(\w+(?:{[^}]*})?) (\S+)$', text, re.M))
    assert numbers['luna_home_outbox{state="waiting"}'] == '0' and numbers['luna_home_outbox{state="failed"}'] == '0', numbers
    assert 1e6 < float(numbers['process_resident_memory_bytes']) < 1e9, numbers
    # Each has a type, and no number says where anything is.
    assert {re.match(r'\w+', name)[0] for name in numbers} <= set(re.findall('^# TYPE (\\w+)', text, re.M))
    assert '52.5' not in text and '13.4' not in text


def test_promtool_reads_the_numbers(bench):
    if not shutil.which('promtool'):
        raise NotRun('promtool is not installed: apt-get install prometheus')
    bench.owner()
    answer = bench.home.call('GET', '/metrics')
    assert answer.status == 200, answer.body
    subprocess.run(['promtool', 'check', 'metrics'], input=answer.body, check=True)


def test_a_link_ends_by_itself(bench):
    home = bench.home
    bench.owner()
    secret = home.link('account', 'add', 'late').split('#')[1]
    database = sqlite3.connect(f'{home.directory}/state/home.sqlite', timeout=PATIENCE)
    assert database.execute("UPDATE links SET expires = 1 WHERE kind = 'join'").rowcount >= 1
    database.commit()
    database.close()
    answer = home.call('POST', '/api/v1/join', {'secret': secret, 'password': PASSWORD}, {'Origin': home.base}, source='127.0.0.5')
    assert code_of(answer) == (403, 'link')


def test_goes_on_without_room_on_the_disk(bench):
    file = json.loads(json.dumps(FILE))
    file['devices'][0]['managedProperties'][1]['notify'] = True
    file['rules'].append({'id': 'on', 'cooldown': '0s', 'when': [{'property': {'who': 'heating', 'property': 'on_off', 'is': 1}}],
                          'then': [{'set': {'who': 'heating', 'property': 'temp_setpoint', 'value': 21}}]})
    home = SmallDisk(file)
    try:
        owner = home.person(home.link('link'), 'ada')
        kinds = lambda: {one['kind'] for one in home.call('GET', '/api/v1/problems', headers=owner).json['notices']}
        do = lambda action, **more: home.call('POST', '/api/v1/trackers/heating/do', {'action': action, **more}, owner)
        value = lambda: home.call('GET', '/api/v1/trackers/heating', headers=owner).json['properties']['temp_setpoint']['value']
        assert home.call('GET', '/readyz').json == {'status': 'ok'}
        wait_for(lambda: 'diskLow' in kinds(), PATIENCE, 'a notice of little room')
        stream = http.client.HTTPConnection('127.0.0.1', home.port, timeout=4 * PATIENCE)
        stream.request('GET', '/api/v1/stream', headers=owner)
        events = stream.getresponse()
        home.fill()

        def full():
            home.fill()
            assert do('set:temp_setpoint', value=15).status == 202
            return 'diskFull' in kinds()

        wait_for(full, 2 * PATIENCE, 'a notice of the full disk')
        while b'diskFull' not in events.readline():
            pass
        stream.close()
        assert home.call('GET', '/readyz').json == {'status': 'degraded', 'problems': ['diskFull']}
        # Rules go on, and who asks for a change that is to be kept is told.
        do('turn_off')
        do('turn_on')
        wait_for(lambda: value() == 21, PATIENCE, 'the rule to run')
        refused = home.call('POST', '/api/v1/places', {'id': 'b', 'latitude': 1, 'longitude': 2, 'radius': 50}, owner)
        assert code_of(refused) == (503, 'diskFull'), refused.body
        home.empty()
        # It comes back by itself.
        wait_for(lambda: home.call('GET', '/readyz').json == {'status': 'ok'}, 3 * PATIENCE, 'the home to be well again')
        assert 'diskFull' not in kinds()
        assert home.call('POST', '/api/v1/places', {'id': 'b', 'latitude': 1, 'longitude': 2, 'radius': 50}, owner).status == 201
        ran = wait_for(lambda: home.call('GET', '/api/v1/firings?rule=on', headers=owner).json['firings'], PATIENCE, 'the record of the rule')
        assert ran
        assert home.end() == 0
    finally:
        home.close()


def test_the_stream_tells_a_guest_nothing_of_before(bench):
    home, owner = bench.home, bench.owner()
    seen = home.call('GET', '/api/v1/trackers', headers=owner).json['revision']
    streams = []

    def listen(headers):
        streams.append(http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE))
        streams[-1].request('GET', '/api/v1/stream', headers={**headers, 'Last-Event-ID': seen})
        events = streams[-1].getresponse()
        assert events.status == 200
        return events

    def set_to(value):
        answer = home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': value}, owner)
        assert answer.status == 202, answer.body
        return answer.json['commandId']

    def told(events, last):
        values = []
        while last not in values:
            line = events.readline()
            assert line, 'the stream has ended'
            if line.startswith(b'data: '):
                change = json.loads(line[6:])
                values += [change['value']] if change.get('property') == 'temp_setpoint' else []
        return values

    events = listen(owner)
    command = set_to(17.25)
    told(events, 17.25)
    guest = bench.member('eve', 'guest', '--trackers', 'heating')
    set_to(18.25)
    assert told(listen(owner), 18.25) == [17.25, 18.25]
    assert told(listen(guest), 18.25) == [18.25]
    assert home.call('GET', '/api/v1/commands/' + command, headers=guest).status == 404
    assert home.call('GET', '/api/v1/commands/' + command, headers=owner).status == 200
    for stream in streams:
        stream.close()


def test_a_guest_sees_nothing_else_and_nothing_after_the_end(bench):
    home, owner = bench.home, bench.owner()
    began = time.monotonic()
    guest = bench.member('gil', 'guest', '--trackers', 'heating')
    took = time.monotonic() - began
    command = home.call('POST', '/api/v1/trackers/odd/do', {'action': 'turn_on'}, owner).json['commandId']
    assert home.call('GET', '/api/v1/commands/' + command, headers=guest).status == 404
    for path in ('odd', 'self', 'nothing'):
        for method, rest, body in [('GET', '', None), ('GET', '/history?property=x', None), ('GET', '/track', None), ('POST', '/do', {'action': 'turn_on'})]:
            assert home.call(method, f'/api/v1/trackers/{path}{rest}', body, guest).status == 404, (method, path, rest)
    for path in ('contacts', 'outbox', 'export', 'problems', 'places', 'rules', 'accounts'):
        assert home.call('GET', '/api/v1/' + path, headers=guest).status == 404, path
    # The right ends at a moment; nobody has to do anything. It is not over before the next one has come, as this one did.
    end = int(time.time() + 3 + 4 * took)
    until = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(end))
    brief = bench.member('ulf', 'guest', '--trackers', 'heating', '--until', until)
    stream = http.client.HTTPConnection('127.0.0.1', home.port, timeout=2 * PATIENCE)
    stream.request('GET', '/api/v1/stream', headers=brief)
    events = stream.getresponse()
    first = events.readline()
    assert events.status == 200 and first, (events.status, first)
    while events.readline():
        pass
    # With the right, and not with the heartbeat that it would have 15 s after it began.
    late = time.time() - end
    print(f'the stream of a guest ended {late:.3f} s after the right')
    assert 0 <= late < never(1), f'the stream ended {late:.3f} s after the right'
    stream.close()
    assert home.call('GET', '/api/v1/trackers/heating', headers=brief).status == 401
    # Whose right is changed is signed out.
    end = int(time.time())
    gone = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(end - 60))
    assert home.call('PUT', '/api/v1/accounts/gil', {'role': 'guest', 'trackers': ['heating'], 'until': gone}, {**owner, 'If-Match': '*'}).status == 204
    assert home.call('GET', '/api/v1/trackers/heating', headers=guest).status == 401


def test_a_guest_who_only_sees_rings_nothing(bench):
    """See or ring is given for each tracker; and what was before the invitation is not the guest's."""
    home, owner = bench.home, bench.owner()
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 7}, owner).status == 202
    past = lambda headers: home.call('GET', '/api/v1/trackers/heating/history?property=temp_setpoint', headers=headers).json['values']
    wait_for(lambda: past(owner), PATIENCE, 'a value of before')
    guest = bench.member('gus2', 'guest', '--trackers', 'odd', '--see', 'heating')
    seen = {one['id']: sorted(one['actions']) for one in home.call('GET', '/api/v1/trackers', headers=guest).json['trackers']}
    assert seen == {'heating': [], 'odd': ['turn_off', 'turn_on']}, seen
    for action in ('turn_on', 'blink'):
        assert home.call('POST', '/api/v1/trackers/heating/do', {'action': action}, guest).status == 403, action
    assert home.call('POST', '/api/v1/trackers/odd/do', {'action': 'turn_on'}, guest).status == 202
    assert past(guest) == []
    assert home.call('GET', '/api/v1/trackers/heating/track', headers=guest).json['features'] == []
    # A property changes once a second at most: it is asked for until it does.
    def set_anew():
        assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 9}, owner).status == 202
        return past(guest)
    wait_for(lambda: [one['value'] for one in set_anew()] == [9], PATIENCE, lambda: f'what came since: {past(guest)}')
    # Whoever may ring it later still sees only what was since the invitation.
    assert home.call('PUT', '/api/v1/accounts/gus2', {'role': 'guest', 'trackers': ['heating']}, {**owner, 'If-Match': '*'}).status == 204
    [account] = [one for one in home.call('GET', '/api/v1/accounts', headers=owner).json['accounts'] if one['name'] == 'gus2']
    assert (account['trackers'], account['see']) == (['heating'], []), account


def test_rights_are_changed_by_a_command(bench):
    """The command changes only what it is told, and at once for who is signed in; no home loses its last owner."""
    home, owner = bench.home, bench.owner()
    edit = lambda *words: home.command('account', 'edit', *words)
    account = lambda name: next(one for one in home.call('GET', '/api/v1/accounts', headers=owner).json['accounts'] if one['name'] == name)
    guest = bench.member('gia', 'guest', '--see', 'heating', '--until', '2031-05-06T10:00:00Z')
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'turn_on'}, guest).status == 403
    done = edit('gia', '--trackers', 'heating')
    assert done.returncode == 0 and 'has to sign in again' in done.stderr, done.stderr
    assert home.call('GET', '/api/v1/trackers/heating', headers=guest).status == 401
    made = account('gia')
    assert (made['role'], made['trackers'], made['see'], made['until'][:19]) == ('guest', ['heating'], [], '2031-05-06T10:00:00'), made
    assert edit('gia', '--role', 'member', '--trackers', '', '--until', 'never').returncode == 0
    made = account('gia')
    assert (made['role'], made['trackers'], made['until']) == ('member', [], None), made
    lines = [json.loads(line) for line in home.command('account', 'list').stdout.splitlines()]
    [line] = [line for line in lines if line['name'] == 'gia']
    assert (line['role'], line['trackers'], line['see']) == ('member', [], []) and 'until' not in line, line
    # The only owner stays one, for good: by the command and by the API.
    for words in (['--until', '2031-05-06T10:00:00Z'], ['--role', 'member']):
        done = edit('ada', *words)
        assert done.returncode == 1 and 'luna home account edit NAME --role owner' in done.stdout + done.stderr, (words, done)
    for body in ({'role': 'owner', 'until': '2031-05-06T10:00:00Z'}, {'role': 'guest'}):
        assert code_of(home.call('PUT', '/api/v1/accounts/ada', body, {**owner, 'If-Match': '*'})) == (409, 'lastOwner'), body
    assert home.call('GET', '/api/v1/me', headers=owner).json['role'] == 'owner'
    assert (edit('nobody', '--role', 'member').returncode, edit('gia').returncode, edit('gia', '--until', 'soon').returncode) == (1, 2, 2)


test_goes_on_without_room_on_the_disk.seconds = 120
