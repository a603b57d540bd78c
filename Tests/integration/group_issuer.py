"""A backend as an issuer: programs that are signed in with a code, renewed, and signed out; and as one that takes
the tokens of other issuers: of real servers, and of a hostile one."""

import base64
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from backends import LUNA, PATIENCE, Backend, event, together, until_limited
import pace
from bench import chance, lasting, wait_for
from credentials import Credential
from issuers import Answering, SigningIssuer, base64url, keys_of
from oauth_servers import Browser, Django, Glewlwyd
from telemetry import stored

IN_VM = False
PROCESSES = 20
EXPIRIES = int(os.environ.get('LUNA_EXPIRIES', '20'))


class Bench:
    def __init__(self):
        self.servers = {}
        self.backends = []
        self.running = []
        self.states = []
        self.main = None

    def backend(self, *options, configuration=None):
        """A backend of its own for a test."""
        backend = Backend(*options)
        self.backends.append(backend)
        if configuration:
            path = os.path.join(backend.directory, 'luna.conf')
            with open(path, 'w') as file:
                file.write(configuration)
            backend.options += ['--config', path]
        return backend.start()

    def server(self, kind):
        if kind not in self.servers:
            self.servers[kind] = kind()
        return self.servers[kind]

    def program(self, backend):
        return Program(self, backend)

    def tidy(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.running = []
        for backend in self.backends:
            backend.close()
        self.backends = []
        for state in self.states:
            shutil.rmtree(state, ignore_errors=True)
        self.states = []

    def close(self):
        self.tidy()
        for server in self.servers.values():
            server.close()


class Program(Credential):
    """A state directory from which programs of one user are run."""

    def __init__(self, bench, backend):
        self.bench, self.backend = bench, backend
        self.url = f'http://127.0.0.1:{backend.port}'
        self.state = tempfile.mkdtemp(prefix='luna-issuer.')
        bench.states.append(self.state)

    def luna(self, *words, code=0, **more):
        done = subprocess.run([LUNA, *words, '--state', self.state], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              env=dict(os.environ, NO_PROXY='*', DISPLAY='', WAYLAND_DISPLAY=''), **more)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return done

    def begin(self, *words):
        """Starts a sign-in; gives the process and what it shows."""
        process = subprocess.Popen(
            [LUNA, 'login', '--backend', self.url, *words, '--state', self.state, '--format', 'jsonl'],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, NO_PROXY='*', DISPLAY='', WAYLAND_DISPLAY=''))
        self.bench.running.append(process)
        return process, json.loads(process.stdout.readline())

    def end(self, process, code=0):
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, (process.returncode, errors)
        return output + errors if code else json.loads(output.splitlines()[-1])

    def sign_in(self, key='kitchen'):
        process, prompt = self.begin('--as', f'gateway:{key}')
        approve(self.backend, prompt['userCode'])
        return self.end(process)


