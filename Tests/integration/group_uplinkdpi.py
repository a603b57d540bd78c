"""luna uplink dpi with luna uplink serve on loopback, and a network between them that recognises something of what goes through
it: bytes of a recording, or fields of an upload."""

import json
import os

from bench import Bench, Luna, chance, free_port, wait_for
from group_uplink import certify, check, own_server, state
from middlebox import Inspector, Middlebox

IN_VM = False
ANSWER = 150_000
SLOW, FAST = 300_000, 3_000_000
NAME = b'luna.example'
HELLO = b'Host: luna.example\r\n'


def prepare(mode):
    bench = Bench()
    bench.servers = []
    return bench


class Rig:
    """A server of ours that replays a recording, and a network before it that slows down what it recognises."""

    def __init__(self, bench, name, payloads, recognises):
        self.bench, self.name = bench, name
        folder = os.path.join(bench.directory, name)
        os.mkdir(folder)
        data, *ports = [free_port() for _ in range(5)]
        pair = f'127.000.000.001.40000-127.000.000.001.{data:05}'
        packets = [
            {'c_s_pair': pair, 'timestamp': 0, 'payload': payload.hex(), 'response_len': 0, 'response_hash': None}
            for payload in payloads
        ]
        packets[-1]['response_len'] = ANSWER
        self.recording = os.path.join(folder, f'{name}_11252026.pcap_client_all.json')
        with open(self.recording, 'w') as file:
            file.write(json.dumps([packets, [], [pair], f'{name}-11252026']))
        certificate, key = certify(bench, name + '-tls')
        words = ['--wehe', '--recordings', folder, '--listen', '127.0.0.2', '--ports', ','.join(map(str, ports))]
        serve = Luna(bench, 'uplink', 'serve', *words, '--tls-cert', certificate, '--tls-key', key)
        wait_for(lambda: "clients of Wehe's are served" in serve.stderr(), 20, 'the server')
        self.box = Inspector('127.0.0.1', '127.0.0.2', [data, *ports], lambda said: SLOW if recognises(said) else FAST)
        self.words = [self.recording, '--server', 'wehe:127.0.0.1', '--plain', '--ports', ','.join(map(str, ports))]
        self.home = state(bench, name + '-state')

    def check(self):
        return check(self.bench, self.home, *self.words, '--no-confirm')

    def dpi(self, *more):
        return Luna(self.bench, 'uplink', 'dpi', *self.words, *more, '--state', self.home, '--format', 'jsonl')


def places(result):
    """Where the spans of a result are, and what they are."""
    return [(span['packet'], span['left'], span['right'], bytes.fromhex(span['hex'])) for span in result['spans']]


def is_hello(said):
    """By what is never changed: networks check it."""
    return said.startswith(b'\x16\x03\x01')


def test_the_bytes_that_a_network_recognises_are_found(bench):
    cases = {
        'Name': ([HELLO], lambda said: NAME in said, [(1, 6, 18, NAME)]),
        'Spans': ([HELLO], lambda said: said.startswith(b'Host') and b'example' in said, [(1, 0, 4, b'Host'), (1, 11, 18, b'example')]),
        'Byte': ([HELLO], lambda said: said[4:5] == b':', [(1, 4, 5, b':')]),
        'Packets': ([b'Host: luna.', b'example\r\n'], lambda said: NAME in said, [(1, 6, 11, b'luna.'), (2, 0, 7, b'example')]),
        'Nothing': ([b'\x16\x03\x01\x00\x10' + HELLO[:16]], is_hello, []),
    }
    rigs = {name: Rig(bench, name, payloads, rule) for name, (payloads, rule, _) in cases.items()}
    for run in [rig.check() for rig in rigs.values()]:
        assert run.ends(1, 120).lines()[-1]['verdict'] == 'throttled', run.lines()
    runs = {name: rig.dpi() for name, rig in rigs.items()}
    for name, run in runs.items():
        wanted = cases[name][2]
        lines = run.ends(0 if wanted else 1, 600).lines()
        result = lines[-1]
        assert places(result) == wanted, (name, result)
        assert all(span['exact'] and 'alternative' not in span for span in result['spans']), result
        assert result['matched'] == ('bytes' if wanted else 'nothing') and 'reason' not in result, result
        assert result['probes'] <= 200 and 0.8 <= result['certainty'] < 1 and not result['simulated'], result
        assert result['profile'] == f'{name}-11252026' and result['server'] == 'wehe:127.0.0.1', result
        progress = [line for line in lines if line['type'] == 'progress']
        assert {line['state'] for line in progress} == {'original', 'control'}, progress
        # It is no verdict: health does not know of it.
        assert 'verdict' not in result and not os.path.exists(os.path.join(rigs[name].home, 'uplink-dpi.json'))


