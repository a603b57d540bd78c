"""`luna tracker run` served over H4 to a central of Bumble's that speaks the protocol in Python."""

import fcntl
import json
import os
import random
import signal
import struct
import subprocess
import termios
import time
from datetime import datetime

import lunaprotocol as luna
import pace
from bench import Bench, Luna, World, check_refusals, never, wait_for
from central import Central, Refusal
from trackers import Tracker, create, epoch

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.extended = mode == 'extended'
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', 'tcp:127.0.0.1:0', mode=mode)
    bench.mouth = 'h4:tcp:' + bench.world.places[1]
    bench.world.tell('still')
    bench.central = Central(path)
    close = bench.close
    bench.close = lambda: (bench.central.close(), close())
    return bench


class Served(Tracker):
    """A running tracker with a button."""

    def __init__(self, bench, *names_and_options, prefix=()):
        if bench.mouth.startswith('h4:'):
            free(bench)
        self.name = names_and_options[0]
        end, self.buttons = os.pipe()
        super().__init__(bench, bench.mouth, *names_and_options, prefix=prefix, stdin=end)
        os.close(end)
        self.tells('rotated')

    def act(self, verb, *words):
        os.write(self.buttons, ' '.join((verb, self.name, *words)).encode() + b'\n')

    def press(self):
        """Now it accepts connections for a minute."""
        self.act('button')

    def has_read(self):
        """Whether it has taken all that it was told."""
        return struct.unpack('i', fcntl.ioctl(self.buttons, termios.FIONREAD, bytes(4))) == (0,)

    def stop(self):
        self.signal(signal.SIGTERM)
        self.ends(143)
        os.close(self.buttons)


def free(bench):
    """Waits until nobody holds the tracker's controller."""
    wait_for(
        lambda: (bench.world.journal('connected', 'disconnected', adapter=1) or [{'event': 'disconnected'}])[-1]['event']
        == 'disconnected',
        what='a free controller',
    )


def new_box(bench, name):
    """A tracker in factory state; returns its code."""
    return luna.parse_code(create(bench, name, '--onboardable')['code'])


def exported(bench, name):
    """(uuid, Keys, timestamp) of a tracker, from the device file that luna writes."""
    path = os.path.join(bench.directory, name + '.json')
    Luna(bench, 'tracker', 'export', name, path).ends(0)
    with open(path) as file:
        [device] = json.load(file)['devices']
    onboarded = datetime.fromisoformat(device['onboardingTimestamp'].replace('Z', '+00:00')).timestamp()
    return device['uuid'].lower(), luna.Keys(bytes.fromhex(device['masterKey'])), onboarded


def period():
    return int(time.time()) // luna.PERIOD


def is_of(keys):
    return lambda frame: frame['eid'] in [keys.eid(period() + step) for step in (-1, 0, 1)]


def onboardable(frame):
    return frame['onboardable']


def meet(bench, tracker, wanted, mtu=247):
    """Presses the button and connects; returns (MTU, frame)."""
    tracker.press()
    address, frame = bench.central.find(wanted)
    return bench.central.connect(address, mtu), frame


def part(bench, tracker):
    count = len(tracker.told('disconnected'))
    bench.central.disconnect()
    tracker.tells('disconnected', count + 1)


def keyed(bench, name, *options, **how):
    """A running tracker with an owner: (tracker, keys)."""
    create(bench, name)
    _, keys, _ = exported(bench, name)
    return Served(bench, name, *options, **how), keys


def test_offers_what_the_protocol_says_and_nothing_else(bench):
    since = time.time()
    new_box(bench, 'box')
    tracker = Served(bench, 'box')
    assert not tracker.lines()[0].get('deviations'), tracker.lines()[0]
    mtu, _ = meet(bench, tracker, onboardable)
    assert mtu == 247, mtu
    found = {s['uuid']: {c['uuid']: c['properties'] for c in s['characteristics']} for s in bench.central.services}
    read, write, indicate = 2, 8, 32
    assert found == {
        '1800': {'2A00': read, '2A01': read},
        '1801': {},
        luna.TX_POWER_SERVICE: {luna.TX_POWER_LEVEL: read},
        luna.LUNA_SERVICE: {
            luna.INFO: read,
            luna.ONBOARD: read | write | indicate,
            luna.CHALLENGE: read,
            luna.CONTROL: write | indicate,
        },
        luna.SOUND_SERVICE: {luna.SOUND: write | indicate},
    }, found
    assert bench.central.read('2A00') == b'Luna' and len(bench.central.read(luna.TX_POWER_LEVEL)) == 1
    info = bench.central.read(luna.INFO)
    assert len(info) == 54 and info[:6] == bytes([1, 0, 0, 0x0F, 1, 0]), info.hex()
    assert bench.central.read(luna.INFO) == info, 'another info on the same connection'
    part(bench, tracker)
    meet(bench, tracker, onboardable)
    assert bench.central.read(luna.INFO)[6:] != info[6:], 'the same info on another connection'
    part(bench, tracker)
    tracker.stop()
    check_refusals(bench.world, since)


