"""People who sign in to the console at other issuers: at real ones, at a scripted one, and at a hostile one."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import re
import secrets
import subprocess
import threading
import time
import urllib.parse
import uuid

from backends import LUNA, PATIENCE, Answer, Backend, until_limited
from bench import free_port, wait_for
from browser import Browser as Chromium, axe
from group_issuer import Person
from issuers import Answering, SigningIssuer, base64url, keys_of
from oauth_servers import Django, Glewlwyd

IN_VM = False
PAGES = {'Accept': 'text/html,application/xhtml+xml'}


class Visitor:
    """A browser with the cookies of this machine, which goes where it is led."""

    def __init__(self, source='127.0.0.1'):
        self.cookies, self.flags, self.source = {}, {}, source

    def ask(self, method, url, body=None, **headers):
        place = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE, source_address=(self.source, 0))
        fields = {name.replace('_', '-'): value for name, value in headers.items()}
        if self.cookies:
            fields.setdefault('Cookie', '; '.join(f'{name}={value}' for name, value in self.cookies.items()))
        if body is not None:
            fields['Content-Type'] = 'application/json'
        try:
            connection.request(method, url[len(f'{place.scheme}://{place.netloc}'):], None if body is None else json.dumps(body), fields)
            response = connection.getresponse()
            answer = Answer(response.status, {n.lower(): v for n, v in response.getheaders()}, response.read())
            for line in response.headers.get_all('Set-Cookie') or []:
                pair, *flags = [part.strip() for part in line.split(';')]
                name, value = pair.split('=', 1)
                self.cookies[name] = value
                self.flags[name] = {flag.lower() for flag in flags}
                if not value or 'max-age=0' in self.flags[name]:
                    del self.cookies[name]
        finally:
            connection.close()
        answer.url = url
        return answer

    def follow(self, url, change=lambda url: url, until=None, **headers):
        """Goes on as long as it is led on, or to an address that begins as is said."""
        for _ in range(10):
            answer = self.ask('GET', change(url), **headers)
            if answer.status not in (301, 302, 303, 307, 308):
                return answer
            url = urllib.parse.urljoin(url, answer.headers['location'])
            if until and url.startswith(until):
                return url
        raise AssertionError('it goes in circles')


class Console:
    """A backend at which people sign in by issuers."""

    def __init__(self, bench, lines=''):
        self.backend = Backend()
        bench.backends.append(self.backend)
        self.backend.port = free_port()
        self.url = f'http://127.0.0.1:{self.backend.port}'
        self.redirect = self.url + '/v1/session/oidc'
        self.path = os.path.join(self.backend.directory, 'luna.conf')
        self.backend.options += ['--config', self.path]
        self.configure(lines)

    def configure(self, lines):
        with open(self.path, 'w') as file:
            file.write('[backend]\n' + lines)

    def start(self):
        self.backend.start()
        return self

    def begin(self, issuer, visitor, page='/ui/', **headers):
        query = urllib.parse.urlencode({'issuer': issuer, 'next': page})
        return visitor.ask('GET', f'{self.url}/v1/session/oidc/start?{query}', **headers)

    def state(self, visitor):
        return visitor.ask('GET', self.url + '/v1/session').json

    def answer(self, visitor, **query):
        """What an issuer has its browser say here."""
        query = {name: value for name, value in query.items() if value is not None}
        answer = visitor.ask('GET', self.redirect + '?' + urllib.parse.urlencode(query))
        self.backend.check('GET', '/v1/session/oidc', answer)
        return answer


class Scripted(SigningIssuer):
    """An issuer that says of whoever comes what the test wants, and whose ID tokens can be wrong."""

    def __init__(self):
        self.claims, self.header, self.signer = {}, {}, None
        self.codes, self.forms, self.heads = {}, [], []
        self.instead = None
        self.names_itself = False
        self.delay = 0
        # Until this is set it answers nobody who asks for tokens.
        self.held = None
        # What it says of a person beside the ID token: the arguments of an answer; and what it was shown for that.
        self.besides, self.shown = None, []
        outer = self

        class Handler(Answering):
            def do_GET(self):
                place = urllib.parse.urlsplit(self.path)
                if place.path == '/userinfo':
                    outer.shown.append(self.headers['Authorization'])
                    return self.answer(*outer.besides)
                if place.path == '/.well-known/openid-configuration':
                    more = {'userinfo_endpoint': outer.issuer + '/userinfo'} if outer.besides else {}
                    return self.answer({
                        **more, 'issuer': outer.issuer, 'token_endpoint': outer.issuer + '/token', 'jwks_uri': outer.issuer + '/keys',
                        'authorization_endpoint': outer.issuer + '/authorize', 'scopes_supported': ['openid', 'profile'],
                        'authorization_response_iss_parameter_supported': outer.names_itself})
                if place.path == '/authorize':
                    asked = dict(urllib.parse.parse_qsl(place.query))
                    code = outer.code(asked)
                    query = urllib.parse.urlencode({'code': code, 'state': asked['state']} | ({'iss': outer.issuer} if outer.names_itself else {}))
                    return self.answer({}, 302, Location=f"{asked['redirect_uri']}?{query}")
                return self.answer({'keys': outer.keys})

            def do_POST(self):
                form = self.form()
                outer.forms.append(form)
                outer.heads.append(self.headers)
                time.sleep(outer.delay)
                if outer.held:
                    outer.held.wait(PATIENCE)
                if outer.instead:
                    return self.answer(*outer.instead)
                asked = outer.codes.pop(form.get('code'), None)
                if not asked or not outer.proves(asked, form):
                    return self.answer({'error': 'invalid_grant'}, 400)
                self.answer({'access_token': 'x', 'token_type': 'Bearer', 'id_token': outer.id_token(asked)})

        super().__init__(Handler)

    def code(self, asked):
        code = secrets.token_hex(8)
        self.codes[code] = asked
        return code

    @staticmethod
    def proves(asked, form):
        """PKCE, and the same redirect address."""
        challenge = base64url(hashlib.sha256(form['code_verifier'].encode()).digest())
        return asked['code_challenge_method'] == 'S256' and challenge == asked['code_challenge'] and form['redirect_uri'] == asked['redirect_uri']

    def id_token(self, asked):
        now = int(time.time())
        header = {'typ': 'JWT', **self.header}
        token = self.signed(header, {'iss': self.issuer, 'sub': 'person', 'aud': asked['client_id'], 'exp': now + 600, 'iat': now,
                                     'nonce': asked['nonce'], **self.claims}, self.signer)
        return token[:token.rindex('.') + 1] if header.get('alg') == 'none' else token


class Bench:
    def __init__(self):
        self.servers, self.backends, self.browsers, self.closing = {}, [], [], []
        self.next = 1

    def server(self, kind):
        if kind not in self.servers:
            self.servers[kind] = kind()
        return self.servers[kind]

    def scripted(self):
        server = Scripted()
        self.closing.append(server)
        return server

    def console(self, lines=''):
        return Console(self, lines)

    def visitor(self):
        """Signing in is limited for each address: one that nobody has come from yet."""
        self.next += 1
        return Visitor(f'127.1.{self.next // 250}.{self.next % 250 + 1}')

    def tidy(self):
        for one in self.browsers + self.backends + self.closing:
            one.close()
        self.browsers, self.backends, self.closing = [], [], []

    def close(self):
        self.tidy()
        for server in self.servers.values():
            server.close()


def prepare(mode):
    return Bench()


def at_issuer(bench, kind, lines=''):
    server = bench.server(kind)
    console = bench.console()
    client, secret = server.admit(console.redirect)
    found = f'issuer = {server.issuer}\noidc-client = {client}\n'
    if secret:
        path = os.path.join(console.backend.directory, 'secret')
        with open(path, 'w') as file:
            file.write(secret + '\n')
        found += f'oidc-secret-file = {path}\n'
    console.configure(found + lines)
    return server, console.start()


def consents(server):
    """The person of a server that asks for it agrees to what it asks."""
    return lambda url: url + server.consent if url.startswith(server.base) and 'code_challenge' in url else url


def signs_in_at(bench, kind):
    server, console = at_issuer(bench, kind)
    admin = Person(console.backend, 'ada', 'admin')
    visitor = bench.visitor()
    [offered] = console.state(visitor)['issuers']
    assert offered == {'issuer': server.issuer, 'name': '127.0.0.1'}, offered
    server.arrive(visitor)

    def sign_in():
        # On a busy machine an issuer may take longer than a backend waits, which says so; people try again.
        for _ in range(5):
            begun = console.begin(server.issuer, visitor, '/ui/map')
            if begun.status == 303:
                begun = visitor.follow(begun.headers['location'], consents(server))
            if (begun.status, begun.code) != (503, 'issuerUnavailable'):
                break
        return begun

    # Nobody knows them yet: they wait for an admin, and have no session.
    waits = sign_in()
    assert (waits.status, waits.code) == (403, 'unknownSubject'), waits.body
    assert console.state(visitor)['signedIn'] is False
    [waiting] = admin.call('GET', '/v1/identities').json['identities']
    assert (waiting['issuer'], waiting['state'], waiting['subject']) == (server.issuer, 'waiting', waits.json['subject']), waiting
    assert admin.call('PUT', '/v1/identities/' + waiting['id'], {'account': 'eve', 'role': 'operator'}).status == 200
    came = sign_in()
    assert came.status == 200 and came.url == console.url + '/ui/map', (came.url, came.body)
    state = console.state(visitor)
    assert (state['account'], state['role']) == ('eve', 'operator'), state
    # The command links as well.
    assert admin.call('DELETE', '/v1/identities/' + waiting['id']).status == 204
    assert console.state(visitor)['signedIn'] is False, 'what they were signed in with is over'
    done = subprocess.run([LUNA, 'account', 'link', 'ada', '--issuer', server.issuer, '--subject', waiting['subject'], '--store', console.backend.store],
                          stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    sign_in()
    assert console.state(visitor)['account'] == 'ada'
    return server, console, visitor


def test_signs_in_at_glewlwyd(bench):
    signs_in_at(bench, Glewlwyd)


def test_signs_in_at_django(bench):
    server, console, visitor = signs_in_at(bench, Django)
    [session] = [one for one in visitor.ask('GET', console.url + '/v1/sessions').json['sessions'] if one['current']]
    assert session['method'] == server.issuer, session


def test_signs_in_at_glewlwyd_with_a_browser(bench):
    server, console = at_issuer(bench, Glewlwyd)
    admin = Person(console.backend, 'ada', 'admin')
    browser = Chromium(console.url)
    bench.browsers.append(browser)
    # Signed in there already.
    browser.driver.get(server.base + '/config')
    status = browser.driver.execute_async_script(
        "const done = arguments[0]; fetch('/api/auth/', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ username: 'person', password: 'password' }) }).then((answer) => done(answer.status));")
    assert status == 200, status

    def sign_in():
        browser.open('/ui/sign-in?next=%2Fui%2Fabout')
        browser.find('link', 'Sign in with 127.0.0.1').click()
        # The page of glewlwyd that asks whether to go on is not served here: the person says yes.
        asks = wait_for(lambda: re.search(r'callback_url=([^&]+)', browser.driver.current_url), PATIENCE, 'glewlwyd to ask')
        browser.driver.get(urllib.parse.unquote(asks[1]) + server.consent)
        browser.settle()

    sign_in()
    assert 'an admin has to let you in' in browser.alert()
    assert not browser.barriers(axe())
    [waiting] = admin.call('GET', '/v1/identities').json['identities']
    assert admin.call('PUT', '/v1/identities/' + waiting['id'], {'account': 'eve', 'role': 'viewer'}).status == 200
    sign_in()
    assert browser.driver.current_url == console.url + '/ui/about', browser.driver.current_url
    browser.says('Sign out')
    assert browser.script("return fetch('/v1/session').then((answer) => answer.json())")['account'] == 'eve'
    # No script reads the cookies.
    assert browser.script('return document.cookie').find(f'luna-{console.backend.port}') < 0


def at_scripted(bench, lines='', **more):
    server = bench.scripted()
    console = bench.console(f'issuer = {server.issuer}\noidc-client = console\n{lines}').start()
    return server, console


def arrives(console, server, visitor, page='/ui/'):
    """Goes all the way; gives the last answer before the page."""
    begun = console.begin(server.issuer, visitor, page)
    assert begun.status == 303, begun.body
    url = visitor.follow(begun.headers['location'], until=console.redirect)
    answer = visitor.ask('GET', url)
    console.backend.check('GET', '/v1/session/oidc', answer)
    return answer


def test_roles_by_what_an_issuer_claims(bench):
    rules = 'oidc-role = groups=admins:admin\noidc-role = groups=staff:operator\noidc-role = realm.level=5:viewer\n'
    server, console = at_scripted(bench, rules)
    ada = Person(console.backend, 'ada', 'admin')
    visitor = bench.visitor()
    server.claims = {'preferred_username': 'Ada', 'groups': ['other', 'staff', 'admins']}
    assert arrives(console, server, visitor).status == 303
    state = console.state(visitor)
    # Never an account that is there: names change hands.
    assert (state['account'], state['role']) == ('ada-2', 'admin'), state
    for claims, role in [({'groups': ['staff']}, 'operator'), ({'realm': {'level': 5}}, 'viewer'), ({'groups': 'admins'}, 'admin')]:
        other = bench.visitor()
        server.claims = claims
        assert arrives(console, server, other).status == 303
        assert (console.state(other)['account'], console.state(other)['role']) == ('ada-2', role), claims
        # Where the role is another one, what they were signed in with before is over.
        assert console.state(visitor)['signedIn'] is False
        visitor = other
    # No rule fits any more: they wait, are signed out, and come back as the same account.
    for claims in [{}, {'groups': []}, {'groups': ['Admins', 'admins ']}, {'groups': {'admins': True}}, {'realm': {'level': 6}}, {'realm.level': 6}]:
        server.claims = claims
        answer = arrives(console, server, bench.visitor())
        assert (answer.status, answer.code) == (403, 'unknownSubject'), claims
    assert console.state(visitor)['signedIn'] is False
    assert [one['state'] for one in ada.call('GET', '/v1/identities').json['identities']] == ['waiting']
    server.claims = {'groups': ['staff']}
    assert arrives(console, server, visitor).status == 303
    assert console.state(visitor)['account'] == 'ada-2'
    # What an admin says about somebody holds against the rules.
    [identity] = ada.call('GET', '/v1/identities').json['identities']
    assert ada.call('PUT', '/v1/identities/' + identity['id'], {'account': 'eve', 'role': 'viewer'}).status == 200
    assert console.state(visitor)['signedIn'] is False
    server.claims = {'groups': ['admins']}
    assert arrives(console, server, visitor).status == 303
    assert (console.state(visitor)['account'], console.state(visitor)['role']) == ('eve', 'viewer')


def test_an_admin_lets_somebody_in_on_the_page(bench):
    server, console = at_scripted(bench)
    admin, visitor = Person(console.backend, 'ada', 'admin'), bench.visitor()
    waits = arrives(console, server, visitor)
    assert (waits.status, waits.code) == (403, 'unknownSubject'), waits.body
    browser = Chromium(console.url)
    bench.browsers.append(browser)
    browser.open('/ui/sign-in')
    name, value = admin.cookie.split('=', 1)
    browser.driver.add_cookie({'name': name, 'value': value})
    browser.open('/ui/accounts')
    browser.says('Waiting for a role')
    assert not browser.barriers(axe())
    browser.write('Account of person', 'eve')
    browser.fill('Role of person', 'operator')
    browser.press_for('Let in', 'They may come in now.')
    wait_for(lambda: 'Waiting for a role' not in browser.text(), PATIENCE, 'nobody to wait any more')
    assert arrives(console, server, visitor).status == 303
    state = console.state(visitor)
    assert (state['account'], state['role']) == ('eve', 'operator'), state
    browser.is_clean()


def test_the_last_admin_stays(bench):
    server, console = at_scripted(bench, 'oidc-role = groups=admins:admin\noidc-role = groups=staff:operator\n')
    visitor = bench.visitor()
    server.claims = {'preferred_username': 'ada', 'groups': ['admins']}
    assert arrives(console, server, visitor).status == 303
    csrf = console.state(visitor)['csrf']

    def ask(method, path, body=None):
        return visitor.ask(method, console.url + path, body, Origin=console.url, Luna_CSRF=csrf)

    [identity] = ask('GET', '/v1/identities').json['identities']
    place = '/v1/identities/' + identity['id']
    assert ask('POST', '/v1/accounts', {'name': 'bob', 'role': 'viewer'}).status == 201
    # Each way to take away the only way in.
    for method, path, body in [('DELETE', place, None), ('PUT', place, {'gateway': 'kitchen'}), ('PUT', place, {'owner': 'o'}), ('PUT', place, {'account': 'bob'}),
                               ('PUT', place, {'account': 'eve', 'role': 'viewer'}), ('PATCH', '/v1/accounts/ada', {'role': 'operator'}), ('DELETE', '/v1/accounts/ada', None)]:
        answer = ask(method, path, body)
        assert (answer.status, answer.code) == (409, 'lastAdmin'), (method, path, body, answer.body)
    assert console.state(visitor)['account'] == 'ada'
    assert 'eve' not in [one['name'] for one in ask('GET', '/v1/accounts').json['accounts']], 'nothing of what was refused is there'
    # Another admin who waits for the invitation, or is known only to an issuer where nobody signs in, is none.
    assert ask('POST', '/v1/accounts', {'name': 'max', 'role': 'admin'}).status == 201
    done = subprocess.run([LUNA, 'account', 'link', 'max', '--issuer', 'https://other.example', '--subject', '1', '--store', console.backend.store], timeout=PATIENCE)
    assert done.returncode == 0
    assert ask('DELETE', place).code == 'lastAdmin'
    # Nor do the rules of the issuer take it away.
    server.claims = {'groups': ['staff']}
    assert arrives(console, server, visitor).status == 303
    assert console.state(visitor)['role'] == 'admin'
    server.claims = {}
    assert arrives(console, server, bench.visitor()).code == 'unknownSubject'
    server.claims = {'groups': ['admins']}
    assert arrives(console, server, visitor).status == 303
    csrf = console.state(visitor)['csrf']
    # With another one that can sign in, all of it is as usual.
    secret = ask('PATCH', '/v1/accounts/max', {'invite': True}).json['secret']
    answer = bench.visitor().ask('POST', console.url + '/v1/invitation', {'secret': secret, 'name': 'max', 'password': 'long enough for all'}, Origin=console.url)
    assert answer.status == 201, answer.body
    assert ask('DELETE', place).status == 204


def test_tokens_that_are_not_for_this_sign_in(bench):
    server, console = at_scripted(bench, 'oidc-role = sub=person:viewer\n')
    other, _ = keys_of(server.directory, 'two')
    now = int(time.time())
    assert arrives(console, server, bench.visitor()).status == 303
    wrong = {
        'another nonce': ({'nonce': 'n'}, {}), 'no nonce': ({'nonce': None}, {}), 'another issuer': ({'iss': 'https://other.example'}, {}),
        'a slash more': ({'iss': server.issuer + '/'}, {}), 'another client': ({'aud': 'other'}, {}), 'no audience': ({'aud': None}, {}),
        'another party': ({'azp': 'other'}, {}), 'two audiences, no party': ({'aud': ['console', 'other']}, {}),
        'two audiences, another party': ({'aud': ['console', 'other'], 'azp': 'other'}, {}),
        'expired': ({'exp': now - 61}, {}), 'endless': ({'exp': None}, {}), 'from tomorrow': ({'iat': now + 86400}, {}), 'undated': ({'iat': None}, {}),
        'not yet': ({'nbf': now + 600}, {}), 'nobody': ({'sub': None}, {}), 'empty': ({'sub': ''}, {}), 'a zero': ({'sub': 'per\0son'}, {}), 'a number': ({'sub': 5}, {}),
        'an access token': ({}, {'typ': 'at+jwt'}), 'none': ({}, {'alg': 'none'}), 'no such key': ({}, {'kid': 'two'}), 'critical': ({}, {'crit': ['x'], 'x': 1}),
        'HS256': ({}, {'alg': 'HS256'}), 'PS256': ({}, {'alg': 'PS256'}), 'another algorithm': ({}, {'alg': 'ES256'}),
    }
    for name, (server.claims, server.header) in wrong.items():
        visitor = bench.visitor()
        answer = arrives(console, server, visitor)
        assert (answer.status, answer.code) == (401, 'signIn'), (name, answer.status, answer.body)
        assert list(visitor.cookies) == [f'luna-{console.backend.port}-oidc'], (name, visitor.cookies)
    server.claims, server.header, server.signer = {}, {}, other
    assert arrives(console, server, bench.visitor()).code == 'signIn', 'signed by another key'
    server.signer = None
    # Party and audiences as they are to be; a token that is a minute old.
    for server.claims in [{'aud': ['console', 'other'], 'azp': 'console'}, {'azp': 'console'}, {'exp': now - 20, 'iat': now - 600}]:
        assert arrives(console, server, bench.visitor()).status == 303, server.claims
    server.claims = {}
    # Endpoints that misbehave: nobody is signed in, and the server goes on.
    for name, (instead, status) in {
        'no ID token': (({'access_token': 'x'},), 401), 'an error': (({'error': 'server_error'}, 500), 503), 'HTML': ((b'<html>', 200), 401),
        'a code that Auth0 refuses': (({'error': 'invalid_grant', 'error_description': 'Invalid authorization code'}, 403), 401), 'forbidden': ((b'no', 403), 503),
        'not a token': (({'access_token': 'x', 'id_token': 'x'},), 401), 'elsewhere': ((b'', 302), 503), '9 KiB': (({'access_token': 'x', 'id_token': 'a.' * 5000},), 401),
    }.items():
        server.instead = instead
        answer = arrives(console, server, bench.visitor())
        assert answer.status == status, (name, answer.status, answer.body)
    # More than is read.
    server.instead = (b' ' * (1 << 20),)
    assert arrives(console, server, bench.visitor()).status in (401, 503)
    server.instead = None
    assert console.backend.alive()
    reasons = {line.get('reason') for line in console.backend.log() if line['message'] == 'sign-in failed'}
    assert any('nonce' in (reason or '') or 'another sign-in' in (reason or '') for reason in reasons), reasons
    log = open(console.backend.log_path).read()
    for form in server.forms:
        assert form['code'] not in log and form['code_verifier'] not in log


def test_what_comes_back_belongs_to_the_browser_that_went(bench):
    server, console = at_scripted(bench, 'oidc-role = sub=person:viewer\n')
    # What the issuer is told.
    visitor = bench.visitor()
    begun = console.begin(server.issuer, visitor)
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun.headers['location']).query))
    assert asked['response_type'] == 'code' and asked['client_id'] == 'console' and asked['redirect_uri'] == console.redirect, asked
    assert asked['scope'] == 'openid profile' and asked['code_challenge_method'] == 'S256' and len(asked['code_challenge']) == 43, asked
    assert len(asked['state']) >= 22 and len(asked['nonce']) >= 22 and begun.headers['referrer-policy'] == 'no-referrer', asked
    name = f'luna-{console.backend.port}-oidc'
    assert {'path=/', 'samesite=lax', 'httponly', 'max-age=600'} <= visitor.flags[name], visitor.flags
    good = {'code': server.code(asked), 'state': asked['state']}
    # Somebody else's browser: an attacker's own code in the place of the victim's (sign-in CSRF).
    for stranger in [bench.visitor(), bench.visitor()]:
        assert console.answer(stranger, **good).code == 'signIn'
        assert not [one for one in stranger.cookies if not one.endswith('-oidc')]
        console.begin(server.issuer, stranger)
        assert console.answer(stranger, **good).code == 'signIn'
    # Another state, none, two of them; the same browser.
    for wrong in [{'state': 'x'}, {'state': None}, {'state': ''}, {'state': asked['state'] + 'x'}, {'state': asked['state'].swapcase()}]:
        assert console.answer(visitor, **{**good, **wrong}).code == 'signIn', wrong
    answer = visitor.ask('GET', f"{console.redirect}?code={good['code']}&state={good['state']}&state={good['state']}")
    assert answer.code == 'signIn'
    assert not server.forms, 'nobody has asked the issuer because of that'
    # And as it is to be, once.
    assert console.answer(visitor, **good).status == 303
    assert console.state(visitor)['signedIn']
    assert console.answer(visitor, **good).code == 'signIn'
    # An answer that names another issuer, or an error.
    for more in [{'iss': 'https://other.example'}, {'error': 'access_denied', 'code': None}, {'code': None}, {'code': ''}]:
        other = bench.visitor()
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(console.begin(server.issuer, other).headers['location']).query))
        answer = console.answer(other, **{'code': server.code(asked), 'state': asked['state'], **more})
        assert answer.code == 'signIn', more
        # It is used up all the same.
        assert console.answer(other, code=server.code(asked), state=asked['state']).code == 'signIn', more
    # Five at once; the sixth gives up the first.
    tabs = bench.visitor()
    states = [dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(console.begin(server.issuer, tabs).headers['location']).query)) for _ in range(6)]
    assert console.answer(tabs, code=server.code(states[0]), state=states[0]['state']).code == 'signIn'
    assert console.answer(tabs, code=server.code(states[5]), state=states[5]['state']).status == 303
    assert console.answer(tabs, code=server.code(states[1]), state=states[1]['state']).status == 303
    # One session: the later one has ended the one before.
    fixed = tabs.cookies[f'luna-{console.backend.port}']
    assert len(fixed) == 64
    # A cookie that somebody else put there does not become the session.
    planted = bench.visitor()
    planted.cookies[f'luna-{console.backend.port}'] = '0' * 64
    assert arrives(console, server, planted).status == 303
    assert planted.cookies[f'luna-{console.backend.port}'] != '0' * 64


def test_nobody_is_led_elsewhere(bench):
    server, console = at_scripted(bench, 'oidc-role = sub=person:viewer\n')
    for page, wanted in {
        '/ui/map?q=a%20b': '/ui/map?q=a%20b', '/ui/gateways/0123456789abcdef': '/ui/gateways/0123456789abcdef',
        '//evil.example': '/ui/', 'https://evil.example/ui/': '/ui/', '/ui//evil.example': '/ui/', '/ui/..//evil.example': '/ui/', '/ui/%2e%2e//evil.example': '/ui/',
        '/ui/.%2E/v1/session': '/ui/', '/\\evil.example': '/ui/', '/ui/\\evil.example': '/ui/', '/ui/\t/evil.example': '/ui/', '/ui/\r\nSet-Cookie: a=b': '/ui/', 'javascript:1': '/ui/',
        '/v1/session': '/ui/', '/ui': '/ui/', '': '/ui/', '/uix/': '/ui/', '/ui/' + 'x' * 1100: '/ui/', '/ui/ü': '/ui/',
    }.items():
        answer = arrives(console, server, bench.visitor(), page)
        assert (answer.status, answer.headers['location']) == (303, wanted), (page, answer.headers)
    # Only issuers that are configured, and only from this console's own pages.
    visitor = bench.visitor()
    for issuer in ['https://evil.example', server.issuer + '/', '', server.issuer.upper()]:
        assert console.begin(issuer, visitor).status == 404, issuer
    assert visitor.ask('GET', console.url + '/v1/session/oidc/start').status == 404
    for site in ['cross-site', 'same-site']:
        answer = console.begin(server.issuer, visitor, Sec_Fetch_Site=site)
        assert (answer.status, answer.code) == (403, 'csrf'), answer.body
    for site in ['same-origin', 'none']:
        assert console.begin(server.issuer, visitor, Sec_Fetch_Site=site).status == 303
    assert console.begin(server.issuer, visitor, Host='evil.example').status == 421
    # People see a page.
    answer = console.answer(visitor, code='x', state='x')
    assert answer.status == 401
    answer = visitor.ask('GET', console.redirect + '?code=x&state=x', **PAGES)
    assert (answer.status, answer.headers['location']) == (303, '/ui/sign-in?problem=signIn'), answer.headers
    # As often as passwords are tried.
    one = bench.visitor()
    statuses = until_limited(lambda: console.begin(server.issuer, one), 10, 1 / 6)
    assert set(statuses[:-1]) == {303}, statuses


def test_an_issuer_that_is_away(bench):
    server, console = at_scripted(bench)
    server.server.shutdown()
    server.server.server_close()
    visitor = bench.visitor()
    answer = console.begin(server.issuer, visitor)
    assert (answer.status, answer.code) == (503, 'issuerUnavailable'), answer.body
    answer = console.begin(server.issuer, visitor, **PAGES)
    assert answer.headers['location'] == '/ui/sign-in?problem=issuerUnavailable', answer.headers
    server.server.shutdown = server.server.server_close = lambda: None


def test_issuers_that_name_themselves(bench):
    server, console = at_scripted(bench, 'oidc-role = sub=person:viewer\noidc-name = The house\noidc-scope = openid groups\n')
    server.names_itself = True
    assert console.state(bench.visitor())['issuers'] == [{'issuer': server.issuer, 'name': 'The house'}]
    assert arrives(console, server, bench.visitor()).status == 303
    visitor = bench.visitor()
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(console.begin(server.issuer, visitor).headers['location']).query))
    assert asked['scope'] == 'openid groups'
    # RFC 9207: one that says it names itself, and does not.
    assert console.answer(visitor, code=server.code(asked), state=asked['state']).code == 'signIn'


def test_what_an_issuer_says_beside_the_id_token(bench):
    """Zitadel, Authelia and others give names and groups to who asks for them with the access token (OpenID Connect Core 1.0, 5.4)."""
    server = bench.scripted()
    server.besides = ({'sub': 'person', 'preferred_username': 'eve', 'groups': ['staff'], 'iss': 'https://evil.example'},)
    lines = f'issuer = {server.issuer}\noidc-client = console\noidc-role = groups=staff:operator\noidc-role = realm.level=5:viewer\n'
    console = bench.console(lines).start()

    def comes():
        visitor = bench.visitor()
        answer, state = arrives(console, server, visitor), console.state(visitor)
        return answer.code or (state['account'], state['role'])

    assert comes() == ('eve', 'operator') and server.shown == ['Bearer x'], server.shown
    # The first rule that fits counts, wherever that is said; what is signed goes first.
    server.claims = {'realm': {'level': 5}}
    assert comes() == ('eve', 'operator')
    server.claims = {'groups': ['others'], 'realm': {'level': 5}}
    assert comes() == ('eve', 'viewer')
    # Nobody asks where the ID token says it all.
    asked, server.claims = len(server.shown), {'preferred_username': 'eve', 'groups': ['staff']}
    assert comes() == ('eve', 'operator') and len(server.shown) == asked, server.shown
    server.claims = {}
    # Of somebody else, or nothing that can be read: as if nothing was said.
    for server.besides in [({'sub': 'other', 'groups': ['staff']},), ({'groups': ['staff']},), ({}, 401), (b'eyJhbGciOiJSUzI1NiJ9.e30.AAAA',), ([],),
                           (b'{"sub":"person","groups":["staff"],"groups":["x"]}',)]:
        assert comes() == 'unknownSubject', server.besides
    # Who is away takes nobody's rights.
    server.besides = ({'sub': 'person', 'groups': ['staff']},)
    visitor = bench.visitor()
    assert arrives(console, server, visitor).status == 303
    server.besides = ({}, 502)
    assert comes() == 'issuerUnavailable'
    assert console.state(visitor)['role'] == 'operator'


def test_all_groups_of_a_person(bench):
    """Entra ID writes up to 200 of them into an ID token, which then is longer than what comes with requests may be."""
    server, console = at_scripted(bench, 'oidc-role = groups=staff:operator\n')
    server.claims = {'groups': [str(uuid.uuid4()) for _ in range(199)] + ['staff']}
    visitor = bench.visitor()
    assert arrives(console, server, visitor).status == 303, console.backend.log()
    assert console.state(visitor)['role'] == 'operator'


def test_an_issuer_that_is_slow_holds_up_nobody_else(bench):
    slow, server = bench.scripted(), bench.scripted()
    console = bench.console(f'issuer = {slow.issuer}\noidc-client = console\n[backend other]\nissuer = {server.issuer}\noidc-client = console\noidc-role = sub=person:viewer\n').start()
    slow.held = threading.Event()
    # Each of them waits for five seconds, one after the other.
    waiting = [(one, console.begin(slow.issuer, one).headers['location']) for one in (bench.visitor() for _ in range(12))]
    with concurrent.futures.ThreadPoolExecutor(len(waiting)) as pool:
        try:
            answers = [pool.submit(lambda one=one, url=url: one.ask('GET', one.follow(url, until=console.redirect))) for one, url in waiting]
            wait_for(lambda: slow.forms, PATIENCE, 'the slow issuer to be asked')
            assert arrives(console, server, bench.visitor()).status == 303
            assert not all(answer.done() for answer in answers)
        finally:
            slow.held.set()


def test_who_waits_does_not_fill_the_store(bench):
    server, console = at_scripted(bench)
    import sqlite3
    with sqlite3.connect(console.backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as connection:
        connection.executemany("INSERT INTO identities(id, issuer, subject, kind, created, seen) VALUES(?, 'https://a.example', ?, 'waiting', 0, 0)",
                               [(f'{number:016x}', str(number)) for number in range(999)])

    def count():
        with sqlite3.connect(console.backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as connection:
            return connection.execute('SELECT count(*) FROM identities').fetchone()[0]

    for number in range(3):
        server.claims = {'sub': f'person {number}', 'preferred_username': 'A' * 500 + '\u202e'}
        assert arrives(console, server, bench.visitor()).code == 'unknownSubject'
    assert count() == 1000


def test_mistakes_in_the_configuration(bench):
    for lines, words in {
        'issuer = https://a\noidc-role = groups=a:admin': 'oidc-client', 'issuer = https://a\noidc-client = c\noidc-role = groups:admin': 'CLAIM=VALUE:ROLE',
        'issuer = https://a\noidc-client = c\noidc-role = groups=a:king': 'CLAIM=VALUE:ROLE', 'issuer = https://a\noidc-client = c\nid-token-clients = c': 'console',
        'oidc-client = c': 'no issuer', 'issuer = https://a\noidc-client = c\noidc-scope = profile': 'openid',
    }.items():
        console = bench.console(lines + '\n')
        done = subprocess.run([LUNA, 'backend', '--config', console.path, '--listen', '127.0.0.1:0', '--store', console.backend.store],
                              stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 2 and words in done.stderr, (lines, done.returncode, done.stderr)
