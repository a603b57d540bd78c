"""The app of a home: its API by raw requests, and its screens in a real Chromium."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from backends import LUNA, PATIENCE, ROOT, until_limited
from bench import free_port, never, wait_for
from browser import Browser, axe
from remains import end_family

IN_VM = False
PASSWORD = 'correct horse battery staple'
SCRIPT = '<img src=x onerror="canary=1"><script>canary=1</script>'
# What a browser logs of an answer with an error that the page shows, and of a server that is away.
EXPECTED = ('the server responded with a status of 4', 'ERR_CONNECTION_REFUSED', 'ERR_INCOMPLETE_CHUNKED_ENCODING')
FILE = {
    'name': 'Our house',
    'places': [{'id': 'home', 'name': 'Home', 'latitude': 52.5, 'longitude': 13.4, 'radius': 100}],
    'trackers': [
        {'id': 'heating', 'name': 'Heating', 'model': 'tstat-1', 'tags': ['warm']},
        {'id': 'odd', 'name': SCRIPT, 'model': 'tstat-1'},
    ],
    'devices': [{'class': 'Device', 'oemModel': 'tstat-1', 'managedProperties': [
        {'name': 'temp_setpoint', 'control': 'decimal_input', 'type': 'number'},
        {'name': 'on_off', 'actions': [{'name': 'turn_off', 'value': 0}, {'name': 'turn_on', 'value': 1}]},
        {'name': 'mystery', 'control': 'mine'},
    ]}],
    'userExperience': {'controls': [{'name': 'mine', 'class': 'NoSuchControl'}]},
    'rules': [{'id': 'filed', 'name': 'Of the file', 'when': [{'exit': {'place': 'home'}}], 'then': [{'blink': {}}]}],
}


class Home:
    """A `luna home run`, and requests to it."""

    def __init__(self, file=FILE, **server):
        self.directory = tempfile.mkdtemp(prefix='luna-homeweb.')
        self.port = free_port()
        self.path = os.path.join(self.directory, 'home.json')
        self.file = {**file, 'server': {'listen': f'127.0.0.1:{self.port}', **server}, 'box': {'radio': 'virtual:7'}}
        self.write()
        self.process = None
        self.start()

    def write(self):
        with open(self.path, 'w') as file:
            json.dump(self.file, file)

    def start(self):
        self.log = open(os.path.join(self.directory, 'log'), 'a+')
        self.process = subprocess.Popen([LUNA, 'home', 'run', self.path, '--state', os.path.join(self.directory, 'state'), '--format', 'jsonl'],
                                        stdout=subprocess.DEVNULL, stderr=self.log, start_new_session=True)
        wait_for(self.answers, PATIENCE, 'the home to answer')
        return self

    def answers(self):
        assert self.process.poll() is None, open(self.log.name).read()
        try:
            return self.call('GET', '/readyz').status == 200
        except OSError:
            return False

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.log.close()
        return code

    def close(self):
        end_family(self.process)
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def command(self, *words):
        return subprocess.run([LUNA, 'home', *words, '--state', os.path.join(self.directory, 'state'), '--format', 'jsonl'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)

    def link(self, *words):
        done = self.command(*words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)['link']

    @property
    def base(self):
        return f'http://127.0.0.1:{self.port}'

    def call(self, method, path, body=None, headers=None, source='127.0.0.1'):
        """A request; answers carry status, headers and what their JSON says."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE, source_address=(source, 0))
        sent = dict(headers or {})
        if body is not None:
            sent.setdefault('Content-Type', 'application/json')
            body = json.dumps(body)
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        answer.body = answer.read()
        answer.json = json.loads(answer.body) if re.search('[/+]json', answer.headers.get('Content-Type') or '') else None
        connection.close()
        return answer

    def person(self, link, name, source='127.0.0.1'):
        """Makes the password of an account; gives the headers of its session."""
        kind, secret = re.search(r'/(\w+)#([0-9a-f]+)$', link).groups()
        answer = self.call('POST', f'/api/v1/{kind}', {'secret': secret, 'name': name, 'password': PASSWORD}, {'Origin': self.base}, source)
        assert answer.status == 201, answer.body
        return self.session(answer)

    def session(self, answer):
        return {'Cookie': answer.headers['Set-Cookie'].split(';')[0], 'X-Luna-CSRF': answer.json['csrf'], 'Origin': self.base}


