"""`luna fleet`, and gateways that come in by their label: luna backend, luna finder on the virtual radio, and what reads
labels as a phone would (zbarimg, rsvg-convert)."""

import csv
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import urllib.parse
import zlib

import codes
import pace
from backends import LUNA, PATIENCE, APIBench, event, soon, together, until_limited
from bench import chance, wait_for
from telemetry import stored

IN_VM = False
SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
PLACE = {'latitude': 52.5, 'longitude': 13.25}


def prepare(mode):
    bench = APIBench('--requests-per-second', '0')
    backend = bench.backend
    backend.tokens['admin', 'operator'] = backend.command(
        'token', 'create', 'admin', 'operator', '--role', 'operator')[0]['token']
    return bench


def payload(printed, **texts):
    """The text of a label, as FLEET.md says."""
    fields = bytes([1, 16]) + printed
    for tag, name in ((2, 'name'), (3, 'site'), (6, 'manufacturer'), (7, 'model')):
        if name in texts:
            value = texts[name].encode()
            fields += bytes([tag, len(value)]) + value
    return encoded(fields)


def encoded(fields):
    """The text of a label with these fields, whatever they are."""
    data = fields + struct.pack('>I', zlib.crc32(fields))
    bits = ''.join(f'{byte:08b}' for byte in data)
    bits += '0' * (-len(bits) % 5)
    return 'LUNAG1:' + ''.join(SYMBOLS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def identity(printed):
    return hashlib.sha256(b'luna gateway' + printed).digest()[:8].hex()


def operator(bench):
    """A file with the token of an operator."""
    path = os.path.join(bench.backend.directory, 'operator.token')
    if not os.path.exists(path):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
            file.write(bench.backend.token('admin', 'operator') + '\n')
    return path


def fleet(bench, *words, code=0, text=None, plain=False):
    """Runs luna fleet; returns its JSON lines, or what it says where it is to fail."""
    done = subprocess.run(
        [LUNA, 'fleet', *words, '--backend', f'http://127.0.0.1:{bench.backend.port}', '--token-file', operator(bench)],
        input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    if code:
        return done.stderr
    return done.stdout if plain else [json.loads(line) for line in done.stdout.splitlines()]


def call(bench, method, path, body=None, **how):
    return bench.backend.call(method, path, body, 'admin', 'operator', **how)


def add(bench, name, **fields):
    answer = call(bench, 'POST', '/v1/gateways', {'name': name, 'allowNoPosition': True, **fields})
    assert answer.status == 201, answer.body
    return answer.json['gateway']['id']


class Finder:
    """A luna finder without a token, in a state directory of its own."""

    def __init__(self, bench, *words):
        self.bench, self.words = bench, words
        self.state = tempfile.mkdtemp(prefix='luna-fleet.')

    def start(self, port=None, **environment):
        self.log = os.path.join(self.state, 'log')
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen(
                [LUNA, 'finder', '--radio', 'virtual', '--location', 'static:52.5,13.25', '--format', 'jsonl', '--state',
                 self.state, '--backend', f'http://127.0.0.1:{port or self.bench.backend.port}', *self.words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ, **environment))
        return self

    def recorded(self):
        """What it has recorded of itself, wherever that is."""
        keys = set(stored(self.bench.backend))
        with sqlite3.connect(os.path.join(self.state, 'telemetry.data'), timeout=PATIENCE) as database:
            return keys | {key for (key,) in database.execute('SELECT key FROM items')}

    def said(self):
        return open(self.log, errors='replace').read()

    def line(self):
        """The line that it prints for those who have no camera."""
        def found():
            assert self.process.poll() is None, self.said()
            return [line for line in self.said().splitlines() if line.startswith('LUNAG1:')]
        return wait_for(found, PATIENCE, 'the line of its label')[-1]

    def token(self):
        path = os.path.join(self.state, 'gateway.token')
        return os.path.exists(path) and open(path).read().strip()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.state)


# Labels


GOOD = payload(bytes(16))
# Labels that cannot be read, with the code and the words that say why.
BAD = [
    ('', 'qrEmpty', 'there is nothing in it'), ('https://example.org', 'qrNotLuna', "this is no label of Luna's"),
    ('LUNA1:ABC', 'qrTracker', 'this is the label of a tracker'), ('LUNAG2:ABC', 'qrVersion', 'another version of Luna'),
    ('LUNAG1:' + '0' * 1025, 'qrTooLong', 'more than'), (GOOD[:-3] + 'U' + GOOD[-2:], 'qrSymbol', 'is not one that a label has'),
    (GOOD[:9] + ('1' if GOOD[9] != '1' else '2') + GOOD[10:], 'qrChecksum', 'was read or typed wrongly'),
    ('LUNAG1:00', 'qrTruncated', 'the text ends too early'),
    (encoded(bytes([1, 16]) + bytes(16) + bytes([2, 1]) + b'a' + bytes([2, 1]) + b'b'), 'qrTwice', 'the label says name twice'),
    (encoded(bytes([1, 16]) + bytes(16) + bytes([2, 0])), 'qrValue', 'what the label says of name cannot be'),
    (encoded(bytes([1, 16]) + bytes(16) + bytes([4, 5]) + bytes(5)), 'qrValue', 'what the label says of mac cannot be'),
    (encoded(bytes([2, 1]) + b'a'), 'qrMissing', 'the label has no print'),
]


def test_errors_of_labels(bench):
    good = GOOD
    for text, code, words in BAD:
        answer = call(bench, 'POST', '/v1/payloads/decode', {'text': text})
        assert (answer.status, answer.code) == (422, code) and words in answer.json['detail'], (text, answer.body)
        assert code != 'qrSymbol' or answer.json['position'] == len(good) - 2, answer.json
        if text:
            said = fleet(bench, 'enroll', '--no-position', text, code=8)
            assert code in said, said
    answer = call(bench, 'POST', '/v1/payloads/decode', {'text': good.lower()})
    assert answer.status == 200 and answer.json['id'] == identity(bytes(16)), answer.json
    assert call(bench, 'POST', '/v1/payloads/decode', {}).status == 400


def test_labels_are_read_as_by_a_phone(bench):
    printed = os.urandom(16)
    text = payload(printed, name='Hülle & <b>', site='Berlin')
    with tempfile.TemporaryDirectory() as folder:
        pictures = {}
        for kind in ('svg', 'png'):
            answer = call(bench, 'POST', '/v1/payloads/label', {'payload': text, 'format': kind})
            assert answer.status == 200, answer.body
            pictures['api.' + kind] = answer.body
            path = os.path.join(folder, 'cli.' + kind)
            fleet(bench, 'label', text, '-o', path)
            pictures['cli.' + kind] = open(path, 'rb').read()
        for name, data in pictures.items():
            path = os.path.join(folder, name)
            open(path, 'wb').write(data)
            if name.endswith('.svg'):
                assert b'<b>' not in data
                subprocess.run(['rsvg-convert', '-z', '8', '-o', path + '.png', path], check=True, timeout=PATIENCE)
                path += '.png'
            read = subprocess.run(['zbarimg', '--quiet', '--raw', path], stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
            assert read.stdout.strip() == text, (name, read.stdout)


# Enrolment


def refused_offers(bench):
    """How often a gateway has offered itself of which nobody has scanned the label."""
    text = bench.backend.call('GET', '/metrics', role='admin').body.decode()
    found = re.search(r'^luna_http_requests_total\{operation="enrolGateway",status="403"\} (\d+)', text, re.M)
    return int(found[1]) if found else 0


def test_from_label_to_first_report(bench):
    finder, before = Finder(bench), refused_offers(bench)
    try:
        finder.start(LUNA_TELEMETRY_USAGE='yes')
        line = finder.line()
        assert oct(os.stat(os.path.join(finder.state, 'gateway.key')).st_mode)[-3:] == '600'
        # The label says the same; whoever has it has no token and gets none.
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, 'label.png')
            subprocess.run([LUNA, 'finder', 'label', '--state', finder.state, '--name', 'Hall', '-o', picture], check=True, timeout=PATIENCE)
            thief = Finder(bench).start()
            try:
                assert thief.line()[7:40] != line[7:40]
                wait_for(lambda: refused_offers(bench) >= before + 2, PATIENCE, 'both to offer themselves')
                assert not finder.token()
                made = fleet(bench, 'enroll', '--qr', picture, '--at', '52.5,13.25')[0]
                assert made['type'] == 'gateway' and made['name'] == 'Hall' and made['waiting'], made
                wait_for(finder.token, PATIENCE, 'the token')
                wait_for(lambda: 'upload' in finder.said() and fleet(bench, 'show', 'Hall')[0].get('seenAt'), 90, 'the first report')
                shown = fleet(bench, 'show', made['id'])[0]
                assert shown['state'] == 'online' and 'waiting' not in shown, shown
                assert not thief.token(), thief.said()
            finally:
                thief.close()
        assert finder.token() not in json.dumps(bench.backend.log())
        # Removed, its upload is refused; brought back, it is taken.
        token = finder.token()
        headers = {'Authorization': 'Bearer ' + token}
        change = fleet(bench, 'remove', '--yes', 'Hall')[0]['change']
        refused = bench.backend.call('POST', '/trackerEvent', [event()], headers=headers)
        assert (refused.status, refused.code) == (403, 'gatewayRemoved'), refused.body
        again = call(bench, 'POST', '/v1/gateways', {'payload': line, 'allowNoPosition': True})
        assert (again.status, again.code) == (409, 'wasRemoved') and again.json['change'] == change, again.body
        fleet(bench, 'undo', str(change))
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers=headers).status == 200
        again = call(bench, 'POST', '/v1/gateways', {'payload': line, 'place': PLACE})
        assert (again.status, again.code) == (409, 'alreadyEnrolled'), again.body
        # A new token for a lost one: what it had is not good any more.
        code = fleet(bench, 'enroll', '--record', 'Hall')[0]['code']
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers=headers).status == 401
        answer = bench.backend.call('POST', '/v1/gateways', {'code': code})
        assert answer.status == 201 and answer.json['gateway'] == made['key'], answer.body
        assert finder.stop() == 0, finder.said()
        assert 'luna.finder.operation.enrol' in finder.recorded(), finder.recorded()
    finally:
        finder.close()


