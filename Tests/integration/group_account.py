"""`luna login`, `logout`, `whoami` and `token` against real authorization servers and a scripted one, all of
them on loopback; and many programs that share a credential."""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time

import pace
from backends import LUNA, PATIENCE
from bench import chance, closed_port, lasting, wait_for
from credentials import Credential
from oauth_servers import Browser, Django, Front, Glewlwyd, Scripted

IN_VM = False
PROCESSES = 20
EXPIRIES = int(os.environ.get('LUNA_EXPIRIES', '20'))


class Bench(Credential):
    """The servers, each started when it is used first, and a state directory for each test."""

    def __init__(self):
        self.servers = {}
        self.state = tempfile.mkdtemp(prefix='luna-account.')
        self.running = []

    def server(self, kind):
        if kind not in self.servers:
            self.servers[kind] = kind()
        return self.servers[kind]

    def luna(self, *words, **more):
        environment = dict(os.environ, NO_PROXY='*')
        for name in ['DISPLAY', 'WAYLAND_DISPLAY']:
            environment.pop(name, None)
        environment.update(more.pop('environment', {}))
        return subprocess.run([LUNA, *words, '--state', self.state], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              env=environment, **more)

    def begin(self, *words):
        """Starts a sign-in; gives the process and its first line."""
        process = subprocess.Popen([LUNA, 'login', *words, '--state', self.state, '--format', 'jsonl'],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=dict(os.environ, BROWSER='true'))
        self.running.append(process)
        return process, json.loads(process.stdout.readline())

    def end(self, process, code=0):
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, (process.returncode, errors)
        return json.loads(output.splitlines()[-1]) if output else None

    def sign_in(self, server):
        process, prompt = self.begin('--issuer', server.issuer, '--client-id', server.client, '--device',
                                     *getattr(server, 'more', []))
        if not isinstance(server, Scripted):
            server.decide(prompt['userCode'])
        return self.end(process)

    def tidy(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.running = []
        shutil.rmtree(self.state)
        os.mkdir(self.state)

    def close(self):
        for server in self.servers.values():
            server.close()
        shutil.rmtree(self.state)


def prepare(mode):
    return Bench()


def check_kept(bench):
    assert stat.S_IMODE(os.stat(bench.path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(bench.path)).st_mode) == 0o700
    left = set(os.listdir(os.path.dirname(bench.path)))
    assert left <= {'default.json', 'default.lock'}, left


# Real servers


def go_through(bench, kind):
    server = bench.server(kind)
    account = bench.sign_in(server)
    assert account['issuer'] == server.issuer, account
    check_kept(bench)
    first = bench.read()
    token = bench.luna('token', 'show').stdout.strip()
    assert token == first['accessToken']
    renewed = bench.luna('token', 'refresh', '--force')
    assert renewed.returncode == 0, renewed.stderr
    second = bench.read()
    assert second['generation'] == first['generation'] + 1
    assert second['accessToken'] != first['accessToken']
    who = json.loads(bench.luna('whoami').stdout)
    assert who['type'] == 'account' and who['issuer'] == server.issuer, who
    assert all(second[name] not in json.dumps(who) for name in ['accessToken', 'refreshToken'])
    return first, second


def test_django_with_a_code_for_another_device(bench):
    first, second = go_through(bench, Django)
    # No ID token in the first answer; the renewal has one, and tells who it is.
    assert 'idToken' not in first and 'idToken' in second
    assert second['subject']
    assert bench.luna('token', 'show', '--mode', 'jwt').stdout.strip() == second['idToken']


def test_django_without_a_device_endpoint(bench):
    server = bench.server(Django)
    answer = bench.luna('login', '--issuer', server.issuer, '--client-id', server.client, '--device')
    assert answer.returncode == 9 and '--device-endpoint' in answer.stderr, answer.stderr
    assert not os.path.exists(bench.path)


def test_django_refused_by_the_person(bench):
    server = bench.server(Django)
    process, prompt = bench.begin('--issuer', server.issuer, '--client-id', server.client, '--device', *server.more)
    server.decide(prompt['userCode'], approves=False)
    bench.end(process, code=1)
    assert not os.path.exists(bench.path)


def test_django_used_twice(bench):
    """A refresh token that was used before ends the sign-in, and only that."""
    bench.sign_in(bench.server(Django))
    old = bench.read()
    assert bench.luna('token', 'refresh', '--force').returncode == 0
    with open(bench.path, 'w') as file:
        json.dump(old, file)
    answer = bench.luna('token', 'refresh', '--force')
    assert answer.returncode == 1, answer.stderr
    assert not os.path.exists(bench.path)


def test_glewlwyd_with_a_code_for_another_device(bench):
    first, second = go_through(bench, Glewlwyd)
    # An ID token in the first answer only: it stays.
    assert first['idToken'] == second['idToken'] and first['subject'] == second['subject']


def test_glewlwyd_refuses_with_nothing(bench):
    bench.sign_in(bench.server(Glewlwyd))
    credential = bench.read()
    credential['refreshToken'] = 'never-given'
    with open(bench.path, 'w') as file:
        json.dump(credential, file)
    answer = bench.luna('token', 'refresh', '--force')
    assert answer.returncode == 1, answer.stderr
    assert not os.path.exists(bench.path)


def behind_a_front(bench, kind, told=None, losing=0, code=0, **how):
    """Signs in at a real server that is asked too fast, or whose first answer with tokens is lost; gives what its token
    endpoint has answered until that was over."""
    front, server = Front(), None
    front.interval, front.losing = told, losing
    try:
        server = kind(front, **how)
        process, prompt = bench.begin('--issuer', server.issuer, '--client-id', server.client, '--device', *server.more)
        if told:
            wait_for(lambda: 'slow_down' in [error for *_, error in front.answers], PATIENCE, lambda: f'slow_down among {front.answers}')
        server.decide(prompt['userCode'])
        bench.end(process, code)
        answers = list(front.answers)
        assert {kind for kind, *_ in answers} == {'device_code'}
        if code == 0:
            check_kept(bench)
            assert bench.luna('token', 'refresh', '--force').returncode == 0
        return answers
    finally:
        if server:
            server.close()
        front.close()


def test_django_takes_a_code_twice(bench):
    """The first answer with tokens is lost: it is asked again, and who has asked is signed in."""
    answers = behind_a_front(bench, Django, losing=1)
    assert [status for _, status, _ in answers if status == 200] == [200, 200], answers


def test_glewlwyd_takes_a_code_once(bench):
    """There such an answer is the end of the sign-in, and nothing is kept of it."""
    answers = behind_a_front(bench, Glewlwyd, losing=1, code=1)
    assert [answer[1:] for answer in answers[-2:]] == [(200, None), (400, 'access_denied')], answers
    assert not os.path.exists(bench.path)


def test_glewlwyd_says_slow_down(bench):
    """Asked faster than it likes it says so; it is asked less often, and signs in whom it has told that."""
    answers = behind_a_front(bench, Glewlwyd, told=1, interval=4)
    errors = [error for *_, error in answers]
    assert errors.count('slow_down') == 1 and errors[-1] is None, answers


def in_a_browser(bench, kind, way):
    server = bench.server(kind)
    words = ['--issuer', server.issuer, '--client-id', server.code_client, way]
    if server.redirect_port:
        words += ['--redirect-port', str(server.redirect_port)]
    process, prompt = bench.begin(*words)
    assert 'code_challenge_method=S256' in prompt['page']
    if way == '--browser':
        status, _, text = server.visit(prompt['page'])
        assert status == 200 and 'close this page' in text, text
    else:
        # Nobody listens where the browser ends: what it was sent to is pasted.
        process.stdin.write(landing(server, prompt['page']) + '\n')
        process.stdin.flush()
    account = bench.end(process)
    assert account['subject'], account
    check_kept(bench)
    assert bench.luna('token', 'refresh', '--force').returncode == 0


def landing(server, page):
    """The address to which a browser is sent that nobody waits for."""
    import urllib.error
    import urllib.request

    class Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, request, fp, code, msg, headers, newurl):
            return None

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stays,
                                         *[h for h in getattr(server, 'person', Browser()).opener.handlers
                                           if isinstance(h, urllib.request.HTTPCookieProcessor)])
    try:
        opener.open(page + server.consent, timeout=PATIENCE)
    except urllib.error.HTTPError as answer:
        return answer.headers['Location']
    raise AssertionError('no redirect')