class Bench:
    def __init__(self):
        self.home = Home()
        self.browsers = []
        self.cookie = None
        self.headers = {}

    def tidy(self):
        for browser in self.browsers:
            browser.close()
        self.browsers = []

    def close(self):
        self.tidy()
        self.home.close()

    def owner(self):
        """The headers of the owner's session."""
        if not self.headers:
            self.headers = self.home.person(self.home.link('link'), 'ada')
        return self.headers

    def member(self, name, role='member', *words):
        return self.home.person(self.home.link('account', *(['invite', name] if role == 'guest' else ['add', name, '--role', role]), *words), name)

    def browser(self, home=None, **how):
        self.browsers.append(Browser((home or self.home).base, **how))
        return self.browsers[-1]

    def signed_in(self, home=None, headers=None, **how):
        """A browser in which the owner is signed in, or who these headers are of."""
        name, value = (headers or self.owner())['Cookie'].split('=', 1)
        browser = self.browser(home, **how)
        browser.open('/ui/sign-in')
        browser.driver.add_cookie({'name': name, 'value': value, 'path': '/', 'sameSite': 'Strict', 'httpOnly': True})
        browser.open('/ui/')
        browser.says('Sign out')
        return browser


def prepare(mode):
    return Bench()


def code_of(answer):
    return answer.status, answer.json['code']


# Raw requests


def test_only_names_of_its_own(bench):
    home = bench.home
    for host in ['evil.example', 'evil.example:80', f'127.0.0.1.evil.example:{home.port}', '192.0.2.1']:
        answer = home.call('GET', '/api/v1/session', headers={'Host': host})
        assert code_of(answer) == (403, 'host'), (host, answer.body)
        assert home.call('GET', '/ui/', headers={'Host': host}).status == 403
        # The host of a whole address counts, not the other one.
        answer = home.call('GET', f'http://{host}/api/v1/session', headers={'Host': 'localhost'})
        assert code_of(answer) == (403, 'host'), (host, answer.body)
    for host in [f'localhost:{home.port}', '[::1]:1', '127.0.0.1']:
        assert home.call('GET', '/api/v1/session', headers={'Host': host}).status == 200, host


def test_the_first_account_by_a_link_that_works_once(bench):
    home = Home()
    try:
        assert home.call('GET', '/api/v1/session').json == {'signedIn': False, 'setupNeeded': True}
        assert code_of(home.call('GET', '/api/v1/me')) == (401, 'unauthorized')
        assert '/setup#' in open(home.log.name).read()
        first, link = home.link('link'), home.link('link')
        secrets = [one.split('#')[1] for one in (first, link)]
        body = {'name': 'ada', 'password': PASSWORD}
        # The one before the last is no longer good; and no other site's page may use one.
        assert code_of(home.call('POST', '/api/v1/setup', {**body, 'secret': secrets[0]}, {'Origin': home.base})) == (403, 'link')
        assert code_of(home.call('POST', '/api/v1/setup', {**body, 'secret': secrets[1]}, {'Origin': 'http://evil.example'})) == (403, 'csrf')
        short = home.call('POST', '/api/v1/setup', {**body, 'secret': secrets[1], 'password': 'short'}, {'Origin': home.base})
        assert code_of(short) == (422, 'password')
        answer = home.call('POST', '/api/v1/setup', {**body, 'secret': secrets[1]}, {'Origin': home.base})
        assert answer.status == 201 and answer.json['role'] == 'owner', answer.body
        cookie = answer.headers['Set-Cookie']
        assert cookie.startswith('luna-home=') and 'SameSite=Strict' in cookie and 'HttpOnly' in cookie and 'Secure' not in cookie
        assert code_of(home.call('POST', '/api/v1/setup', {**body, 'name': 'bob', 'secret': secrets[1]}, {'Origin': home.base})) == (403, 'link')
        me = home.call('GET', '/api/v1/me', headers=home.session(answer)).json
        assert (me['account'], me['role']) == ('ada', 'owner')
        # From then on such a link signs the owner in.
        again = home.call('POST', '/api/v1/setup', {'secret': home.link('link').split('#')[1]}, {'Origin': home.base})
        assert again.status == 201 and again.json['account'] == 'ada', again.body
    finally:
        home.close()


def test_changes_need_the_token_and_the_origin(bench):
    home, owner = bench.home, bench.owner()
    for missing in ['X-Luna-CSRF', 'Origin']:
        headers = {name: value for name, value in owner.items() if name != missing}
        assert code_of(home.call('POST', '/api/v1/places', {}, headers)) == (403, 'csrf'), missing
    for name, value in [('X-Luna-CSRF', '0' * 64), ('Origin', 'http://evil.example'), ('Origin', 'null')]:
        assert code_of(home.call('POST', '/api/v1/places', {}, {**owner, name: value})) == (403, 'csrf'), (name, value)
    assert home.call('GET', '/api/v1/trackers', headers={'Cookie': owner['Cookie']}).status == 200


