"""Web Push: browsers that sign up with a home, push services that are good, busy or have forgotten a browser, and what the
browsers read (RFC 8030, 8188, 8291, 8292), by http-ece and py-vapid."""

import base64
import json
import os
import subprocess

from backends import LUNA, PATIENCE, ROOT
from bench import wait_for
from group_homeweb import Home
from playing import Played

IN_VM = False
FILE = {
    'name': 'Our house',
    'contacts': [{'id': 'ben', 'name': 'Ben', 'push': True}, {'id': 'cleo', 'name': 'Cleo'}],
    'trackers': [{'id': 'keys', 'name': 'Keys 🔑 <b>'}],
    'notifications': {'channels': [{'id': 'browsers', 'type': 'push'}], 'limits': {'group': '1s'}},
    'rules': [{'id': 'bell', 'name': 'The bell', 'level': 'alarm', 'cooldown': '0s', 'when': [{'message': 'ring'}],
               'then': [{'notify': {'to': ['ben'], 'template': 'Somebody rang: {{rule.name}}'}}]}],
}


class PushService(Played):
    """Takes messages; answers a path as it is told to."""

    def __init__(self):
        self.taken, self.answers = [], {}
        super().__init__()
        self.origin = self.url

    def answer(self, request):
        self.taken.append((request.path, dict(request.headers), request.body))
        waiting = self.answers.get(request.path, [])
        request.says(*(waiting.pop(0) if waiting else (201, {})))

    def of(self, path):
        return [one for one in list(self.taken) if one[0] == path]


