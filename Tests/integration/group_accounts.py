"""Accounts at a real `luna backend`: from the set-up link to signing in, the second factor against oathtool, requests
of other sites, and what each role may do."""

import base64
import http.client
import itertools
import json
import os
import pty
import re
import select
import sqlite3
import subprocess
import tempfile
import threading
import time

import pace
from backends import LUNA, PATIENCE, Answer, Backend, soon, together, until_limited
from bench import wait_for

IN_VM = False
PASSWORD = 'correct horse battery'
# How many are tried; 100,000 where there is time for it.
PASSWORDS = int(os.environ.get('LUNA_PASSWORDS', '200'))
ROLES = ['viewer', 'operator', 'admin']


class Browser:
    """One that keeps its cookie, and sends what a page of the server sends."""

    def __init__(self, backend, address='127.0.0.1'):
        self.backend = backend
        self.address = address
        self.origin = f'http://127.0.0.1:{backend.port}'
        self.cookie = None
        self.set_cookie = None
        self.csrf = None

    @property
    def name(self):
        return f'luna-{self.backend.port}'

    def call(self, method, path, body=None, csrf=True, cookie=True, check=True, **headers):
        fields = {'Origin': self.origin} if method != 'GET' else {}
        if cookie and self.cookie:
            fields['Cookie'] = f'other=1; {self.name}={self.cookie}'
        if csrf and self.csrf and method != 'GET':
            fields['Luna-CSRF'] = self.csrf
        fields.update({name.replace('_', '-'): value for name, value in headers.items()})
        fields = {name: value for name, value in fields.items() if value is not None}
        connection = http.client.HTTPConnection('127.0.0.1', self.backend.port, timeout=PATIENCE + 70, source_address=(self.address, 0))
        try:
            data = None if body is None else json.dumps(body).encode()
            if data is not None:
                fields['Content-Type'] = 'application/json'
            connection.request(method, path, data, fields)
            response = connection.getresponse()
            answer = Answer(response.status, {n.lower(): v for n, v in response.getheaders()}, response.read())
        finally:
            connection.close()
        if check:
            self.backend.check(method, path, answer)
        if 'set-cookie' in answer.headers:
            self.set_cookie = answer.headers['set-cookie']
            name, value = self.set_cookie.split(';')[0].split('=')
            assert name == self.name, self.set_cookie
            self.cookie = value or None
        if answer.status in (200, 201) and 'csrf' in (answer.json or {}):
            self.csrf = answer.json['csrf']
        return answer

    def sign_in(self, name, password=PASSWORD, status=200):
        answer = self.call('POST', '/v1/session', {'name': name, 'password': password}, csrf=False)
        assert answer.status == status, (answer.status, answer.body)
        return answer


class Accounts:
    def __init__(self):
        self.backends = []
        self.next = 1

    def address(self):
        """An address of this machine that nothing has called from yet."""
        self.next += 1
        return f'127.0.{self.next // 250}.{self.next % 250 + 1}'

    def backend(self, *options):
        backend = Backend(*options).start()
        self.backends.append(backend)
        return backend

    def account(self, *words, backend, code=0):
        done = subprocess.run([LUNA, 'account', *words, '--store', backend.store], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()] if code == 0 else done.stderr

    def browser(self, backend):
        return Browser(backend, self.address())

    def person(self, backend, name, role):
        """A browser in which a new account is signed in."""
        link = self.account('add', name, '--role', role, backend=backend)[0]['link']
        browser = self.browser(backend)
        answer = browser.call('POST', '/v1/invitation', {'secret': link.split('#')[1], 'name': name, 'password': PASSWORD})
        assert answer.status == 201 and answer.json['role'] == role, answer.body
        return browser

    def tidy(self):
        while self.backends:
            self.backends.pop().close()

    def close(self):
        self.tidy()


def prepare(mode):
    return Accounts()


def on_terminal(backend):
    """Starts a backend on a terminal; gives the process and the link that it prints."""
    master, slave = pty.openpty()
    log = os.path.join(backend.directory, 'log')
    with open(log, 'ab') as errors:
        process = subprocess.Popen([LUNA, 'backend', '--listen', '127.0.0.1:0', '--store', backend.store], stdin=slave, stdout=slave, stderr=errors)
    os.close(slave)
    text, end = '', time.monotonic() + PATIENCE
    while '#' not in text or not text.endswith('\n'):
        assert time.monotonic() < end and process.poll() is None, text
        if select.select([master], [], [], 0.2)[0]:
            text += os.read(master, 4096).decode()
    os.close(master)
    return process, re.search(r'(http://127\.0\.0\.1:(\d+))/ui/setup#([0-9a-f]{64})', text)


def test_the_first_account_comes_by_a_link_on_a_terminal(bench):
    backend = Backend()
    bench.backends.append(backend)
    backend.process, link = on_terminal(backend)
    backend.port, secret = int(link.group(2)), link.group(3)
    assert secret not in open(os.path.join(backend.directory, 'log')).read()
    ada = bench.browser(backend)
    assert ada.call('GET', '/v1/session').json == {'signedIn': False, 'setupNeeded': True, 'issuers': []}
    body = {'secret': secret, 'name': 'ada', 'password': PASSWORD}
    for wrong, status in [({'password': 'short'}, 422), ({'name': 'Ada'}, 422), ({'secret': '0' * 64}, 403), ({'secret': ''}, 403)]:
        assert ada.call('POST', '/v1/setup', {**body, **wrong}).status == status, wrong
    assert ada.call('POST', '/v1/invitation', body).status == 403
    answer = ada.call('POST', '/v1/setup', body)
    assert answer.status == 201 and answer.json['account'] == 'ada' and answer.json['role'] == 'admin', answer.body
    state = ada.call('GET', '/v1/session').json
    assert state['signedIn'] and state['csrf'] == answer.json['csrf'] and not state['totp'], state
    # Once.
    assert bench.browser(backend).call('POST', '/v1/setup', {**body, 'name': 'eve'}).status == 403
    for kept in ['backend.sqlite', 'backend.sqlite-wal']:
        data = open(os.path.join(backend.directory, kept), 'rb').read()
        for text in [secret, ada.cookie, PASSWORD, ada.csrf]:
            assert text.encode() not in data, kept
    backend.process.terminate()
    backend.process.wait(PATIENCE)


