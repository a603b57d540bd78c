"""Authorization servers on loopback, each with one person who approves: real ones, and one that is scripted."""

import gzip
import http.client
import http.cookiejar
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from bench import ROOT, free_port, never, wait_for
from issuers import Answering, Issuer

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'


class Browser:
    """A browser that follows redirects on loopback, and keeps cookies."""

    def __init__(self):
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(self, method, url, body=None, form=None):
        data, headers = None, {}
        if body is not None:
            data, headers = json.dumps(body).encode(), {'Content-Type': 'application/json'}
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(url, method=method, data=data, headers=headers)
        try:
            with self.opener.open(request, timeout=never(15)) as answer:
                return answer.status, answer.geturl(), answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, url, error.read().decode()


class Process:
    """A server that is another program."""

    def start(self, command, answers, **more):
        self.log = open(os.path.join(self.directory, 'output'), 'w')
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, **more)

        def is_ready():
            if self.process.poll() is not None:
                raise AssertionError(open(self.log.name).read()[-2000:])
            try:
                return Browser().ask('GET', answers)[0] < 500
            except OSError:
                return False

        try:
            wait_for(is_ready, 60)
        except BaseException:
            self.close()
            raise

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(never(5))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class Front(Issuer):
    """What stands before a server and keeps what its token endpoint answers: it can lose answers, and say of how fast one
    may ask what the server does not."""

    def __init__(self):
        self.port = None # of the server
        # What the token endpoint has answered: the kind of grant, the status, the error if there is one.
        self.answers = []
        # So many good answers to the first grant are lost.
        self.losing = 0
        # What is said in the place of the server's own `interval`.
        self.interval = None
        front, lock = self, threading.Lock()

        class Handler(Answering):
            def do_GET(self):
                body = self.body() if self.headers['Content-Length'] else None
                status, fields, data = front.ask(self.command, self.path, body, self.headers)
                value = json.loads(data) if data.startswith(b'{') else {}
                form = dict(urllib.parse.parse_qsl((body or b'').decode()))
                with lock:
                    if 'grant_type' in form:
                        front.answers.append((form['grant_type'].split(':')[-1], status, value.get('error')))
                    is_lost = front.losing > 0 and 'access_token' in value and 'device_code' in form
                    front.losing -= is_lost
                if is_lost:
                    self.close_connection = True
                    return self.connection.close()
                if front.interval and 'user_code' in value:
                    data = json.dumps({**value, 'interval': front.interval}).encode()
                self.answer(data, status, **{n: v for n, v in fields if n.lower() in ('content-type', 'location', 'set-cookie')})

            do_POST = do_PUT = do_GET

        super().__init__(Handler)

    def ask(self, method, path, body, fields):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=never(15))
        try:
            connection.request(method, path, body, {n: v for n, v in fields.items() if n.lower() not in ('connection', 'accept-encoding')})
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()


class Django(Process):
    """django-oauth-toolkit: names no device endpoint, and gives an ID token only with a renewal."""

    client, code_client = 'device', 'luna'
    redirect_port = None
    # What the page adds to its address when the person agrees.
    consent = ''

    def __init__(self, front=None):
        environment = subprocess.run(
            [os.path.join(ROOT, 'scripts/lib/api-venv'), 'django'], stdout=subprocess.PIPE, text=True,
            check=True).stdout.strip()
        self.directory, self.port = tempfile.mkdtemp(prefix='luna-django.'), free_port()
        self.base = front.issuer if front else f'http://127.0.0.1:{self.port}'
        if front:
            front.port = self.port
        self.issuer = self.base + '/o'
        self.more = ['--device-endpoint', self.issuer + '/device-authorization/']
        self.start([environment + '/bin/python', os.path.join(HERE, 'oauth_django.py'), self.directory,
                    str(self.port), self.base], self.base + '/count')

    def decide(self, code, approves=True):
        browser = Browser()
        browser.ask('POST', self.issuer + '/device/', form={'user_code': code})
        action = 'accept' if approves else 'deny'
        browser.ask('POST', f'{self.issuer}/device-confirm/{self.client}/{code}', form={'action': action})

    def visit(self, address):
        return Browser().ask('GET', address)

    def admit(self, redirect):
        """Lets a console sign people in; gives its client and its secret."""
        assert Browser().ask('PUT', self.base + '/console', {'redirect': redirect})[0] == 200
        return 'console', 'of the console'

    def arrive(self, visitor):
        """Everybody is signed in here."""

    @property
    def counts(self):
        return json.loads(Browser().ask('GET', self.base + '/count')[2])