def test_django_in_a_browser(bench):
    in_a_browser(bench, Django, '--browser')


def test_glewlwyd_in_a_browser(bench):
    in_a_browser(bench, Glewlwyd, '--browser')


def test_django_pasted(bench):
    in_a_browser(bench, Django, '--paste')


def test_glewlwyd_pasted(bench):
    in_a_browser(bench, Glewlwyd, '--paste')


def test_glewlwyd_wants_the_exact_redirect_address(bench):
    server = bench.server(Glewlwyd)
    process, prompt = bench.begin('--issuer', server.issuer, '--client-id', 'luna', '--browser')
    status, address, _ = server.visit(prompt['page'])
    assert status != 200 or 'callback' not in address
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_a_wrong_state_ends_it(bench):
    server = bench.server(Django)
    process, prompt = bench.begin('--issuer', server.issuer, '--client-id', server.code_client, '--browser')
    address = re.search(r'redirect_uri=([^&]*)', prompt['page']).group(1)
    address = address.replace('%3A', ':').replace('%2F', '/')
    assert Browser().ask('GET', address + '/favicon.ico')[0] == 404
    Browser().ask('GET', address + '?code=x&state=wrong')
    bench.end(process, code=9)
    assert not os.path.exists(bench.path)


def test_a_sign_in_that_fails_signs_out(bench):
    """Whoever was asked, and calls it off or lets it end, is signed out; while nobody can be asked nothing changes."""
    server = Scripted()
    words = ['--issuer', server.issuer, '--client-id', server.client, '--device']
    try:
        bench.sign_in(server)
        server.tokens = lambda form: (400, {'error': 'authorization_pending'})
        process, _ = bench.begin(*words)
        assert os.path.exists(bench.path)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130 and 'any more' in errors, (process.returncode, errors)
        assert not os.path.exists(bench.path)
        del server.tokens
        bench.sign_in(server)
        server.tokens = lambda form: (400, {'error': 'access_denied'})
        process, _ = bench.begin(*words)
        assert bench.end(process, code=1)['type'] == 'error'
        assert not os.path.exists(bench.path)
        assert bench.luna('whoami').returncode == 1
        del server.tokens
        bench.sign_in(server)
    finally:
        server.close()
    answer = bench.luna('login', *words)
    assert answer.returncode == 9 and 'any more' not in answer.stderr, answer.stderr
    assert os.path.exists(bench.path)


