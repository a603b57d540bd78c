"""A `luna backend` on loopback, what one sends to it, and a check of every answer against its own
OpenAPI document."""

import base64
import datetime
import gzip
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import bench
import pace
from bench import ROOT, free_port, never, wait_for

LUNA = os.environ.get('LUNA', os.path.join(ROOT, '.build', 'release', 'luna'))
# How long a call waits for what takes a moment, on the slowest machine: it only says never, as the machine may become
# busy at any time. The deadline of the test measures that anew and comes before it; where the time itself is what is
# tested, the test has its own number.
PATIENCE = 15 * bench.PATIENCE * pace.MOST


def environment():
    """The folder of the Python environment with jsonschema and schemathesis; made the first time."""
    script = os.path.join(ROOT, 'scripts', 'lib', 'api-venv')
    return subprocess.run([script], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def schema_checker():
    """The module jsonschema, from that environment."""
    if 'jsonschema' not in sys.modules:
        folder = os.path.join(environment(), 'lib')
        sys.path.extend(os.path.join(folder, name, 'site-packages') for name in os.listdir(folder))
    import jsonschema

    return jsonschema


def today(days=0):
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days)).isoformat()


def event(number=None, day=None, **changes):
    """An event that no other is like; the same one for the same number."""
    source = random.Random(number) if number is not None else random
    location = b'\x01' + source.randbytes(60)
    made = {
        'protocolVersion': 1,
        'heid': source.randbytes(16).hex(),
        'encodedLocation': base64.b64encode(location).decode(),
        'esf': source.randbytes(3).hex(),
        'day': day or today(),
    }
    made.update(changes)
    return {name: value for name, value in made.items() if value is not None}


def package(heid, number=1660156):
    """A deferred control package; nobody but a tracker can tell that its code is made up."""
    data = bytes([1, 1, 0, 10]) + number.to_bytes(4, 'big') + bytes.fromhex(heid) + (1700000100).to_bytes(4, 'big') + bytes(16)
    return {
        'heid': heid,
        'keyRollingCounter': number,
        'command': 'buzzStart',
        'argument': 10,
        'counter': 1700000100,
        'data': base64.b64encode(data).decode(),
    }


def soon(seconds=600):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.isoformat().replace('+00:00', 'Z')


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        kind = self.headers.get('content-type', '')
        self.json = json.loads(body) if 'json' in kind and body else None

    @property
    def code(self):
        return (self.json or {}).get('code')


