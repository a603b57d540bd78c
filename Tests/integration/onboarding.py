"""`luna onboard` against trackers that other people wrote, over whatever radio a bench has.

A group gives its benches `ear` (the --radio of luna) and `tracker_path` (the socket of the
controller that trackers have), and calls `define_tests`.
"""

import json
import os
import queue
import signal
import subprocess
import threading
import time

import lunaprotocol as luna
from bench import CACHE, Luna, lasting, never, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
CODE = bytes.fromhex('00112233445566778899aabbccddeeff')
OTHER = bytes.fromhex('0123456789abcdef0123456789abcdef')


class Tracker:
    """bumbletracker.py, whose orders are its methods."""

    def __init__(self, bench, *options, code=CODE):
        self.process = subprocess.Popen(
            [os.path.join(CACHE, 'venv', 'bin', 'python'), os.path.join(HERE, 'bumbletracker.py')]
            + [bench.tracker_path, code.hex(), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        bench.trackers.append(self)
        self.answers = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.answers.get(timeout=never(30))
        self.log = []

    def listen(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))

    def do(self, what, **words):
        self.process.stdin.write(json.dumps({'do': what} | words) + '\n')
        self.process.stdin.flush()
        answer = self.answers.get(timeout=never(30))
        assert 'error' not in answer, answer
        return answer

    def tell(self):
        told = self.do('tell')
        self.log += told['log']
        return told

    def wait_for(self, what, seconds=30, **fields):
        """Until this has happened."""

        def happened():
            self.tell()
            return [e for e in self.log if e['what'] == what and all(e.get(k) == v for k, v in fields.items())]

        return wait_for(happened, seconds, f'{what} {fields}')

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Home:
    """An owner: a state directory of their own."""

    numbers = iter(range(10**6))

    def __init__(self, bench):
        self.bench = bench
        self.state = os.path.join(bench.directory, f'owner-{next(Home.numbers)}')

    def onboard(self, *arguments, code=CODE, name='Keys'):
        words = ['onboard', '--format', 'jsonl', '--state', self.state, '--radio', self.bench.ear]
        if code is not None:
            path = self.state + '.code'
            with open(path, 'w') as file:
                file.write(luna.code_text(code) + '\n')
            words += ['--code-file', path]
        return Luna(self.bench, *words, '--name', name, *arguments)

    def devices(self):
        path = self.state + '.json'
        if os.path.exists(path):
            os.unlink(path)
        Luna(self.bench, 'owner', 'export', path, '--state', self.state).ends(0)
        with open(path) as file:
            return json.load(file)['devices']


def events(run):
    return [line['event'] for line in run.lines() if line['type'] == 'onboarding']


def check_owned(home, tracker, name='Keys', unauthenticated=False):
    """The owner has the tracker's keys, and the tracker the owner's."""
    told = tracker.tell()
    [device] = home.devices()
    assert told['state'] == luna.KEYED, told
    assert device['uuid'].lower() == told['uuid'] and device['name'] == name, (device, told)
    assert device['masterKey'] == told['masterKey'], 'different keys'
    assert device.get('unauthenticated', False) == unauthenticated, device
    return device


def test_right_code(bench):
    tracker, home = Tracker(bench), Home(bench)
    run = home.onboard().ends(0, 40)
    assert events(run)[-2:] == ['discoveredConnectable', 'onboarded'], run.lines()
    check_owned(home, tracker)
    assert run.lines()[-1]['device'].lower() == tracker.tell()['uuid']


def test_smallest_pdus(bench):
    tracker, home = Tracker(bench, '--mtu', '23'), Home(bench)
    home.onboard().ends(0, 40)
    check_owned(home, tracker)


def test_code_of_another_tracker(bench):
    tracker, home = Tracker(bench), Home(bench)
    run = home.onboard('--wait', '6s', code=OTHER).ends(1, 30)
    assert 'no tracker has this code' in run.stderr(), run.stderr()
    assert tracker.tell()['state'] == luna.FACTORY and not tracker.log, tracker.log


def test_wrong_code(bench):
    """The tracker shows the hint of a code that it does not know."""
    tracker, home = Tracker(bench, '--shows', CODE.hex(), code=OTHER), Home(bench)
    run = home.onboard().ends(1, 40)
    assert 'does not know this code' in run.stderr(), run.stderr()
    assert run.lines()[-1]['type'] == 'error' and run.lines()[-1]['code'] == 1
    tracker.tell()
    assert not [e for e in tracker.log if e['what'] == 'write' and e['value'].startswith('03')], 'it was told to finish'
    assert home.devices() == []


def test_without_a_code(bench):
    tracker, home = Tracker(bench), Home(bench)
    run = home.onboard(code=None).ends(2)
    assert 'cannot be authenticated' in run.stderr(), run.stderr()
    run = home.onboard('--unauthenticated', code=None).ends(1, 40)
    assert 'button' in run.stderr(), run.stderr()
    tracker.do('press')
    run = home.onboard('--unauthenticated', code=None).ends(0, 40)
    assert run.lines()[-1]['unauthenticated'] is True, run.lines()
    check_owned(home, tracker, unauthenticated=True)


def test_locked(bench):
    tracker, home = Tracker(bench), Home(bench)
    for _ in range(5):
        home.onboard('--unauthenticated', code=None).ends(1, 40)
    assert tracker.tell()['state'] == luna.LOCKED
    heard = bench.scan(bench.ear, '-T', lasting(3)).ends(0, 20)
    frames = [(l['address'], b) for l in heard.advertisements() for b in l.get('beacons', []) if b['beacon'] == 'luna']
    run = home.onboard(frames[-1][0]).ends(1, 40)
    assert 'locked' in run.stderr() and 'button' in run.stderr(), run.stderr()
    tracker.do('press')
    home.onboard().ends(0, 40)
    check_owned(home, tracker)


test_locked.seconds = 150


def vanishing(at):
    def test(bench):
        tracker, home = Tracker(bench), Home(bench)
        tracker.do('fault', at=at, how='vanish')
        run = home.onboard()
        run.ends(0, 80)
        assert [e for e in tracker.tell()['log'] + tracker.log if e['what'] == 'fault'], 'nothing went wrong'
        check_owned(home, tracker)

    test.__name__, test.seconds = f'test_tracker_vanishes_at_the_{at}', 100
    return test


def killed(at):
    def test(bench):
        tracker, home = Tracker(bench), Home(bench)
        tracker.do('fault', at=at, how='silence')
        run = home.onboard()
        tracker.wait_for('fault', at=at)
        run.signal(signal.SIGKILL)
        run.process.wait()
        # A controller of one's own keeps the connection of a host that is gone: it is out of range now.
        tracker.do('drop')
        tracker.wait_for('disconnected', 45)
        told = tracker.tell()
        assert told['state'] == (luna.KEYED if at == 'done' else luna.FACTORY), told
        if told['state'] == luna.FACTORY:
            # As long as a message may be on its way a record stays.
            time.sleep(36 if at == 'finish' else 0)
        home.onboard().ends(0, 80)
        check_owned(home, tracker)

    test.__name__, test.seconds = f'test_owner_killed_at_the_{at}', 180
    return test


def test_late_answers(bench):
    tracker, home = Tracker(bench), Home(bench)
    for at in ('response', 'done'):
        tracker.do('fault', at=at, how='late')
    home.onboard().ends(0, 60)
    check_owned(home, tracker)


def test_garbage(bench):
    for how in ('00', '02' * 53, '04', 'ff' * 100):
        tracker, home = Tracker(bench), Home(bench)
        tracker.do('fault', at='response', how=how)
        run = home.onboard().ends(1, 40)
        assert run.lines()[-1]['type'] == 'error', run.lines()
        assert tracker.tell()['state'] == luna.FACTORY
        home.onboard().ends(0, 40)
        check_owned(home, tracker)
        tracker.end()


test_garbage.seconds = 120


def test_forged_refusal(bench):
    """The tracker takes the keys, and something says that it refused: the tracker, asked, knows better."""
    tracker, home = Tracker(bench), Home(bench)
    tracker.do('fault', at='done', how='0404')
    home.onboard().ends(0, 80)
    check_owned(home, tracker)


test_forged_refusal.seconds = 100


def test_dry_run(bench):
    tracker, home = Tracker(bench), Home(bench)
    run = home.onboard('--dry-run').ends(0, 40)
    assert 'nothing was changed' in run.stderr(), run.stderr()
    assert tracker.tell()['state'] == luna.FACTORY and not tracker.log, tracker.log


def define_tests(namespace, kinds=('exchanges', 'hostile', 'faults')):
    """Adds tests to a group: exchanges and hostile ones in legacy mode, faults in extended mode, the
    shortest in both; so no group takes too long."""

    def tidied(test, modes):
        def run(bench):
            bench.trackers = []
            if hasattr(bench, 'ready'):
                bench.ready()
            try:
                test(bench)
            finally:
                for tracker in bench.trackers:
                    if tracker.process.poll() is None:
                        tracker.end()

        run.__name__, run.seconds, run.modes = test.__name__, getattr(test, 'seconds', 60), modes
        return run

    both, hostile = (test_right_code, test_smallest_pdus), (test_locked, test_garbage)
    for name, test in list(globals().items()):
        if name.startswith('test_') and ('hostile' if test in hostile else 'exchanges') in kinds:
            namespace[name] = tidied(test, ('legacy', 'extended') if test in both else ('legacy',))
    for make in (vanishing, killed) if 'faults' in kinds else ():
        for at in ('request', 'response', 'finish', 'done'):
            test = make(at)
            namespace[test.__name__] = tidied(test, ('extended',))
