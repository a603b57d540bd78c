"""`luna tracker run` through a real bluetoothd, to a central of Bumble's that speaks the protocol in Python."""

import os
import signal
import time

import lunaprotocol as luna
from bench import Machine, wait_for
from central import Central
from group_trackergatt import exported, is_of, new_box, onboardable, part, period, Served
from trackers import create

IN_VM = True


class Both(Machine):
    """A machine whose second adapter is Bumble's, and stays."""

    def unplug(self, index):
        if index == 0:
            super().unplug(index)


def prepare(mode):
    path = '/tmp/central.sock'
    machine = Both('vhci', f'unix:{path}', mode=mode)
    machine.world.tell('still')
    machine.mouth = 'dbus'
    machine.central = Central(path)
    return machine


def served(machine, name, *options):
    machine.ready()
    return Served(machine, name, *options)


def meet(machine, tracker, wanted, mtu=247):
    """Presses the button and connects; bluetoothd may change the address just then."""
    tracker.press()

    def attempt():
        address, frame = machine.central.find(wanted)
        try:
            return machine.central.connect(address, mtu, seconds=5), frame
        except Exception:
            machine.central.disconnect()
            return None

    return wait_for(attempt, 30, 'a connection')


def onboard(machine, name, mtu):
    code = new_box(machine, name)
    tracker = served(machine, name)
    agreed, _ = meet(machine, tracker, lambda frame: frame['esf'] == luna.factory_hint(code), mtu)
    uuid, keys, timestamp = machine.central.onboard(code, agreed)
    machine.central.subscribe(luna.CONTROL)
    assert machine.central.command(keys, 'ping')[0] == 0
    part(machine, tracker)
    tracker.press()
    machine.central.find(is_of(keys))
    tracker.stop()
    written = exported(machine, name)
    assert (written[0], written[1].master_key, written[2]) == (str(uuid), keys.master_key, timestamp), written


def test_offers_what_the_protocol_says_and_names_the_rest(machine):
    new_box(machine, 'box')
    tracker = served(machine, 'box')
    start = tracker.lines()[0]
    said = ' '.join(start['deviations'])
    assert 'address' in said and 'Device Information' in said and 'no GATT server' not in said, start
    meet(machine, tracker, onboardable)
    found = {s['uuid']: {c['uuid'] for c in s['characteristics']} for s in machine.central.services}
    assert found[luna.LUNA_SERVICE] == {luna.INFO, luna.ONBOARD, luna.CHALLENGE, luna.CONTROL}, found
    assert found[luna.SOUND_SERVICE] == {luna.SOUND} and found[luna.TX_POWER_SERVICE] == {luna.TX_POWER_LEVEL}, found
    # What bluetoothd adds is named; there is nothing else.
    assert set(found) - {'1800', '1801', '180A'} == {luna.LUNA_SERVICE, luna.SOUND_SERVICE, luna.TX_POWER_SERVICE}, found
    info = machine.central.read(luna.INFO)
    assert len(info) == 54 and info[:2] == bytes([1, 0]), info.hex()
    part(machine, tracker)
    meet(machine, tracker, onboardable)
    assert machine.central.read(luna.INFO)[6:] != info[6:], 'the same info on another connection'
    assert machine.central.read(luna.ONBOARD) == b''
    part(machine, tracker)
    tracker.stop()


def test_onboarding(machine):
    onboard(machine, 'large', 247)


def test_onboarding_with_the_smallest_mtu(machine):
    onboard(machine, 'small', None)


def test_wrong_code(machine):
    new_box(machine, 'guessed')
    tracker = served(machine, 'guessed')
    agreed, _ = meet(machine, tracker, onboardable)
    machine.central.subscribe(luna.ONBOARD)
    for attempt in range(5):
        app = luna.App(bytes(16))
        machine.central.write(luna.ONBOARD, app.request(machine.central.read(luna.INFO)))
        assert len(machine.central.message(agreed)) == 53
        machine.central.write(luna.ONBOARD, b'\x03' + os.urandom(40))
        # The same two bytes each time: each is indicated.
        assert machine.central.message(agreed) == b'\x04\x04', attempt
    assert machine.central.read(luna.INFO)[1] == luna.LOCKED
    part(machine, tracker)
    tracker.stop()


def test_buzz_replay_and_wrong_packages(machine):
    create(machine, 'keys')
    _, keys, _ = exported(machine, 'keys')
    tracker = served(machine, 'keys')
    meet(machine, tracker, is_of(keys))
    machine.central.subscribe(luna.CONTROL)
    counter = int(time.time())
    package = luna.deferred(keys, period(), 'buzzStart', 2, counter)
    assert machine.central.command(keys, None, package=package)[0] == 0
    tracker.tells('sound', 2)
    assert machine.central.command(keys, None, package=package)[0] == 2, 'a replay'
    other = luna.deferred(keys, period() + 5, 'buzzStart', 2, counter + 1)
    for attempt in range(3):
        assert machine.central.command(keys, None, package=other)[0] == 3, attempt
    assert machine.central.ends(8) is not None, 'it goes on after three answers that prove nothing'
    tracker.tells('disconnected')
    meet(machine, tracker, is_of(keys))
    machine.central.subscribe(luna.CONTROL)
    assert machine.central.command(keys, 'ping', 0, counter + 2)[0] == 0
    part(machine, tracker)
    tracker.stop()


def test_sound_for_strangers(machine):
    when = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 10))
    create(machine, 'left', '--speed', '1000', '--epoch', when)
    _, keys, _ = exported(machine, 'left')
    tracker = served(machine, 'left')
    _, frame = meet(machine, tracker, is_of(keys))
    assert frame['separated'], frame
    machine.central.subscribe(luna.SOUND)
    machine.central.write(luna.SOUND, b'\x00\x03')
    assert machine.central.indicated(luna.SOUND).hex() == '020300030000'
    tracker.tells('sound', 2)
    assert machine.central.indicated(luna.SOUND).hex() == '0303', 'Sound_Completed'
    part(machine, tracker)
    tracker.stop()


def test_bluetoothd_ends_under_a_connection(machine):
    new_box(machine, 'orphan')
    tracker = served(machine, 'orphan')
    meet(machine, tracker, onboardable)
    machine.central.read(luna.INFO)
    tracker.tells('connected')
    machine.stop_bluetoothd(signal.SIGKILL)
    tracker.ends(7, seconds=30)
    assert tracker.told('disconnected') and 'bluetoothd was stopped' in tracker.stderr(), tracker.stderr()
    machine.central.disconnect()
    # Another run, with another bluetoothd, serves again.
    tracker = served(machine, 'orphan')
    meet(machine, tracker, onboardable)
    assert machine.central.read(luna.INFO)[1] == luna.FACTORY
    part(machine, tracker)
    tracker.stop()