def test_a_log_names_another_way(bench):
    backend = bench.backend()
    lines = [line['message'] for line in backend.log()]
    assert any('luna account add' in line for line in lines), lines
    assert '#' not in open(backend.log_path).read()


def test_the_command_looks_after_accounts(bench):
    backend = bench.backend()
    assert bench.account('list', backend=backend) == []
    made = bench.account('add', 'ada', '--role', 'admin', backend=backend)[0]
    assert made['type'] == 'invitation' and made['link'].startswith(f'http://127.0.0.1:{backend.port}/ui/invitation#'), made
    assert 'already' in bench.account('add', 'ada', backend=backend, code=1)
    row = bench.account('list', backend=backend)[0]
    assert (row['name'], row['role'], row['state'], row['totp']) == ('ada', 'admin', 'invited', False), row
    # Another link ends the one before; the address can be given.
    again = bench.account('edit', 'ada', '--invite', '--public-url', 'https://luna.example', backend=backend)[0]['link']
    assert again.startswith('https://luna.example/ui/invitation#'), again
    ada = bench.browser(backend)
    for link, status in [(made['link'], 403), (again, 201)]:
        assert ada.call('POST', '/v1/invitation', {'secret': link.split('#')[1], 'name': 'ada', 'password': PASSWORD}).status == status
    sessions = bench.account('sessions', 'ada', backend=backend)
    assert [s['method'] for s in sessions] == ['invitation'], sessions
    for words in [('remove', 'ada'), ('edit', 'ada', '--role', 'viewer')]:
        assert 'last admin' in bench.account(*words, backend=backend, code=1)
    assert 'no account' in bench.account('remove', 'bob', backend=backend, code=1)
    bench.account('add', 'Bob', backend=backend, code=2)
    bench.account('edit', 'ada', backend=backend, code=2)
    bench.account('link', 'ada', '--issuer', 'https://id.example', '--subject', '1', backend=backend)
    bench.account('add', 'bob', backend=backend)
    assert 'another account' in bench.account('link', 'bob', '--issuer', 'https://id.example', '--subject', '1', backend=backend, code=1)
    assert ada.call('GET', '/v1/sessions').status == 200
    bench.account('sessions', 'ada', '--end', backend=backend)
    assert ada.call('GET', '/v1/sessions').status == 401


def test_signing_in_and_out(bench):
    backend = bench.backend()
    bench.person(backend, 'ada', 'viewer')
    ada = bench.browser(backend)
    texts = set()
    for name, password in [('ada', PASSWORD + 'x'), ('bob', PASSWORD), ('', ''), ('ada\0', PASSWORD)]:
        answer = ada.sign_in(name, password, 401)
        texts.add((answer.code, answer.json['title'], answer.json['detail']))
    assert len(texts) == 1 and texts.pop()[0] == 'signIn'
    # A cookie that somebody else put there does not become a session.
    ada.cookie = fixed = '0' * 64
    ada.sign_in('ada')
    assert ada.cookie != fixed and re.fullmatch('[0-9a-f]{64}', ada.cookie)
    first = ada.cookie
    flags = {part.strip().lower() for part in ada.set_cookie.split(';')[1:]}
    assert {'path=/', 'samesite=lax', 'httponly'} <= flags and 'secure' not in flags and not any(f.startswith('domain') for f in flags), flags
    ada.sign_in('ada')
    assert ada.cookie != first
    assert ada.call('GET', '/v1/sessions', Cookie=f'{ada.name}={first}').status == 401, 'the session before is over'
    listed = ada.call('GET', '/v1/sessions').json['sessions']
    assert [s['current'] for s in listed].count(True) == 1 and len(listed) == 2, listed
    other = next(s['id'] for s in listed if not s['current'])
    assert ada.call('DELETE', f'/v1/sessions/{other}').status == 204
    assert ada.call('DELETE', f'/v1/sessions/{other}').status == 404
    cookie = ada.cookie
    assert ada.call('DELETE', '/v1/session').status == 204
    assert ada.cookie is None and 'max-age=0' in ada.set_cookie.lower(), ada.set_cookie
    assert ada.call('GET', '/v1/sessions', Cookie=f'{ada.name}={cookie}').status == 401
    assert ada.call('DELETE', '/v1/session').status == 204


def test_a_new_password_ends_everything_else(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'viewer')
    stolen = bench.browser(backend)
    stolen.sign_in('ada')
    before = ada.cookie
    new = 'another long password'
    for body, status in [({'old': 'wrong', 'new': new}, 403), ({'old': PASSWORD, 'new': 'short'}, 422)]:
        assert ada.call('PUT', '/v1/me/password', body).status == status
    assert ada.call('PUT', '/v1/me/password', {'old': PASSWORD, 'new': new}).status == 200
    assert ada.cookie != before and ada.call('GET', '/v1/sessions').status == 200
    for cookie in [before, stolen.cookie]:
        assert ada.call('GET', '/v1/sessions', Cookie=f'{ada.name}={cookie}').status == 401
    browser = bench.browser(backend)
    browser.sign_in('ada', PASSWORD, 401)
    browser.sign_in('ada', new)