class Bench:
    def __init__(self):
        made = subprocess.run([os.path.join(ROOT, 'scripts', 'lib', 'api-venv'), 'push'], check=True, stdout=subprocess.PIPE, text=True)
        self.python = os.path.join(made.stdout.strip(), 'bin', 'python')
        self.service = PushService()
        self.home = Home(FILE)
        self.ada = self.home.person(self.home.link('link'), 'ada')

    def tidy(self):
        pass

    def close(self):
        self.home.close()
        self.service.close()

    def script(self, word, document=None):
        done = subprocess.run([self.python, os.path.join(ROOT, 'Tests', 'integration', 'web_push.py'), word],
                              input=json.dumps(document), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def browser(self, path, person=None, contact='ben', keys=None):
        """A browser that is told at this path of the push service; gives its keys."""
        keys = keys or self.script('new')
        answer = self.home.call('POST', '/api/v1/push', {
            'contact': contact, 'endpoint': self.service.origin + path, 'expirationTime': None,
            'keys': {'p256dh': keys['p256dh'], 'auth': keys['auth']}}, person or self.ada)
        assert answer.status == 201, answer.body
        return {**keys, 'id': answer.json['id']}

    def read(self, keys, taken):
        _, headers, body = taken
        assert headers['Content-Encoding'] == 'aes128gcm' and int(headers['TTL']) > 0, headers
        return self.script('open', {'keys': keys, 'headers': headers, 'body': base64.urlsafe_b64encode(body).decode()})

    def ring(self):
        done = subprocess.run([LUNA, 'rule', 'run', 'bell', '--state', os.path.join(self.home.directory, 'state')],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr

    def failed(self):
        done = subprocess.run([LUNA, 'notify', 'list', '--failed', '--state', os.path.join(self.home.directory, 'state'), '--format', 'jsonl'],
                              stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
        return [json.loads(line) for line in done.stdout.splitlines()]


def prepare(mode):
    return Bench()


def test_a_browser_reads_what_a_rule_says(bench):
    told = bench.home.call('GET', '/api/v1/push', headers=bench.ada).json
    assert told['contacts'] == [{'id': 'ben', 'name': 'Ben'}] and told['browsers'] == [], told
    one, two = bench.browser('/one'), bench.browser('/two')
    bench.ring()
    for keys, path in [(one, '/one'), (two, '/two')]:
        (taken,) = wait_for(lambda: bench.service.of(path), PATIENCE, 'the message')
        read = bench.read(keys, taken)
        assert read['told']['title'] == 'Our house: The bell' and read['told']['text'] == 'Somebody rang: The bell', read
        assert read['told']['level'] == 'alarm' and taken[1]['Urgency'] == 'high', (read, taken[1])
        # The key is the one that browsers were given, and the token is for this service alone, and soon over.
        assert read['key'] == told['key'] and read['claims']['aud'] == bench.service.origin, read
        # Nobody else can read it, and a push service learns of nothing in it.
        assert b'bell' not in taken[2] and 'Luna-Firing' not in taken[1], taken
    listed = bench.home.call('GET', '/api/v1/push', headers=bench.ada).json['browsers']
    assert {row['id'] for row in listed} == {one['id'], two['id']} and 'endpoint' not in listed[0], listed
    # The same again replaces it; one that is taken away is told no more.
    again = bench.browser('/one', keys=one)
    assert bench.home.call('DELETE', f'/api/v1/push/{two["id"]}', headers=bench.ada).status == 204
    assert bench.home.call('DELETE', f'/api/v1/push/{two["id"]}', headers=bench.ada).status == 404
    bench.ring()
    wait_for(lambda: len(bench.service.of('/one')) == 2, PATIENCE, 'the second message')
    assert len(bench.service.of('/two')) == 1
    assert bench.home.call('DELETE', f'/api/v1/push/{again["id"]}', headers=bench.ada).status == 204


def test_busy_services_are_asked_again_and_forgotten_browsers_forgotten(bench):
    busy, gone, good = bench.browser('/busy'), bench.browser('/gone'), bench.browser('/good')
    bench.service.answers.update({'/busy': [(429, {'Retry-After': '1'}), (503, {})], '/gone': [(410, {})]})
    bench.ring()
    wait_for(lambda: len(bench.service.of('/busy')) == 3, PATIENCE, 'the third attempt')
    # Who had it is not told again, and who is not there is not asked again.
    assert len(bench.service.of('/good')) == 1 and len(bench.service.of('/gone')) == 1, bench.service.taken
    bench.read(busy, bench.service.of('/busy')[2])
    listed = bench.home.call('GET', '/api/v1/push', headers=bench.ada).json['browsers']
    assert {row['id'] for row in listed} == {busy['id'], good['id']}, listed
    for keys in [busy, good]:
        bench.home.call('DELETE', f'/api/v1/push/{keys["id"]}', headers=bench.ada)
    # Nobody is left: that is said.
    bench.ring()
    wait_for(lambda: any('no browser is told' in one['reason'] for one in bench.failed()), PATIENCE, 'why nobody was told')


def test_who_may_and_what_is_refused(bench):
    keys = bench.script('new')
    good = {'contact': 'ben', 'endpoint': bench.service.origin + '/x', 'keys': {'p256dh': keys['p256dh'], 'auth': keys['auth']}}
    bad = [
        ({'contact': 'cleo'}, 422), ({'contact': 'nobody'}, 422), ({'contact': 5}, 400), ({'endpoint': 'http://192.0.2.1/x'}, 400),
        ({'endpoint': 'https://u:p@push.example/'}, 400), ({'endpoint': 'https://push.example/' + 'a' * 1024}, 400), ({'keys': None}, 400),
        ({'keys': {'p256dh': keys['p256dh'][:-4] + 'AAAA', 'auth': keys['auth']}}, 400), ({'keys': {'p256dh': keys['p256dh'], 'auth': 'AAAA'}}, 400),
    ]
    for change, status in bad:
        answer = bench.home.call('POST', '/api/v1/push', {**good, **change}, bench.ada)
        assert answer.status == status, (change, answer.status, answer.body)
    assert bench.home.call('POST', '/api/v1/push', good).status == 401
    guest = bench.home.person(bench.home.link('account', 'invite', 'gus', '--trackers', 'keys'), 'gus', source='127.0.0.2')
    assert bench.home.call('GET', '/api/v1/push', headers=guest).status == 403
    assert bench.home.call('POST', '/api/v1/push', good, guest).status == 403
    # A browser of another account is not there; one of an account that is gone is told nothing.
    member = bench.home.person(bench.home.link('account', 'add', 'mia', '--role', 'member'), 'mia', source='127.0.0.3')
    hers = bench.browser('/hers', member)
    assert bench.home.call('DELETE', f'/api/v1/push/{hers["id"]}', headers=bench.ada).status == 404
    mine = bench.browser('/mine')
    assert bench.home.command('account', 'remove', 'mia').returncode == 0
    bench.ring()
    wait_for(lambda: bench.service.of('/mine'), PATIENCE, 'the message')
    assert not bench.service.of('/hers')
    bench.home.call('DELETE', f'/api/v1/push/{mine["id"]}', headers=bench.ada)
    for number in range(20):
        bench.browser(f'/many/{number}')
    answer = bench.home.call('POST', '/api/v1/push', good, bench.ada)
    assert answer.status == 409, answer.body
    for row in bench.home.call('GET', '/api/v1/push', headers=bench.ada).json['browsers']:
        bench.home.call('DELETE', f'/api/v1/push/{row["id"]}', headers=bench.ada)


def test_a_test_shows_no_address(bench):
    keys = bench.browser('/secret-address')
    done = subprocess.run([LUNA, 'notify', 'test', 'ben', '--file', bench.home.path, '--state', os.path.join(bench.home.directory, 'state')],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert 'aes128gcm' in done.stdout and 'secret-address' not in done.stdout + done.stderr, done.stdout
    (taken,) = bench.service.of('/secret-address')
    assert bench.read(keys, taken)['told']['text'] == 'This is a test of Our house.'
