"""`luna tracker run` on one adapter of a real kernel, heard by `luna scan` on another."""

import signal

from bench import Luna, Machine, wait_for
from trackers import Tracker, beacons, check_rotations, create, epoch, frames

IN_VM = True


def prepare(mode):
    machine = Machine('vhci', 'vhci', mode=mode)
    create(machine, 'keys')
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
    ear = machine.scan('observe', '-i', machine.world.places[0], '--passive')
    tracker = Tracker(machine, 'exclusive', 'keys', '-i', mouth, '--speed', '120', '--epoch', epoch())
    tracker.tells('rotated', 4, seconds=50)
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    check_rotations(tracker, ear.advertisements(), at_least=3)
    assert frames(ear.advertisements())
    wait_for(lambda: machine.property('Powered', adapter=mouth), what='bluetoothd to have the adapter back')
    silence(machine)


test_exclusive.seconds = 90


def test_through_bluetoothd(machine):
    mouth = second(machine)
    ear = machine.scan('observe', '-i', machine.world.places[0], '--active')
    tracker = Tracker(machine, 'dbus', 'keys', '-i', mouth, '--speed', '120', '--epoch', epoch())
    tracker.tells('rotated', 4, seconds=50)
    tracker.signal(signal.SIGINT)
    tracker.ends(130)
    start = tracker.lines()[0]
    assert start['source'] == f'dbus:{mouth}' and any('address' in text for text in start['deviations']), start
    lines = ear.advertisements()
    check_rotations(tracker, lines, at_least=3, own_addresses=False)
    assert beacons(lines) or len(tracker.told('mode')) < 3, 'no iBeacon'
    silence(machine)


test_through_bluetoothd.seconds = 90


def test_without_bluetoothd(machine):
    machine.ready()
    machine.stop_bluetoothd()
    tracker = Tracker(machine, 'dbus', 'keys').ends(3)
    assert 'systemctl start bluetooth' in tracker.stderr(), tracker.stderr()
    machine.start_bluetoothd()