def code(secret, offset=0):
    """What oathtool shows, in this or another step."""
    when = time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(time.time() + offset))
    return subprocess.run(['oathtool', '--totp', '--base32', '--now', when, secret], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def drawn(address):
    """The text of a QR code that stands in an answer, read by another program."""
    picture = base64.b64decode(address.removeprefix('data:image/png;base64,'))
    return subprocess.run(['zbarimg', '-q', '--raw', 'png:-'], input=picture, stdout=subprocess.PIPE, check=True).stdout.decode().rstrip('\n')


def test_the_second_factor(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'viewer')
    assert ada.call('PUT', '/v1/me/totp', {'code': '000000'}).status == 409
    made = ada.call('POST', '/v1/me/totp').json
    assert f'secret={made["secret"]}' in made['uri'], made
    assert drawn(made['picture']) == made['uri']
    assert ada.call('PUT', '/v1/me/totp', {'code': 'x'}).status == 422
    assert ada.call('PUT', '/v1/me/totp', {'code': code(made['secret']), 'password': 'wrong'}).code == 'passwordWrong'
    first = code(made['secret'], -30)
    recovery = ada.call('PUT', '/v1/me/totp', {'code': first}).json['recoveryCodes']
    assert ada.call('POST', '/v1/me/totp').status == 409
    browser = bench.browser(backend)
    answer = browser.sign_in('ada')
    assert answer.json == {'totpNeeded': True}, answer.body
    # It opens nothing.
    assert browser.call('GET', '/v1/sessions').status == 401
    assert browser.call('GET', '/v1/session').json == {'signedIn': False, 'totpNeeded': True, 'issuers': []}
    half = browser.cookie
    for wrong in [first, '']:
        assert browser.call('POST', '/v1/session/totp', {'code': wrong}).code == 'signIn'
    # Before the next step the code of this one, which nobody has used; after it, its own.
    assert browser.call('POST', '/v1/session/totp', {'code': code(made['secret'])}).status == 200
    assert browser.cookie != half
    assert browser.call('GET', '/v1/session').json['totp'] is True
    # A recovery code, once; and five wrong ones.
    again = bench.browser(backend)
    again.sign_in('ada')
    assert again.call('POST', '/v1/session/totp', {'code': recovery[0]}).status == 200
    last = bench.browser(backend)
    last.sign_in('ada')
    assert last.call('POST', '/v1/session/totp', {'code': recovery[0]}).status == 401
    assert again.call('DELETE', '/v1/me/totp', {'password': 'wrong'}).status == 403
    assert again.call('DELETE', '/v1/me/totp', {'password': PASSWORD}).status == 204
    assert 'csrf' in bench.browser(backend).sign_in('ada').json


def test_a_code_is_wrong_five_times(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'viewer')
    secret = ada.call('POST', '/v1/me/totp').json['secret']
    recovery = ada.call('PUT', '/v1/me/totp', {'code': code(secret)}).json['recoveryCodes']
    browser = bench.browser(backend)
    browser.sign_in('ada')
    for _ in range(5):
        assert browser.call('POST', '/v1/session/totp', {'code': '000000x'}).status == 401
    assert browser.call('POST', '/v1/session/totp', {'code': recovery[0]}).status == 401


def test_wrong_passwords_make_all_wait(bench):
    backend = bench.backend()
    bench.person(backend, 'ada', 'viewer')
    for name in ['ada', 'nobody']:
        waits = []
        for attempt in range(7):
            began = time.monotonic()
            bench.browser(backend).sign_in(name, 'x' * 12, 401)
            waits.append(time.monotonic() - began)
        # One of the first may have taken long for another reason.
        assert sorted(waits[:5])[2] < waits[5] and waits[5] >= 2 and waits[6] >= 4, (name, waits)
    began = time.monotonic()
    bench.browser(backend).sign_in('ada')
    assert time.monotonic() - began >= 8, 'the right one waits too'
    began = time.monotonic()
    bench.browser(backend).sign_in('ada')
    assert time.monotonic() - began < 8 * pace.slower(), 'nothing waits any more'
    # A server that stops does not wait for those.
    process = backend.process
    browser = bench.browser(backend)

    def late():
        try:
            return browser.call('POST', '/v1/session', {'name': 'nobody', 'password': 'x' * 12}, check=False).status
        except (OSError, http.client.HTTPException):
            return 0

    def stop():
        time.sleep(1)
        began = time.monotonic()
        assert backend.stop() == 0
        return time.monotonic() - began

    status, seconds = together([late, stop])
    assert status in (503, 0) and seconds < 8 * pace.slower(), (status, seconds)
    assert process.returncode == 0


test_wrong_passwords_make_all_wait.seconds = 120


def test_wrong_passwords_count_over_a_restart(bench):
    backend = bench.backend()
    bench.person(backend, 'ada', 'viewer')
    for _ in range(5):
        bench.browser(backend).sign_in('ada', 'x' * 12, 401)
    assert backend.stop() == 0
    backend.start()
    began = time.monotonic()
    bench.browser(backend).sign_in('ada')
    assert time.monotonic() - began >= 2, 'the right one waits, too'
    with sqlite3.connect(os.path.join(backend.directory, 'backend.sqlite')) as database:
        assert database.execute('SELECT count(*) FROM failures').fetchone() == (0,)


def test_names_are_not_told_by_time(bench):
    backend = bench.backend('--requests-per-second', '0')
    bench.person(backend, 'ada', 'viewer')
    bench.account('add', 'eve', backend=backend)
    # What the backend works for, however busy this machine is: the clock of its process (CPUCLOCK_SCHED of clock_gettime).
    clock = ~backend.process.pid << 3 | 2
    times = {'ada': [], 'eve': [], 'bob': []}
    for _ in range(4):
        for name in times:
            browser = bench.browser(backend)
            began = time.clock_gettime(clock)
            browser.sign_in(name, 'wrong password here', 401)
            times[name].append(time.clock_gettime(clock) - began)
    best = {name: min(found) for name, found in times.items()}
    # The work on the password is nearly all of it: without it an answer takes a few milliseconds.
    assert max(best.values()) < 1.5 * min(best.values()) and min(best.values()) > 0.02, best


def test_an_address_tries_ten_times_a_minute(bench):
    backend = bench.backend()
    bench.person(backend, 'ada', 'viewer')
    browser = bench.browser(backend)
    names = itertools.count()
    ask = lambda: browser.call('POST', '/v1/session', {'name': f'n{next(names)}', 'password': PASSWORD})
    statuses = until_limited(ask, 10, 1 / 6)
    assert set(statuses[:-1]) == {401}, statuses
    assert 1 <= int(ask().headers['retry-after']) <= 6
    # Another address does not wait, nor does who is signed in.
    bench.browser(backend).sign_in('ada')


def test_many_passwords_at_once(bench):
    backend = bench.backend()
    bench.person(backend, 'ada', 'viewer')
    browsers = [bench.browser(backend) for _ in range(40)]
    answers = together([lambda b=b, n=n: b.call('POST', '/v1/session', {'name': f'n{n}', 'password': PASSWORD}) for n, b in enumerate(browsers)])
    statuses = [a.status for a in answers]
    assert set(statuses) == {401, 503} and statuses.count(401) >= 9, statuses
    assert all(a.headers['retry-after'] == '1' for a in answers if a.status == 503)
    assert backend.alive()


def test_requests_of_other_sites(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'admin')
    new = {'name': 'bob', 'role': 'viewer'}
    evil = 'http://evil.example'
    for headers in [{'Origin': evil}, {'Origin': 'null'}, {'Origin': None}, {'Origin': f'http://localhost:{backend.port}'}, {'Origin': ada.origin + '.evil.example'},
                    {'Origin': ada.origin.replace('http:', 'https:')}, {'Origin': None, 'Sec_Fetch_Site': 'cross-site'}, {'Origin': None, 'Sec_Fetch_Site': 'same-site'}, {'Origin': None, 'Sec_Fetch_Site': 'none'},
                    {'Luna_CSRF': None}, {'Luna_CSRF': ''}, {'Luna_CSRF': '0' * 64}, {'Luna_CSRF': ada.csrf.upper()}]:
        for method, path, body in [('POST', '/v1/accounts', new), ('DELETE', '/v1/sessions', None), ('DELETE', '/v1/session', None), ('PUT', '/v1/me/password', {'old': PASSWORD, 'new': PASSWORD})]:
            answer = ada.call(method, path, body, **headers)
            assert (answer.status, answer.code) == (403, 'csrf'), (headers, method, path, answer.body)
    # Another session's token is not this one's.
    other = bench.browser(backend)
    other.sign_in('ada')
    assert ada.call('POST', '/v1/accounts', new, Luna_CSRF=other.csrf).code == 'csrf'
    # Signing in from another site's page.
    browser = bench.browser(backend)
    for path, body in [('/v1/session', {'name': 'ada', 'password': PASSWORD}), ('/v1/session/totp', {'code': '1'}), ('/v1/setup', {'secret': '', 'name': 'x', 'password': PASSWORD}), ('/v1/invitation', {'secret': '', 'name': 'x', 'password': PASSWORD})]:
        for headers in [{'Origin': evil}, {'Origin': None}]:
            assert browser.call('POST', path, body, **headers).code == 'csrf', path
    # Without Origin, as some browsers do.
    assert ada.call('POST', '/v1/accounts', new, Origin=None, Sec_Fetch_Site='same-origin').status == 201
    # A form cannot say that it sends JSON.
    answer = ada.call('POST', '/v1/accounts', new, check=False, Content_Type='text/plain')
    assert answer.status in (201, 409, 415)
    # With a token cookies are not looked at, and what protects them is not asked for.
    token = backend.command('token', 'create', 'admin', 'program', '--role', 'admin')[0]['token']
    bearer = {'Authorization': 'Bearer ' + token, 'Origin': None, 'csrf': False}
    assert ada.call('POST', '/v1/accounts', {'name': 'eve', 'role': 'viewer'}, **bearer).status == 201
    assert ada.call('GET', '/v1/sessions', Authorization='Bearer luna-admin-' + '0' * 64).status == 401
    assert ada.call('GET', '/v1/sessions', Authorization='Basic YTpi').status == 401


def test_doubled_headers_and_other_hosts(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'admin')
    host = f'Host: 127.0.0.1:{backend.port}\r\n'
    cookie = f'Cookie: {ada.name}={ada.cookie}\r\n'

    def status(extra, host=host, line='GET /v1/sessions'):
        data, _ = backend.raw((f'{line} HTTP/1.1\r\n{host}{extra}Connection: close\r\n\r\n').encode())
        return int(data.split(b' ')[1])

    assert status(cookie) == 200
    assert status(cookie * 2) == 400
    assert status(f'Cookie: {ada.name}={ada.cookie}; {ada.name}={ada.cookie}\r\n') == 401, 'one of two was put there'
    for name in ['Origin: ' + ada.origin, 'Luna-CSRF: ' + ada.csrf]:
        assert status(cookie + f'{name}\r\n' * 2) == 400, name
    for other in ['evil.example', f'localhost:{backend.port}', '127.0.0.1', f'127.0.0.1:{backend.port}.evil.example']:
        assert status(cookie, f'Host: {other}\r\n') == 421, other
        assert status('', f'Host: {other}\r\n', 'GET /v1/session') == 421, other
    # What has nothing to do with cookies is answered by any name.
    assert status('', 'Host: evil.example\r\n', 'GET /healthz') == 200


def test_where_one_may_sign_in(bench):
    body = {'name': 'ada', 'password': PASSWORD}
    for options, status, problem in [(['--public-url', 'http://luna.example'], 403, 'plainHttp'), (['--no-console'], 404, 'notFound')]:
        backend = bench.backend(*options)
        browser = bench.browser(backend)
        for method, path in [('POST', '/v1/session'), ('GET', '/v1/session'), ('POST', '/v1/session/totp'), ('DELETE', '/v1/session')]:
            sent = {'POST /v1/session': body, 'POST /v1/session/totp': {'code': '1'}}.get(f'{method} {path}')
            answer = browser.call(method, path, sent)
            assert (answer.status, answer.code) == (status, problem), (options, method, path, answer.body)
        assert backend.call('GET', '/v1/gateways', role='admin').status == 200
        backend.close()
    # By https: another name of the cookie, and Secure.
    backend = bench.backend('--public-url', 'https://luna.example')
    link = bench.account('add', 'ada', '--role', 'admin', backend=backend)[0]['link']
    assert link.startswith('https://luna.example/ui/invitation#'), link
    fields = {'Host': 'luna.example', 'Origin': 'https://luna.example'}
    answer = backend.call('POST', '/v1/invitation', {'secret': link.split('#')[1], 'name': 'ada', 'password': PASSWORD}, headers=fields)
    parts = [part.strip() for part in answer.headers['set-cookie'].split(';')]
    assert parts[0].startswith('__Host-luna=') and {'Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/'} <= set(parts), parts
    answer = backend.call('GET', '/v1/sessions', headers={'Host': 'luna.example', 'Cookie': parts[0]})
    assert answer.status == 200
    assert backend.call('GET', '/v1/sessions', headers={'Cookie': parts[0]}).status == 421


def test_rights_are_those_of_now(bench):
    backend = bench.backend()
    ada, bob = bench.person(backend, 'ada', 'admin'), bench.person(backend, 'bob', 'admin')
    assert bob.call('GET', '/v1/accounts').status == 200
    assert ada.call('PATCH', '/v1/accounts/bob', {'role': 'viewer'}).json['account']['role'] == 'viewer'
    # The next request sees it: bob has to sign in again, and is a viewer.
    assert bob.call('GET', '/v1/accounts').status == 401
    bob.sign_in('bob')
    assert bob.call('GET', '/v1/accounts').status == 403
    assert bob.call('GET', '/v1/gateways').status == 200
    for method, path, body in [('PATCH', '/v1/accounts/ada', {'role': 'operator'}), ('DELETE', '/v1/accounts/ada', None)]:
        assert ada.call(method, path, body).code == 'lastAdmin'
    # By the command, while the server runs.
    bench.account('edit', 'bob', '--role', 'operator', backend=backend)
    assert bob.call('GET', '/v1/gateways').status == 401
    bob.sign_in('bob')
    assert bob.call('GET', '/v1/session').json['role'] == 'operator'
    assert ada.call('DELETE', '/v1/accounts/bob').status == 204
    assert bob.call('GET', '/v1/gateways').status == 401
    assert ada.call('DELETE', '/v1/accounts/bob').status == 404
    # Who changes the own role goes on in a new session.
    eve, before = bench.person(backend, 'eve', 'admin'), None
    before = eve.cookie
    assert eve.call('PATCH', '/v1/accounts/eve', {'role': 'operator'}).status == 200
    assert eve.cookie != before and eve.call('GET', '/v1/session').json['role'] == 'operator'


def test_accounts_and_tokens_by_an_admin(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'admin')
    made = ada.call('POST', '/v1/accounts', {'name': 'bob', 'role': 'operator'})
    assert made.status == 201 and made.json['account']['state'] == 'invited', made.body
    assert drawn(made.json['picture']) == made.json['invitation']
    assert ada.call('POST', '/v1/accounts', {'name': 'bob', 'role': 'viewer'}).code == 'nameTaken'
    assert ada.call('POST', '/v1/accounts', {'name': 'B', 'role': 'viewer'}).status == 422
    assert ada.call('POST', '/v1/accounts', {'name': 'c', 'role': 'king'}).status == 400
    bob = bench.browser(backend)
    secret = made.json['invitation'].split('#')[1]
    assert bob.call('POST', '/v1/invitation', {'secret': secret, 'name': 'ada', 'password': PASSWORD}).status == 403
    assert bob.call('POST', '/v1/invitation', {'secret': secret, 'name': 'bob', 'password': PASSWORD}).status == 201
    again = ada.call('PATCH', '/v1/accounts/bob', {'invite': True}).json
    assert again['invitation'].split('#')[1] != secret and bob.call('GET', '/v1/sessions').status == 200
    assert [(a['name'], a['state']) for a in ada.call('GET', '/v1/accounts').json['accounts']] == [('ada', 'active'), ('bob', 'active')]
    # An admin may end anybody's session, others their own.
    hers = next(s['id'] for s in ada.call('GET', '/v1/sessions').json['sessions'] if s['current'])
    his = next(s['id'] for s in bob.call('GET', '/v1/sessions').json['sessions'] if s['current'])
    assert bob.call('DELETE', f'/v1/sessions/{hers}').status == 404
    # Where somebody else is signed in, admins see, by the name of the account.
    theirs = ada.call('GET', '/v1/sessions?account=bob').json['sessions']
    assert [(one['id'], one['current']) for one in theirs] == [(his, False)], theirs
    assert bob.call('GET', '/v1/sessions?account=bob').json['sessions'][0]['id'] == his
    assert (bob.call('GET', '/v1/sessions?account=ada').status, bob.call('GET', '/v1/sessions?account=eve').status) == (403, 403)
    for nobody in ['eve', 'BOB', '']:
        assert ada.call('GET', f'/v1/sessions?account={nobody}').status == 404, nobody
    assert ada.call('DELETE', f'/v1/sessions/{his}').status == 204
    assert bob.call('GET', '/v1/sessions').status == 401
    # Tokens.
    made = ada.call('POST', '/v1/tokens', {'kind': 'admin', 'name': 'x', 'role': 'operator'}).json
    assert made['role'] == 'operator'
    assert ada.call('POST', '/v1/tokens', {'kind': 'owner', 'name': 'x', 'role': 'operator'}).status == 400
    gateway = ada.call('POST', '/v1/tokens', {'kind': 'gateway', 'name': 'kitchen'}).json
    assert 'role' not in gateway
    listed = ada.call('GET', '/v1/tokens').json['tokens']
    assert {t['name'] for t in listed} == {'x', 'kitchen'} and all('token' not in t for t in listed), listed
    upload = lambda: backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + gateway['token']}).status
    assert upload() == 200
    assert ada.call('DELETE', '/v1/tokens/kitchen').status == 204
    assert upload() == 401
    assert ada.call('DELETE', '/v1/tokens/kitchen').status == 404
    assert ada.call('DELETE', '/v1/tokens/' + made['id']).status == 204
    settings = ada.call('GET', '/v1/settings').json
    assert 'publicUrl' not in settings and not any(settings.values()), settings
    assert ada.call('PATCH', '/v1/settings', {'publicUrl': 'http://evil.example'}).status == 422
    for wrong in [{'online': 0}, {'late': 10}, {'nothing': 1}, {'diskFree': '5'}, [], 7]:
        assert ada.call('PATCH', '/v1/settings', {'healthLimits': wrong}).status == 422, wrong
    limits = {'online': 60, 'diskFree': 500, 'temperature': 70.5}
    assert ada.call('PATCH', '/v1/settings', {'healthLimits': limits}).json['healthLimits'] == limits
    assert ada.call('PATCH', '/v1/settings', {'healthLimits': None}).json['healthLimits'] is None