def test_signing_out(bench):
    server = bench.server(Django)
    bench.sign_in(server)
    answer = bench.luna('logout')
    # It names no revocation endpoint: that is told, and is no error.
    assert answer.returncode == 0 and 'no way to end' in answer.stderr, answer.stderr
    assert os.listdir(os.path.dirname(bench.path)) == ['default.lock']
    for words in [('whoami',), ('token', 'show'), ('token', 'refresh')]:
        answer = bench.luna(*words)
        assert answer.returncode == 1 and 'luna login' in answer.stderr, answer.stderr
    assert bench.luna('logout').returncode == 0


# Many programs, one credential


def many(bench, environment={}):
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        runs = [pool.submit(bench.luna, 'token', 'show', environment=environment) for _ in range(PROCESSES)]
        return [run.result() for run in runs]


def test_twenty_programs_renew_once(bench):
    """Against a server that ends the sign-in when a refresh token is used twice."""
    server = bench.server(Django)
    bench.sign_in(server)
    before = server.counts
    for expiry in range(1, EXPIRIES + 1):
        bench.expire()
        answers = many(bench)
        assert all(answer.returncode == 0 for answer in answers), [a.stderr for a in answers if a.returncode]
        assert len({answer.stdout for answer in answers}) == 1
        after = server.counts
        assert after['renewed'] - before['renewed'] == expiry, (expiry, after)
        assert after['refused'] == before['refused']
        check_kept(bench)