def test_a_lost_answer_and_twice_at_once(bench):
    finder = Finder(bench).start()
    try:
        line = finder.line()
        offered = os.path.join(finder.state, 'gateway.token.offered')
        wait_for(lambda: os.path.exists(offered), PATIENCE, 'the token that is offered')
        # Ended while it waits; the label is scanned by two operators at once.
        assert finder.stop() == 0, finder.said()
        body = {'payload': line, 'allowNoPosition': True, 'name': 'Twice'}
        answers = together([lambda: call(bench, 'POST', '/v1/gateways', body) for _ in range(6)])
        assert sorted(a.status for a in answers) == [201] + [409] * 5, [a.body for a in answers]
        # The answer is lost: the token is the same the next time.
        token = open(offered).read()
        finder.start()
        wait_for(finder.token, PATIENCE, 'the token')
        assert finder.token() == token.strip()
        finder.stop()
        os.rename(os.path.join(finder.state, 'gateway.token'), offered)
        finder.start()
        wait_for(finder.token, PATIENCE, 'the same answer again')
        assert finder.token() == token.strip()
    finally:
        finder.close()


def test_a_token_that_was_revoked_is_offered_no_more(bench):
    """The answer is lost, and the label is scanned once more for that: the gateway makes another token, and gets in."""
    finder = Finder(bench).start()
    try:
        line = finder.line()
        fleet(bench, 'enroll', line, '--at', '52.5,13.25', '--name', 'Once more')
        before = wait_for(finder.token, PATIENCE, 'the token')
        assert finder.stop() == 0, finder.said()
        os.rename(os.path.join(finder.state, 'gateway.token'), os.path.join(finder.state, 'gateway.token.offered'))
        shown = fleet(bench, 'enroll', line, '--record', 'Once more')[0]
        assert shown['waiting'], shown
        finder.start()
        after = wait_for(finder.token, PATIENCE, 'another token')
        assert after != before
        for token, status in [(before, 401), (after, 200)]:
            assert bench.backend.call('POST', '/trackerEvent', [event()], headers={'Authorization': 'Bearer ' + token}).status == status
    finally:
        finder.close()