def test_answers_carry_a_strict_policy(bench):
    answer = bench.home.call('GET', '/ui/')
    policy = answer.headers['Content-Security-Policy']
    for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]:
        assert part in policy, policy
    assert answer.headers['X-Frame-Options'] == 'DENY' and answer.headers['X-Content-Type-Options'] == 'nosniff'
    moved = bench.home.call('GET', '/join')
    assert (moved.status, moved.headers['Location']) == (303, '/ui/join')


def test_signs_in_and_out_with_a_second_factor(bench):
    home = bench.home
    headers = bench.member('tea')
    sign = lambda: home.call('POST', '/api/v1/session', {'name': 'tea', 'password': PASSWORD}, {'Origin': home.base}, source='127.0.0.9')
    secret = home.call('POST', '/api/v1/me/totp', headers=headers).json['secret']

    def code(step):
        digest = hmac.new(base64.b32decode(secret + '=' * (-len(secret) % 8)), struct.pack('>Q', step), hashlib.sha1).digest()
        offset = digest[19] & 15
        return f'{(struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}'

    assert code_of(home.call('PUT', '/api/v1/me/totp', {'code': 'nonono'}, headers)) == (422, 'code')
    step = int(time.time()) // 30
    recovery = home.call('PUT', '/api/v1/me/totp', {'code': code(step)}, headers).json['recoveryCodes']
    assert len(recovery) == 10
    half = sign()
    assert half.json == {'totpNeeded': True}
    waiting = {'Cookie': half.headers['Set-Cookie'].split(';')[0], 'Origin': home.base}
    # The password alone opens nothing; a code is good once.
    assert home.call('GET', '/api/v1/trackers', headers=waiting).status == 401
    assert home.call('POST', '/api/v1/session/totp', {'code': code(step)}, waiting).status == 401
    whole = home.call('POST', '/api/v1/session/totp', {'code': recovery[0]}, waiting)
    assert whole.status == 200, whole.body
    waiting = {'Cookie': sign().headers['Set-Cookie'].split(';')[0], 'Origin': home.base}
    assert home.call('POST', '/api/v1/session/totp', {'code': recovery[0]}, waiting).status == 401
    session = home.session(whole)
    assert home.call('DELETE', '/api/v1/session', headers=session).status == 204
    assert home.call('GET', '/api/v1/me', headers=session).status == 401


def test_guessing_is_slow(bench):
    home = bench.home
    bench.owner()
    answers = []

    def ask():
        answers.append(home.call('POST', '/api/v1/session', {'name': f'nobody{len(answers)}', 'password': 'wrong horse battery'},
                                 {'Origin': home.base}, source='127.0.0.77'))
        return answers[-1]

    statuses = until_limited(ask, 10, 1 / 6)
    assert set(statuses[:-1]) == {401}, statuses
    assert int(answers[-1].headers['Retry-After']) >= 1


def test_roles(bench):
    home, owner = bench.home, bench.owner()
    member, guest = bench.member('mel'), bench.member('gus', 'guest', '--trackers', 'heating')
    seen = lambda headers: {one['id'] for one in home.call('GET', '/api/v1/trackers', headers=headers).json['trackers']}
    assert seen(owner) == seen(member) >= {'heating', 'odd'} and seen(guest) == {'heating'}
    assert 'radio' in home.call('GET', '/api/v1/trackers', headers=member).json and 'radio' not in home.call('GET', '/api/v1/trackers', headers=guest).json
    # A guest gets 404 for everything that is not theirs.
    for path in ['', '/history?property=on_off', '/track']:
        assert home.call('GET', '/api/v1/trackers/odd' + path, headers=guest).status == 404
        assert home.call('GET', '/api/v1/trackers/heating' + path, headers=guest).status == 200
    assert home.call('POST', '/api/v1/trackers/odd/do', {'action': 'turn_on'}, guest).status == 404
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 1}, guest).status == 403
    for path in ['places', 'rules', 'firings', 'problems']:
        assert home.call('GET', '/api/v1/' + path, headers=guest).status == 404
        assert home.call('GET', '/api/v1/' + path, headers=member).status == 200
    for headers in [guest, member]:
        assert home.call('GET', '/api/v1/accounts', headers=headers).status == 404
    # Rights are looked up for each request: they end at once, and with them the stream, however they end.
    brief = bench.member('gia', 'guest', '--trackers', 'heating')
    other = bench.member('gil', 'guest', '--trackers', 'heating')
    past = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() - 60))
    for headers, name, end in [
            (guest, 'gus', lambda: home.call('DELETE', '/api/v1/accounts/gus', headers={**owner, 'If-Match': '*'}).status == 204),
            (brief, 'gia', lambda: home.call('PUT', '/api/v1/accounts/gia', {'role': 'guest', 'trackers': ['heating'], 'until': past}, {**owner, 'If-Match': '*'}).status == 204),
            (other, 'gil', lambda: home.command('account', 'remove', 'gil').returncode == 0)]:
        stream = http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE)
        stream.request('GET', '/api/v1/stream', headers=headers)
        events = stream.getresponse()
        assert events.status == 200 and events.readline()
        assert end(), name
        began = time.monotonic()
        while events.readline():
            pass
        late = time.monotonic() - began
        print(f'the stream of {name} ended {late:.3f} s after the right was taken')
        assert late < never(1), f'the stream of {name} ended {late:.3f} s after the right was taken'
        stream.close()
        assert home.call('GET', '/api/v1/trackers', headers=headers).status == 401, name
    assert code_of(home.call('DELETE', '/api/v1/accounts/ada', headers={**owner, 'If-Match': '*'})) == (409, 'lastOwner')


