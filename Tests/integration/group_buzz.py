"""`luna buzz` and what belongs to it, over H4 without a kernel."""

import json
import os
import signal

import buzzing
from bench import Bench, Luna, World, never, wait_for

IN_VM = False


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