test_the_bytes_that_a_network_recognises_are_found.seconds = 900


def test_an_inspection_goes_on_where_it_was_broken_off(bench):
    """Either of two words is enough for this network."""
    rig = Rig(bench, 'Again', [b'luna/home'], lambda said: b'luna' in said or b'home' in said)
    rig.dpi().ends(1)
    rig.dpi('--resume').ends(1)
    rig.check().ends(1, 120)
    rig.dpi('--budget', '1M').ends(11)
    first = rig.dpi('--budget', '6M').ends(11, 300).lines()[-1]
    assert first['reason'] == 'budget' and 1 <= first['probes'] <= 20 and first['bytes'] < 6_000_000, first
    with open(os.path.join(rig.home, 'uplink-dpi.json')) as file:
        answers = json.load(file)['answers']
    assert len(answers) == first['probes'], (answers, first)
    result = rig.dpi('--resume').ends(0, 600).lines()[-1]
    assert sorted(places(result)) == [(1, 0, 4, b'luna'), (1, 5, 9, b'home')], result
    assert {span['alternative'] for span in result['spans']} == {1, 2} and result['probes'] > first['probes'], result
    error = rig.dpi('--resume').ends(1).lines()[-1]
    assert error['code'] == 1 and '--resume' in error['hint'], error


test_an_inspection_goes_on_where_it_was_broken_off.seconds = 900


def test_noise_that_makes_it_impossible_is_said(bench):
    rig = Rig(bench, 'Noise', [HELLO], lambda said: NAME in said)
    rig.check().ends(1, 120)
    lots = chance()
    # Whatever is said on a connection.
    rig.box.rate = lambda said: SLOW * 10 ** lots.uniform(0, 2)
    result = rig.dpi().ends(10, 300).lines()[-1]
    assert result['reason'] in ('tooClose', 'noisy') and result['spans'] == [] and 'matched' not in result, result


test_noise_that_makes_it_impossible_is_said.seconds = 400


def test_the_fields_that_a_network_recognises_are_found(bench):
    _, port, words = own_server(bench, 'fields')
    home = state(bench, 'fields-state')
    box = Middlebox(port, 20_000_000, 'localhost', 5_000_000)
    # At another port it looks for something else.
    other = Middlebox(port, 20_000_000, 'another.example', 5_000_000)
    bench.servers += [box, other]

    def dpi(*more):
        way = ('--server', f'https://localhost:{box.port}', *words, '--budget', '60M')
        return Luna(bench, 'uplink', 'dpi', *way, *more, '--state', home, '--format', 'jsonl')

    # Nothing is asked before a check has found a difference, nor before somebody has agreed.
    error = dpi().ends(1).lines()[-1]
    assert 'luna uplink check' in error['hint'], error
    silent = state(bench, 'fields-silent', agreed=False)
    Luna(bench, 'uplink', 'dpi', '--server', f'https://localhost:{box.port}', *words, '--state', silent).ends(4)
    assert box.seen == 0
    check(bench, home, '--server', f'https://localhost:{box.port}', *words, '--budget', '40M', '--no-confirm').ends(1, 120)
    dpi('--budget', '1M').ends(11)
    result = dpi('--other-port', str(other.port)).ends(0, 300).lines()[-1]
    fields = {field['field']: field['matched'] for field in result['fields']}
    assert fields == {'sni': True, 'alpn': False, 'tlsVersion': False, 'port': True, 'size': False}, result
    assert result['matched'] == 'fields' and result['spans'] == [] and result['probes'] == 6, result
    assert result['bytes'] <= 60_000_000 and other.seen >= 2, result
    shown = Luna(bench, 'uplink', 'results', result['id'], '--state', home, '--format', 'table').ends(0)
    with open(shown.output.name) as text:
        assert 'By the field sni.\nBy the field port.\n6 probes' in text.read()


test_the_fields_that_a_network_recognises_are_found.seconds = 400