def filled(path):
    return re.sub(r'\{(\w+)\}', lambda match: {'name': 'nobody', 'id': '0' * 16}.get(match.group(1), '0' * 32), path)


def test_each_role_is_kept_out_of_what_is_above_it(bench):
    """Every endpoint of the document that names a role, asked by each account, each admin token, nobody and others."""
    backend = bench.backend('--requests-per-second', '0')
    callers = {role: bench.person(backend, role, role) for role in ROLES}
    tokens = {role: backend.command('token', 'create', 'admin', role, '--role', role)[0]['token'] for role in ROLES}
    strangers = [backend.token('gateway'), backend.token('owner')]
    document = backend.call('GET', '/openapi.json', check=False).json
    seen = {role: 0 for role in ROLES}
    for path, operations in document['paths'].items():
        for method, operation in operations.items():
            needed = operation.get('x-luna-role')
            if not needed:
                continue
            seen[needed] += 1
            # An empty body is refused, but only after who calls.
            body = {} if 'requestBody' in operation else None
            for role in ROLES[: ROLES.index(needed)]:
                answer = callers[role].call(method.upper(), filled(path), body)
                assert (answer.status, answer.code) == (403, 'forbidden'), (role, method, path, answer.body)
                answer = callers['admin'].call(method.upper(), filled(path), body, Authorization='Bearer ' + tokens[role])
                assert (answer.status, answer.code) == (403, 'forbidden'), ('token', role, method, path, answer.body)
            for token in strangers:
                assert callers['admin'].call(method.upper(), filled(path), body, Authorization='Bearer ' + token).status == 403, (method, path)
            assert bench.browser(backend).call(method.upper(), filled(path), body).status == 401, (method, path)
            # A stream never ends; group_stream.py has it.
            if method == 'get' and path != '/v1/stream':
                assert callers[needed].call('GET', filled(path)).status in (200, 404), path
    assert seen['admin'] >= 9 and seen['viewer'] >= 3, seen