class Hardware:
    """The key of a gateway, from openssl: its label, and what it offers."""

    def __init__(self, folder):
        self.path = os.path.join(folder, 'key.pem')
        subprocess.run(['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', self.path], check=True)
        shown = subprocess.run(['openssl', 'pkey', '-in', self.path, '-pubout', '-outform', 'DER'], stdout=subprocess.PIPE, check=True)
        self.public = shown.stdout[-32:]
        self.printed = hashlib.sha256(self.public).digest()[:16]
        self.label = payload(self.printed)

    def offer(self, token):
        digest = hashlib.sha256(token.encode()).digest()
        message = self.path + '.message'
        with open(message, 'wb') as file:
            file.write(b'luna enrol' + digest)
        signed = subprocess.run(['openssl', 'pkeyutl', '-sign', '-inkey', self.path, '-rawin', '-in', message], stdout=subprocess.PIPE, check=True)
        return {'publicKey': self.public.hex(), 'tokenDigest': digest.hex(), 'signature': signed.stdout.hex()}


def test_offers_of_one_gateway_at_once(bench):
    """The same one comes in once, however often; of several tokens one is good, and it is the one that was told so."""
    token = lambda: 'luna-gateway-' + os.urandom(32).hex()
    ask = lambda offer, source: bench.backend.call('POST', '/v1/gateways', offer, source=source)
    for number, tokens in enumerate([[token()] * 6, [token() for _ in range(6)]]):
        with tempfile.TemporaryDirectory() as folder:
            hardware = Hardware(folder)
            offers = [hardware.offer(one) for one in tokens]
        made = call(bench, 'POST', '/v1/gateways', {'payload': hardware.label, 'place': PLACE, 'name': f'At once {number}'})
        assert made.status == 201, made.body
        # Each has an address of its own, and so a limit of its own.
        answers = together([lambda i=i: ask(offers[i], f'127.0.{20 + number}.{i + 1}') for i in range(6)])
        good = [one for one in answers if one.status in (200, 201)]
        assert [one.status for one in answers].count(201) == 1, [one.body for one in answers]
        assert all(one.json == good[0].json for one in good), [one.body for one in good]
        if number == 0:
            assert len(good) == 6, [one.body for one in answers]
        else:
            assert [(one.status, one.code) for one in answers if one not in good] == [(409, 'alreadyEnrolled')] * 5, [one.body for one in answers]
        for given, answer in zip(tokens, answers):
            status = bench.backend.call('POST', '/trackerEvent', [event()], headers={'Authorization': 'Bearer ' + given}).status
            assert status == (200 if answer in good else 401), (status, answer.body)
        records = call(bench, 'GET', f'/v1/gateways?q=key:{made.json["gateway"]["key"]}').json['gateways']
        assert [one['id'] for one in records] == [made.json['gateway']['id']], records


def test_other_hardware_takes_the_place_of_a_gateway(bench):
    """A new machine with a key of its own gets a token for the record that is there; what the old one has is over."""
    old, new = Finder(bench).start(), Finder(bench)
    try:
        made = fleet(bench, 'enroll', old.line(), '--at', '52.5,13.25', '--name', 'Swapped')[0]
        before = wait_for(old.token, PATIENCE, 'the token of the first')
        headers = {'Authorization': 'Bearer ' + before}
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers=headers).status == 200
        line = new.start().line()
        assert line != old.line()
        shown = fleet(bench, 'enroll', line, '--record', 'Swapped')[0]
        assert shown['id'] == made['id'] and shown['waiting'], shown
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers=headers).status == 401
        after = wait_for(new.token, PATIENCE, 'the token of the second')
        assert after != before
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers={'Authorization': 'Bearer ' + after}).status == 200
        wait_for(lambda: '"type":"upload"' in new.said(), PATIENCE, 'an upload of the second')
        shown = fleet(bench, 'show', 'Swapped')[0]
        assert (shown['id'], shown['key'], shown['name']) == (made['id'], made['key'], 'Swapped') and 'waiting' not in shown, shown
        # The old one has no way back by itself.
        assert bench.backend.call('POST', '/trackerEvent', [event()], headers=headers).status == 401
        changes = fleet(bench, 'history', 'Swapped')
        assert [one['action'] for one in changes].count('add') == 1
        rows = list(csv.DictReader(fleet(bench, 'history', 'Swapped', '--format', 'csv', plain=True).splitlines()))
        assert [row['change'] for row in rows] == [str(one['change']) for one in changes], rows
        assert json.loads(rows[-1]['fields'] or '{}') == changes[-1].get('fields', {}), rows[-1]
    finally:
        old.close()
        new.close()