def test_tokens_of_programs(bench):
    home = bench.home
    bench.owner()
    done = home.command('account', 'token', 'add', 'program', '--role', 'guest')
    token = json.loads(done.stdout)['token']
    rights = {'Authorization': 'Bearer ' + token}
    assert home.call('GET', '/api/v1/me', headers=rights).json['role'] == 'guest'
    assert home.call('GET', '/api/v1/rules', headers=rights).status == 404
    assert home.call('GET', '/api/v1/me', headers={'Authorization': 'Bearer luna-home-' + '0' * 64}).status == 401
    assert home.command('account', 'token', 'revoke', 'program').returncode == 0
    assert home.call('GET', '/api/v1/me', headers=rights).status == 401
    assert home.command('account', 'token', 'revoke', 'program').returncode == 1
    assert home.command('account', 'remove', 'ada').returncode == 1


def test_sets_a_property_and_tells_it(bench):
    home, owner = bench.home, bench.owner()
    stream = http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE)
    stream.request('GET', '/api/v1/stream', headers=owner)
    events = stream.getresponse()

    def line():
        read = events.readline()
        assert read, 'the stream has ended'
        return read.decode().strip()

    while line() != 'event: hello':
        pass
    answer = home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 20.5}, owner)
    assert answer.status == 202, answer.body
    state = lambda: home.call('GET', '/api/v1/commands/' + answer.json['commandId'], headers=owner).json['state']
    wait_for(lambda: state() == 'done', PATIENCE, lambda: f'the command to be done; it is {state()}')
    last, change = None, None
    # Others tell their values, too.
    while change != ('heating', 'temp_setpoint', 20.5):
        text = line()
        last = text[4:] if text.startswith('id: ') else last
        if text == 'event: value':
            told = json.loads(line().removeprefix('data: '))
            change = told['tracker'], told['property'], told['value']
    value = home.call('GET', '/api/v1/trackers/heating', headers=owner).json['properties']['temp_setpoint']
    assert value['value'] == 20.5 and value['at'].endswith('Z')
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'fly'}, owner).status == 409
    # Who comes back gets what was missed; of what nobody knows any more, all is to be asked for anew.
    assert home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 21}, owner).status == 202
    for seen, expected in [(last, 'value'), ('1', 'reset')]:
        again = http.client.HTTPConnection('127.0.0.1', home.port, timeout=PATIENCE)
        again.request('GET', '/api/v1/stream', headers={**owner, 'Last-Event-ID': seen})
        events = again.getresponse()
        found = set()
        while expected not in found:
            text = events.readline().decode()
            assert text
            if text.startswith('event: '):
                found.add(text[7:].strip())
        again.close()
    stream.close()


