"""`luna buzz`, `luna identify` and the commands of an owner who is near, over whatever radio a bench has.

A group gives its benches `ear` (the options of luna's radio), `mouth` (the --radio of the software
tracker) and `near` (further options of luna), and calls `define_tests`. Trackers of other makers are
Bumble's: see scripts/vm/strangers.py.
"""

import base64
import json
import os
import signal
import time

import lunaprotocol as luna
import pace
from bench import Luna, wait_for
from trackers import Tracker, create

DULT, FIND_MY, AIRTAG = (f'D0:17:00:00:00:{number:02X}' for number in (1, 2, 3))
numbers = iter(range(10**6))


class Owned:
    """A software tracker that runs, and its owner, with a state directory of their own."""

    def __init__(self, bench, *options, period_options=()):
        self.bench, self.name = bench, f'keys{next(numbers)}'
        created = create(bench, self.name, *period_options)
        self.state = os.path.join(bench.directory, self.name + '.state')
        path = os.path.join(bench.directory, self.name + '.json')
        Luna(bench, 'tracker', 'export', self.name, path).ends(0)
        Luna(bench, 'owner', 'import', '--state', self.state, path).ends(0)
        with open(path) as file:
            [device] = json.load(file)['devices']
        self.uuid, self.keys = created['device'], luna.Keys(bytes.fromhex(device['masterKey']))
        end, self.buttons = os.pipe()
        self.tracker = Tracker(bench, *bench.mouth, self.name, *options, stdin=end)
        os.close(end)
        self.tracker.tells('rotated')

    def press(self):
        """It accepts connections for a minute."""
        os.write(self.buttons, f'button {self.name}\n'.encode())
        return self

    def run(self, *words):
        """A luna command of the owner's."""
        return Luna(self.bench, *words, '--state', self.state, *self.bench.ear)

    def buzz(self, *options):
        return self.run('buzz', self.name, '--format', 'jsonl', *options)

    def owner(self, verb, *options):
        return self.run('owner', verb, self.name, '--format', 'jsonl', *options)

    def package(self, command='buzzStart', argument=3, counter=None, step=0, mac=b''):
        """A package for what is on air now, perhaps altered, in a file."""
        [on_air] = self.tracker.told('rotated')[-1:]
        n = on_air['counter']
        data = bytearray(luna.deferred(self.keys, n, command, argument, counter or int(time.time())))
        data[4:8] = luna.u32(n + step)
        data[28 : 28 + len(mac)] = mac
        return write_packages(self.bench, [bytes(data)])

    def sounds(self):
        return [line['seconds'] for line in self.tracker.told('sound') if line['on']]

    def stop(self):
        self.tracker.signal(signal.SIGTERM)
        self.tracker.ends(143)
        os.close(self.buttons)


def write_packages(bench, packages):
    names = {code: name for name, code in luna.COMMANDS.items()}
    path = os.path.join(bench.directory, f'packages{next(numbers)}.json')
    with open(path, 'w') as file:
        json.dump(
            [
                {
                    'heid': data[8:24].hex(),
                    'keyRollingCounter': int.from_bytes(data[4:8], 'big'),
                    'command': names[data[1]],
                    'argument': int.from_bytes(data[2:4], 'big'),
                    'counter': int.from_bytes(data[24:28], 'big'),
                    'data': base64.b64encode(data).decode(),
                }
                for data in packages
            ],
            file,
        )
    return path


def events(run, kind='buzz'):
    return [line['event'] for line in run.lines() if line['type'] == kind]


def event(run, name, kind='buzz'):
    found = [line for line in run.lines() if line['type'] == kind and line['event'] == name]
    assert found, f'no {name} among {run.lines()}; luna said: {run.stderr()}'
    return found[-1]


def failed(run, reason, seconds=60):
    """It ended with exit code 1, and said why."""
    run.ends(1, seconds)
    line = event(run, 'failed')
    assert line['kind'] == reason, line
    error = run.lines()[-1]
    assert (error['type'], error['code']) == ('error', 1) and error['reason'] == line['reason'], error
    return line