class Backend:
    """A server; started anew on the same port and storage as often as one likes."""

    def __init__(self, *options, directory=None, store=None):
        self.luna = LUNA
        self.directory = directory or tempfile.mkdtemp(prefix='luna-backend.')
        self.store = store or f'sqlite:{self.directory}/backend.sqlite'
        self.options = list(options)
        # What is put before the command that serves.
        self.prefix = []
        self.port = None
        self.process = None
        self.document = None
        self.tokens = {}

    def command(self, *words, code=0):
        done = subprocess.run(
            [self.luna, 'backend', *words, '--store', self.store],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()] if code == 0 else done.stderr

    def token(self, role, name='test'):
        """A token of a kind, made the first time."""
        if (role, name) not in self.tokens:
            self.tokens[role, name] = self.command('token', 'create', role, name)[0]['token']
        return self.tokens[role, name]

    def start(self, *options):
        # Started anew it gets the same one, which no client may have got meanwhile.
        self.port = self.port or free_port()
        self.log_path = os.path.join(self.directory, 'log')
        with open(self.log_path, 'ab') as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.luna, 'backend', '--listen', f'127.0.0.1:{self.port}', '--store', self.store, *self.options, *options],
                stdin=subprocess.DEVNULL,
                stderr=log,
                stdout=log,
            )
        before = self.log_size if hasattr(self, 'log_size') else 0

        def listening():
            assert self.process.poll() is None, open(self.log_path).read()[-2000:]
            found = re.findall(r'"message":"listening","address":"127.0.0.1:(\d+)"', open(self.log_path).read()[before:])
            return found and int(found[-1])

        self.port = wait_for(listening, PATIENCE, 'the backend to listen')
        self.log_size = os.path.getsize(self.log_path)
        return self

    def log(self):
        return [json.loads(line) for line in open(self.log_path)]

    def kill(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        """Ends it; returns its status."""
        self.kill(number)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        subprocess.run(['rm', '-rf', self.directory])

    # Requests

    def call(self, method, path, body=None, role=None, name='test', headers=(), compress=False, check=True, timeout=PATIENCE,
             source='127.0.0.1'):
        """One request on a connection of its own; the answer is checked against the document. What has a limit for each
        address is asked from an address of its own, so that no other test has used it up."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=timeout, source_address=(source, 0))
        try:
            return self.call_on(connection, method, path, body, role, name, headers, compress, check)
        finally:
            connection.close()

    def call_on(self, connection, method, path, body=None, role=None, name='test', headers=(), compress=False, check=True):
        fields = dict(headers)
        if role:
            fields.setdefault('Authorization', 'Bearer ' + self.token(role, name))
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        if data is not None:
            fields.setdefault('Content-Type', 'application/json')
        if compress:
            data = gzip.compress(data)
            fields['Content-Encoding'] = 'gzip'
        connection.request(method, path, data, fields)
        response = connection.getresponse()
        answer = Answer(response.status, {n.lower(): v for n, v in response.getheaders()}, response.read())
        if check:
            self.check(method, path, answer)
        return answer

    def upload(self, events, name='test', **how):
        return self.call('POST', '/trackerEvent', events, 'gateway', name, **how)

    def query(self, heids, first=None, last=None, cursor=None, **how):
        body = {'heids': heids, 'from': first or today(-400), 'to': last or today(1)}
        if cursor:
            body['cursor'] = cursor
        return self.call('POST', '/v1/events/query', body, 'owner', **how)

    def stored(self, heids):
        """All events of some identifiers."""
        found = []
        for start in range(0, len(heids), 1024):
            cursor = None
            while True:
                page = self.query(heids[start : start + 1024], cursor=cursor, check=False)
                if page.status == 429:
                    # A fast machine has stored more than one token may ask for at once.
                    time.sleep(int(page.headers['retry-after']))
                    continue
                assert page.status == 200, (page.status, page.body)
                found += page.json['events']
                cursor = page.json.get('cursor')
                if not cursor:
                    break
        return found

    def raw(self, data, seconds=PATIENCE, half_close=False):
        """Sends bytes; returns what comes back until the end or silence."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=seconds) as link:
            answer = b''
            try:
                link.sendall(data)
                if half_close:
                    link.shutdown(socket.SHUT_WR)
            except OSError:
                # It may have answered before it had everything.
                pass
            try:
                while True:
                    piece = link.recv(65536)
                    if not piece:
                        return answer, 'closed'
                    answer += piece
            except socket.timeout:
                return answer, 'open'
            except OSError:
                return answer, 'closed'

    def alive(self):
        """Whether others are answered."""
        return self.call('GET', '/healthz').status == 200

    # The document

    def check(self, method, path, answer):
        """Fails when the document does not foresee an answer."""
        if self.document is None:
            self.document = json.loads(self.call('GET', '/openapi.json', check=False).body)
        for template, operations in self.document['paths'].items():
            if re.fullmatch(re.sub(r'\{\w+\}', '[^/]+', template), path.split('?')[0]) and method.lower() in operations:
                responses = operations[method.lower()]['responses']
                assert str(answer.status) in responses, f'{method} {path} answered {answer.status}, which is not in the document'
                content = responses[str(answer.status)].get('content')
                break
        else:
            assert answer.status in (404, 405, 400, 414, 431), (method, path, answer.status)
            content = {'application/problem+json': {'schema': {'$ref': '#/components/schemas/Problem'}}}
        assert re.fullmatch('[0-9a-f]{16}', answer.headers['x-request-id']), answer.headers
        if content is None:
            assert not answer.body, (method, path, answer.body)
            return
        kind = answer.headers['content-type']
        assert kind in content, f'{method} {path} answered {kind}, which is not in the document'
        if answer.json is not None:
            schema = {**content[kind]['schema'], 'components': self.document['components']}
            checker = schema_checker()
            checker.Draft202012Validator(schema, format_checker=checker.FormatChecker()).validate(answer.json)
        if kind == 'application/problem+json':
            assert answer.json['status'] == answer.status, answer.json
        if answer.status in (429, 503):
            assert int(answer.headers['retry-after']) >= 1, answer.headers


class APIBench:
    """What the runner needs: one server for most tests, and others that go with their test."""

    def __init__(self, *options):
        self.backend = Backend('--events-per-second', '0', *options).start()
        self.others = []

    def other(self, *options, **how):
        self.others.append(Backend(*options, **how))
        return self.others[-1]

    def tidy(self):
        while self.others:
            self.others.pop().close()

    def close(self):
        self.tidy()
        self.backend.close()


def until_limited(ask, allowed, a_second, parts=1):
    """Asks until the answer is 429: returns all statuses. However slow this machine is, what a limit lets through
    is at least `allowed`, and no more than that and what has come since. Of several with a part of it each, one may
    be asked before its turn: then it is at least a part."""
    began, statuses = time.monotonic(), []
    while not statuses or statuses[-1] != 429:
        statuses.append(ask().status)
        most = allowed + 2 + a_second * (time.monotonic() - began)
        assert len(statuses) <= most, statuses
    assert len(statuses) > allowed // parts, statuses
    return statuses


def together(functions):
    """Runs functions at the same time; returns their results."""
    results = [None] * len(functions)

    def run(index):
        results[index] = functions[index]()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def memory(process, what='VmRSS'):
    """Of a process, MiB."""
    return int(re.search(what + r':\s+(\d+)', open(f'/proc/{process.pid}/status').read()).group(1)) / 1024


def at_most(seconds, began):
    """Fails when something took longer than what takes up to so many seconds on an idle machine."""
    took = time.monotonic() - began
    assert took <= never(seconds), f'took {took:.1f} s'
