"""luna uplink check with the server of Wehe's own, in a network of namespaces. wehe_partner.py says what that needs."""

import json
import os
import signal
import sys
import tempfile

import byte_relay
import wehe_partner
from bench import Bench, Luna, needs_root, never, wait_for
from namespaces import Namespaces
from uplink_rig import certify
from wehe_partner import SIDE, WehePartner

IN_VM = False
SERVER, CLIENT = '10.77.1.2', '10.77.1.1'
STREAM, DATAGRAMS = 'Pandora_05132024', 'Skype_06172024'
# Where somebody reads along.
RELAYED = 55600


class Network(Namespaces):
    CABLES = [('client', 'server', 1)]
    ROUTES = {'client': [], 'server': []}
    NAMES = {'wehe.test': SERVER}


def prepare(mode):
    return Bench()


class Rig:
    """Theirs at one end, with a recording and its control; `rate`: of the cable to the client."""

    def __init__(self, bench, stem=STREAM, rate='8mbit'):
        needs_root('make network namespaces')
        self.bench, self.partner, self.started = bench, None, []
        self.folder = tempfile.mkdtemp(prefix='wehe.', dir=bench.directory)
        self.certificate, key = certify(self.folder, ['DNS:wehe.test'])
        pair = [stem, stem.replace('_', 'Random_')]
        self.network = Network()
        try:
            self.network.shape('server', 'c1b', rate, 100)
            self.partner = WehePartner(self.network, 'server', self.folder, pair, self.certificate, key)
            os.mkdir(os.path.join(self.folder, 'files'))
            for name in pair:
                self.copy(name, name)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for luna in self.started:
            if luna.process.poll() is None:
                luna.process.kill()
                luna.process.wait()
        if self.partner:
            self.partner.close()
        self.network.close()

    def path(self, stem):
        return os.path.join(self.folder, 'files', f'{stem}.pcap_client_all.json')

    def copy(self, stem, name):
        """Their recording, as the client has it, perhaps by another name."""
        with open(self.partner.path(f'traces/{stem}/{stem}.pcap_client_all.json')) as file:
            *rest, _ = json.load(file)
        with open(self.path(name), 'w') as file:
            json.dump([*rest, name.replace('_', '-')], file)

    def state(self, name):
        path = os.path.join(self.folder, name)
        Luna(self.bench, 'uplink', 'consent', '--accept', '--state', path).ends(0)
        return path

    def check(self, stem, home, *words):
        usual = ['--no-confirm', '--metered', 'no', '--state', home, '--format', 'jsonl']
        words = words or ['--ca-file', self.certificate]
        check = ['uplink', 'check', self.path(stem), '--server', f'wehe:{SERVER}', *usual, *words]
        self.started.append(Luna(self.bench, *check, prefix=self.network.inside('client')))
        return self.started[-1]

    def replays(self, run):
        """Whether data goes."""
        wait_for(lambda: 'No mobile stats' in self.partner.said('server'), 60, lambda: (run.stderr(), self.partner.said('server')[-2_000:]))


def message(text):
    return f'{len(text):010}{text}'


def agrees(result):
    """Asserts that theirs makes of the samples what ours does."""
    assert 'serverProblem' not in result, result
    theirs, ours = result['serverResult'], result['original']
    assert abs(theirs['area'] - ours['area']) < 1e-9, result
    if 'ks2p' in ours:
        assert abs(theirs['ks2d'] - ours['ks2d']) < 1e-12 and abs(theirs['ks2p'] - ours['ks2p']) <= 1e-6 * ours['ks2p'], result
    assert result['verdict'] in ('fair', 'inconclusive'), result