def test_offers_of_those_nobody_scanned(bench):
    offer = {'publicKey': '00' * 32, 'tokenDigest': '11' * 32, 'signature': '22' * 64}
    ask = lambda body, source: bench.backend.call('POST', '/v1/gateways', body, source=source)
    answer = ask(offer, '127.0.1.1')
    assert (answer.status, answer.code) == (403, 'notEnrolled'), answer.body
    # A scan of the label alone lets nobody in who cannot sign.
    printed = hashlib.sha256(bytes(32)).digest()[:16]
    assert call(bench, 'POST', '/v1/gateways', {'payload': payload(printed), 'place': PLACE}).status == 201
    answer = ask(offer, '127.0.1.1')
    assert (answer.status, answer.code) == (403, 'signature'), answer.body
    for wrong in ({'publicKey': 'AA' * 32}, {'tokenDigest': 'x'}, {'signature': None}):
        answer = ask({**offer, **wrong}, '127.0.1.2')
        assert answer.status == 400, (wrong, answer.status, answer.body)
    statuses = until_limited(lambda: ask(offer, '127.0.1.3'), 4, 1)
    assert set(statuses[:-1]) == {403}, statuses


def test_one_that_hears_nothing_is_seen(bench):
    bench.backend.token('gateway', 'deaf')
    health = {'version': '9.9', 'uptime': 60, 'adapters': [{'id': 'hci0', 'state': 'scanning'}], 'silentSeconds': 900}
    assert bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, 'gateway', 'deaf').status == 200
    (found,) = call(bench, 'GET', '/v1/gateways?q=key:deaf').json['gateways']
    assert (found['state'], found['verdict'], found['version']) == ('online', 'bad', '9.9'), found
    assert found['reasons'][0]['code'] == 'noPackets' and found['reasons'][0]['remedy'], found
    samples = [{'time': '2020-01-01T00:00:00Z', 'health': health}, {'time': soon(-60), 'health': {**health, 'packetsPerSecond': 4.5}}]
    assert bench.backend.call('POST', '/v1/telemetry', {'samples': samples, 'items': []}, 'gateway', 'deaf').status == 200
    kept = call(bench, 'GET', f'/v1/gateways/{found["id"]}/samples').json['samples']
    assert [one['health']['packetsPerSecond'] for one in kept] == [4.5], kept
    assert call(bench, 'GET', f'/v1/gateways/{found["id"]}/samples?from={soon(-2 * 86_400)}').json['samples'] == kept, 'of two days each'
    assert call(bench, 'GET', f'/v1/gateways/{found["id"]}/samples?from=x').status == 400
    # Answers that bring its record beside something else say so too.
    path = f'/v1/gateways/{found["id"]}'
    assert call(bench, 'PATCH', path, {'revision': 1, 'note': 'a'}).status == 200
    for answer in [call(bench, 'PATCH', path, {'revision': 1, 'note': 'b'}), call(bench, 'POST', '/v1/gateways', {'name': 'DEAF', 'allowNoPosition': True}),
                   call(bench, 'POST', path + '/enrol', {})]:
        told = answer.json['gateway']
        assert (told['state'], told['verdict'], told['version']) == ('online', 'bad', '9.9'), (answer.status, told)


def test_an_adapter_that_is_off_is_said(bench):
    bench.backend.token('gateway', 'dark')
    health = {'version': '9.9', 'uptime': 60, 'adapters': [{'id': 'hci0', 'state': 'off'}], 'silentSeconds': 900}
    assert bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, 'gateway', 'dark').status == 200
    (found,) = call(bench, 'GET', '/v1/gateways?q=reason:adapterOff%20key:dark').json['gateways']
    assert (found['state'], found['verdict']) == ('online', 'warn'), found
    said = next(reason for reason in found['reasons'] if reason['code'] == 'adapterOff')
    assert 'hci0 is switched off' in said['text'] and said['remedy'], found
    # Switched on again it hears, and nothing is said of it.
    health['adapters'][0]['state'], health['silentSeconds'] = 'scanning', 0
    assert bench.backend.call('POST', '/v1/telemetry', {'health': health, 'items': []}, 'gateway', 'dark').status == 200
    assert call(bench, 'GET', '/v1/gateways?q=reason:adapterOff%20key:dark').json['gateways'] == []


def test_reads_labels_in_pictures(bench):
    """As the console sends what a camera sees, where the browser reads no codes itself."""
    text = payload(hashlib.sha256(b'picture').digest()[:16])
    picture = graymap(text)
    assert decoded(bench, picture).json == {'text': text}
    assert decoded(bench, noise(640, chance())).json == {}
    assert decoded(bench, picture[:-1]).status == 422
    assert decoded(bench, b'P5\n9000 9000\n255\n').status == 422
    assert decoded(bench, picture).json == {'text': text}