def test_hostile_requests(bench):
    new_box(bench, 'target')
    tracker = Served(bench, 'target')
    meet(bench, tracker, onboardable)
    for request, answer in {
        '0a0000': '010a000001',  # invalid handle
        '0aff00': '010aff0001',
        '0a': '010a000004',  # invalid PDU
        '0e03000500': '010e000006',  # request not supported
        '3f': '013f000006',
        '100000ffff0028': '0110000001',
        '100100ffff0328': '0110010010',  # unsupported group type
        '0c03000900': '010c030007',  # invalid offset
        '1203004c': '0112030003',  # write not permitted
        '1801': '19',
        '1802': '0118000004',
    }.items():
        got = bench.central.do('send', pdu=request, seconds=never(2))['pdu']
        assert got == answer, f'{request}: {got}, not {answer}'
    for ignored in ('52030001', 'd2030001' + '00' * 12, '7e01', '1e', '0b01', '1b030001'):
        assert bench.central.do('send', pdu=ignored, seconds=0.3)['pdu'] is None, ignored
    assert bench.central.read('2A00') == b'Luna'
    part(bench, tracker)
    tracker.stop()


def onboard(bench, name, mtu):
    code = new_box(bench, name)
    tracker = Served(bench, name)
    agreed, frame = meet(bench, tracker, lambda f: f['esf'] == luna.factory_hint(code), mtu)
    assert agreed == (mtu or 23) and frame['counter'] == 0 and not frame['separated'], (agreed, frame)
    uuid, keys, timestamp = bench.central.onboard(code, agreed)
    tracker.tells('state')
    assert tracker.told('state')[-1]['state'] == 'keyed', tracker.told('state')
    info = bench.central.read(luna.INFO)
    assert info[1] == 1 and not any(info[4:]), f'a keyed tracker shows {info.hex()}'
    bench.central.subscribe(luna.CONTROL)
    assert bench.central.command(keys, 'ping')[0] == 0
    part(bench, tracker)
    tracker.press()
    _, frame = bench.central.find(is_of(keys))
    n = next(n for n in (period(), period() - 1) if keys.eid(n) == frame['eid'])
    assert frame['counter'] == n & 255 and not frame['onboardable'], frame
    luna.open_status(keys.botp(n), frame['esf'])
    tracker.stop()
    written = exported(bench, name)
    assert (written[0], written[1].master_key, written[2]) == (str(uuid), keys.master_key, timestamp), written


def test_onboarding_with_the_smallest_mtu(bench):
    onboard(bench, 'small', None)


def test_onboarding_with_mtu_64(bench):
    onboard(bench, 'middle', 64)


def test_onboarding_with_mtu_247(bench):
    onboard(bench, 'large', 247)


def test_wrong_code_five_times_locks_and_the_button_unlocks(bench):
    code = new_box(bench, 'guessed')
    tracker = Served(bench, 'guessed')
    agreed, _ = meet(bench, tracker, onboardable)
    bench.central.subscribe(luna.ONBOARD)
    for attempt in range(5):
        app = luna.App(bytes(16))
        bench.central.write(luna.ONBOARD, app.request(bench.central.read(luna.INFO)))
        try:
            app.finish(bench.central.message(agreed))
            raise AssertionError('the tracker knows a code that it does not have')
        except luna.Refused as refusal:
            assert refusal.reason == 'confirm', refusal.reason
        bench.central.write(luna.ONBOARD, b'\x03' + os.urandom(40))
        assert bench.central.message(agreed) == b'\x04\x04', attempt
    assert tracker.told('state')[-1]['state'] == 'locked'
    assert bench.central.read(luna.INFO)[1] == luna.LOCKED
    bench.central.write(luna.ONBOARD, luna.App(code).nonce + bytes(34))
    assert bench.central.message(agreed) == b'\x04\x07'
    tracker.press()
    tracker.tells('state', 2)
    assert tracker.told('state')[-1]['state'] == 'factory'
    _, keys, _ = bench.central.onboard(code, agreed)
    bench.central.subscribe(luna.CONTROL)
    assert bench.central.command(keys, 'ping')[0] == 0
    part(bench, tracker)
    tracker.stop()