def test_places_and_rules_with_etags(bench):
    home, owner = bench.home, bench.owner()
    made = home.call('POST', '/api/v1/places', {'name': 'Work', 'latitude': 52.4, 'longitude': 13.3, 'radius': 200}, owner)
    assert made.status == 201, made.body
    path, tag = '/api/v1/places/' + made.json['id'], made.headers['ETag']
    changed = {**made.json, 'radius': 300}
    assert code_of(home.call('PUT', path, changed, owner)) == (428, 'ifMatch')
    assert code_of(home.call('PUT', path, changed, {**owner, 'If-Match': '"0"'})) == (412, 'changed')
    second = home.call('PUT', path, changed, {**owner, 'If-Match': tag})
    assert second.status == 200 and second.json['radius'] == 300 and second.headers['ETag'] != tag
    refused = home.call('POST', '/api/v1/places', {'latitude': 52, 'longitude': 13, 'radius': 3}, owner)
    assert refused.status == 422 and refused.json['problems'], refused.body
    # What stands in the file is the file's.
    for path in ['places/home', 'rules/filed']:
        got = home.call('GET', '/api/v1/' + path, headers=owner)
        assert got.json['managedBy'].startswith('file:')
        for method, body in [('PUT', got.json), ('DELETE', None)]:
            answer = home.call(method, '/api/v1/' + path, body, {**owner, 'If-Match': got.headers['ETag']})
            assert code_of(answer) == (409, 'managedByFile') and answer.json['line'] >= 1
    # The app starts no program and reaches no new address.
    for action in [{'exec': {'name': 'x'}}, {'webhook': {'url': 'http://192.0.2.1/'}}]:
        assert code_of(home.call('POST', '/api/v1/rules', {'when': [{'system': 'start'}], 'then': [action]}, owner)) == (422, 'fileOnly')
    rule = {'id': 'mine', 'name': 'Mine', 'when': [{'property': {'who': 'heating', 'property': 'temp_setpoint', 'above': 25}}],
            'then': [{'set': {'who': 'heating', 'property': 'on_off', 'value': 0}}]}
    made = home.call('POST', '/api/v1/rules', rule, owner)
    assert made.status == 201, made.body
    assert home.call('POST', '/api/v1/rules', rule, owner).status == 409
    # It holds at once, and says why it ran; also where a value comes so soon after others that it alone is told.
    for value in [20, 26]:
        home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': value}, owner)
    ran = wait_for(lambda: home.call('GET', '/api/v1/firings?rule=mine', headers=owner).json['firings'], PATIENCE, 'the rule to run')
    assert ran[0]['rule'] == 'mine'
    tested = home.call('POST', '/api/v1/rules/test', {'rule': {**rule, 'id': 'other'}}, owner)
    assert tested.status == 200 and {'inputs', 'outcomes'} <= tested.json.keys(), tested.body
    assert home.call('DELETE', '/api/v1/rules/mine', headers={**owner, 'If-Match': made.headers['ETag']}).status == 204
    assert home.call('GET', '/api/v1/rules/mine', headers=owner).status == 404


def test_shows_what_was_made_here(bench):
    home, owner = bench.home, bench.owner()
    place = {'id': 'shed', 'name': 'Shed', 'latitude': 52.6, 'longitude': 13.5, 'radius': 40}
    made = home.call('POST', '/api/v1/places', place, owner)
    assert made.status == 201, made.body
    try:
        shown = home.command('show', home.path)
        assert shown.returncode == 0, shown.stderr
        lines = [json.loads(line) for line in shown.stdout.splitlines()]
        assert {line['origin'] for line in lines} == {'file', 'default', 'web'}, lines
        mine = [line for line in lines if line['origin'] == 'web' and line['path'].startswith('/places/')]
        # The place of the file is the first one.
        assert 'shed' in [json.loads(line['value'])['id'] for line in mine] and '/places/0' not in [line['path'] for line in mine], mine
        # To be pasted into the file, which then says it.
        pasted = home.command('show', '--objects')
        assert pasted.returncode == 0 and place in json.loads(pasted.stdout)['places'], pasted
    finally:
        assert home.call('DELETE', '/api/v1/places/shed', headers={**owner, 'If-Match': made.headers['ETag']}).status == 204


def test_the_file_wins_over_what_was_made_here(bench):
    home, owner = bench.home, bench.owner()
    rule = {'id': 'later', 'name': 'Here', 'when': [{'beaconIn': {}}], 'then': [{'blink': {}}]}
    assert home.call('POST', '/api/v1/rules', rule, owner).status == 201
    home.file['rules'] = [*FILE['rules'], {**rule, 'name': 'There'}]
    home.write()
    assert home.call('POST', '/api/v1/reload', headers=owner).status == 200
    names = [one['name'] for one in home.call('GET', '/api/v1/rules', headers=owner).json['rules'] if one['id'] == 'later']
    assert names == ['There']
    home.file['places'] = 7
    home.write()
    answer = home.call('POST', '/api/v1/reload', headers=owner)
    assert answer.status == 422 and answer.json['problems'], answer.body
    # The one before goes on.
    assert home.call('GET', '/api/v1/places/home', headers=owner).status == 200
    home.file['places'] = FILE['places']
    home.write()
    assert home.call('POST', '/api/v1/reload', headers=owner).status == 200