def test_a_decoder_that_is_killed_is_back_within_a_second(bench):
    """As by a frame that is too much for the library, of which nobody knows how it looks."""
    text = payload(hashlib.sha256(b'after a bad frame').digest()[:16])
    answers, kills, lots = [], 0, chance()
    # One may end before it is seen.
    for _ in range(50):
        reading = threading.Thread(target=lambda: answers.append(decoded(bench, noise(800, lots))))
        reading.start()
        while reading.is_alive() and not (found := decoder(bench.backend.process.pid)):
            pass
        if reading.is_alive():
            try:
                os.kill(found, signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        reading.join()
        if kills:
            break
    assert kills, 'no decoder was seen'
    assert (answers[-1].status, answers[-1].json) == (200, {}), answers[-1].body
    answer = decoded(bench, graymap(text))
    assert answer.json == {'text': text} and answer.seconds < pace.slower(), (answer.body, answer.seconds)


def graymap(text):
    """A picture of a QR code, as a page sends what a camera sees."""
    rows = [bytes(0 if is_dark else 255 for is_dark in row) for row in codes.modules(text)]
    pixels = b''.join(b''.join(bytes([value]) * 6 for value in row) * 6 for row in rows)
    return b'P5\n%d %d\n255\n' % (len(rows[0]) * 6, len(rows) * 6) + pixels


def noise(side, lots):
    return b'P5\n%d %d\n255\n' % (side, side) + lots.randbytes(side * side)


def decoded(bench, picture):
    """What the server reads in a picture, and how long that took; asked again where it says so."""
    while True:
        began = time.monotonic()
        answer = bench.backend.call('POST', '/v1/payloads/decode', picture, 'admin', 'operator',
                                    headers=[('Content-Type', 'image/x-portable-graymap')])
        answer.seconds = time.monotonic() - began
        if answer.status != 429:
            return answer
        time.sleep(int(answer.headers['retry-after']))


def decoder(backend):
    """The process in which a backend has a picture read, while it does."""
    for children in pathlib.Path(f'/proc/{backend}/task').glob('*/children'):
        try:
            for child in children.read_text().split():
                if b'decoder' in pathlib.Path(f'/proc/{child}/cmdline').read_bytes():
                    return int(child)
        except OSError:
            continue
    return None


def test_who_may(bench):
    backend = bench.backend
    id = add(bench, 'guarded')
    for role in (None, 'gateway', 'owner'):
        for method, path, body in [
            ('GET', '/v1/gateways', None), ('GET', f'/v1/gateways/{id}', None), ('PATCH', f'/v1/gateways/{id}', {'note': 'x'}),
            ('DELETE', f'/v1/gateways/{id}', None), ('POST', '/v1/gateways/bulk', {'ids': [id], 'remove': True}),
            ('POST', '/v1/gateways', {'name': 'mine'}), ('GET', '/v1/changes', None), ('POST', '/v1/changes/1/undo', None),
            ('GET', f'/v1/gateways/{id}/devices', None),
        ]:
            answer = backend.call(method, path, body, role)
            assert answer.status == (403 if role else 401), (role, method, path, answer.status)
    # A viewer reads, and no more.
    for method, path, body, status in [
        ('GET', f'/v1/gateways/{id}', None, 200), ('GET', '/v1/changes', None, 200), ('DELETE', f'/v1/gateways/{id}', None, 403),
        ('PATCH', f'/v1/gateways/{id}', {'revision': 1, 'note': 'x'}, 403), ('POST', '/v1/gateways', {'name': 'mine'}, 403),
        ('POST', '/v1/changes/1/undo', None, 403), ('PUT', f'/v1/gateways/{id}/picture', b'x', 403),
    ]:
        answer = backend.call(method, path, body, 'admin', 'viewer')
        assert answer.status == status, (method, path, answer.status)


# Records


def test_two_editors(bench):
    id = add(bench, 'Küche', site='a')
    one = call(bench, 'PATCH', f'/v1/gateways/{id}', {'revision': 1, 'site': 'b'})
    assert one.status == 200 and one.headers['etag'] == '"2"' and 'merged' not in one.json, one.json
    two = call(bench, 'PATCH', f'/v1/gateways/{id}', {'note': 'n'}, headers={'If-Match': '"1"'})
    assert two.status == 200 and two.json['merged'] and two.json['site'] == 'b', two.json
    three = call(bench, 'PATCH', f'/v1/gateways/{id}', {'revision': 1, 'site': 'c'})
    assert three.status == 409 and three.json['conflicts'] == {'site': {'base': 'a', 'theirs': 'b', 'yours': 'c'}}, three.json
    assert three.json['gateway']['id'] == id
    assert call(bench, 'PATCH', f'/v1/gateways/{id}', {'site': 'c'}).status == 428
    wrong = call(bench, 'PATCH', f'/v1/gateways/{id}', {'revision': 3, 'state': 'online', 'name': '', 'x': 1})
    assert wrong.status == 422 and [e['code'] for e in wrong.json['errors']] == ['fixedField', 'fieldValue', 'unknownField'], wrong.json
    assert call(bench, 'PATCH', f'/v1/gateways/{id}', {'revision': 3, 'name': 'KÜCHE'}).status == 200
    add(bench, 'other')
    taken = call(bench, 'PATCH', f'/v1/gateways/{id}', {'revision': 4, 'name': 'OTHER'})
    assert (taken.status, taken.code) == (409, 'nameTaken'), taken.body


def test_what_has_changed_is_not_removed(bench):
    id = add(bench, 'wanted')
    path = f'/v1/gateways/{id}'
    call(bench, 'PATCH', path, {'revision': 1, 'note': 'keep it'})
    for tag in ('"1"', '"1", "3"', 'W/"2"', 'x'):
        refused = call(bench, 'DELETE', path, headers={'If-Match': tag})
        assert (refused.status, refused.code) == (412, 'ifMatch'), (tag, refused.body)
    assert call(bench, 'GET', path).status == 200
    assert call(bench, 'DELETE', path, headers={'If-Match': '"1", "2"'}).status == 200
    again = add(bench, 'another')
    assert call(bench, 'DELETE', f'/v1/gateways/{again}', headers={'If-Match': '*'}).status == 200


def test_whoever_saw_another_record_changes_nothing(bench):
    """Also where no field is edited, If-Match is heeded."""
    id = add(bench, 'seen')
    path = f'/v1/gateways/{id}'
    call(bench, 'PATCH', path, {'revision': 1, 'note': 'newer'})
    asked = [('DELETE', path + '/picture', None), ('POST', path + '/enrol', {}), ('DELETE', path, None)]
    for method, place, body in asked:
        for tag in ('"1"', 'W/"2"', 'x'):
            refused = call(bench, method, place, body, headers={'If-Match': tag})
            assert (refused.status, refused.code) == (412, 'ifMatch'), (method, place, tag, refused.body)
    for (method, place, body), revision in zip(asked, (2, 2, 3)):
        answer = call(bench, method, place, body, headers={'If-Match': f'"{revision}"'})
        assert answer.status == 200, (method, place, answer.body)
    purge = lambda tag: bench.backend.call('POST', path + '/purge', None, 'admin', 'chief', headers={'If-Match': tag})
    bench.backend.tokens['admin', 'chief'] = bench.backend.command('token', 'create', 'admin', 'chief', '--role', 'admin')[0]['token']
    assert purge('"3"').code == 'ifMatch'
    assert purge('"4"').status == 200
    # Of a device.
    time_, ref = '2026-01-01T00:00:00Z', '00112233445566aa'
    device = {'ref': ref, 'family': 'ibeacon', 'first': time_, 'last': time_, 'hours': 1, 'band': 'near'}
    assert bench.backend.call('POST', '/v1/telemetry', {'devices': [device]}, 'gateway', 'hears').status == 200
    [gateway] = call(bench, 'GET', '/v1/gateways?q=key:hears').json['gateways']
    [row] = csv.DictReader(fleet(bench, 'devices', gateway['id'], '--format', 'csv', plain=True).splitlines())
    assert (row['ref'], row['gateway'], row['family'], row['band']) == (ref, gateway['id'], 'ibeacon', 'near'), row
    path = f"/v1/gateways/{gateway['id']}/devices/{ref}"
    for method, place in [('DELETE', path + '/picture'), ('POST', path + '/forget')]:
        refused = call(bench, method, place, headers={'If-Match': '"1"'})
        assert (refused.status, refused.code) == (412, 'ifMatch'), (place, refused.body)
        assert call(bench, method, place, headers={'If-Match': '"0"'}).status == 200


def test_fifty_editors_lose_nothing(bench):
    id = add(bench, 'crowded')
    def edit(number):
        while True:
            seen = call(bench, 'GET', f'/v1/gateways/{id}', check=False)
            if seen.status == 429:
                time.sleep(0.2)
                continue
            body = {'revision': seen.json['revision'], 'note': seen.json.get('note', '') + f'[{number}]'}
            answer = call(bench, 'PATCH', f'/v1/gateways/{id}', body, check=False)
            if answer.status == 200:
                return
            assert answer.status in (409, 429), answer.body
            time.sleep(0.05)

    together([lambda number=number: edit(number) for number in range(50)])
    note = call(bench, 'GET', f'/v1/gateways/{id}').json['note']
    assert all(f'[{number}]' in note for number in range(50)), note


def test_search_sort_and_pages(bench):
    for number in range(7):
        add(bench, f'page{number}', site='Süd' if number % 2 else 'Nord', tags=['p'])
    found = call(bench, 'GET', '/v1/gateways?q=tag:p%20site:sud&sort=-name').json
    assert [g['name'] for g in found['gateways']] == ['page5', 'page3', 'page1'] and found['total'] == 3, found
    assert found['sections'] == [{'name': 'Süd', 'count': 3}], found
    names, cursor = [], ''
    while cursor is not None:
        page = call(bench, 'GET', f'/v1/gateways?q=tag:p&limit=3&cursor={cursor}' if cursor else '/v1/gateways?q=tag:p&limit=3').json
        names += [g['name'] for g in page['gateways']]
        cursor = page.get('cursor')
    assert names == [f'page{number}' for number in range(7)], names
    wrong = call(bench, 'GET', '/v1/gateways?q=name:x%20foo:y')
    assert (wrong.status, wrong.code, wrong.json['column']) == (400, 'search', 8), wrong.body
    for query in ('limit=501', 'limit=0', 'sort=colour', 'cursor=zz', 'q=a&q=b', 'sections=x'):
        assert call(bench, 'GET', '/v1/gateways?' + query).status == 400, query
    fleet(bench, 'list', '--search', 'nowhere', code=1)
    fleet(bench, 'list', '--search', 'foo:y', code=2)
    assert len(fleet(bench, 'list', '--search', 'tag:p')) == 7


def test_pages_in_the_order_of_tags(bench):
    """By the first tag of each, then by name; those without one at the end, as their section is."""
    for name, more in [('tagged last', {}), ('tagged two', {'tags': ['b']}), ('tagged one', {'tags': ['z', 'a']}), ('tagged three', {'tags': ['b']})]:
        add(bench, name, site='Tagged', **more)
    names, cursor = [], ''
    while cursor is not None:
        page = call(bench, 'GET', f'/v1/gateways?q=site:tagged&sort=tag&sections=tag&limit=1{cursor}').json
        names += [g['name'] for g in page['gateways']]
        cursor = f'&cursor={page["cursor"]}' if 'cursor' in page else None
    assert names == ['tagged one', 'tagged three', 'tagged two', 'tagged last'], names
    assert [one['name'] for one in page['sections']] == ['a', 'b', 'z', None], page['sections']
    assert [g['name'] for g in fleet(bench, 'list', '--search', 'site:tagged', '--sort=-tag')] == names[::-1]


def test_long_searches(bench):
    """256 characters are 256 in any script, also beside the cursor of the longest names."""
    for last in '🧭🧮':
        add(bench, '🗼' * 79 + last, site='🗺' * 80)
    search = '/v1/gateways{}?q=' + urllib.parse.quote(('🗼' * 42 + ' ') * 5 + '🗼' * 41)
    assert len(call(bench, 'GET', search.format('/map')).json['gateways']) == 0
    first = call(bench, 'GET', search.format('') + '&sort=site&limit=1').json
    second = call(bench, 'GET', search.format('') + '&sort=site&limit=1&cursor=' + first['cursor']).json
    assert (first['total'], second['gateways'][0]['name'][-1]) == (2, '🧮') and 'cursor' not in second, (first, second)
    longer = call(bench, 'GET', search.format('') + urllib.parse.quote('🗼'))
    assert (longer.status, longer.code, longer.json['column']) == (400, 'search', 257), longer.body


def test_searches_are_limited(bench):
    """Each searcher has 20 a second; lists without a search, further pages and other people do not wait for them."""
    add(bench, 'sought 1')
    add(bench, 'sought 2')
    connection = http.client.HTTPConnection('127.0.0.1', bench.backend.port, timeout=PATIENCE)
    ask = lambda query: bench.backend.call_on(connection, 'GET', '/v1/gateways' + query, role='admin', name='searcher', check=False)
    first = ask('?q=sought&limit=1')
    assert first.status == 200 and first.json['total'] == 2, first.body
    began = time.monotonic()
    answers = [ask('?q=sought&limit=1') for _ in range(300)]
    allowed = 20 + 20 * (time.monotonic() - began)
    let_through = sum(one.status == 200 for one in answers)
    assert let_through <= allowed + 1, (let_through, allowed)
    assert {one.status for one in answers} <= {200, 429}
    assert all(int(one.headers['retry-after']) >= 1 for one in answers if one.status == 429)
    assert [ask(query).status for query in ['', f'?q=sought&limit=1&cursor={first.json["cursor"]}'] * 30] == [200] * 60
    assert call(bench, 'GET', '/v1/gateways?q=sought').status == 200
    connection.close()


def test_pictures_are_limited(bench):
    id = add(bench, 'painted')
    backend = bench.backend
    backend.tokens['admin', 'painter'] = backend.command('token', 'create', 'admin', 'painter', '--role', 'operator')[0]['token']
    png = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b'\0\0')) + chunk(b'IEND', b'')
    put = lambda name: backend.call('PUT', f'/v1/gateways/{id}/picture', png, 'admin', name, headers={'Content-Type': 'image/png'})
    assert set(until_limited(lambda: put('painter'), 30, 1 / 2)[:-1]) == {200}
    assert put('operator').status == 200