class Glewlwyd(Process):
    """glewlwyd: wants the exact redirect address, gives no ID token with a renewal, and refuses one with
    nothing but a status."""

    client = code_client = 'luna'
    more = []
    consent = '&g_continue'

    def __init__(self, front=None, interval=1):
        self.directory, self.port = tempfile.mkdtemp(prefix='luna-glewlwyd.'), free_port()
        self.redirect_port = free_port()
        self.consoles, self.interval = 0, interval
        self.base = front.issuer if front else f'http://127.0.0.1:{self.port}'
        if front:
            front.port = self.port
        self.issuer = self.base + '/api/oidc'
        database = os.path.join(self.directory, 'glewlwyd.db')
        import sqlite3
        with sqlite3.connect(database) as connection:
            connection.executescript(open(SCHEMA).read())
        path = os.path.join(self.directory, 'glewlwyd.conf')
        with open(path, 'w') as file:
            file.write(f'''port={self.port}
bind_address="127.0.0.1"
external_url="{self.base}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="ERROR"
cookie_secure=0
session_expiration=2419200
session_key="session"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="{self.directory}"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
static_files_mime_types=({{extension=".html" mime_type="text/html"}})
database={{type="sqlite3" path="{database}"}}
''')
        self.start(['glewlwyd', '--config-file=' + path], self.base + '/config')
        self.prepare()

    def prepare(self):
        self.admin = admin = Browser()

        def must(method, path, body):
            status, _, text = admin.ask(method, self.base + path, body)
            assert status == 200, (path, status, text)

        must('POST', '/api/auth/', {'username': 'admin', 'password': 'password'})
        key = subprocess.run(['openssl', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
                             stdout=subprocess.PIPE, check=True).stdout
        public = subprocess.run(['openssl', 'pkey', '-pubout'], input=key, stdout=subprocess.PIPE, check=True).stdout
        no = dict.fromkeys(['auth-type-token-enabled', 'auth-type-id-token-enabled', 'auth-type-none-enabled',
                            'auth-type-password-enabled', 'auth-type-client-enabled', 'pkce-method-plain-allowed',
                            'pkce-required', 'oauth-rar-allowed'], False)
        yes = dict.fromkeys(['refresh-token-rolling', 'allow-non-oidc', 'auth-type-code-enabled',
                             'auth-type-refresh-enabled', 'auth-type-device-enabled', 'pkce-allowed',
                             'pkce-required-public-client', 'jwks-show', 'introspection-revocation-allowed',
                             'introspection-revocation-allow-target-client'], True)
        must('POST', '/api/mod/plugin/', {'module': 'oidc', 'name': 'oidc', 'display_name': 'OIDC', 'parameters': {
            'iss': self.issuer, 'jwt-type': 'ecdsa', 'jwt-key-size': '256', 'key': key.decode(),
            'cert': public.decode(), 'access-token-duration': 3600, 'refresh-token-duration': 1209600,
            'code-duration': 600, 'device-authorization-expiration': 600, 'device-authorization-interval': self.interval,
            'refresh-token-one-use': 'never', 'subject-type': 'public', 'pkce-scopes': [], 'scope': [],
            'introspection-revocation-auth-scope': [], **no, **yes}})
        must('POST', '/api/client/?source=database', {
            'client_id': 'luna', 'name': 'luna', 'enabled': True, 'confidential': False,
            'redirect_uri': [f'http://127.0.0.1:{self.redirect_port}/callback'],
            'authorization_type': ['code', 'refresh_token', 'device_authorization'], 'scope': ['openid']})
        must('POST', '/api/user/?source=database', {
            'username': 'person', 'password': 'password', 'enabled': True, 'scope': ['openid', 'g_profile']})
        self.person = Browser()
        assert self.person.ask('POST', self.base + '/api/auth/', {
            'username': 'person', 'password': 'password'})[0] == 200
        status, _, text = self.person.ask('PUT', self.base + '/api/auth/grant/luna', {'scope': 'openid'})
        assert status == 200, (status, text)

    def decide(self, code, approves=True):
        assert approves, 'the page of glewlwyd has no such button'
        query = urllib.parse.urlencode({'code': code, 'g_continue': ''})
        self.person.ask('GET', f'{self.issuer}/device?{query}')

    def visit(self, address):
        return self.person.ask('GET', address + self.consent)

    def admit(self, redirect):
        """Lets a console sign people in; gives its client and its secret."""
        self.consoles += 1
        name = f'console-{self.consoles}'
        status, _, text = self.admin.ask('POST', self.base + '/api/client/?source=database', {
            'client_id': name, 'name': name, 'enabled': True, 'confidential': False,
            'redirect_uri': [redirect], 'authorization_type': ['code'], 'scope': ['openid']})
        assert status == 200, (status, text)
        status, _, text = self.person.ask('PUT', self.base + f'/api/auth/grant/{name}', {'scope': 'openid'})
        assert status == 200, (status, text)
        return name, None

    def arrive(self, visitor):
        """Signs the person in here."""
        assert visitor.ask('POST', self.base + '/api/auth/', {'username': 'person', 'password': 'password'}).status == 200


class Scripted(Issuer):
    """An issuer with one device that is always approved. It rotates refresh tokens; one that was used
    before ends the family, unless its successor has not been used yet: its answer may have been lost."""

    client = 'luna'

    def __init__(self, forgives=True):
        self.forgives, self.lock = forgives, threading.Lock()
        self.renewed = self.refused = 0
        self.current = self.before = None
        self.pause = 0
        # What is answered in the place of a renewal: status, headers, body.
        self.instead = None
        # It is a backend too: with which token what was uploaded, and which one it refuses.
        self.uploads, self.revoked = [], None
        issuer = self

        class Handler(Answering):
            def do_GET(self):
                if self.path != '/.well-known/openid-configuration':
                    return self.answer({}, 404)
                self.answer({'issuer': issuer.issuer, 'token_endpoint': issuer.issuer + '/token',
                             'device_authorization_endpoint': issuer.issuer + '/device'})

            def do_POST(self):
                body = self.body()
                if self.path == '/trackerEvent':
                    return self.take(gzip.decompress(body) if self.headers['Content-Encoding'] else body)
                form = dict(urllib.parse.parse_qsl(body.decode()))
                if self.path == '/device':
                    return self.answer({'device_code': 'd', 'user_code': 'CODE', 'interval': 1,
                                        'verification_uri': issuer.issuer + '/enter', 'expires_in': 60})
                if issuer.instead and form['grant_type'] == 'refresh_token':
                    status, headers, body = issuer.instead
                    return self.answer(body, status, **dict(headers))
                status, body = issuer.tokens(form)
                self.answer(body, status)

            def take(self, body):
                events, token = json.loads(body)['events'], self.headers['Authorization'].removeprefix('Bearer ')
                issuer.uploads.append((token, len(events)))
                if token == issuer.revoked:
                    return self.answer({}, 401)
                results = [{'index': index, 'status': 'accepted'} for index in range(len(events))]
                self.answer({'results': results, 'commandRequests': []})

        super().__init__(Handler)

    def tokens(self, form):
        with self.lock:
            if form['grant_type'] == 'refresh_token':
                given = form['refresh_token']
                if given != self.current and not (self.forgives and given == self.before):
                    self.refused += 1
                    self.current = self.before = None
                    return 400, {'error': 'invalid_grant'}
                self.renewed += 1
                self.before = given
            self.current = secrets.token_hex(16)
            answer = {'access_token': secrets.token_hex(16), 'refresh_token': self.current, 'expires_in': 3600}
        time.sleep(self.pause)
        return 200, answer