def test_every_answer_is_described(bench):
    home, owner = bench.home, bench.owner()
    document = home.call('GET', '/openapi.json').json
    assert document['openapi'].startswith('3.1')
    operations = [operation['operationId'] for methods in document['paths'].values() for operation in methods.values()]
    assert len(operations) == len(set(operations))
    for path, methods in document['paths'].items():
        for method, operation in methods.items():
            if path in ['/api/v1/stream', '/api/v1/session']:
                continue
            for headers in [{}, owner]:
                place = re.sub(r'\{\w+\}', 'nothing', path)
                body = {} if 'requestBody' in operation else None
                answer = home.call(method.upper(), place, body, headers)
                assert str(answer.status) in operation['responses'], (method, path, answer.status, answer.body)
    for method, path in [('PATCH', '/api/v1/trackers'), ('GET', '/api/v1/nothing')]:
        assert home.call(method, path, headers=owner).status in (404, 405)


# In a browser


def test_from_the_link_to_the_live_list_by_keyboard_alone(bench):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    home = Home()
    try:
        browser = bench.browser(home)
        browser.open(home.link('link').removeprefix(home.base))
        keys = lambda *what: ActionChains(browser.driver).send_keys(*what).perform()
        browser.find('box', 'Password again')
        browser.has_focus('Name')
        assert '#' not in browser.driver.current_url
        keys('ada', Keys.TAB, PASSWORD, Keys.TAB, PASSWORD, Keys.ENTER)
        # Name and place stand in the file; who is told is said there, too.
        wait_for(lambda: 'Heating' in browser.text() or 'Who is told?' in browser.text(), PATIENCE, 'the next step')
        if 'Heating' not in browser.text():
            keys(Keys.ENTER)
        browser.says('Heating')
        browser.says('2 trackers')
        browser.settle()
        browser.is_clean(EXPECTED)
    finally:
        bench.tidy()
        home.close()


def test_names_of_others_stay_text_and_changes_come_by_themselves(bench):
    browser = bench.signed_in()
    browser.says(SCRIPT)
    browser.press('Heating')
    browser.says('Properties')
    # A control of an unknown class says so.
    browser.says('NoSuchControl')
    bench.home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 17.5}, bench.owner())
    wait_for(lambda: browser.value('temp_setpoint') == '17.5', PATIENCE, 'the new value')
    browser.fill('temp_setpoint', '23')
    got = lambda: bench.home.call('GET', '/api/v1/trackers/heating', headers=bench.owner()).json['properties']['temp_setpoint']['value']
    wait_for(lambda: got() == 23, PATIENCE, 'the home to have the value of the browser')
    browser.open('/ui/screens/map')
    browser.says('Without a position')
    browser.is_clean(EXPECTED)


def test_makes_a_place_and_a_rule(bench):
    browser = bench.signed_in()
    browser.open('/ui/screens/places')
    browser.says('stands in home.json:')
    # What the file has can be copied, and the copy changed.
    browser.press('Make my own copy: Home')
    browser.press('Edit: Home (copy)')
    browser.write('Radius, m', '70')
    browser.press('Save')
    browser.says('70 m')
    browser.press('New place')
    browser.write('Name', 'Garden')
    for name, value in [('Latitude', '52.51'), ('Longitude', '13.41'), ('Radius, m', '50')]:
        browser.write(name, value)
    browser.press('Save')
    browser.press('Edit: Garden')
    browser.write('Radius, m', '60')
    # What most people leave as it is, is folded.
    unfold = lambda: wait_for(lambda: browser.script("const one = document.querySelector('main details'); if (one) one.open = true; return Boolean(one)"), PATIENCE, 'the form')
    unfold()
    browser.write('Time to leave', 'soon')
    browser.press('Save')
    wait_for(lambda: browser.script("return document.querySelector('[aria-invalid]')?.labels[0].textContent") == 'Time to leave', PATIENCE, 'what is wrong beside its box')
    for name, value in [('Outside from, m', '90'), ('Time to enter', '30s'), ('Time to leave', '5m'), ('Stays from', '10m'), ('Colour', '#2a7f62')]:
        browser.write(name, value)
    browser.press('Save')
    browser.says('60 m')
    [garden] = [one for one in bench.home.call('GET', '/api/v1/places', headers=bench.owner()).json['places'] if one.get('name') == 'Garden']
    assert [garden.get(key) for key in ('leaveRadius', 'enterAfter', 'leaveAfter', 'dwell', 'color')] == [90, '30s', '5m', '10m', '#2a7f62'], garden
    # An empty box leaves it to the home again, and what was not touched stays.
    browser.press('Edit: Garden')
    unfold()
    browser.fill('Time to enter', '')
    browser.press('Save')
    def again():
        [garden] = [one for one in bench.home.call('GET', '/api/v1/places', headers=bench.owner()).json['places'] if one.get('name') == 'Garden']
        return 'enterAfter' not in garden and [garden['leaveAfter'], garden['color']] == ['5m', '#2a7f62']
    wait_for(again, PATIENCE, 'the place without its time to enter')
    browser.open('/ui/screens/rules')
    browser.press('New rule')
    browser.write('Name', 'Keys go')
    browser.press('Test on the last week')
    wait_for(lambda: any(text in browser.text() for text in ['Nothing was heard', 'it would have run']), PATIENCE, 'the test')
    browser.press('Save')
    browser.says('Keys go')
    browser.says('When Heating leaves')
    browser.is_clean(EXPECTED)


