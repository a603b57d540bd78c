"""`luna tracker run` on one adapter of a real kernel, heard by `luna scan` on another."""

import os
import signal

from bench import Luna, Machine, wait_for
from trackers import Tracker, beacons, check_rotations, create, epoch, frames

IN_VM = True


def prepare(mode):
    machine = Machine('vhci', 'vhci', mode=mode)
    machine.world.tell('still')
    return machine


def second(machine):
    """Plugs the other adapter in, powered."""
    machine.ready()
    name = machine.plug(1)
    wait_for(lambda: machine.property('Address', adapter=name), what='bluetoothd to have the second adapter')
    machine.property('Powered', True, adapter=name)
    return name


def silence(machine):
    machine.world.tell('unplug 1')
    machine.world.places[1] = None


def test_exclusive(machine):
    mouth = second(machine)
    create(machine, 'taken')
    ear = machine.scan('observe', '-i', machine.world.places[0], '--passive')
    tracker = Tracker(machine, 'exclusive', 'taken', '-i', mouth, '--speed', '240', '--epoch', epoch())
    tracker.tells('rotated', 4, seconds=60)
    wait_for(lambda: len({b['eid'] for _, b in frames(ear.advertisements())}) >= 3, 30, 'three identifiers')
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    check_rotations(tracker, ear.advertisements(), at_least=3)
    assert frames(ear.advertisements())
    wait_for(lambda: machine.property('Powered', adapter=mouth), what='bluetoothd to have the adapter back')
    silence(machine)


test_exclusive.seconds = 90


def test_through_bluetoothd(machine):
    mouth = second(machine)
    create(machine, 'shared')
    ear = machine.scan('observe', '-i', machine.world.places[0], '--active')
    tracker = Tracker(machine, 'dbus', 'shared', '-i', mouth, '--speed', '240', '--epoch', epoch())

    def enough():
        lines = ear.advertisements()
        return beacons(lines) and len({frame['eid'] for _, frame in frames(lines)}) >= 3

    # bluetoothd advertises seldom: a slot of iBeacons may pass between two.
    wait_for(enough, 80, 'an iBeacon and three identifiers')
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    start = tracker.lines()[0]
    assert start['source'] == f'dbus:{mouth}' and any('address' in text for text in start['deviations']), start
    lines = ear.advertisements()
    check_rotations(tracker, lines, at_least=3, own_addresses=False)
    silence(machine)


test_through_bluetoothd.seconds = 120


def test_without_bluetoothd(machine):
    machine.ready()
    machine.stop_bluetoothd()
    create(machine, 'unheard')
    tracker = Tracker(machine, 'dbus', 'unheard').ends(3)
    assert 'systemctl start bluetooth' in tracker.stderr(), tracker.stderr()
    machine.start_bluetoothd()


def followed(lines):
    """What luna local tells of its own trackers, but for silence, which a recording's end cuts off."""
    return [line for line in lines if line['type'] == 'device' and line['device'] and line['event'] != 'timedOut']


def test_followed_by_its_owner(machine):
    create(machine, 'keys')
    keys, air, when = (os.path.join(machine.directory, 'keys.json'), os.path.join(machine.directory, 'air.btsnoop'), epoch())
    Luna(machine, 'tracker', 'export', 'keys', keys).ends(0)
    states = [os.path.join(machine.directory, name) for name in ('live', 'replayed')]
    for state in states:
        Luna(machine, 'owner', 'import', '--state', state, keys).ends(0)
    mouth = second(machine)
    time = ('--format', 'jsonl', '--speed', '120', '--epoch', when)
    ear = Luna(machine, 'local', *time, '--state', states[0], '--radio', 'observe', '-i', machine.world.places[0],
               '--active', '-w', air)
    tracker = Tracker(machine, 'dbus', 'keys', '-i', mouth, '--speed', '120', '--epoch', when)
    tracker.tells('rotated', 4, seconds=60)
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    ear.signal(signal.SIGINT)
    ear.ends(130)
    told = {line['eid'] for line in tracker.told('rotated')}
    live = followed(ear.lines())
    heard = {line['eid'] for line in live if 'eid' in line}
    assert len(heard) >= 3 and heard <= told, (heard, told)
    assert {line['name'] for line in live} == {'keys'}, live[0]
    assert all(line['clock']['low'] <= 0 <= line['clock']['high'] for line in live), 'a clock that is not right'
    again = Luna(machine, 'local', *time, '--state', states[1], '-r', air).ends(0)
    replayed = followed(again.lines())
    different = [(a, b) for a, b in zip(live, replayed) if a != b]
    assert not different and len(live) == len(replayed), (len(live), len(replayed), different[:1])
    silence(machine)


test_followed_by_its_owner.seconds = 100
test_followed_by_its_owner.modes = ('legacy',)