def test_without_a_code_only_after_the_button(bench):
    new_box(bench, 'open')
    tracker = Served(bench, 'open')
    # Without the button, in a slot of its own: one of 64 s.
    address, _ = bench.central.find(onboardable, 70)
    bench.central.connect(address)
    bench.central.subscribe(luna.ONBOARD)
    bench.central.write(luna.ONBOARD, luna.App().request(bench.central.read(luna.INFO)))
    assert bench.central.message(247) == b'\x04\x02'
    tracker.press()
    wait_for(tracker.has_read, what='the button to be felt')
    _, keys, _ = bench.central.onboard(None, 247)
    bench.central.subscribe(luna.CONTROL)
    assert bench.central.command(keys, 'ping')[0] == 0
    part(bench, tracker)
    tracker.stop()


test_without_a_code_only_after_the_button.seconds = 110
test_without_a_code_only_after_the_button.modes = ('extended',)


def test_one_request_for_each_info(bench):
    code = new_box(bench, 'once')
    tracker = Served(bench, 'once')
    meet(bench, tracker, onboardable)
    bench.central.subscribe(luna.ONBOARD)
    app = luna.App(code)
    info = bench.central.read(luna.INFO)
    request = app.request(info)
    bench.central.write(luna.ONBOARD, request)
    assert len(bench.central.message(247)) == 53
    bench.central.write(luna.ONBOARD, request)
    assert bench.central.message(247)[:1] == b'\x04', 'two texts under one key'
    assert bench.central.read(luna.INFO)[6:] != info[6:]
    part(bench, tracker)
    meet(bench, tracker, onboardable)
    assert bench.central.read(luna.ONBOARD) == b'', 'what another peer was told'
    part(bench, tracker)
    tracker.stop()


def test_buzz_with_a_deferred_package(bench):
    tracker, keys = keyed(bench, 'keys')
    agreed, frame = meet(bench, tracker, is_of(keys))
    n = next(n for n in (period(), period() - 1, period() + 1) if keys.eid(n) == frame['eid'])
    bench.central.subscribe(luna.CONTROL)
    counter = int(time.time())
    package = luna.deferred(keys, n, 'buzzStart', 2, counter)
    status, when, _ = bench.central.command(keys, None, package=package)
    assert status == 0 and abs(when - time.time()) < 5 * pace.slower(), (status, when)
    tracker.tells('sound', 2)
    on, off = tracker.told('sound')
    assert (on['on'], on['seconds'], off['on']) == (True, 2, False), (on, off)
    assert bench.central.command(keys, None, package=package)[0] == 2, 'a replay'
    other = luna.deferred(keys, n + 1, 'buzzStart', 1, counter + 1)
    assert bench.central.command(keys, None, package=other)[0] == 0, 'the neighbouring period'
    far = luna.deferred(keys, n + 5, 'buzzStart', 1, counter + 2)
    assert bench.central.command(keys, None, package=far)[0] == 3, 'another period'
    foreign = luna.deferred(luna.Keys(os.urandom(32)), n, 'buzzStart', 1, counter + 2)
    assert bench.central.command(keys, None, package=foreign)[0] == 1, 'a foreign package'
    forged = bytearray(luna.deferred(keys, n, 'buzzStart', 1, counter + 2))
    forged[30] ^= 1
    assert bench.central.command(keys, None, package=bytes(forged))[0] == 1, 'a wrong MAC'
    # That was the third answer that proves nothing.
    assert bench.central.ends(3) is not None, 'it goes on after three of them'
    tracker.tells('disconnected')
    assert [line['on'] for line in tracker.told('sound')][:3] == [True, False, True]
    tracker.stop()


def test_commands_of_an_owner_who_is_near(bench):
    tracker, keys = keyed(bench, 'near')
    meet(bench, tracker, is_of(keys))
    bench.central.subscribe(luna.CONTROL)
    now = int(time.time())
    challenge = bench.central.read(luna.CHALLENGE)
    hint = struct.unpack_from('>I', challenge, 16)[0]
    assert hint % luna.PERIOD == 0 and abs(hint - time.time()) < 2 * luna.PERIOD, hint
    ping = luna.interactive(keys, challenge, 'ping', 0, now)
    assert bench.central.command(keys, None, package=ping)[0] == 0
    assert bench.central.command(keys, None, package=ping)[0] == 1, 'a challenge that was used'
    assert bench.central.command(keys, 'blink', 1, now + 1)[0] == 0
    tracker.tells('light', 2)
    status, when, _ = bench.central.command(keys, 'setClock', 0, now + 3600)
    assert (status, when) == (0, now + 3600), (status, when)
    assert bench.central.command(keys, 'ownerHere', 0, now + 3601)[0] == 0
    assert bench.central.command(keys, 'buzzStart', 61, now + 3602)[0] == 4
    assert bench.central.command(keys, 'factoryReset', 0, now + 3603)[0] == 0
    tracker.tells('state')
    assert tracker.told('state')[-1]['state'] == 'factory'
    assert bench.central.read(luna.INFO)[1] == luna.FACTORY
    part(bench, tracker)
    tracker.stop()