def test_the_history_of_accounts_is_for_admins(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'admin')
    bob = bench.person(backend, 'bob', 'operator')
    place = {'latitude': 52.5, 'longitude': 13.4}
    gateway = bob.call('POST', '/v1/gateways', {'name': 'Roof', 'place': place}).json['gateway']
    ada.call('PATCH', '/v1/accounts/bob', {'invite': True})
    ada.call('POST', '/v1/accounts', {'name': 'eve', 'role': 'viewer'})
    ada.call('PATCH', '/v1/accounts/eve', {'role': 'operator'})
    ada.call('POST', '/v1/tokens', {'kind': 'owner', 'name': 'house'})
    ada.call('DELETE', '/v1/tokens/house')
    ada.call('DELETE', '/v1/accounts/eve')
    bench.account('link', 'bob', '--issuer', 'https://id.example', '--subject', '1', backend=backend)
    bench.browser(backend).sign_in('bob', 'wrong password here', 401)
    bench.browser(backend).sign_in('nobody', 'wrong password here', 401)
    [identity] = ada.call('GET', '/v1/identities').json['identities']
    ada.call('DELETE', '/v1/identities/' + identity['id'])
    ada.call('PUT', '/v1/me/password', {'old': PASSWORD, 'new': 'another long password'})
    other = bench.browser(backend)
    other.sign_in('bob')
    other.call('DELETE', '/v1/session')
    # What the commands do beside it is written down too.
    shed = backend.command('token', 'create', 'owner', 'shed')[0]['id']
    backend.command('token', 'revoke', shed)
    changes = ada.call('GET', '/v1/changes?audit=1').json['changes']
    seen = [(one['actor'], one['kind'], one['object'], one['action']) for one in changes]
    for wanted in [
        ('luna account', 'account', 'ada', 'add'), ('ada', 'account', 'ada', 'edit'), ('ada', 'session', 'ada', 'signIn'), ('ada', 'account', 'bob', 'invite'),
        ('ada', 'account', 'eve', 'add'), ('ada', 'account', 'eve', 'edit'), ('ada', 'account', 'eve', 'remove'), ('ada', 'token', 'house', 'add'),
        ('ada', 'token', 'house', 'remove'), ('luna account', 'identity', identity['id'], 'edit'), ('ada', 'identity', identity['id'], 'remove'),
        ('', 'session', 'bob', 'refuse'), ('', 'session', '', 'refuse'), ('bob', 'session', 'bob', 'signOut'), ('bob', 'gateway', gateway['id'], 'add'),
        ('luna backend token', 'token', 'shed', 'add'), ('luna backend token', 'token', 'shed', 'remove'),
    ]:
        assert wanted in seen, (wanted, seen)
    role = next(one for one in changes if (one['object'], one['action']) == ('eve', 'edit'))
    assert role['fields'] == {'role': {'before': 'viewer', 'after': 'operator'}}, role
    assert [one['change'] for one in changes] == sorted({one['change'] for one in changes}), 'in the order of what happened'
    # Nothing secret.
    text = json.dumps(changes)
    for secret in [PASSWORD, 'another long password', 'wrong password here', ada.cookie, bob.cookie, ada.csrf]:
        assert secret not in text
    # For others it does not exist: not in the list, not by its number, not in what can be asked for.
    kinds = {one['kind'] for one in bob.call('GET', '/v1/changes').json['changes']}
    assert kinds == {'gateway'}, kinds
    assert {one['kind'] for one in ada.call('GET', '/v1/changes?audit=0').json['changes']} == {'gateway'}
    for query in ['object=eve', 'actor=ada', 'object=bob', 'since=0&object=house']:
        assert bob.call('GET', f'/v1/changes?{query}').json['changes'] == [], query
    assert (bob.call('GET', '/v1/changes?audit=1').status, bob.call('GET', '/v1/changes?audit=1').code) == (403, 'forbidden')
    token = backend.command('token', 'create', 'admin', 'program', '--role', 'operator')[0]['token']
    assert backend.call('GET', '/v1/changes?audit=1', headers={'Authorization': 'Bearer ' + token}).status == 403
    assert ada.call('GET', '/v1/changes?audit=2').status == 400
    # None of it is taken back.
    for one in changes:
        if one['kind'] != 'gateway':
            assert ada.call('POST', f"/v1/changes/{one['change']}/undo").code == 'notUndoable', one