# One's own trackers


def test_makes_it_sound_and_stops_it(bench):
    keys = Owned(bench).press()
    run = keys.buzz('--seconds', '7').ends(0, 60)
    assert run.lines()[0]['type'] == 'start', run.lines()
    assert [e for e in events(run) if e != 'connecting'] == ['waiting', 'buzzing'], run.lines()
    line = event(run, 'buzzing')
    assert (line['status'], line['verified'], line['seconds'], len(line['receipt'])) == ('done', True, 7, 34), line
    low, high = line['clock']['low'], line['clock']['high']
    slack = 3 * pace.slower()
    assert -slack < low <= 0 <= high < slack, line
    keys.tracker.tells('sound')
    assert keys.sounds() == [7]
    keys.press().buzz('--stop').ends(0, 60)
    keys.tracker.tells('sound', 2)
    assert not keys.tracker.told('sound')[-1]['on']
    keys.stop()


test_makes_it_sound_and_stops_it.seconds = 120


def test_waits_until_it_accepts_connections(bench):
    keys = Owned(bench)
    run = keys.buzz().ends(0, 100)
    assert event(run, 'buzzing')['elapsed'] < 90 * pace.slower()
    keys.tracker.tells('sound')
    keys.stop()


test_waits_until_it_accepts_connections.seconds = 130
test_waits_until_it_accepts_connections.modes = ('extended',)


def in_one_period(keys, act):
    """What `act` gives with packages for what is on air; once more when that has changed meanwhile."""
    before = len(keys.tracker.told('rotated'))
    try:
        return act()
    except AssertionError:
        if len(keys.tracker.told('rotated')) == before:
            raise
        return act()


def test_package_of_its_owner_and_replay(bench):
    keys = Owned(bench)
    Luna(bench, 'owner', 'packages', keys.name, '--state', keys.state, '--hours', '1', '--seconds', '4').ends(0)
    stranger = os.path.join(bench.directory, 'stranger.state')

    def deliver(*words):
        return Luna(bench, 'buzz', *words, '--state', stranger, '--format', 'jsonl', *bench.ear)

    def deliver_and_replay():
        keys.press()
        before = len(keys.sounds())
        package = keys.package(argument=4)
        # Somebody who does not have the keys delivers it.
        address = keys.tracker.told('rotated')[-1]['address']
        run = deliver(address, '--package', package).ends(0, 60)
        line = event(run, 'buzzing')
        assert (line['status'], line['verified']) == ('done', False) and 'clock' not in line, line
        sent = json.load(open(package))[0]['data']
        assert luna.open_receipt(keys.keys, base64.b64decode(sent), bytes.fromhex(line['receipt']))[0] == 0
        wait_for(lambda: len(keys.sounds()) > before, 30, 'the sound')
        assert keys.sounds()[before:] == [4]
        again = failed(keys.press().buzz('--package', package), 'stale')
        assert again['verified'] and again['status'] == 'stale', again
        assert keys.sounds()[before:] == [4]

    in_one_period(keys, deliver_and_replay)
    keys.stop()


test_package_of_its_owner_and_replay.seconds = 200


def shared(bench, *rights):
    """A tracker, and how somebody with whom it is shared calls it, in a state directory of their own."""
    keys = Owned(bench)
    state, file = (os.path.join(bench.directory, keys.name + end) for end in ('.ben', '.lunashare'))

    def say(place, *words):
        return Luna(bench, *words, '--state', place, '--format', 'jsonl').ends(0, 60).lines()

    cards = [say(place, 'contact', 'card', '--name', name)[0]['text'] for place, name in [(keys.state, 'Anna'), (state, 'Ben')]]
    say(state, 'contact', 'add', 'anna', '--card', cards[0])
    say(keys.state, 'contact', 'add', 'ben', '--card', cards[1])
    say(keys.state, 'share', 'add', keys.name, 'ben', *rights, '--yes', '-o', file)
    say(state, 'share', 'import', file)
    return keys, say(state, 'owner', 'list')[0]['name'], state