def test_bulk_and_undo(bench):
    ids = [add(bench, f'bulk{number}', tags=['bulk']) for number in range(3)]
    wrong = call(bench, 'POST', '/v1/gateways/bulk', {'q': 'tag:bulk', 'count': 4, 'set': {'site': 's'}})
    assert (wrong.status, wrong.code) == (409, 'countChanged') and wrong.json['count'] == 3, wrong.body
    done = call(bench, 'POST', '/v1/gateways/bulk', {'q': 'tag:bulk', 'count': 3, 'set': {'site': 's'}, 'addTags': ['n'], 'removeTags': ['bulk']})
    assert done.status == 200 and {r['status'] for r in done.json['results']} == {'done'}, done.body
    assert call(bench, 'GET', f'/v1/gateways/{ids[0]}').json['tags'] == ['n']
    undone = call(bench, 'POST', f'/v1/changes/{done.json["change"]}/undo')
    assert undone.status == 200 and len(undone.json['results']) == 3, undone.body
    assert call(bench, 'GET', f'/v1/gateways/{ids[0]}').json['tags'] == ['bulk']
    # What is wholly refused is no change.
    newest = lambda: call(bench, 'GET', f'/v1/changes?before={2**53 - 1}').json['changes'][-1]['change']
    before = newest()
    again = call(bench, 'POST', f'/v1/changes/{done.json["change"]}/undo')
    assert again.status == 200 and 'change' not in again.json and newest() == before, again.body
    assert [one['code'] for one in again.json['results']] == ['alreadyUndone'] * 3, again.body
    # An id that the answer could not have comes from nobody.
    for body in ({}, {'ids': []}, {'ids': ids}, {'ids': ids, 'remove': True, 'addTags': ['x']}, {'ids': ids, 'q': 'x', 'remove': True},
                 {'ids': ['x' * 65], 'addTags': ['x']}):
        assert call(bench, 'POST', '/v1/gateways/bulk', body).status == 400, body