test_twenty_programs_renew_once.seconds = 60 * EXPIRIES


def test_without_the_lock_that_fails(bench):
    """That the test before can fail: with a lock that holds nobody up it does."""
    source = os.path.join(bench.state, 'flock.c')
    with open(source, 'w') as file:
        file.write('int flock(int descriptor, int operation) { return 0; }\n')
    library = os.path.join(bench.state, 'flock.so')
    subprocess.run(['cc', '-shared', '-fPIC', '-o', library, source], check=True)
    server = Scripted(forgives=False)
    server.pause = 0.5
    try:
        bench.sign_in(server)
        for expiry in range(1, 11):
            bench.expire()
            many(bench, {'LD_PRELOAD': library})
            if server.renewed > expiry or server.refused:
                return
        raise AssertionError('the lock was not needed')
    finally:
        server.close()


def test_killed_at_any_moment(bench):
    """The file is whole, and nobody is signed out by an issuer that forgives a lost answer."""
    server = Scripted()
    lots = chance()
    try:
        bench.sign_in(server)
        for _ in range(max(60, EXPIRIES)):
            bench.expire()
            running = [subprocess.Popen([LUNA, 'token', 'show', '--state', bench.state], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(4)]
            server.pause = lots.random() * 0.05
            time.sleep(lots.random() * 0.2 * pace.slower())
            for process in running:
                process.kill()
                process.wait()
            credential = bench.read()
            assert credential['accessToken'] and credential['refreshToken']
        server.pause = 0
        bench.expire()
        answer = bench.luna('token', 'show')
        assert answer.returncode == 0, answer.stderr
        assert server.refused == 0
        check_kept(bench)
    finally:
        server.close()


test_killed_at_any_moment.seconds = 300 + 2 * EXPIRIES


def test_what_an_issuer_may_answer(bench):
    """The exit codes, and what becomes of the credential."""
    server = Scripted()
    try:
        bench.sign_in(server)
        for status, body, code in [(200, '<html>Log in</html>', 9), (200, {}, 9), (302, '', 9), (403, '', 9),
                                   (404, '', 9), (500, '', 9), (503, '', 9), (400, {'error': 'invalid_client'}, 9),
                                   (401, '<html>', 9), (429, '', 9)]:
            server.instead = (status, [('Location', 'http://127.0.0.1:1/')], body)
            bench.expire()
            answer = bench.luna('token', 'show')
            assert answer.returncode == code, (status, answer)
            assert os.path.exists(bench.path), status
        server.instead = (400, [], {'error': 'invalid_grant'})
        assert bench.luna('token', 'show').returncode == 1
        assert not os.path.exists(bench.path)
    finally:
        server.close()


def test_strict_rules_sign_out(bench):
    """Every answer but a good one ends it, and silence does not; by an option, and by a variable."""
    server = Scripted()
    finder = ('finder', '--backend', server.issuer, '--sign-in', '--radio', 'virtual:7', '--location', 'static:0,0', '--once', '-T', lasting(3))
    try:
        for words, strict in [(('token', 'show'), ['--account-refusal', 'strict']), (('token', 'show'), []), (finder, ['--account-refusal', 'strict'])]:
            bench.sign_in(server)
            bench.expire()
            server.instead = (503, [], '')
            environment = {} if strict else {'LUNA_ACCOUNT_REFUSAL': 'strict'}
            answer = bench.luna(*words, *strict, environment=environment)
            assert answer.returncode == (9 if words is finder else 1), answer
            assert not os.path.exists(bench.path), words
            server.instead = None
        bench.sign_in(server)
        bench.expire()
    finally:
        server.close()
    assert bench.luna('token', 'show', '--account-refusal', 'strict').returncode == 9
    assert os.path.exists(bench.path)
    assert bench.luna('token', 'show', '--account-refusal', 'rigid').returncode == 2


def test_nothing_secret_is_shown(bench):
    server = Scripted()
    try:
        bench.sign_in(server)
        secrets = [bench.read()[name] for name in ['accessToken', 'refreshToken']]
        for words in [('whoami', '-v'), ('whoami', '--format', 'table'), ('token', 'refresh', '--force', '-v'),
                      ('logout', '-v')]:
            answer = bench.luna(*words)
            assert answer.returncode == 0, answer.stderr
            assert not any(secret in answer.stdout + answer.stderr for secret in secrets), words
    finally:
        server.close()


def test_a_gateway_that_is_signed_in(bench):
    """It needs no token of its own; one that is refused is renewed, and what was not uploaded is then."""
    server = Scripted()
    try:
        words = ('finder', '--backend', server.issuer, '--sign-in', '--radio', 'virtual:7', '--location', 'static:0,0',
                 '--once', '-T', lasting(3))
        answer = bench.luna(*words)
        assert answer.returncode == 9 and not server.uploads, answer
        bench.sign_in(server)
        server.revoked = first = bench.read()['accessToken']
        answer = bench.luna(*words)
        assert answer.returncode == 0, answer
        second = bench.read()['accessToken']
        tokens = [token for token, _ in server.uploads]
        assert tokens[0] == first and set(tokens[1:]) == {second} and server.renewed == 1, tokens
        assert sum(count for token, count in server.uploads if token == second) > 0
        # A profile by its name, which is not signed in.
        answer = bench.luna(*words, '--sign-in', 'garden')
        assert answer.returncode == 9, answer
    finally:
        server.close()


def test_a_damaged_credential(bench):
    server = Scripted()
    try:
        bench.sign_in(server)
        with open(bench.path, 'w') as file:
            file.write('{"schema":1')
        for words in [('whoami',), ('token', 'show')]:
            answer = bench.luna(*words)
            assert answer.returncode == 8 and 'damaged' in answer.stderr, answer
        # A new sign-in puts it right, and so does signing out.
        bench.sign_in(server)
        assert bench.luna('token', 'show').returncode == 0
    finally:
        server.close()


def test_a_credential_of_systemd(bench):
    """It is taken over when it is new, and not again: neither after it was renewed nor after somebody signed out."""
    server = Scripted()
    folder = os.path.join(bench.state, 'credentials')
    given = os.path.join(folder, 'luna.account')
    luna = lambda *words: bench.luna(*words, environment={'CREDENTIALS_DIRECTORY': folder})

    def supply():
        bench.sign_in(server)
        supplied = bench.read()
        os.replace(bench.path, given)
        return supplied

    os.mkdir(folder)
    try:
        assert luna('whoami').returncode == 1
        first = supply()
        assert bench.luna('whoami').returncode == 1
        assert luna('token', 'show').stdout.strip() == first['accessToken']
        assert stat.S_IMODE(os.stat(bench.path).st_mode) == 0o600
        assert luna('token', 'refresh', '--force').returncode == 0
        second = bench.read()
        assert second['refreshToken'] != first['refreshToken']
        assert luna('token', 'show').stdout.strip() == second['accessToken']
        assert luna('logout').returncode == 0
        assert luna('whoami').returncode == 1
        third = supply()
        assert luna('token', 'show').stdout.strip() == third['accessToken']
        assert server.refused == 0
    finally:
        server.close()


def test_wrong_command_lines(bench):
    for words in [('login',), ('login', '--issuer', 'https://x.example'), ('login', '--backend', 'nonsense'),
                  ('login', '--backend', 'http://other.example'), ('login', '--backend', 'https://u:p@x.example'),
                  ('login', '--backend', 'https://x.example', '--as', 'king'), ('whoami', '--profile', '../x'),
                  ('login', '--backend', 'https://x.example', '--device', '--paste')]:
        answer = bench.luna(*words)
        assert answer.returncode == 2, (words, answer)
    answer = bench.luna('login', '--backend', f'http://127.0.0.1:{closed_port()}')
    assert answer.returncode == 9, answer