def test_an_admin_drops_a_removed_gateway_for_good(bench):
    backend = bench.backend()
    ada, bob = bench.person(backend, 'ada', 'admin'), bench.person(backend, 'bob', 'operator')
    gateway = bob.call('POST', '/v1/gateways', {'name': 'Roof', 'place': {'latitude': 52.5, 'longitude': 13.4}}).json['gateway']
    place = '/v1/gateways/' + gateway['id']
    token = backend.command('token', 'create', 'gateway', gateway['key'])[0]['token']
    upload = lambda: backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + token}).status
    assert upload() == 200
    assert bob.call('POST', place + '/purge').status == 403
    assert ada.call('POST', place + '/purge').code == 'notRemoved'
    removed = bob.call('DELETE', place).json['change']
    assert ada.call('POST', place + '/purge').status == 200
    assert ada.call('POST', place + '/purge').status == 404
    assert bob.call('POST', f'/v1/changes/{removed}/undo').status == 409
    assert upload() == 401, 'its tokens have ended too'
    assert [one['action'] for one in bob.call('GET', f"/v1/changes?object={gateway['id']}").json['changes']] == ['add', 'remove', 'purge']
    # Its label makes another record, which has the same id, and with which it has nothing in common.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([LUNA, 'finder', 'label', '--state', folder, '--name', 'Hall'], stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    changes = []
    for note in ('of before', 'of now'):
        answer = bob.call('POST', '/v1/gateways', {'payload': done.stdout.strip(), 'allowNoPosition': True})
        assert answer.status == 201, answer.body
        place, key = '/v1/gateways/' + answer.json['gateway']['id'], answer.json['gateway']['key']
        listed = lambda: bob.call('GET', f'/v1/gateways?q=key:{key}').json['gateways'][0]
        # What the one before has told is not said of this one.
        for shown in (listed(), bob.call('GET', place).json):
            assert shown['state'] == 'never' and 'seenAt' not in shown and 'health' not in shown, shown
        assert bob.call('GET', place + '/samples').json['samples'] == []
        answer = bob.call('PATCH', place, {'revision': 1, 'note': note})
        assert (answer.status, answer.json.get('note')) == (200, note), answer.body
        changes += [one['change'] for one in bob.call('GET', place + '/history').json['changes'] if one['action'] == 'edit']
        if note == 'of before':
            token = backend.command('token', 'create', 'gateway', key)[0]['token']
            told = {'health': {'uptime': 60}, 'samples': [{'time': soon(-3600), 'health': {'uptime': 1}}], 'items': []}
            rights = {'Authorization': 'Bearer ' + token}
            assert backend.call('POST', '/v1/telemetry', told, headers=rights).status == 200
            assert backend.call('POST', '/trackerEvent', [], headers=rights).status == 200
            assert listed()['state'] == 'online' and bob.call('GET', place + '/samples').json['samples']
            assert bob.call('DELETE', place).status == 200 and ada.call('POST', place + '/purge').status == 200
    answer = bob.call('POST', f'/v1/changes/{changes[0]}/undo')
    assert (answer.status, answer.code) == (409, 'gone'), answer.body
    assert bob.call('GET', place).json['note'] == 'of now'