def test_a_session_is_the_one_that_is_written_down(bench):
    with Rig(bench) as rig:
        home, heard = rig.state('own'), os.path.join(rig.folder, 'heard')
        rig.network.start('server', sys.executable, os.path.abspath(byte_relay.__file__), str(RELAYED), str(SIDE), heard)
        run = rig.check(STREAM, home, '--plain', '--ports', f'{RELAYED},1,{wehe_partner.RESULTS},1')
        run.process.wait(never(120))
        assert run.lines() and run.lines()[-1]['type'] == 'uplink', (run.stderr(), rig.partner.said('server')[-2_000:])
        agrees(run.lines()[-1])
        sessions = byte_relay.read(heard)
        assert len(sessions) == 2, sessions
        user, kinds = sessions[0][0][1][10:].split(';')[0], set()
        for number, turns in enumerate(sessions):
            kind = turns[0][1].split(';')[1]
            kinds.add(kind)
            name = 'Pandora-05132024' if kind == '0' else 'PandoraRandom-05132024'
            said = [text for _, text in turns]
            assert [who for who, _ in turns] == ['C', 'S'] * 4, turns
            assert said[0] == message(f'{user};{kind};{name};Luna;1;{number == 1};{CLIENT};1.0') + message('[-1, null, null]'), said[0]
            assert said[1] == message('1;127.0.0.1;100') and said[2] == message('NoIperf') + message('NoMobileStats'), said
            places = json.loads(said[3][10 : 10 + int(said[3][:10])])
            assert said[3] == message(json.dumps(places)) + message('0') and places['tcp']['208.085.042.032'] == {'00080': ['', 80]}, said[3]
            length = int(said[4][:10])
            word, seconds = said[4][10 : 10 + length].split(';')
            samples = said[4][20 + length :]
            speeds, times = json.loads(samples)
            assert said[4] == message(f'{word};{seconds}') + message(samples) and word == 'DONE' and float(seconds) > 0.5, said[4]
            assert len(speeds) == len(times) == 100 and times == sorted(times), said[4]
            assert said[5:] == [message('OK'), message('Result;No'), message('OK')], said[5:]
        assert kinds == {'0', '1'} and len(user) == 10 and user.isalnum(), (user, kinds)


def test_theirs_makes_of_replays_what_ours_does(bench):
    """Over TLS. What was asked for once is never asked for again: it would not be answered."""
    with Rig(bench) as rig:
        home = rig.state('own')
        for count in (1, 2):
            run = rig.check(STREAM, home)
            run.process.wait(never(120))
            agrees(run.lines()[-1])
            asked = rig.partner.said('analyzer').count("'command': [b'singleResult']")
            assert asked == count, (asked, rig.partner.said('analyzer')[-2_000:])


def test_datagrams_are_replayed(bench):
    with Rig(bench, DATAGRAMS, '20mbit') as rig:
        run = rig.check(DATAGRAMS, rig.state('own'))
        run.process.wait(never(180))
        assert run.lines() and run.lines()[-1]['type'] == 'uplink', (run.stderr(), rig.partner.said('server')[-2_000:])
        agrees(run.lines()[-1])


def test_what_theirs_does_not_have_is_named(bench):
    with Rig(bench) as rig:
        for name in ('Nothing_01012026', 'NothingRandom_01012026'):
            rig.copy(STREAM, name)
        error = rig.check('Nothing_01012026', rig.state('own')).ends(9, 120).lines()[-1]
        assert error['error'] == 'unknownRecording' and error['weheCode'] == 15, error


def test_a_replay_that_broke_off_keeps_its_address_from_others(bench):
    with Rig(bench, rate='3mbit') as rig:
        own, other = rig.state('own'), rig.state('other')
        first = rig.check(STREAM, own)
        rig.replays(first)
        # In order: it says so, and theirs keeps the address all the same.
        first.signal(signal.SIGINT)
        first.ends(130, 60)
        second = rig.check(STREAM, other)
        wait_for(lambda: 'NoPermission' in rig.partner.said('server'), 60, lambda: rig.partner.said('server')[-2_000:])
        second.signal(signal.SIGINT)
        second.ends(130, 60)
        # It is not kept from who had it.
        third = rig.check(STREAM, own)
        third.process.wait(never(150))
        agrees(third.lines()[-1])


def test_a_server_that_is_gone_is_named(bench):
    with Rig(bench, rate='800kbit') as rig:
        home = rig.state('own')
        run = rig.check(STREAM, home)
        rig.replays(run)
        rig.partner.close()
        error = run.ends(7, 60).lines()[-1]
        assert error['error'] == 'lost' and error['weheCode'] == 8, error
        error = rig.check(STREAM, home).ends(9, 60).lines()[-1]
        assert error['error'] in ('connect', 'blocked'), error


for name, test in list(globals().items()):
    if name.startswith('test_'):
        test.seconds = 300