def test_a_ring_that_is_shared_makes_it_sound(bench):
    """The answer is for its owner alone, and nothing else is shared; the owner's next command works after it."""
    keys, name, state = shared(bench, '--ring', '--ring-seconds', '5')

    def buzz(*options):
        return Luna(bench, 'buzz', name, *options, '--state', state, '--format', 'jsonl', *bench.ear)

    keys.press()
    line = event(buzz().ends(0, 60), 'buzzing')
    assert (line['status'], line['verified'], line['seconds']) == ('done', False, 5) and 'clock' not in line, line
    keys.tracker.tells('sound')
    assert keys.sounds() == [5]
    refused = buzz('--stop').ends(1, 60)
    assert 'has not shared' in refused.stderr() + str(refused.lines()), refused.stderr()
    keys.press().buzz('--seconds', '7').ends(0, 60)
    wait_for(lambda: keys.sounds() == [5, 7], 30, lambda: f'the sound of the owner: {keys.sounds()}')
    keys.stop()


test_a_ring_that_is_shared_makes_it_sound.seconds = 240


def test_packages_that_are_refused(bench):
    keys = Owned(bench)

    def refused(reason, **altered):
        return in_one_period(keys, lambda: failed(keys.press().buzz('--package', keys.package(**altered)), reason))

    foreign = refused('unauthorized', mac=bytes(16))
    assert not foreign['verified'] and 'unauthenticated' in foreign['reason'], foreign
    other = refused('wrongPeriod', step=5)
    assert other['status'] == 'wrongPeriod', other
    n = keys.tracker.told('rotated')[-1]['counter']
    path = write_packages(bench, [luna.deferred(keys.keys, n + 9, 'buzzStart', 3, int(time.time()))])
    assert keys.uuid == failed(keys.press().buzz('--package', path), 'noMatchingPackage')['device']
    with open(path) as file:
        altered = json.load(file)
    altered[0]['argument'] = 60
    with open(path, 'w') as file:
        json.dump(altered, file)
    run = keys.buzz('--package', path).ends(8)
    assert 'argument' in run.lines()[-1]['reason'], run.lines()
    assert not keys.sounds()
    keys.stop()


test_packages_that_are_refused.seconds = 200


def test_commands_of_an_owner_who_is_near(bench):
    keys = Owned(bench).press()
    line = event(keys.owner('ping').ends(0, 60), 'done', 'command')
    assert line['command'] == 'ping' and line['verified'] and abs(line['clock']['high']) < 3, line
    keys.owner('blink', '--seconds', '2').ends(0, 60)
    keys.tracker.tells('light')
    keys.press()
    line = event(keys.owner('here').ends(0, 60), 'done', 'command')
    assert line['command'] == 'ownerHere', line
    line = event(keys.owner('set-clock').ends(0, 60), 'done', 'command')
    assert line['command'] == 'setClock' and line['clock']['low'] <= line['clock']['high'], line
    refused = keys.owner('reset').ends(2)
    assert '--yes' in refused.stderr()
    assert Luna(bench, 'owner', 'list', '--state', keys.state).ends(0).lines()
    keys.press()
    keys.owner('reset', '--yes').ends(0, 60)
    keys.tracker.tells('state')
    assert keys.tracker.told('state')[-1]['state'] == 'factory'
    assert not Luna(bench, 'owner', 'list', '--state', keys.state).ends(0).lines(), 'not forgotten'
    keys.stop()


test_commands_of_an_owner_who_is_near.seconds = 200


def test_a_tracker_that_is_not_there(bench):
    keys = Owned(bench)
    keys.stop()
    run = keys.buzz('-T', '4s')
    assert 'move closer' in failed(run, 'notHeard', 30)['hint'], run.lines()
    run = Luna(bench, 'buzz', '--any', '00:00:00:00:00:01', '-T', '4s', '--format', 'jsonl', *bench.ear)
    failed(run, 'notHeard', 30)