def test_ten_commands_a_minute(bench):
    tracker, keys = keyed(bench, 'busy')
    meet(bench, tracker, is_of(keys), None)
    bench.central.subscribe(luna.CONTROL)
    now = int(time.time())
    got = [bench.central.command(keys, 'ping', 0, now + i)[0] for i in range(11)]
    assert got == [0] * 10 + [6], got
    part(bench, tracker)
    tracker.stop()


def test_sound_for_strangers(bench):
    def write(value):
        bench.central.write(luna.SOUND, bytes.fromhex(value))

    tracker, keys = keyed(bench, 'with-owner')
    meet(bench, tracker, is_of(keys))
    bench.central.subscribe(luna.SOUND)
    write('0003')
    assert bench.central.indicated(luna.SOUND).hex() == '020300030100', 'with its owner it is silent'
    part(bench, tracker)
    tracker.stop()
    # Made almost three hours ago, and its owner was not there since.
    when = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 10))
    create(bench, 'left', '--speed', '1000', '--epoch', when)
    _, keys, _ = exported(bench, 'left')
    tracker = Served(bench, 'left')
    _, frame = meet(bench, tracker, is_of(keys))
    assert frame['separated'], frame
    bench.central.subscribe(luna.SOUND)
    write('0003')
    assert bench.central.indicated(luna.SOUND).hex() == '020300030000'
    tracker.tells('sound')
    write('0103')
    assert sorted(bench.central.indicated(luna.SOUND).hex() for _ in range(2)) == ['020301030000', '0303']
    write('0003')
    assert bench.central.indicated(luna.SOUND).hex() == '020300030100', 'once a minute'
    write('07')
    assert bench.central.indicated(luna.SOUND).hex()[8:] == '0300', 'no opcode'
    part(bench, tracker)
    tracker.stop()


def test_exec_gets_the_sound(bench):
    told = os.path.join(bench.directory, 'told')
    # Of no other test that runs at the same time.
    rest = f'sleep 61.{random.randrange(10**9)}'
    script = f'env | grep ^LUNA_ | sort >{told}; head -c 44 "$LUNA_WAV" >{told}.wav; echo noise; {rest}; :'
    # Killed, it leaves the sound behind.
    tracker, keys = keyed(bench, 'loud', '--exec', script, prefix=('env', f'TMPDIR={bench.directory}'))
    meet(bench, tracker, is_of(keys))
    bench.central.subscribe(luna.CONTROL)
    now = int(time.time())
    assert bench.central.command(keys, 'buzzStart', 30, now)[0] == 0
    wait_for(lambda: os.path.exists(told + '.wav') and os.path.getsize(told + '.wav') == 44, what='the command')
    with open(told) as file:
        variables = dict(line.rstrip('\n').split('=', 1) for line in file)
    # What the tests themselves say to luna, or to what builds it, is no part of it.
    variables = dict(set(variables.items()) - set(os.environ.items()))
    wave = variables.pop('LUNA_WAV')
    assert variables.pop('LUNA_EVENT') == 'sound' and variables.pop('LUNA_TRACKER') == 'loud'
    assert variables.pop('LUNA_SECONDS') == '30' and not variables, variables
    with open(told + '.wav', 'rb') as file:
        header = file.read()
    assert header[:4] == b'RIFF' and header[8:16] == b'WAVEfmt ', header
    assert os.stat(wave).st_size == 44 + 30 * 2 * struct.unpack_from('<I', header, 24)[0]
    assert os.stat(wave).st_mode & 0o777 == 0o600

    def running():
        processes = subprocess.run(['ps', '-eo', 'args'], stdout=subprocess.PIPE, text=True).stdout
        return rest in processes.splitlines()

    wait_for(running, what='the end of the command')
    assert bench.central.command(keys, 'buzzStop', 0, now + 1)[0] == 0
    wait_for(lambda: not running(), 5, 'the command to be ended with the sound')
    assert 'noise' in tracker.stderr() and 'makes a sound for 30 s' in tracker.stderr(), tracker.stderr()
    part(bench, tracker)
    tracker.stop()
    assert not os.path.exists(wave) and not os.path.exists(os.path.dirname(wave)), 'the sound is left behind'


