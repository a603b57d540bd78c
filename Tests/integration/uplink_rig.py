"""What tests of uplink checks have in common: certificates, recordings, and a network of namespaces with a server of ours at its
end and a client in it."""

import itertools
import json
import os
import subprocess
import tempfile

from bench import Luna, needs_root, never, wait_for
from ruled_network import NAME, OTHER, SERVER, RuledNetwork

URL = f'https://{NAME}'
# Why nothing can be said, where nothing is.
REASONS = {'noisy', 'small', 'notConfirmed', 'tooFast', 'failed'}
DATE = '11252026'


def certify(folder, names):
    """A certificate for names (as openssl writes them: DNS:localhost), and its key, in a folder."""
    certificate, key = os.path.join(folder, 'cert.pem'), os.path.join(folder, 'key.pem')
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '400']
        + ['-subj', '/CN=a server of tests', '-addext', 'subjectAltName=' + ','.join(names), '-keyout', key, '-out', certificate],
        check=True,
        capture_output=True,
    )
    return certificate, key


# Recordings, as UPLINK.md 4 has them.


def pair(port, client=40000):
    return f'010.077.001.001.{client}-010.077.002.002.{port:05}'


def stream(name, requests, port=80):
    """A recording over TCP: requests, each with the length of its answer."""
    packets = [
        {'c_s_pair': pair(port), 'timestamp': 0, 'payload': payload.hex(), 'response_len': length, 'response_hash': None}
        for payload, length in requests
    ]
    return f'{name}_{DATE}', json.dumps([packets, [], [pair(port)], f'{name}-{DATE}'])


def datagrams(name, payload, port):
    """A recording over UDP, of which the client sends one."""
    packet = {'c_s_pair': pair(port), 'timestamp': 0, 'payload': payload.hex(), 'end': True}
    return f'{name}_{DATE}', json.dumps([[packet], ['40000'], [], f'{name}-{DATE}'])


def answers(name, port, count, seconds, size):
    """The side of the server of that: so many datagrams over so many seconds."""
    said = [{'timestamp': number * seconds / count, 'payload': '07' * size} for number in range(count)]
    return json.dumps({'lunaRecording': 1, 'name': f'{name}-{DATE}', 'tcp': {}, 'udp': {pair(port): said}})


class Rig:
    """A network with a rule, as ruled_network.py has it; what is started in it ends with it."""

    def __init__(self, bench, link, rule=None, **network):
        needs_root('make network namespaces')
        self.bench = bench
        self.folder = tempfile.mkdtemp(prefix='rig.', dir=bench.directory)
        self.certificate, self.key = certify(self.folder, [f'DNS:{NAME}', f'DNS:{OTHER}', f'IP:{SERVER}'])
        self.numbers = itertools.count(1)
        self.started = []
        self.network = RuledNetwork(link, rule, **network)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for luna in self.started:
            if luna.process.poll() is None:
                luna.process.kill()
                luna.process.wait()
        self.network.close()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as file:
            file.write(text)
        return self.path(name)

    def luna(self, place, *words, before=()):
        """Starts a command somewhere."""
        luna = Luna(self.bench, *words, prefix=(*self.network.inside(place), *before))
        self.started.append(luna)
        return luna

    # Servers

    def serve(self, tokens=100, before=()):
        """A server of ours on 443, with so many tokens: what each may use in a day has an end."""
        lines = [f'token-{number}-of-somebody' for number in range(tokens)]
        words = ['--listen', '0.0.0.0:443', '--tls-cert', self.certificate, '--tls-key', self.key]
        path = self.write('tokens', '\n'.join(lines) + '\n')
        for number, line in enumerate(lines):
            self.write(f'token-{number}', line + '\n')
        server = self.luna('server', 'uplink', 'serve', *words, '--token-file', path, before=before)
        wait_for(lambda: 'checks can be made at' in server.stderr(), 20, lambda: f'the server: {server.stderr()}')
        return server

    def serve_wehe(self, *recordings, others=()):
        """A server for clients of Wehe's with recordings of `stream` and `datagrams`, and files beside them."""
        folder = self.path('recordings')
        os.makedirs(folder, exist_ok=True)
        for stem, text in recordings:
            self.write(f'recordings/{stem}.pcap_client_all.json', text)
        for stem, text in others:
            self.write(f'recordings/{stem}.pcap_server_all.json', text)
        words = ['--wehe', '--recordings', folder, '--listen', '0.0.0.0', '--tls-cert', self.certificate, '--tls-key', self.key]
        server = self.luna('server', 'uplink', 'serve', *words)
        wait_for(lambda: "clients of Wehe's are served" in server.stderr(), 20, lambda: f'the server: {server.stderr()}')
        return server

    # Clients

    def state(self, agreed=True):
        """A state of its own, in which somebody has agreed."""
        path = self.path(f'state-{next(self.numbers)}')
        if agreed:
            Luna(self.bench, 'uplink', 'consent', '--accept', '--state', path).ends(0)
        return path

    def begin(self, *words, home=None, token=0, server=URL, before=(), month='900G'):
        """Begins a check with the server of ours."""
        way = ['--server', server, '--ca-file', self.certificate, '--token-file', self.path(f'token-{token}')]
        where = ['--state', home or self.state(), '--monthly', month, '--format', 'jsonl']
        return self.luna('client', 'uplink', 'check', *way, *where, *words, before=before)

    def check(self, *words, seconds=240, **how):
        """A check with the server of ours that is not made twice: what came of it."""
        return ended(self.begin('--no-confirm', '--metered', 'no', *words, **how), seconds)

    def begin_wehe(self, stem, *words, home=None):
        """Begins to replay a recording, side channel and results over TLS."""
        path = self.path(f'recordings/{stem}.pcap_client_all.json')
        way = ['--server', f'wehe:{SERVER}', '--ca-file', self.certificate, '--metered', 'no']
        where = ['--state', home or self.state(), '--format', 'jsonl']
        return self.luna('client', 'uplink', 'check', path, *way, *where, *words)


def ended(run, seconds=240):
    """What a check came to."""
    try:
        code = run.process.wait(never(seconds))
    except subprocess.TimeoutExpired:
        raise AssertionError(f'the check did not end; its last lines: {run.last_lines()}; it said: {run.stderr()}') from None
    assert code in (0, 1, 10), (code, run.last_lines(), run.stderr())
    result = run.lines()[-1]
    assert result['type'] == 'uplink' and not result['simulated'], result
    assert code == {'fair': 0, 'inconclusive': 10}.get(result['verdict'], 1), (code, result)
    if result['verdict'] == 'inconclusive':
        assert result['reason'] in REASONS, result
    if 'low' in result and 'high' in result:
        assert result['low'] <= result['ratio'] <= result['high'], result
    return result


def differs(result, verdict, ratio=None):
    """Asserts what was found; the true ratio of the rates is in its interval, but for what TCP makes of a limit."""
    assert result['verdict'] == verdict, result
    if ratio:
        assert result['low'] * 0.9 <= ratio <= result['high'] * 1.1, result


def alike(result):
    """Asserts that no difference was found where there is none."""
    assert result['verdict'] in ('fair', 'inconclusive'), result


def not_missed(result, verdict):
    """Asserts that a difference was found, or at least not denied: it is said why nothing can be said."""
    assert result['verdict'] in (verdict, 'inconclusive'), result