def test_interrupted_while_it_waits(bench):
    keys = Owned(bench)
    keys.stop()
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        run = keys.buzz()
        wait_for(lambda: 'waiting' in events(run), what='luna to wait')
        run.signal(number)
        run.ends(code, 10)


def test_our_tracker_for_strangers(bench):
    """Made almost three hours ago in its own time, and its owner was not there since."""
    when = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 10))
    keys = Owned(bench, period_options=('--speed', '1000', '--epoch', when)).press()
    address = keys.tracker.told('rotated')[-1]['address']
    run = Luna(bench, 'buzz', '--any', address, '--format', 'jsonl', '--seconds', '3', *bench.ear).ends(0, 60)
    assert event(run, 'buzzing')['protocol'] == 'dult' and event(run, 'completed')['confirmed'], run.lines()
    keys.tracker.tells('sound', 2)
    keys.stop()
    near = Owned(bench).press()
    address = near.tracker.told('rotated')[-1]['address']
    run = Luna(bench, 'buzz', '--any', address, '--format', 'jsonl', *bench.ear)
    line = failed(run, 'notSeparated')
    # The Luna frame tells so itself; where it was not the one that was heard first, the answer does.
    assert 'separated' in line['hint'], line
    assert 'met its owner' in line['reason'] or 'Invalid_state' in line['reason'], line
    assert not near.sounds()
    near.stop()


test_our_tracker_for_strangers.seconds = 120


# Trackers of other makers


def sounds(bench, name, since, what='sound'):
    """What a stranger wrote in the journal, which may come a moment after luna's end: one at least."""
    return wait_for(
        lambda: [e for e in bench.world.journal('stranger', since=since) if e['name'] == name and e['what'] == what],
        what=f'{what} of {name} in the journal')


def any_buzz(bench, address, *options):
    return Luna(bench, 'buzz', '--any', address, '--format', 'jsonl', *options, *bench.ear)


def moods(bench, mood):
    for name in ('dult', 'findmy', 'airtag'):
        bench.world.tell(f'stranger {name} {mood}')


def test_rings_other_makers(bench):
    moods(bench, 'separated')
    for name, address, protocol in (('dult', DULT, 'dult'), ('findmy', FIND_MY, 'apple-find-my')):
        since = time.time()
        run = any_buzz(bench, address, '--seconds', '30').ends(0, 60)
        line = event(run, 'buzzing')
        assert (line['protocol'], line['confirmed']) == (protocol, True), line
        assert event(run, 'completed')['confirmed'], run.lines()
        heard = sounds(bench, name, since)
        assert len(heard) == 1, heard
        # It ended by itself: nothing but Sound_Start was written.
        assert len(sounds(bench, name, since, 'written')) == 1
    since = time.time()
    run = any_buzz(bench, AIRTAG).ends(0, 60)
    line = event(run, 'buzzing')
    assert (line['protocol'], line['confirmed']) == ('airtag', False), line
    heard = sounds(bench, 'airtag', since)
    assert len(heard) == 1, heard


test_rings_other_makers.seconds = 120


def test_stops_the_sound_of_another_maker(bench):
    moods(bench, 'separated')
    for name, address in (('dult', DULT), ('findmy', FIND_MY)):
        since = time.time()
        run = any_buzz(bench, address, '--seconds', '2').ends(0, 60)
        assert event(run, 'completed')['confirmed'], run.lines()
        begun, ended = sounds(bench, name, since)[0], sounds(bench, name, since, 'silence')[0]
        assert 1 < ended['time'] - begun['time'] < 2 + 3 * pace.slower(), (begun, ended)
    since = time.time()
    run = any_buzz(bench, DULT, '--seconds', '30')
    wait_for(lambda: 'buzzing' in events(run), 30, 'the sound')
    run.signal(signal.SIGINT)
    run.ends(130, 10)
    begun, ended = sounds(bench, 'dult', since)[0], sounds(bench, 'dult', since, 'silence')[0]
    assert ended['time'] - begun['time'] < min(29, 4 * pace.slower()), 'it went on after Ctrl-C'
    line = failed(any_buzz(bench, DULT, '--stop'), 'refused')
    assert 'Invalid_state' in line['reason'], line