def test_says_when_the_home_is_away_and_recovers(bench):
    browser = bench.signed_in()
    browser.says('Heating')
    bench.home.end(signal.SIGKILL)
    browser.says('No connection since', 25)
    bench.home.start()
    wait_for(lambda: 'No connection' not in browser.text(), PATIENCE, 'the connection')
    # Without a reload: what changes now is seen.
    browser.script('globalThis.stayed = true')
    browser.press('Heating')
    browser.says('Properties')
    live = lambda: bench.home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 11}, bench.owner()) and \
        browser.value('temp_setpoint') == '11'
    wait_for(live, PATIENCE, 'a change after the home came back')
    assert browser.script('return globalThis.stayed')
    browser.is_clean(EXPECTED + ('ERR_',))


def test_a_session_that_ends_elsewhere_ends_here(bench):
    bench.owner()
    bench.member('eve')
    browser = bench.browser()

    def sign_in():
        browser.write('Name', 'eve')
        browser.write('Password', PASSWORD)
        browser.press('Sign in')
        browser.says('Sign out')

    browser.open('/ui/screens/rules')
    sign_in()
    browser.press('Trackers')
    browser.says('Heating')
    browser.press('Rules')
    browser.says('Of the file')
    # Who gets another role has to sign in again: a click would tell, and it is told by itself, too.
    assert bench.home.command('account', 'edit', 'eve', '--role', 'guest').returncode == 0
    browser.says('You were signed out', 25)
    assert bench.home.command('account', 'edit', 'eve', '--role', 'member').returncode == 0
    # Signing in again where one is leads back, and all of it lives.
    sign_in()
    assert browser.driver.current_url.endswith('/ui/screens/rules'), browser.driver.current_url
    browser.says('Of the file')
    browser.press('Trackers')
    browser.press('Heating')
    browser.says('Properties')
    live = lambda: bench.home.call('POST', '/api/v1/trackers/heating/do', {'action': 'set:temp_setpoint', 'value': 12}, bench.owner()) and \
        browser.value('temp_setpoint') == '12'
    wait_for(live, PATIENCE, 'a change after signing in again')
    # Where there is nobody to sign in any more, it is told as well.
    assert bench.home.command('account', 'remove', 'eve').returncode == 0
    browser.says('You were signed out', 25)
    browser.is_clean(EXPECTED)


def test_the_file_makes_the_app(bench):
    looks = {}
    folder = os.path.join(ROOT, 'scripts/examples/home')
    for name in ['list', 'map', 'thermostat', 'kiosk']:
        with open(os.path.join(folder, name + '.json')) as file:
            text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.M)
        made = json.loads(text)
        if name == 'map':
            made['userExperience']['screens'][-1] |= {'title': 'Who is there?', 'config': {'windowBackgroundColor': '#ffffff'}}
        home = Home(made)
        try:
            browser = bench.browser(home)
            if name == 'map':
                browser.open('/ui/sign-in')
                browser.says('Who is there?')
                assert browser.script('return getComputedStyle(document.body).backgroundColor') == 'rgb(255, 255, 255)'
            browser.open(home.link('link').removeprefix(home.base))
            browser.write('Name', 'ada')
            browser.write('Password', PASSWORD)
            browser.write('Password again', PASSWORD)
            browser.press('Make the account')
            wait_for(lambda: 'Sign out' in browser.text() or '/ui/welcome' in browser.driver.current_url or browser.driver.current_url.endswith('/ui/'), PATIENCE, 'the account')
            browser.open('/ui/')
            if name == 'map':
                wait_for(lambda: browser.script("return document.querySelector('.leaflet-container, .map')"), PATIENCE, 'the map')
            looks[name] = browser.script("return [document.querySelector('h1').textContent, Boolean(document.querySelector('nav')), "
                                         "document.querySelector('.leaflet-container, .map') !== null, getComputedStyle(document.body).backgroundColor]")
            browser.is_clean(EXPECTED)
        finally:
            bench.tidy()
            home.close()
    assert len({str(look) for look in looks.values()}) == 4, looks
    assert looks['map'][2] and not looks['list'][2] and looks['list'][1] and not looks['kiosk'][1], looks