def approve(backend, code, *more, status=0):
    done = subprocess.run([LUNA, 'account', 'approve', code, *more, '--store', backend.store, '--format', 'jsonl'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stdout + done.stderr if status else json.loads(done.stdout)


def told_of_programs(backend):
    """What the history says that the command has decided."""
    backend.tokens['admin', 'chief'] = backend.command('token', 'create', 'admin', 'chief', '--role', 'admin')[0]['token']
    told = backend.call('GET', '/v1/changes?audit=1', None, 'admin', 'chief').json['changes']
    return [(one['object'], one['action']) for one in told if (one['kind'], one['actor']) == ('program', 'luna account')]


def form(backend, path, host=None, source='127.0.0.1', **fields):
    """Sends a form; every answer is checked against the document."""
    headers = {'Content-Type': 'application/x-www-form-urlencoded'}
    if host:
        headers['Host'] = host
    return backend.call('POST', path, urllib.parse.urlencode(fields).encode(), headers=headers, source=source)


def device(backend, scope='gateway:kitchen'):
    answer = form(backend, '/oauth/device_authorization', client_id='luna', scope=scope)
    assert answer.status == 200, answer.body
    return answer.json


def tokens(backend, key='kitchen'):
    begun = device(backend, f'gateway:{key}')
    approve(backend, begun['user_code'])
    answer = form(backend, '/oauth/token', client_id='luna', device_code=begun['device_code'],
                  grant_type='urn:ietf:params:oauth:grant-type:device_code')
    assert answer.status == 200, answer.body
    return answer.json


def refresh(backend, token):
    return form(backend, '/oauth/token', client_id='luna', grant_type='refresh_token', refresh_token=token)


def upload(backend, token):
    """Uploads an event with a token; gives the answer."""
    return backend.call('POST', '/trackerEvent', [event()], headers={'Authorization': 'Bearer ' + token})


def prepare(mode):
    return Bench()


# The own issuer


def test_signs_in_a_gateway(bench):
    backend = bench.backend()
    program = bench.program(backend)
    process, prompt = program.begin('--as', 'gateway:kitchen')
    assert prompt['page'] == program.url + '/ui/device', prompt
    shown = approve(backend, prompt['userCode'].lower().replace('-', ' '))
    assert (shown['kind'], shown['name'], shown['from']) == ('gateway', 'kitchen', '127.0.0.1'), shown
    records = backend.call('GET', '/v1/gateways', role='admin').json['gateways']
    assert [(one['key'], one['enrolledBy']) for one in records] == [('kitchen', 'luna account')], records
    account = program.end(process)
    assert (account['issuer'], account['subject'], account['scope']) == (program.url, 'kitchen', 'gateway:kitchen')
    assert json.loads(program.luna('whoami').stdout)['subject'] == 'kitchen'
    token = program.luna('token', 'show').stdout.strip()
    assert token.startswith('luna-access-'), token
    assert upload(backend, token).status == 200
    # It is for a gateway only.
    assert backend.call('POST', '/v1/events/query', {}, headers={'Authorization': 'Bearer ' + token}).status == 403
    assert told_of_programs(backend) == [('kitchen', 'add')]
    # A code works once.
    assert approve(backend, prompt['userCode'], status=1)
    before = program.read()
    program.luna('token', 'refresh', '--force')
    after = program.read()
    assert before['refreshToken'] != after['refreshToken'] and after['generation'] == before['generation'] + 1
    program.luna('logout')
    assert not os.path.exists(program.path)
    assert upload(backend, after['accessToken']).status == 401
    assert refresh(backend, after['refreshToken']).json['error'] == 'invalid_grant'


def test_refuses_a_sign_in(bench):
    backend = bench.backend()
    program = bench.program(backend)
    process, prompt = program.begin('--as', 'gateway')
    approve(backend, prompt['userCode'], '--deny')
    assert 'refused' in program.end(process, code=1)
    assert not os.path.exists(program.path)
    # A person has to be somebody.
    process, prompt = program.begin('--as', 'account')
    assert '--account' in approve(backend, prompt['userCode'], status=2)
    assert 'no account' in approve(backend, prompt['userCode'], '--account', 'nobody', status=1)
    assert told_of_programs(backend) == [('luna', 'refuse')]


def test_demonstration(bench):
    backend = bench.backend('--demo')
    program = bench.program(backend)
    program.luna('login', '--backend', program.url, '--demo')
    assert json.loads(program.luna('whoami').stdout)['subject'] == 'demo'
    other = bench.program(bench.backend())
    assert other.luna('login', '--backend', other.url, '--demo', code=9).stderr
    refused = subprocess.run([LUNA, 'backend', '--listen', '0.0.0.0:0', '--demo'], stderr=subprocess.PIPE, text=True)
    assert refused.returncode == 2, refused.stderr


def test_words_of_oauth(bench):
    backend = bench.backend()
    code = 'urn:ietf:params:oauth:grant-type:device_code'

    def error(path, **fields):
        answer = form(backend, path, **fields)
        assert answer.status == 400, (fields, answer.body)
        return answer.json['error']

    assert error('/oauth/token') == 'invalid_client'
    assert error('/oauth/token', client_id='other', grant_type=code) == 'invalid_client'
    assert error('/oauth/token', client_id='luna') == 'invalid_request'
    assert error('/oauth/token', client_id='luna', grant_type='password') == 'unsupported_grant_type'
    assert error('/oauth/token', client_id='luna', grant_type='urn:luna:demo') == 'unsupported_grant_type'
    assert error('/oauth/token', client_id='luna', grant_type=code) == 'invalid_request'
    assert error('/oauth/token', client_id='luna', grant_type=code, device_code='x') == 'invalid_grant'
    assert error('/oauth/token', client_id='luna', grant_type='refresh_token') == 'invalid_request'
    assert error('/oauth/token', client_id='luna', grant_type='refresh_token', refresh_token='x') == 'invalid_grant'
    assert error('/oauth/device_authorization', client_id='luna', scope='admin') == 'invalid_scope'
    assert error('/oauth/device_authorization', client_id='luna', scope='account owner') == 'invalid_scope'
    assert error('/oauth/device_authorization') == 'invalid_client'
    assert error('/oauth/revoke') == 'invalid_request'
    assert form(backend, '/oauth/revoke', token='nothing').status == 200
    begun = device(backend)
    again = {'client_id': 'luna', 'grant_type': code, 'device_code': begun['device_code']}
    assert error('/oauth/token', **again) == 'authorization_pending'
    assert error('/oauth/token', **again) == 'slow_down'
    # Who says in the head who it is, and is not, is told so there (RFC 6749, 5.2).
    for path in ['/oauth/token', '/oauth/device_authorization']:
        headers = {'Content-Type': 'application/x-www-form-urlencoded', 'Authorization': 'Basic bHVuYTo='}
        answer = backend.call('POST', path, b'grant_type=refresh_token&refresh_token=x', headers=headers)
        assert (answer.status, answer.json['error']) == (401, 'invalid_client'), answer.body
        assert answer.headers['www-authenticate'].startswith('Basic '), answer.headers
    # Twice is not once; JSON is no form; another name is another server.
    twice = b'client_id=luna&client_id=luna&scope=gateway'
    headers = {'Content-Type': 'application/x-www-form-urlencoded'}
    assert backend.call('POST', '/oauth/device_authorization', twice, headers=headers).status == 400
    assert backend.call('POST', '/oauth/token', {'client_id': 'luna'}).status == 415
    assert form(backend, '/oauth/token', host='evil.example', client_id='luna').status == 421
    assert form(backend, '/oauth/token', host=f'127.0.0.1:{backend.port + 1}', client_id='luna').status == 421
    answer = backend.call('GET', '/.well-known/oauth-authorization-server').json
    assert answer['issuer'] == f'http://127.0.0.1:{backend.port}', answer
    # Ten codes a minute for an address.
    ask = lambda: form(backend, '/oauth/device_authorization', client_id='luna', source='127.0.1.1')
    until_limited(ask, 10, 1 / 6)


def test_plain_http(bench):
    backend = bench.backend('--public-url', 'http://luna.example:8080')
    for path in ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server']:
        answer = backend.call('GET', path)
        assert (answer.status, answer.code) == (403, 'plainHttp'), answer.body
    answer = form(backend, '/oauth/device_authorization', host='luna.example:8080', client_id='luna')
    assert (answer.status, answer.code) == (403, 'plainHttp'), answer.body
    # The rest works.
    assert backend.upload([event()]).status == 200
    other = bench.backend('--public-url', 'https://luna.example')
    assert other.call('GET', '/.well-known/oauth-protected-resource').json['resource'] == 'https://luna.example'
    assert form(other, '/oauth/device_authorization', host='luna.example', client_id='luna').status == 200


def test_reuse(bench):
    backend = bench.backend()
    first = tokens(backend)
    lost = refresh(backend, first['refresh_token']).json
    second = refresh(backend, first['refresh_token']).json
    # The answer that was lost is worth nothing; that of before holds on.
    assert upload(backend, lost['access_token']).status == 401
    assert upload(backend, first['access_token']).status == 200
    assert upload(backend, second['access_token']).status == 200
    assert refresh(backend, first['refresh_token']).json == {
        'error': 'invalid_grant', 'error_description': 'it is no token, or has ended'}
    for pair in [first, second]:
        assert upload(backend, pair['access_token']).status == 401
        assert refresh(backend, pair['refresh_token']).json['error'] == 'invalid_grant'
    assert any('used twice' in line['message'] for line in backend.log())
    # A replaced answer that turns up after all ends it too.
    first = tokens(backend)
    lost = refresh(backend, first['refresh_token']).json
    assert refresh(backend, first['refresh_token']).status == 200
    assert refresh(backend, lost['refresh_token']).status == 400
    assert refresh(backend, first['refresh_token']).status == 400
    # No log has a token.
    log = open(backend.log_path).read()
    assert 'luna-access-' not in log and 'luna-refresh-' not in log and 'luna-device-' not in log


def test_many_programs(bench):
    """Of many programs that share a credential one renews it at each expiry, and nobody is signed out."""
    backend = bench.backend()
    program = bench.program(backend)
    program.sign_in()
    generation = program.read()['generation']
    for _ in range(EXPIRIES):
        program.expire()
        with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
            shown = {done.stdout.strip() for done in pool.map(
                lambda _: program.luna('token', 'show'), range(PROCESSES))}
        assert len(shown) == 1, shown
        generation += 1
        assert program.read()['generation'] == generation
        assert upload(backend, shown.pop()).status == 200


def test_killed_programs(bench):
    """Programs that are killed at any moment lose an answer now and then; that is forgiven."""
    backend = bench.backend()
    program = bench.program(backend)
    program.sign_in()
    lots, killed = chance(), 0
    for number in range(EXPIRIES):
        program.expire()
        running = [
            subprocess.Popen([LUNA, 'token', 'show', '--state', program.state], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env=dict(os.environ, NO_PROXY='*'))
            for _ in range(4)]
        # Somewhere in what one of them takes here.
        time.sleep(lots.uniform(0.01, 0.12) * pace.slower())
        for process in running:
            if process.poll() is None:
                process.kill()
                killed += 1
            process.wait()
        token = program.luna('token', 'show').stdout.strip()
        # Every other time nobody uses the access token: then only the next refresh tells.
        if number % 2:
            assert upload(backend, token).status == 200
    assert killed, 'nobody was killed'
    assert not any('used twice' in line['message'] for line in backend.log())


test_many_programs.seconds = test_killed_programs.seconds = 60 + 5 * EXPIRIES


def test_finder_signed_in(bench):
    """A gateway uploads as who it is signed in as; a token that has ended is renewed on the way."""
    backend = bench.backend()
    program = bench.program(backend)
    program.sign_in('attic')
    first = program.read()['refreshToken']
    program.expire()
    told = os.path.join(program.state, 'told')
    program.luna('finder', '--backend', program.url, '--sign-in', '--radio', 'virtual:7', '--location', 'static:0,0',
                 '--once', '-T', lasting(3), '--account-on-change', f"echo $LUNA_SIGNED_IN >> '{told}'")
    assert program.read()['refreshToken'] != first
    gateways = backend.call('GET', '/v1/gateways', role='admin').json['gateways']
    assert [gateway['name'] for gateway in gateways] == ['attic'], gateways
    # Once, whatever else of the finder shows who is signed in.
    wait_for(lambda: os.path.exists(told) and open(told).read() == '1\n', PATIENCE, 'the command to be told')
    assert '--account-on-change needs --sign-in' in program.luna('finder', '--account-on-change', 'true', code=2).stderr


def test_telemetry_waits_for_the_next_sign_in(bench):
    """What is recorded before somebody signs out, and while nobody is signed in, goes when somebody is again: once."""
    backend = bench.backend('--events-per-second', '0')
    program = bench.program(backend)

    def flush(code=0):
        done = program.luna('telemetry', 'flush', '--backend', program.url, '--sign-in', '--format', 'jsonl', code=code)
        return json.loads(done.stdout.splitlines()[0])

    program.sign_in()
    program.luna('telemetry', 'log', 'signed.in')
    assert flush()['accepted'] == 1
    program.luna('telemetry', 'log', 'left.over')
    program.luna('logout')
    program.luna('telemetry', 'log', 'signed.out')
    for _ in range(2):
        assert flush(code=9)['waiting'] == 2
    assert stored(backend) == {'luna.event.signed.in': 1}
    program.sign_in()
    report = flush()
    assert (report['accepted'], report['refused'], report['waiting']) == (2, 0, 0), report
    assert stored(backend) == {'luna.event.signed.in': 1, 'luna.event.left.over': 1, 'luna.event.signed.out': 1}
    assert flush()['accepted'] == 0


class Person:
    """An account of a backend in a browser."""

    def __init__(self, backend, name, role):
        import sqlite3
        self.backend, self.origin = backend, f'http://127.0.0.1:{backend.port}'
        self.cookie = self.csrf = None
        secret = os.urandom(32).hex()
        with sqlite3.connect(backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as connection:
            connection.execute('INSERT INTO accounts(name, role, created) VALUES(?, ?, 0)', (name, role))
            connection.execute('INSERT INTO links(digest, kind, account, expires) VALUES(?, ?, ?, ?)', (
                hashlib.sha256(secret.encode()).digest(), 'invitation', name, int(time.time() + 600) * 10**6))
        answer = self.call('POST', '/v1/invitation', {'secret': secret, 'name': name, 'password': 'long enough for all'})
        assert answer.status == 201, answer.body
        self.cookie = answer.headers['set-cookie'].split(';')[0]
        self.csrf = answer.json['csrf']

    def call(self, method, path, body=None):
        headers = {'Origin': self.origin}
        if self.cookie:
            headers |= {'Cookie': self.cookie, 'Luna-CSRF': self.csrf}
        return self.backend.call(method, path, body, headers=headers)


def test_people_approve(bench):
    backend = bench.backend()
    operator, viewer = Person(backend, 'ada', 'admin'), Person(backend, 'bob', 'viewer')

    def path(scope):
        begun = device(backend, scope)
        return '/v1/sign-ins/' + begun['user_code'], begun

    place, begun = path('gateway')
    waiting = viewer.call('GET', place).json
    assert (waiting['client'], waiting['scope'], waiting['address'], waiting['state']) == (
        'luna', 'gateway', '127.0.0.1', 'waiting'), waiting
    assert viewer.call('POST', place, {'approve': True}).code == 'forbidden'
    assert backend.call('POST', place, {'approve': True}).status == 401
    assert operator.call('POST', place, {'approve': True, 'gateway': 'no name'}).status == 422
    approved = operator.call('POST', place, {'approve': True, 'gateway': 'attic'}).json
    assert (approved['state'], approved['kind'], approved['name']) == ('approved', 'gateway', 'attic'), approved
    # It is in the fleet before it comes.
    records = operator.call('GET', '/v1/gateways').json['gateways']
    assert [(one['key'], one['enrolledBy'], one['state']) for one in records] == [('attic', 'ada', 'never')], records
    # One that was removed is not let in again by mistake: its tokens would not be good.
    removed = operator.call('DELETE', '/v1/gateways/' + records[0]['id']).json['change']
    place, again = path('gateway:attic')
    assert (operator.call('POST', place, {'approve': True}).status, operator.call('POST', place, {'approve': True}).code) == (409, 'wasRemoved')
    assert 'attic was removed' in approve(backend, again['user_code'], status=1)
    assert operator.call('POST', f'/v1/changes/{removed}/undo').status == 200
    assert operator.call('POST', place, {'approve': True}).json['name'] == 'attic'
    # A viewer signs in as oneself, and is no more than that; an admin is an operator.
    for person, name, role in [(viewer, 'bob', 'viewer'), (operator, 'ada', 'operator')]:
        program = bench.program(backend)
        process, prompt = program.begin('--as', 'account')
        assert person.call('POST', '/v1/sign-ins/' + prompt['userCode'], {'approve': True}).json['name'] == name
        assert program.end(process)['subject'] == name
        assert json.loads(program.luna('whoami').stdout)['role'] == role
    program = bench.program(backend)
    process, prompt = program.begin('--as', 'owner')
    assert viewer.call('POST', '/v1/sign-ins/' + prompt['userCode'], {'approve': True}).status == 200
    assert program.end(process)['scope'] == 'owner'
    token = program.read()['accessToken']
    query = {'heids': [], 'from': '2026-01-01', 'to': '2026-01-02'}
    bearer = {'Authorization': 'Bearer ' + token}
    assert backend.call('POST', '/v1/events/query', query, headers=bearer).status == 200
    # Rights end with the account, at once.
    assert operator.call('DELETE', '/v1/accounts/bob').status == 204
    assert backend.call('POST', '/v1/events/query', query, headers=bearer).status == 401
    assert program.luna('token', 'refresh', '--force', code=1).stderr
    # Five wrong codes in ten minutes; a right one has to wait too.
    place, begun = path('gateway')
    for _ in range(5):
        assert operator.call('GET', '/v1/sign-ins/BCDF-BCDF').code == 'unknownCode'
    assert operator.call('GET', place).status == 429
    assert operator.call('POST', place, {'approve': True}).status == 429


# Tokens of others


class Hostile(SigningIssuer):
    """An issuer that says what it is told to, and counts who asks."""

    def __init__(self):
        self.asked = {'keys': 0, 'introspect': 0}
        self.introspected = {}
        self.secret = []
        self.padding = b''
        self.redirect = None
        self.delay = 0
        outer = self

        class Handler(Answering):
            def do_GET(self):
                if self.path == '/.well-known/openid-configuration':
                    return self.answer({'issuer': outer.issuer, 'token_endpoint': outer.issuer + '/token',
                                        'jwks_uri': outer.issuer + '/keys'})
                outer.asked['keys'] += 1
                if outer.redirect:
                    return self.answer(b'', 302, Location=outer.redirect)
                return self.answer(json.dumps({'keys': outer.keys}).encode() + outer.padding)

            def do_POST(self):
                outer.asked['introspect'] += 1
                time.sleep(outer.delay)
                sent = self.form()
                outer.secret.append(self.headers.get('Authorization'))
                self.answer(outer.introspected.get(sent['token'], {'active': False}))

        super().__init__(Handler)

    def token(self, audience, header=None, path=None, **claims):
        now = int(time.time())
        return self.signed({'typ': 'at+jwt', **(header or {})},
                           {'iss': self.issuer, 'sub': 'person', 'aud': audience, 'exp': now + 600, 'iat': now, **claims}, path)


def link(backend, issuer, subject, kind='gateway', holder='kitchen'):
    """Says for whom somebody stands; as an administrator does who knows them already."""
    import sqlite3
    with sqlite3.connect(backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as connection:
        connection.execute(
            'INSERT INTO identities(id, issuer, subject, kind, holder, created, seen) VALUES(?, ?, ?, ?, ?, 0, 0) '
            'ON CONFLICT(issuer, subject) DO UPDATE SET kind = excluded.kind, holder = excluded.holder',
            (os.urandom(8).hex(), issuer, subject, kind, holder))


def told(backend, token):
    """As `upload`; a real issuer that is busy may answer too late, and then a gateway comes again."""

    def ask():
        answer = upload(backend, token)
        return None if answer.code == 'issuerUnavailable' else answer

    return wait_for(ask, PATIENCE, 'the issuer to answer in time')


def judged(backend, token):
    answer = upload(backend, token)
    return answer.status if answer.status == 200 else (answer.status, answer.code)


def test_tokens_of_others(bench):
    hostile = bench.server(Hostile)
    hostile.keys = [hostile.jwk]
    backend = bench.backend(configuration=f'[backend]\nissuer = {hostile.issuer}\n')
    us = f'http://127.0.0.1:{backend.port}'
    good = hostile.token(us)
    answer = upload(backend, good)
    assert (answer.status, answer.code) == (403, 'unknownSubject'), answer.body
    assert (answer.json['issuer'], answer.json['subject']) == (hostile.issuer, 'person'), answer.json
    assert 'luna account link' in answer.json['hint'], answer.json
    # They wait for an admin, who says that they are a gateway.
    admin = Person(backend, 'ada', 'admin')
    [waiting] = admin.call('GET', '/v1/identities').json['identities']
    assert (waiting['issuer'], waiting['subject'], waiting['state']) == (hostile.issuer, 'person', 'waiting')
    place = '/v1/identities/' + waiting['id']
    for wrong in [{}, {'gateway': 'a', 'owner': 'b'}, {'gateway': 1}]:
        assert admin.call('PUT', place, wrong).status == 400
    assert admin.call('PUT', place, {'gateway': 'no name'}).status == 422
    assert admin.call('PUT', place, {'account': 'nobody'}).status == 404
    bearer = {'Authorization': 'Bearer ' + good}
    assert admin.call('PUT', place, {'account': 'eve', 'role': 'admin'}).json['account'] == 'eve'
    # By a program an account is an operator at most.
    assert backend.call('GET', '/v1/session', headers=bearer).json['role'] == 'operator'
    assert backend.call('GET', '/v1/accounts', headers=bearer).status == 403
    assert admin.call('PUT', place, {'gateway': 'kitchen'}).json['gateway'] == 'kitchen'
    assert judged(backend, good) == 200
    assert hostile.asked['keys'] == 1
    now = int(time.time())
    refused = {
        'none': '.'.join([base64url(b'{"alg":"none","typ":"at+jwt"}'), good.split('.')[1], '']),
        'none, with a signature': '.'.join([base64url(b'{"alg":"none","typ":"at+jwt"}'), *good.split('.')[1:]]),
        'HS256 with the public key': hs256(hostile, us),
        'issuer with a slash more': hostile.token(us, iss=hostile.issuer + '/'),
        'another issuer': hostile.token(us, iss='https://other.example'),
        'another API': hostile.token('https://other.example'),
        'a slash more': hostile.token(us + '/'),
        'an ID token': hostile.token('luna', header={'typ': 'JWT'}),
        'an ID token for us': hostile.token(us, header={'typ': 'JWT'}),
        'expired': hostile.token(us, exp=now - 61),
        'from tomorrow': hostile.token(us, nbf=now + 86400),
        'made tomorrow': hostile.token(us, iat=now + 86400),
        'endless': hostile.token(us, exp=None),
        'nobody': hostile.token(us, sub=None),
        '9 KiB': hostile.token(us, more='x' * 9000),
        'critical': hostile.token(us, header={'crit': ['b64'], 'b64': False}),
        'no signature': good.rsplit('.', 1)[0] + '.',
        'another signature': good.rsplit('.', 1)[0] + '.' + hostile.token(us, sub='other').rsplit('.', 1)[1],
        'five parts': good + '.a.b', 'two parts': good.rsplit('.', 1)[0], 'nonsense': 'a.b.c', 'dots': '..',
    }
    for name, token in refused.items():
        assert judged(backend, token) == (401, 'invalidToken'), name
    # None of them made us ask for keys again.
    assert hostile.asked['keys'] == 1, hostile.asked
    assert judged(backend, hostile.token(us, exp=now - 30)) == 200
    # Rights end at once.
    assert admin.call('DELETE', place).status == 204
    assert judged(backend, good) == (403, 'unknownSubject')


def hs256(hostile, audience):
    import hmac
    now = int(time.time())
    header = {'alg': 'HS256', 'typ': 'at+jwt', 'kid': 'one'}
    claims = {'iss': hostile.issuer, 'sub': 'person', 'aud': audience, 'exp': now + 600}
    signed = base64url(json.dumps(header).encode()) + '.' + base64url(json.dumps(claims).encode())
    public = subprocess.run(['openssl', 'pkey', '-in', hostile.path, '-pubout'], stdout=subprocess.PIPE).stdout
    return signed + '.' + base64url(hmac.new(public, signed.encode(), hashlib.sha256).digest())


def test_rotating_keys(bench):
    hostile = bench.server(Hostile)
    hostile.keys, hostile.asked['keys'] = [hostile.jwk], 0
    backend = bench.backend(configuration=f'[backend]\nissuer = {hostile.issuer}\n')
    us = f'http://127.0.0.1:{backend.port}'
    link(backend, hostile.issuer, 'person')
    assert judged(backend, hostile.token(us)) == 200
    # Another one keeps the name of its key when it makes a new one.
    plain = bench.servers['plain'] = Hostile()
    other = bench.backend(configuration=f'[backend]\nissuer = {plain.issuer}\naudience = us\n')
    link(other, plain.issuer, 'person')
    assert judged(other, plain.token('us')) == 200
    path, jwk = keys_of(hostile.directory, 'two')
    new = hostile.token(us, header={'kid': 'two'}, path=path)
    plain.path, plain.keys = path, [{**jwk, 'kid': 'one'}]
    assert judged(other, plain.token('us')) == (401, 'invalidToken') and plain.asked['keys'] == 1, plain.asked
    hostile.keys = [hostile.jwk, jwk]
    # It was asked a moment ago: within a minute of that no stranger makes us ask again.
    answers = together([lambda: judged(backend, new)] * 20)
    assert set(answers) == {(401, 'invalidToken')} and hostile.asked['keys'] == 1, (answers, hostile.asked)
    deadline = time.monotonic() + 75 * pace.slower()
    while judged(backend, new) != 200:
        assert time.monotonic() < deadline
        time.sleep(2)
    assert hostile.asked['keys'] == 2, hostile.asked
    assert judged(backend, hostile.token(us)) == 200
    while judged(other, plain.token('us')) != 200:
        assert time.monotonic() < deadline
        time.sleep(2)
    assert plain.asked['keys'] == 2, plain.asked
    # Signed with the new key under the old one's name.
    assert judged(backend, hostile.token(us, path=path)) == (401, 'invalidToken')


# The pause between two questions is a minute.
test_rotating_keys.seconds = 180


def test_bad_keys(bench):
    hostile = bench.server(Hostile)
    for name, change in {
        '10 MB': {'padding': b' ' * (10 << 20)}, 'no JSON': {'padding': b'x'}, 'none': {'keys': []},
        'elsewhere': {'redirect': hostile.issuer + '/elsewhere'},
    }.items():
        hostile.keys, hostile.padding, hostile.redirect = [hostile.jwk], b'', None
        vars(hostile).update(change)
        backend = bench.backend(configuration=f'[backend]\nissuer = {hostile.issuer}\n')
        link(backend, hostile.issuer, 'person')
        wanted = (401, 'invalidToken') if name == 'none' else (503, 'issuerUnavailable')
        assert judged(backend, hostile.token(f'http://127.0.0.1:{backend.port}')) == wanted, name
        assert backend.alive()
    hostile.keys, hostile.padding, hostile.redirect = [hostile.jwk], b'', None


def test_asks_about_tokens(bench):
    hostile = bench.server(Hostile)
    directory = tempfile.mkdtemp(prefix='luna-secret.')
    bench.states.append(directory)
    with open(os.path.join(directory, 'secret'), 'w') as file:
        file.write('s3cret/ü\n')
    backend = bench.backend(configuration=f'''
[backend]
public-url = http://127.0.0.1:1

[backend hostile]
issuer = {hostile.issuer}
audience = urn:fleet
clients = app
introspection = {hostile.issuer}/introspect
introspection-client = back:end
introspection-secret-file = {directory}/secret
''')
    link(backend, hostile.issuer, 'person')
    hostile.asked['introspect'], hostile.secret = 0, []
    hostile.introspected = {
        'good': {'active': True, 'sub': 'person', 'aud': 'urn:fleet'},
        'by-client': {'active': True, 'sub': 'person', 'client_id': 'app'},
        'other-api': {'active': True, 'sub': 'person', 'aud': 'urn:other', 'client_id': 'app'},
        'other-client': {'active': True, 'sub': 'person', 'client_id': 'other'},
        'expired': {'active': True, 'sub': 'person', 'aud': 'urn:fleet', 'exp': int(time.time()) - 100},
        'stranger': {'active': True, 'sub': 'stranger', 'aud': 'urn:fleet'},
        'nobody': {'active': True, 'aud': 'urn:fleet'},
        'by-name': {'active': True, 'username': 'ada', 'client_id': 'app'},
        'made-up-name': {'active': True, 'sub': 'username:ada', 'client_id': 'app'},
        'program': {'active': True, 'client_id': 'app'},
    }
    for name, wanted in {
        'good': 200, 'by-client': 200, 'other-api': (401, 'invalidToken'), 'other-client': (401, 'invalidToken'),
        'expired': (401, 'invalidToken'), 'stranger': (403, 'unknownSubject'), 'nobody': (401, 'invalidToken'),
        'unknown': (401, 'invalidToken'), 'by-name': (403, 'unknownSubject'), 'program': (403, 'unknownSubject'),
        'made-up-name': (401, 'invalidToken'),
    }.items():
        assert judged(backend, name) == wanted, name
        assert judged(backend, name) == wanted, name
    # Each was asked about once.
    assert hostile.asked['introspect'] == 11, hostile.asked
    # Who is known by a name only is nobody whom a subject names.
    assert upload(backend, 'by-name').json['subject'] == 'username:ada'
    assert upload(backend, 'program').json['subject'] == 'client:app'
    link(backend, hostile.issuer, 'username:ada')
    assert judged(backend, 'by-name') == 200 and judged(backend, 'made-up-name') == (401, 'invalidToken')
    pair = 'back%3Aend:s3cret%2F%C3%BC'
    assert set(hostile.secret) == {'Basic ' + base64.b64encode(pair.encode()).decode()}, hostile.secret
    # What is ours is shown to nobody.
    assert judged(backend, 'luna-gateway-' + 'a' * 64)[0] == 401
    assert judged(backend, 'luna-access-' + 'a' * 64) == (401, 'invalidToken')
    assert judged(backend, 'luna-acces-' + 'a' * 64) == (401, 'invalidToken')
    assert hostile.asked['introspect'] == 11, hostile.asked
    # Many at once: eight questions, the others are to come again.
    hostile.delay = 1
    answers = together([lambda number=number: judged(backend, f'token-{number}') for number in range(30)])
    hostile.delay = 0
    assert hostile.asked['introspect'] == 19, hostile.asked
    assert sorted(set(answers)) == [(401, 'invalidToken'), (503, 'issuerUnavailable')], answers
    # A good one that is asked about by many at once is asked about once.
    hostile.introspected['shared'] = hostile.introspected['good']
    hostile.delay = 0.5
    answers = together([lambda: judged(backend, 'shared')] * 20)
    hostile.delay = 0
    assert set(answers) == {200} and hostile.asked['introspect'] == 20, (answers, hostile.asked)
    # No secret in what is shown of the configuration.
    shown = subprocess.run([LUNA, 'config', 'show', '--config', backend.options[-1]], stdout=subprocess.PIPE, text=True)
    assert 's3cret' not in shown.stdout


def sign_in_at(bench, server):
    """Signs in at a real issuer; gives the state directory."""
    state = tempfile.mkdtemp(prefix='luna-issuer.')
    bench.states.append(state)
    process = subprocess.Popen(
        [LUNA, 'login', '--issuer', server.issuer, '--client-id', server.client, '--device', *server.more, '--state',
         state, '--format', 'jsonl'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=dict(os.environ, NO_PROXY='*'))
    bench.running.append(process)
    server.decide(json.loads(process.stdout.readline())['userCode'])
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return state


def shown(state, mode):
    done = subprocess.run([LUNA, 'token', 'show', '--mode', mode, '--state', state], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=PATIENCE, env=dict(os.environ, NO_PROXY='*'))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_access_tokens_of_glewlwyd(bench):
    """ES256; it writes the scope into aud, so that the client tells what a token is for."""
    server = bench.server(Glewlwyd)
    token = shown(sign_in_at(bench, server), 'accessToken')
    lines = f'[backend]\nissuer = {server.issuer}\naudience-is-scope = yes\nclients = '
    backend = bench.backend(configuration=lines + 'luna\n')
    answer = upload(backend, token)
    assert (answer.status, answer.code) == (403, 'unknownSubject'), answer.body
    link(backend, server.issuer, answer.json['subject'])
    assert judged(backend, token) == 200
    # Of another program, or without saying that aud is the scope, it is for something else.
    other = bench.backend(configuration=lines + 'other\n')
    assert judged(other, token) == (401, 'invalidToken')
    other = bench.backend(configuration=f'[backend]\nissuer = {server.issuer}\n')
    assert judged(other, token) == (401, 'invalidToken')


def test_id_tokens_of_django(bench):
    """RS256; taken only of programs that are named."""
    server = bench.server(Django)
    state = sign_in_at(bench, server)
    token = shown(state, 'jwt')
    lines = f'[backend]\nissuer = {server.issuer}\n'
    backend = bench.backend(configuration=lines + 'id-token-clients = device\n')
    answer = upload(backend, token)
    assert (answer.status, answer.code) == (403, 'unknownSubject'), answer.body
    link(backend, server.issuer, answer.json['subject'])
    assert judged(backend, token) == 200
    # Its access tokens can only be read by itself, which is not asked here.
    assert judged(backend, shown(state, 'accessToken')) == (401, 'invalidToken')
    assert judged(bench.backend(configuration=lines), token) == (401, 'invalidToken')


def test_asks_django_about_tokens(bench):
    """It tells the name of the person, the client and the scope, and neither a subject nor an audience."""
    server = bench.server(Django)
    client, secret = server.admit('http://127.0.0.1:1/none')
    directory = tempfile.mkdtemp(prefix='luna-secret.')
    bench.states.append(directory)
    with open(os.path.join(directory, 'secret'), 'w') as file:
        file.write(secret)
    token = shown(sign_in_at(bench, server), 'accessToken')
    lines = f'[backend]\nissuer = {server.issuer}\nintrospection = {server.issuer}/introspect/\nintrospection-client = {client}\nintrospection-secret-file = {directory}/secret\nclients = '
    backend = bench.backend(configuration=lines + 'device\n')
    answer = told(backend, token)
    assert (answer.status, answer.code) == (403, 'unknownSubject'), answer.body
    assert answer.json['subject'] == 'username:person', answer.json
    link(backend, server.issuer, answer.json['subject'])
    assert told(backend, token).status == 200
    answer = told(bench.backend(configuration=lines + 'other\n'), token)
    assert (answer.status, answer.code) == (401, 'invalidToken')


def test_a_lost_answer_with_the_first_tokens(bench):
    backend = bench.backend()
    begun = device(backend)
    again = {'client_id': 'luna', 'grant_type': 'urn:ietf:params:oauth:grant-type:device_code', 'device_code': begun['device_code']}
    approve(backend, begun['user_code'])
    lost = form(backend, '/oauth/token', **again).json
    got = form(backend, '/oauth/token', **again).json
    assert upload(backend, lost['access_token']).status == 401
    assert refresh(backend, lost['refresh_token']).status == 400
    # Nothing of what was lost ends what came: it is none of its family.
    assert upload(backend, got['access_token']).status == 200
    # From now on two hold the code.
    assert form(backend, '/oauth/token', **again).json['error'] == 'invalid_grant'
    assert upload(backend, got['access_token']).status == 401
    assert any('used twice' in line['message'] for line in backend.log())


def test_mistakes_in_the_configuration(bench):
    for lines, words in {
        '[backend]\naudience = x': 'no issuer', '[backend a]\nissuer = https://a\n[backend b]\nissuer = https://a': 'two',
        '[backend]\nissuer = http://id.example': 'URL', '[backend]\nissuer = https://a\naudience-is-scope = yes': 'clients',
        '[backend a]\nlisten = 127.0.0.1:0': 'listen',
    }.items():
        directory = tempfile.mkdtemp(prefix='luna-conf.')
        bench.states.append(directory)
        path = os.path.join(directory, 'luna.conf')
        with open(path, 'w') as file:
            file.write(lines)
        done = subprocess.run([LUNA, 'backend', '--config', path, '--listen', '127.0.0.1:0', '--store',
                               f'sqlite:{directory}/store'], stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 2 and words in done.stderr, (lines, done.returncode, done.stderr)
    done = subprocess.run([LUNA, 'backend', '--issuer', 'https://a'], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and 'configuration file' in done.stderr, done.stderr