def test_a_removed_gateway_takes_its_devices_with_it(bench):
    ref, hour = '00112233aabbccde', soon(-3600)[:14] + '00:00Z'
    device = {'ref': ref, 'family': 'ibeacon', 'first': hour, 'last': hour, 'hours': 1, 'band': 'near'}
    assert bench.backend.call('POST', '/v1/telemetry', {'devices': [device]}, 'gateway', 'attic').status == 200
    (gateway,) = call(bench, 'GET', '/v1/gateways?q=key:attic').json['gateways']
    path = f'/v1/gateways/{gateway["id"]}/devices/{ref}'
    assert call(bench, 'PATCH', path, {'revision': 0, 'name': 'Lamp'}).status == 200
    change = call(bench, 'DELETE', f'/v1/gateways/{gateway["id"]}').json['change']
    for method, rest, body in [('PATCH', '', {'revision': 1, 'name': 'Other'}), ('POST', '/forget', None), ('DELETE', '/picture', None)]:
        answer = call(bench, method, path + rest, body)
        assert answer.status == 404, (method, rest, answer.status, answer.body)
    assert call(bench, 'POST', f'/v1/changes/{change}/undo').status == 200
    (shown,) = call(bench, 'GET', f'/v1/gateways/{gateway["id"]}/devices').json['devices']
    assert (shown['name'], shown['revision']) == ('Lamp', 1), shown
    assert call(bench, 'PATCH', path, {'revision': 1, 'name': 'Other'}).status == 200


