"""luna uplink locate in a network whose paths part, with limits in what they share, on each of them, or none. Only root can
make one."""

import os
import signal
import sys
import tempfile

import packet_log
import tcp_counters
from bench import Bench, Luna, needs_root, never, wait_for
from forked_network import NAMES, ForkedNetwork, MeetingNetwork
from uplink_rig import certify

IN_VM = False
PORT = 8443
URLS = [f'https://{name}:{PORT}' for name in NAMES]
# What a network carries at once.
PACKET = 1448


def prepare(mode):
    return Bench()


class Rig:
    """A network with a server of ours at each end, and a client that may use them."""

    def __init__(self, bench, mode, make=ForkedNetwork):
        needs_root('make network namespaces')
        self.bench = bench
        self.folder = tempfile.mkdtemp(prefix=mode + '.', dir=bench.directory)
        self.network = make(mode, '4mbit') if make is ForkedNetwork else make()
        try:
            self.serve()
        except BaseException:
            self.close()
            raise

    def serve(self):
        bench = self.bench
        certificate, key = certify(self.folder, [f'DNS:{name}' for name in NAMES])
        token = os.path.join(self.folder, 'token')
        with open(token, 'w') as file:
            file.write('a-token-of-somebody\n')
        self.words = ['--ca-file', certificate, '--token-file', token]
        for place in ('one', 'two'):
            options = ['--listen', f'0.0.0.0:{PORT}', '--tls-cert', certificate, '--tls-key', key, '--token-file', token]
            serve = Luna(bench, 'uplink', 'serve', *options, prefix=self.network.inside(place))
            wait_for(lambda serve=serve: 'checks can be made at' in serve.stderr(), 20, 'the server')
        self.home = os.path.join(self.folder, 'state')
        Luna(bench, 'uplink', 'consent', '--accept', '--state', self.home).ends(0)

    def locate(self, *words, pairs=(URLS,), before=()):
        options = [word for pair in pairs for word in ('--pair', ','.join(pair))]
        options += [*self.words, '--state', self.home, '--format', 'jsonl']
        return Luna(self.bench, 'uplink', 'locate', *options, *words, prefix=(*self.network.inside('client'), *before))

    def close(self):
        self.network.close()


def located(bench, mode, word):
    rig = Rig(bench, mode)
    try:
        # A pair that cannot be used keeps nobody from the next one.
        lines = rig.locate(pairs=([URLS[0], URLS[0]], URLS)).ends(0, 240).lines()
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


def test_a_limit_on_one_path_alone_is_not_in_what_both_share(bench):
    rig = Rig(bench, 'single')
    try:
        result = rig.locate().ends(1, 240).lines()[-1]
        # The servers do not say the same, so there is nothing to be compared.
        assert result['located'] == 'noEvidence' and 'verdict' not in result and 'location' not in result, result
    finally:
        rig.close()


def test_a_small_limit_beside_a_large_one_is_not_common(bench):
    rig = Rig(bench, 'separate')
    try:
        # What the second server adds is less than what two limits would have to: all that tells is that the first one loses nothing.
        change = ('class', 'change', 'dev', 'c5a', 'parent', '1:', 'classid', '1:10', 'htb', 'rate', '600kbit', 'ceil', '600kbit')
        rig.network.run('fork', 'tc', *change)
        run = rig.locate()
        assert run.process.wait(never(300)) in (0, 1), run.stderr()
        result = run.lines()[-1]
        assert result['verdict'] == 'throttled' and result['located'] in ('noEvidence', 'separate'), result
    finally:
        rig.close()


def test_paths_that_meet_again_are_refused(bench):
    rig = Rig(bench, 'meeting', MeetingNetwork)
    try:
        used = rig.network.counters('one', 'c6b')
        error = rig.locate().ends(1, 60).lines()[-1]
        assert error['error'] == 'pathsMeetAgain' and error['code'] == 1 and error['hint'], error
        # It is found out with a few small datagrams.
        assert rig.network.counters('one', 'c6b')[0] - used[0] < 2_000
    finally:
        rig.close()


def test_paths_of_which_nobody_tells_are_refused(bench):
    rig = Rig(bench, 'none')
    try:
        # What the routers and the servers say of datagrams that go no further is dropped at the gate.
        rig.network.run('gate', 'ip', 'rule', 'add', 'ipproto', 'icmp', 'blackhole')
        error = rig.locate().ends(1, 60).lines()[-1]
        assert error['error'] == 'pathUnknown' and '--force' in error['hint'], error
        # Whoever takes them for good all the same is told so in the result.
        run = rig.locate('--force')
        wait_for(lambda: any(line['type'] == 'progress' for line in run.lines()), 60, 'a slot')
        run.signal(signal.SIGINT)
        assert run.ends(130).lines()[-1]['path']['unknown'] is True, run.lines()[-1]
    finally:
        rig.close()


def test_losses_are_those_of_a_capture(bench):
    """What it reads every 5 ms of its connections, against their packets on the first cable, interval by interval."""
    rig = Rig(bench, 'shared')
    try:
        path = os.path.join(rig.folder, 'packets')
        rig.network.start('gate', sys.executable, os.path.abspath(packet_log.__file__), 'c1b', path)
        before, counted = tcp_counters.noted(rig.folder)
        rig.locate(before=before).ends(0, 240)
        compared = compare(packet_log.read(path), tcp_counters.read(counted))
        wrong = [line for line in compared if not close(line[1], line[2]) or not close(line[3], line[4])]
        assert not wrong, (len(compared), wrong[:10])
        lossy = [line for line in compared if line[4] > 10 * PACKET]
        assert len(compared) > 100 and len(lossy) > 10, (len(compared), len(lossy))
    finally:
        rig.close()


def compare(packets, counters, seconds=0.25):
    """Of each interval of each connection: its port, what was sent by the counters and by the packets, and what of it again."""
    lines = []
    for port, looks in counters.items():
        first = looks[0]
        for look in looks:
            if look[1] < first[1]:
                first = look  # Another connection, which got the port anew.
            if look[0] - first[0] < seconds:
                continue
            seen = [packet for packet in packets.get(port, ()) if first[0] < packet[0] <= look[0]]
            sent, again = sum(packet[1] for packet in seen), sum(packet[2] for packet in seen)
            lines.append((port, look[1] - first[1], sent, look[2] - first[2], again))
            first = look
    return lines


def close(one, other):
    """Within 10 %, but for packets that go while it is looked."""
    return abs(one - other) <= max(0.1 * max(one, other), 4 * PACKET)


for name, test in list(globals().items()):
    if name.startswith('test_'):
        test.seconds = 700