def test_forged_addresses_are_not_believed(bench):
    """X-Forwarded-For counts only from a proxy that is named, and of it only what that has added."""
    numbers = itertools.count(1)

    def tries(backend, source, header):
        browser = Browser(backend, source)
        def ask():
            number = next(numbers)
            forged = f'198.51.100.{number % 250}'
            return browser.call('POST', '/v1/session', {'name': f'n{number}', 'password': PASSWORD}, X_Forwarded_For=header(forged))
        return ask

    direct = bench.backend()
    assert set(until_limited(tries(direct, '127.0.9.1', lambda forged: forged), 10, 1 / 6)[:-1]) == {401}
    assert set(until_limited(tries(direct, '127.0.9.2', lambda forged: f'{forged}, {forged}'), 10, 1 / 6)[:-1]) == {401}
    behind = bench.backend('--trust-proxy', '127.0.8.0/24')
    # The last one is what the proxy saw; in front of it anything can stand.
    assert set(until_limited(tries(behind, '127.0.8.1', lambda forged: f'{forged}, 203.0.113.7'), 10, 1 / 6)[:-1]) == {401}
    # Another client of the same proxy does not wait; who is no proxy says nothing.
    assert tries(behind, '127.0.8.1', lambda forged: '203.0.113.8')().status == 401
    assert set(until_limited(tries(behind, '127.0.9.3', lambda forged: f'{forged}, {forged}'), 10, 1 / 6)[:-1]) == {401}
    # A session tells the address that the proxy saw.
    link = bench.account('add', 'ada', '--role', 'viewer', backend=behind)[0]['link']
    browser = Browser(behind, '127.0.8.2')
    body = {'secret': link.split('#')[1], 'name': 'ada', 'password': PASSWORD}
    assert browser.call('POST', '/v1/invitation', body, X_Forwarded_For='127.0.0.1, 203.0.113.9').status == 201
    assert browser.call('GET', '/v1/sessions').json['sessions'][0]['address'] == '203.0.113.9'


