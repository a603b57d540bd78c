"""Faults on the path dbus: what bluetoothd and the bus do to who has no right but to ask them."""

import signal

from recovery import ends, machine_with

IN_VM = True


def prepare(mode):
    return machine_with('vhci', mode=mode)


def scan(machine):
    machine.ready()
    return machine.scan('dbus', prefix=machine.as_nobody()).hears(10)


def test_bluetoothd_hangs(machine):
    luna = scan(machine)
    machine.recovery.case(
        'dbus: bluetoothd hung', luna, lambda: machine.bluetoothd.send_signal(signal.SIGSTOP),
        lambda: machine.bluetoothd.send_signal(signal.SIGCONT), notice=45)
    ends(luna)


test_bluetoothd_hangs.seconds = 120


def test_silent_until_it_is_reset(machine):
    """A scan that is started anew hears nothing either: bluetoothd is asked to switch the adapter off and on."""
    luna = scan(machine).hears(200, seconds=60)
    steps = machine.recovery.case(
        'dbus: silent until it is reset', luna, lambda: machine.world.tell('deaf 0 reset'), notice=45, within=45)
    assert ('power', 'done') in [(line['step'], line['outcome']) for line in steps], steps
    ends(luna)


test_silent_until_it_is_reset.seconds = 180


def test_bluetoothd_is_killed(machine):
    luna = scan(machine)
    machine.recovery.case(
        'dbus: bluetoothd killed and started', luna, lambda: machine.stop_bluetoothd(signal.SIGKILL), machine.start_bluetoothd)
    ends(luna)


def test_the_bus_is_gone(machine):
    luna = scan(machine)

    def gone():
        machine.stop_bluetoothd(signal.SIGKILL)
        machine.stop_bus()

    def back():
        machine.start_bus()
        machine.start_bluetoothd()

    machine.recovery.case('dbus: the bus gone and back', luna, gone, back)
    ends(luna)


def test_unplugged(machine):
    luna = scan(machine)
    machine.recovery.unplugged(machine, luna, 'dbus: ')
    ends(luna)


def test_blocked_and_switched_off_by_a_person(machine):
    luna = scan(machine)
    machine.recovery.blocked(luna, 'dbus: ')
    machine.recovery.switched_off(machine, luna, 'dbus: ')
    ends(luna)


test_blocked_and_switched_off_by_a_person.seconds = 90


def test_the_median_is_short(machine):
    machine.recovery.check()