def test_command_line(bench):
    made = fleet(bench, 'add', 'Werk 1', '--at', '52.5,13.25', '--tag', 'x', '--site', 'Ost')[0]
    assert made['code'] and made['place']['latitude'] == 52.5, made
    fleet(bench, 'add', 'Werk 1', '--at', '52.5,13.25', code=1)
    fleet(bench, 'add', 'Werk 2', code=9)
    edited = fleet(bench, 'edit', 'werk 1', '--tag', 'y', '--untag', 'x', '--note', 'n', '--place', 'Tor')[0]
    assert edited['tags'] == ['y'] and edited['place']['text'] == 'Tor' and edited['place']['latitude'] == 52.5, edited
    # The last one first; then the one before, not the same again.
    fleet(bench, 'edit', 'Werk 1', '--site', 'West')
    fleet(bench, 'undo')
    now = fleet(bench, 'show', 'Werk 1')[0]
    assert (now['site'], now['tags']) == ('Ost', ['y']), now
    fleet(bench, 'undo')
    assert fleet(bench, 'show', 'Werk 1')[0]['tags'] == ['x']
    assert [c['action'] for c in fleet(bench, 'history', 'Werk 1')] == ['add', 'edit', 'edit', 'edit', 'edit']
    # Also where both changed the same.
    for site in ['West', 'Nord']:
        fleet(bench, 'edit', 'Werk 1', '--site', site)
    for site in ['West', 'Ost']:
        fleet(bench, 'undo')
        assert fleet(bench, 'show', 'Werk 1')[0]['site'] == site, site
    shown = fleet(bench, 'list', '--search', 'name:"Werk 1"', '--format', 'table', plain=True).splitlines()
    assert len(shown) == 2 and shown[0].split()[:4] == ['NAME', 'STATE', 'VERDICT', 'WHY'], shown
    assert shown[1].startswith('Werk 1') and 'never' in shown[1] and 'unknown' in shown[1], shown
    fleet(bench, 'show', 'nobody', code=1)
    fleet(bench, 'undo', '99999999', code=1)
    fleet(bench, 'label', 'Werk 1', code=1)
    table = fleet(bench, 'export', '--search', 'name:"Werk 1"', '--format', 'csv', plain=True)
    # Who took what along, admins see, and nobody else.
    backend = bench.backend
    backend.tokens['admin', 'chief'] = backend.command('token', 'create', 'admin', 'chief', '--role', 'admin')[0]['token']
    exported = lambda query, name: [one for one in backend.call('GET', '/v1/changes' + query, None, 'admin', name).json['changes']
                                    if one['action'] == 'export']
    (one,) = exported('?audit=1', 'chief')
    assert (one['actor'], one['kind'], one['object']) == ('admin:operator', 'fleet', 'gateways'), one
    assert {name: value['after'] for name, value in one['fields'].items()} == {'count': '1', 'search': 'name:"Werk 1"'}, one
    assert exported('', 'chief') == exported('', 'operator') == []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'fleet.csv')
        open(path, 'w').write(table.replace('Werk 1', 'Werk 9'))
        fleet(bench, 'import', '--dry-run', path)
        fleet(bench, 'show', 'Werk 9', code=1)
        fleet(bench, 'import', path)
        copy = fleet(bench, 'show', 'Werk 9')[0]
        assert copy['tags'] == ['x'] and copy['place']['latitude'] == 52.5 and copy['site'] == 'Ost', copy
        open(path, 'w').write('name,tags\nok,\n,A\n')
        said = fleet(bench, 'import', path, code=8)
        assert 'line 3' in said, said
        # What only the server knows: all or none.
        open(path, 'w').write('name\nfresh\nWerk 9\n')
        said = fleet(bench, 'import', path, code=9)
        assert 'line 3: another gateway has this name' in said, said
        fleet(bench, 'show', 'fresh', code=1)


def chunk(kind, body):
    return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))


def test_a_backend_that_repeats_itself(bench):
    class Same(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps({'changes': [{'change': 7, 'actor': 'a', 'action': 'edit', 'object': 'b'}]}).encode()
            self.send_response(200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Same) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            [LUNA, 'fleet', 'history', '--backend', f'http://127.0.0.1:{server.server_port}', '--token-file', operator(bench)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        server.shutdown()
    assert done.returncode == 9 and 'ever again' in done.stderr, (done.returncode, done.stderr)


def test_pictures(bench):
    id = add(bench, 'pictured')
    png = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0))
    png += chunk(b'tEXt', b'GPS\0' + b'52.5N') + chunk(b'IDAT', zlib.compress(b'\0\0')) + chunk(b'IEND', b'')
    path = f'/v1/gateways/{id}/picture'
    image = {'Content-Type': 'image/png'}
    shown = call(bench, 'PUT', path, png, headers=image)
    assert shown.status == 200 and shown.json['pictureUrl'] == '/v1/pictures/' + shown.json['picture'], shown.body
    kept = call(bench, 'GET', shown.json['pictureUrl'])
    assert kept.status == 200 and kept.headers['content-type'] == 'image/png' and b'GPS' not in kept.body
    assert kept.headers['content-security-policy'] == "default-src 'none'; sandbox", kept.headers
    assert hashlib.sha256(kept.body).hexdigest() == shown.json['picture']
    for data, status in [(b'<svg/>', 415), (png + b'PK', 422), (png[:-5], 422), (b'\xff\xd8\xff' + bytes(800000), 413)]:
        assert call(bench, 'PUT', path, data, headers=image).status == status
    with tempfile.NamedTemporaryFile(suffix='.png') as file:
        file.write(png)
        file.flush()
        fleet(bench, 'edit', 'pictured', '--picture', file.name)
    gone = call(bench, 'DELETE', path)
    assert gone.status == 200 and 'picture' not in gone.json, gone.body
    assert bench.backend.call('GET', shown.json['pictureUrl']).status == 401


def test_the_newest_changes(bench):
    lines = [{'name': f'counted {number}'} for number in range(510)]
    made = call(bench, 'POST', '/v1/gateways/import', {'lines': lines})
    assert made.status == 201, made.body
    changes = lambda query: [one['change'] for one in call(bench, 'GET', f'/v1/changes?{query}').json['changes']]
    everything = []
    while page := changes(f'since={everything[-1] if everything else 0}'):
        everything += page
    assert len(everything) > 510 and everything == sorted(everything)
    assert changes(f'before={2**53 - 1}') == everything[-500:]
    assert changes(f'before={everything[-1]}') == everything[-501:-1]
    assert changes(f'before={everything[2]}') == everything[:2]
    assert changes(f'since={everything[0]}&before={everything[2]}') == everything[1:2]
    assert changes('before=0') == []
    assert call(bench, 'GET', '/v1/changes?before=new').status == 400
    # Each with the name of the gateway, also of one that is gone.
    gone = made.json['ids'][0]
    assert call(bench, 'DELETE', f'/v1/gateways/{gone}').status == 200
    change = call(bench, 'GET', f'/v1/changes?before={2**53 - 1}').json['changes'][-1]
    assert (change['action'], change['object'], change['name']) == ('remove', gone, 'counted 0'), change