def test_rotation_does_not_disturb_a_link(bench):
    tracker, keys = keyed(bench, 'turning', '--speed', '120', '--epoch', epoch())
    tracker.press()

    # It turns every 8.5 s, also between the moment it is found and the connection: so it is looked for just after
    # a rotation, and after the next one where the machine was too slow.
    def connected():
        tracker.tells('rotated', len(tracker.told('rotated')) + 1)
        address, _ = bench.central.find(lambda frame: True)
        try:
            bench.central.connect(address, seconds=6)
        except Refusal:
            return False
        return True

    wait_for(connected, 40, 'a connection')
    before = len(tracker.told('rotated'))
    until = time.monotonic() + 20
    while time.monotonic() < until:
        assert len(bench.central.read(luna.CHALLENGE)) == 20
        time.sleep(1)
    assert not tracker.told('disconnected')
    heard = [e for e in bench.world.journal('air', since=time.time() - 15) if '03030418' in e['data']]
    assert not heard, 'not silent while connected'
    part(bench, tracker)
    # What it shows from now on is the period in which it is now.
    wait_for(lambda: len(tracker.told('rotated')) > before, what='a rotation')
    tracker.press()
    bench.central.find(lambda frame: True)
    tracker.stop()


def test_idle_peers_are_sent_away(bench):
    new_box(bench, 'bored')
    tracker = Served(bench, 'bored')
    meet(bench, tracker, onboardable)
    # Its 30 s begin after this, however long the read takes.
    since = time.monotonic()
    bench.central.read(luna.INFO)
    assert bench.central.ends(40) is not None, 'an idle peer stays'
    assert 29 < time.monotonic() - since < 30 + 6 * pace.slower(), time.monotonic() - since
    tracker.tells('disconnected')
    meet(bench, tracker, onboardable)
    part(bench, tracker)
    tracker.stop()


test_idle_peers_are_sent_away.seconds = 80
test_idle_peers_are_sent_away.modes = ('legacy',)


def test_killed_at_any_message(bench):
    for name, moment in (('killed1', 'request'), ('killed2', 'finish'), ('killed3', 'done')):
        code = new_box(bench, name)
        tracker = Served(bench, name)
        meet(bench, tracker, onboardable)
        bench.central.subscribe(luna.ONBOARD)
        app = luna.App(code)
        bench.central.write(luna.ONBOARD, app.request(bench.central.read(luna.INFO)))
        key = None
        if moment != 'request':
            finish = app.finish(bench.central.message(247))
            key = app.agreement.master_key
            bench.central.write(luna.ONBOARD, finish)
            if moment == 'done':
                app.done(bench.central.message(247))
        tracker.signal(signal.SIGKILL)
        tracker.process.wait()
        state = Luna(bench, 'tracker', 'list').ends(0).lines()
        state = next(line['state'] for line in state if line.get('tracker') == name)
        if moment == 'request':
            assert state == 'factory', state
        if moment == 'done':
            assert state == 'keyed', state
        if state == 'keyed':
            assert exported(bench, name)[1].master_key == key, 'a key that nobody knows'
        bench.central.disconnect()


def test_full_disk_during_onboarding(bench):
    code = new_box(bench, 'full')
    # No file may grow: what writes one gets EFBIG.
    prefix = ['bash', '-o', 'pipefail', '-c', '(trap "" XFSZ; ulimit -f 0; exec "$0" "$@") | cat']
    tracker = Served(bench, 'full', prefix=prefix)
    agreed, _ = meet(bench, tracker, onboardable)
    bench.central.subscribe(luna.ONBOARD)
    app = luna.App(code)
    bench.central.write(luna.ONBOARD, app.request(bench.central.read(luna.INFO)))
    finish = app.finish(bench.central.message(agreed))
    try:
        bench.central.write(luna.ONBOARD, finish)
    except Refusal:
        pass
    assert bench.central.do('next', uuid=luna.ONBOARD, seconds=2)['value'] is None, 'done, and nothing was stored'
    assert bench.central.ends(5) is not None, 'the link stays'
    tracker.ends(7)
    state = Luna(bench, 'tracker', 'list').ends(0).lines()
    assert next(line['state'] for line in state if line.get('tracker') == 'full') == 'factory', state