def test_no_page_can_be_framed(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'admin')
    for path in ['/ui/', '/ui/sign-in', '/ui/accounts', '/ui/device?code=BCDF-BCDF', '/ui/assets/main.js']:
        headers = ada.call('GET', path, check=False).headers
        assert headers['x-frame-options'] == 'DENY' and headers['x-content-type-options'] == 'nosniff', (path, headers)
        policy = {part.split()[0]: part.split()[1:] for part in headers['content-security-policy'].split(';') if part.strip()}
        assert policy['frame-ancestors'] == policy['base-uri'] == policy['default-src'] == ["'none'"], (path, policy)
        assert policy['form-action'] == ["'self'"] and "'unsafe-inline'" not in headers['content-security-policy'], policy
        assert headers['referrer-policy'] in ('no-referrer', 'same-origin') and headers['cross-origin-opener-policy'] == 'same-origin', headers
        assert headers['cross-origin-resource-policy'] == 'same-origin', headers


def test_very_many_passwords(bench):
    """From as many addresses as one likes: hardly any is even looked at, and nobody else is in the way."""
    backend = bench.backend('--connections-per-address', '0')
    ada, bob = bench.person(backend, 'ada', 'viewer'), bench.person(backend, 'bob', 'viewer')
    lock, statuses, numbers = threading.Lock(), {}, itertools.count()

    def attack():
        while (number := next(numbers)) < PASSWORDS:
            source = f'127.{10 + number // 62500}.{number // 250 % 250}.{number % 250 + 1}'
            body = {'name': 'ada', 'password': f'guess number {number}'}
            try:
                status = backend.call('POST', '/v1/session', body, headers={'Origin': ada.origin}, source=source, check=number % 100 == 0, timeout=5).status
            except OSError:
                # It waits, as do those who come after wrong ones; the attacker does not.
                status = None
            with lock:
                statuses[status] = statuses.get(status, 0) + 1

    began = time.monotonic()
    together([attack] * 16)
    seconds = time.monotonic() - began
    assert set(statuses) <= {None, 401, 429, 503} and sum(statuses.values()) == PASSWORDS, statuses
    # Five are looked at, as are those that were there at once; then each waits twice as long as the one before, up to 64 s.
    assert statuses.get(401, 0) <= 5 + 16 + seconds / 2, (statuses, seconds)
    # Who is signed in goes on, and others get in as ever.
    assert ada.call('GET', '/v1/session').json['signedIn']
    bench.browser(backend).sign_in('bob')
    assert bob.call('GET', '/v1/gateways').status == 200 and backend.alive()


test_very_many_passwords.seconds = 120 + PASSWORDS // 50


def test_a_session_stays_over_a_restart(bench):
    backend = bench.backend()
    ada = bench.person(backend, 'ada', 'viewer')
    assert backend.stop() == 0
    backend.start()
    assert ada.call('GET', '/v1/session').json['account'] == 'ada'
    assert any(line['message'] == 'invitation used' and line['account'] == 'ada' for line in backend.log())
    text = open(backend.log_path).read()
    for secret in [ada.cookie, ada.csrf, PASSWORD, ada.address]:
        assert secret not in text