def test_no_way_in_has_barriers(bench):
    """Signing in, the screens of links, what they say when something is wrong, and the form of a rule: small and large, light and
    dark, and at 200 %."""
    rules, found = axe(), []
    owner = bench.owner()
    fresh = Home()

    def look(what):
        found.extend((size, is_dark, what, *one) for one in browser.barriers(rules))
        # Whose password it is only the home knows, by the link: that is no mistake, and Chromium's advice of none.
        browser.is_clean(EXPECTED + ('[DOM] Password forms should have',))

    try:
        bench.member('ina')
        for size in ['small', 'page', 'zoomed']:
            for is_dark in [False, True]:
                browser = bench.browser(size=size, is_dark=is_dark)
                for page in ['sign-in', 'sign-in?ended=1', 'setup', 'join', 'reset', 'verify']:
                    # Without a secret, and with one that is not good.
                    for secret in ['', '#' + '0' * 64]:
                        browser.open('/ui/about')
                        browser.open(f'/ui/{page}{secret}')
                        look(page + secret)
                for page in ['join', 'reset']:
                    browser.open('/ui/about')
                    browser.open(f'/ui/{page}#' + '0' * 64)
                    browser.write('Password', PASSWORD)
                    browser.write('Password again', PASSWORD)
                    browser.press('Make the account' if page == 'join' else 'Use this password')
                    assert 'it is used, too old, or not for this' in browser.alert(), browser.alert()
                    look(page + ' refused')
                browser.open('/ui/sign-in')
                browser.write('Name', 'nobody')
                browser.write('Password', 'wrong horse battery')
                browser.press('Sign in')
                browser.alert()
                look('sign-in refused')
                bench.tidy()
                browser = bench.browser(fresh, size=size, is_dark=is_dark)
                browser.open('/ui/setup#' + '0' * 64)
                browser.find('box', 'Password again')
                look('setup of the first')
                browser.open('/ui/sign-in')
                look('sign-in without accounts')
                bench.tidy()
                browser = bench.signed_in(headers=owner, size=size, is_dark=is_dark)
                browser.open('/ui/screens/rules')
                browser.press('New rule')
                browser.has_focus('Name')
                for part in ['Add a trigger', 'Add an action']:
                    browser.press(part)
                browser.press('Test on the last week')
                wait_for(lambda: browser.script("return document.querySelector('main section [role=status]').childElementCount"), PATIENCE, 'what comes of the test')
                look('the form of a rule')
                bench.tidy()
        assert not found, found
    finally:
        fresh.close()


def test_no_screen_has_barriers(bench):
    rules = axe()
    screens = ['/ui/', '/ui/trackers/heating', '/ui/screens/map', '/ui/screens/places', '/ui/screens/rules', '/ui/screens/settings', '/ui/about', '/ui/nothing']
    found = []
    for size in ['phone', 'desk']:
        for is_dark in [False, True]:
            browser = bench.browser(size=size, is_dark=is_dark)
            for page in ['/ui/sign-in', '/ui/setup', '/ui/join#' + '0' * 64]:
                browser.open(page)
                found += [(size, is_dark, page, *one) for one in browser.barriers(rules)]
            bench.tidy()
            browser = bench.signed_in(size=size, is_dark=is_dark)
            for page in screens:
                browser.open(page)
                found += [(size, is_dark, page, *one) for one in browser.barriers(rules)]
                browser.is_clean(EXPECTED)
            for page, button in [('/ui/screens/places', 'New place'), ('/ui/screens/rules', 'New rule')]:
                browser.open(page)
                browser.press(button)
                browser.find('box', 'Name')
                found += [(size, is_dark, button, *one) for one in browser.barriers(rules)]
            bench.tidy()
    assert not found, found


test_no_screen_has_barriers.seconds = 600
test_no_way_in_has_barriers.seconds = 600
test_the_file_makes_the_app.seconds = 180
for test in [test_says_when_the_home_is_away_and_recovers, test_a_session_that_ends_elsewhere_ends_here, test_makes_a_place_and_a_rule, test_roles, test_every_answer_is_described]:
    test.seconds = 180
