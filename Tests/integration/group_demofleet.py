"""`luna demo --fleet`: from its link to the console, until somebody ends it."""

import http.client
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading

from backends import LUNA, PATIENCE
from bench import wait_for

IN_VM = False


class Demo:
    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix='luna-demofleet.')
        self.process = subprocess.Popen([LUNA, 'demo', '--fleet', '--format', 'jsonl'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=self.directory, http_proxy='http://127.0.0.1:1'))
        self.lines, self.cookie, self.csrf = queue.Queue(), None, None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def line(self, kind):
        """The next line of a kind."""
        while True:
            found = self.lines.get(timeout=2 * PATIENCE)
            if found['type'] == kind:
                return found

    def call(self, method, path, body=None):
        headers = {'Origin': self.url}
        if self.cookie:
            headers |= {'Cookie': self.cookie, 'Luna-CSRF': self.csrf}
        if body is not None:
            headers['Content-Type'] = 'application/json'
        connection = http.client.HTTPConnection(self.url.removeprefix('http://'), timeout=PATIENCE)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            answer = json.loads(response.read() or 'null')
            if response.headers['Set-Cookie']:
                self.cookie = response.headers['Set-Cookie'].split(';')[0]
                self.csrf = answer['csrf']
            return response.status, answer
        finally:
            connection.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        subprocess.run(['rm', '-rf', self.directory])


class Bench:
    def __init__(self):
        self.demo = None

    def tidy(self):
        if self.demo:
            self.demo.close()
        self.demo = None

    close = tidy


def prepare(mode):
    return Bench()


def signed_in(bench):
    """A demonstration, and the line that says where its console is; its link was followed."""
    demo = bench.demo = Demo()
    start, console = demo.line('start'), demo.line('console')
    assert start['simulated'] is True and console['gateways'] == 24, (start, console)
    demo.url = console['url']
    assert console['link'].startswith(demo.url + '/ui/setup#') and console['label'].startswith('LUNAG1:'), console
    status, made = demo.call('POST', '/v1/setup', {'secret': console['link'].split('#')[1], 'name': 'ada', 'password': 'long enough for all'})
    assert status == 201 and made['role'] == 'admin', made
    return demo, console


def gateways(demo):
    return {one['name']: one for one in demo.call('GET', '/v1/gateways')[1]['gateways']}


def test_shows_a_fleet_until_it_is_ended(bench):
    demo, _ = signed_in(bench)
    fleet = gateways(demo)
    assert len(fleet) == 24 and all(one['tags'] == ['simulated'] for one in fleet.values()), 'all of it is marked'
    verdicts = lambda: {one.get('verdict') for one in gateways(demo).values()}
    wait_for(lambda: {'ok', 'warn', 'bad'} <= verdicts(), PATIENCE, 'gateways of every verdict')
    # A past to look at.
    status, samples = demo.call('GET', f"/v1/gateways/{next(iter(fleet.values()))['id']}/samples")
    assert status == 200 and len(samples['samples']) > 5, samples
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(PATIENCE) == 130
    assert not os.listdir(demo.directory), 'nothing is left'
    try:
        demo.call('GET', '/healthz')
        raise AssertionError('something still answers')
    except OSError:
        pass


def test_one_fails_and_another_one_comes(bench):
    demo, console = signed_in(bench)
    failed = demo.line('failed')['gateway']
    wait_for(lambda: gateways(demo)[failed]['verdict'] == 'bad', PATIENCE, 'it to be bad')
    # The label is scanned, and its gateway comes.
    status, taken = demo.call('POST', '/v1/gateways', {'payload': console['label']})
    assert status == 201, taken
    demo.line('enrolled')
    wait_for(lambda: gateways(demo)['Simulated newcomer'].get('state') == 'online', PATIENCE, 'the new one to report')


def test_ends_at_once_and_refuses_what_has_no_meaning(bench):
    demo = bench.demo = Demo()
    demo.line('start')
    demo.process.send_signal(signal.SIGTERM)
    assert demo.process.wait(PATIENCE) == 143
    assert not os.listdir(demo.directory)
    done = subprocess.run([LUNA, 'demo', '--fleet', '--picture', 'x.svg'], stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and '--picture' in done.stderr, done.stderr