test_stops_the_sound_of_another_maker.seconds = 150


def test_explains_that_the_owner_is_near(bench):
    moods(bench, 'near')
    try:
        for address in (DULT, FIND_MY):
            line = failed(any_buzz(bench, address), 'notSeparated')
            assert 'Invalid_command' in line['reason'] and 'advertises that its owner is near' in line['reason'], line
            assert 'separated' in line['hint'], line
        run = Luna(bench, 'identify', DULT, '--format', 'jsonl', *bench.ear).ends(1, 60)
        assert event(run, 'failed', 'identify')['kind'] == 'notSeparated', run.lines()
    finally:
        moods(bench, 'separated')


test_explains_that_the_owner_is_near.seconds = 120


def test_strange_peers(bench):
    try:
        bench.world.tell('stranger dult silent')
        line = failed(any_buzz(bench, DULT), 'noAnswer')
        assert 'did not answer' in line['reason'], line
        bench.world.tell('stranger dult leaving')
        failed(any_buzz(bench, DULT), 'noAnswer')
        bench.world.tell('stranger dult babbling')
        run = any_buzz(bench, DULT, '--seconds', '30').ends(0, 60)
        assert event(run, 'completed')['confirmed'], run.lines()
        bench.world.tell('stranger dult gone')
        failed(any_buzz(bench, DULT, '-T', '4s'), 'notHeard')
        bench.world.tell('stranger dult separated')
        any_buzz(bench, DULT, '--seconds', '1').ends(0, 60)
    finally:
        bench.world.tell('stranger dult separated')


test_strange_peers.seconds = 200


def test_identifies(bench):
    expected = {
        'productData': '0102030405060708',
        'manufacturer': 'Björn & Söhne',
        'model': 'Tag 1',
        'category': 158,
        'categoryName': 'keys',
        'protocolVersion': '1.0.0',
        'capabilities': ['sound', 'motionDetector', 'identifierByBLE'],
        'network': 2,
        'networkName': 'Google',
        'firmware': '1.2.3',
        'batteryType': 'non-rechargeable',
        'battery': 'low',
    }
    run = Luna(bench, 'identify', DULT, '--format', 'jsonl', *bench.ear).ends(0, 60)
    line = event(run, 'identity', 'identify')
    told = {k: v for k, v in line.items() if k not in ('type', 'event', 'time', 'address')}
    assert told == expected, told
    run = Luna(bench, 'identify', DULT, '--format', 'jsonl', '--wait', '2s', *bench.ear).ends(1, 60)
    assert 'encryptedIdentifier' not in event(run, 'identity', 'identify'), run.lines()
    assert 'nobody pressed' in run.stderr(), run.stderr()
    run = Luna(bench, 'identify', DULT, '--format', 'jsonl', '--wait', '30s', *bench.ear)
    wait_for(lambda: 'hold its button' in run.stderr(), 40, 'luna to ask for the button')
    bench.world.tell('stranger dult open')
    run.ends(0, 60)
    identifier = bytes(range(0x20, 0x40)).hex()
    assert event(run, 'identity', 'identify')['encryptedIdentifier'] == identifier, run.lines()
    bench.world.tell('stranger dult separated')
    text = Luna(bench, 'identify', DULT, '--format', 'table', *bench.ear)
    text.ends(0, 60)
    with open(text.output.name) as file:
        assert 'Björn & Söhne' in file.read()
    run = Luna(bench, 'identify', AIRTAG, '--format', 'jsonl', *bench.ear).ends(1, 60)
    assert event(run, 'failed', 'identify')['kind'] == 'notOffered', run.lines()


test_identifies.seconds = 150


def define_tests(namespace):
    for name, value in list(globals().items()):
        if name.startswith('test_'):
            namespace[name] = value
