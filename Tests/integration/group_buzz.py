"""`luna buzz` and what belongs to it, over H4 without a kernel."""

import json
import os
import signal
import socket
import sqlite3
import time

import buzzing
from bench import Bench, Luna, World, chance, never, wait_for

IN_VM = False
KILLS = int(os.environ.get('LUNA_BUZZ_KILLS', '40'))


def prepare(mode):
    bench = Bench()
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', 'tcp:127.0.0.1:0', '--strangers', mode=mode)
    bench.ear = ('--radio', f'h4:{path}')
    bench.mouth = ('h4:tcp:' + bench.world.places[1],)
    bench.world.tell('still')
    return bench


buzzing.define_tests(globals())


def test_a_home_rings_what_is_shared(bench):
    keys, name, state = buzzing.shared(bench, '--ring', '--ring-seconds', '5')
    path = os.path.join(bench.directory, 'home.json')
    with open(path, 'w') as file:
        json.dump({'box': {'radio': bench.ear[1]}, 'server': {'listen': '127.0.0.1:0'}, 'trackers': [{'id': 'bike', 'device': name}]}, file)
    home = Luna(bench, 'home', 'run', path, '--state', state, '--format', 'jsonl')
    heard = lambda: [line for line in home.lines() if line.get('tracker') == 'bike' and line.get('property') == 'rssi']
    wait_for(heard, 60, lambda: f'the tracker to be heard: {home.stderr()}')
    keys.press()
    done = Luna(bench, 'home', 'do', 'bike', 'turn_on', '--state', state, '--format', 'jsonl').ends(0, 90).lines()[-1]
    # What proves that it rang is for its owner.
    assert (done['state'], done['detail']) == ('done', 'delivered; only its owner can prove that it rang'), done
    assert keys.sounds() == [5]
    # Nor does the home say that it sounds: its status is not shared.
    assert not [line for line in home.lines() if line.get('property') == 'sound' and line.get('value') == 'on'], home.lines()[-5:]
    refused = Luna(bench, 'home', 'do', 'bike', 'blink', '--state', state, '--format', 'jsonl')
    refused.process.wait(never(15))
    assert refused.process.returncode != 0, refused.lines()
    home.signal(signal.SIGTERM)
    home.ends(0, 60)
    keys.stop()


test_a_home_rings_what_is_shared.seconds = 240


def test_a_home_that_is_killed_rings_nothing_twice(bench):
    """Killed again and again while its rules have a tracker sound: what has begun is not begun anew, and that is told."""
    keys, path = buzzing.Owned(bench), os.path.join(bench.directory, 'home.json')
    # Each has a length of its own, by which it is known.
    lengths = range(1, KILLS + 1)
    with open(path, 'w') as file:
        json.dump({'box': {'radio': bench.ear[1]}, 'server': {'listen': '127.0.0.1:0'}, 'trackers': [{'id': 'keys', 'device': keys.name}],
                   'rules': [{'id': f'r{one}', 'when': [{'message': f'm{one}'}], 'then': [{'buzz': {'who': 'keys', 'seconds': one}}]} for one in lengths]}, file)
    lots = chance()
    # A third is killed at once, a third while it connects, and a third when it sounds: as many of each by every seed.
    moments = [one % 3 for one in lengths]
    lots.shuffle(moments)
    rang = lambda: keys.sounds()

    def home():
        run = Luna(bench, 'home', 'run', path, '--state', keys.state, '--format', 'jsonl')
        wait_for(lambda: [line for line in run.lines() if line.get('tracker') == 'keys' and line.get('property') == 'rssi'], 60, lambda: f'the tracker to be heard: {run.stderr()}')
        return run

    for one, moment in zip(lengths, moments):
        keys.press()
        run, before, since = home(), len(rang()), time.time()
        # Not what is told at the start of the rule that the one before did not end.
        is_over = lambda: [line for line in run.lines() if line['type'] == 'outcome' and line['firing'].startswith(f'r{one}-')]
        connects = lambda: [told for told in bench.world.journal('command', adapter=0, since=since) if told['opcode'] in ('200D', '2043')]
        with socket.socket(socket.AF_UNIX) as calls:
            calls.connect(os.path.join(keys.state, 'home.sock'))
            calls.sendall(json.dumps({'id': 1, 'call': 'message', 'name': f'm{one}'}).encode() + b'\n')
            assert json.loads(calls.makefile().readline())['result'] is True
        wait_for(lambda: [line for line in run.lines() if line['type'] == 'firing'], 60, 'the rule to run')
        if moment == 2:
            wait_for(lambda: len(rang()) > before or is_over(), 60, 'it to sound')
        elif moment == 1:
            wait_for(lambda: connects() or is_over(), 60, 'the controller to be told to connect')
            # Any moment of what it then does.
            time.sleep(lots.uniform(0, 1))
        run.process.kill()
        run.process.wait()
    keys.press()
    run = home()
    run.signal(signal.SIGTERM)
    run.ends(0, 60)
    keys.stop()
    assert len(rang()) == len(set(rang())), rang()
    assert rang(), 'none was killed when it sounded'
    database = sqlite3.connect(f'file:{keys.state}/home.sqlite?mode=ro', uri=True)
    outcomes = {int(rule[1:]): state for rule, state in database.execute("SELECT records.rule, state FROM outcomes JOIN records USING(firing) WHERE name = 'buzz'")}
    database.close()
    # What sounded was known before to be to sound.
    assert set(rang()) <= set(outcomes) and set(outcomes.values()) <= {'done', 'failed', 'interrupted'}, (rang(), outcomes)


test_a_home_that_is_killed_rings_nothing_twice.seconds = 60 + 10 * KILLS
