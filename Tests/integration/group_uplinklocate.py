"""luna uplink locate in a network whose paths part, with limits in what they share, on each of them, or none. Only root can
make one."""

import os
import signal
import subprocess

from bench import Bench, Luna, needs_root, wait_for
from forked_network import NAMES, ForkedNetwork

IN_VM = False
PORT = 8443
URLS = [f'https://{name}:{PORT}' for name in NAMES]


def prepare(mode):
    return Bench()


class Rig:
    """A network with a server of ours at each end, and a client that may use them."""

    def __init__(self, bench, mode):
        needs_root('make network namespaces')
        self.bench = bench
        self.folder = os.path.join(bench.directory, mode)
        os.mkdir(self.folder)
        self.network = ForkedNetwork(mode, '4mbit')
        try:
            self.serve()
        except BaseException:
            self.close()
            raise

    def serve(self):
        bench = self.bench
        certificate, key, token = (os.path.join(self.folder, name) for name in ('cert.pem', 'key.pem', 'token'))
        names = ','.join(f'DNS:{name}' for name in NAMES)
        subprocess.run(
            ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
            + ['-subj', '/CN=one.test', '-addext', f'subjectAltName={names}', '-keyout', key, '-out', certificate],
            check=True,
            capture_output=True,
        )
        with open(token, 'w') as file:
            file.write('a-token-of-somebody\n')
        self.words = ['--ca-file', certificate, '--token-file', token]
        for place in ('one', 'two'):
            options = ['--listen', f'0.0.0.0:{PORT}', '--tls-cert', certificate, '--tls-key', key, '--token-file', token]
            serve = Luna(bench, 'uplink', 'serve', *options, prefix=self.network.inside(place))
            wait_for(lambda serve=serve: 'checks can be made at' in serve.stderr(), 20, 'the server')
        self.home = os.path.join(self.folder, 'state')
        Luna(bench, 'uplink', 'consent', '--accept', '--state', self.home).ends(0)

    def locate(self, *words):
        options = ['--pair', ','.join(URLS), *self.words, '--state', self.home, '--format', 'jsonl']
        return Luna(self.bench, 'uplink', 'locate', *options, *words, prefix=self.network.inside('client'))

    def close(self):
        self.network.close()


def located(bench, mode, word):
    rig = Rig(bench, mode)
    try:
        lines = rig.locate().ends(0, 240).lines()
        result = lines[-1]
        assert result['located'] == word and result['verdict'] == 'throttled', result
        # The gate and the fork are what both paths share.
        assert result['path'] == {'shared': 2} and result['server'] == ' '.join(URLS), result
        assert result['location']['blocks'] >= 8 and result['bytes'] <= 105_000_000, result
        states = {line['state'] for line in lines if line['type'] == 'progress'}
        assert states == {'allowed', 'original', 'control', 'alone', 'together', 'twice'}, states
        kept = Luna(bench, 'uplink', 'results', '--state', rig.home, '--format', 'jsonl').ends(0).lines()
        assert kept == [result], kept
        return result
    finally:
        rig.close()


def test_a_limit_in_what_both_paths_share_is_common(bench):
    result = located(bench, 'shared', 'common')
    assert 0.8 <= result['location']['low'] <= result['location']['high'] <= 1.25, result


def test_a_limit_on_each_path_is_separate(bench):
    result = located(bench, 'separate', 'separate')
    assert result['location']['low'] > 1.5 and result['location']['twice'] < 1.5, result


def test_a_limit_for_each_connection_says_nothing_of_the_place(bench):
    result = located(bench, 'connection', 'perConnection')
    assert result['location']['low'] > 1.5 and result['location']['twice'] > 1.5, result


def test_without_a_limit_there_is_nothing_to_be_located(bench):
    rig = Rig(bench, 'none')
    try:
        result = rig.locate().ends(1, 240).lines()[-1]
        assert result['located'] == 'noEvidence' and 'location' not in result, result
        assert result.get('verdict') in ('fair', 'inconclusive', None), result
        # Somebody ends it while a check runs.
        run = rig.locate()
        wait_for(lambda: any(line['type'] == 'progress' for line in run.lines()), 30, 'a slot')
        run.signal(signal.SIGINT)
        cancelled = run.ends(130).lines()[-1]
        assert cancelled['reason'] == 'cancelled' and 'located' not in cancelled, cancelled
    finally:
        rig.close()


for test in (
    test_a_limit_in_what_both_paths_share_is_common,
    test_a_limit_on_each_path_is_separate,
    test_a_limit_for_each_connection_says_nothing_of_the_place,
    test_without_a_limit_there_is_nothing_to_be_located,
):
    test.seconds = 600
