"""An exclusive run under bluetoothd whose adapter goes and returns, or was left scanning."""

import signal
import time

import kernel
from bench import wait_for
from recovery import ends, machine_with, only_waits, undisturbed

IN_VM = True


def prepare(mode):
    return machine_with('vhci', 'vhci', 'vhci', mode=mode)


def test_unplugged_again_and_again(machine):
    machine.ready()
    luna = machine.scan('exclusive', '-i', machine.world.places[0]).hears(3)
    with undisturbed(machine, 1, 2):
        for pause in (0, 0.2, 1, 2):
            machine.recovery.case(
                f'exclusive: unplugged for {pause} s', luna, lambda: machine.unplug(0), lambda: machine.plug(0), away=pause)
    ends(luna)


test_unplugged_again_and_again.seconds = 120


def test_silent_until_it_is_reset(machine):
    machine.ready()
    luna = machine.scan('exclusive', '-i', machine.world.places[0]).hears(100, seconds=60)
    with undisturbed(machine, 1, 2):
        machine.recovery.case(
            'exclusive: silent until it is reset', luna, lambda: machine.world.tell('deaf 0 reset'), notice=45, within=30)
    ends(luna)


test_silent_until_it_is_reset.seconds = 150


def test_gone_before_bluetoothd_has_set_it_up(machine):
    machine.ready()
    luna = machine.scan('exclusive', '-i', machine.world.places[0]).hears(3)

    def flutter():
        machine.unplug(0)
        for _ in range(3):
            machine.plug(0)
            time.sleep(0.2)
            machine.unplug(0)

    with undisturbed(machine, 1, 2):
        machine.recovery.case('exclusive: plugged in loosely', luna, flutter, lambda: machine.plug(0))
    ends(luna)


def test_returns_under_another_number(machine):
    machine.ready()
    if machine.world.places[1]:
        machine.unplug(1)
    luna = machine.scan('exclusive', '-i', machine.world.places[0]).hears(3)
    mine = machine.world.places[0]
    steps = machine.recovery.case(
        'exclusive: back with another number', luna, lambda: machine.unplug(0), lambda: (machine.plug(1), machine.plug(0)))
    assert steps[-1]['adapter'] == machine.world.places[0] != mine, (steps, machine.world.places)
    ends(luna)


def test_blocked_by_a_person(machine):
    """The kernel blocks no adapter that a program has for itself, but one that comes back: that is said, and left as it is.
    A block is one of all adapters: there is no other one to be left alone."""
    machine.ready()
    luna = machine.scan('exclusive', '-i', machine.world.places[0]).hears(3)
    kernel.block_bluetooth(True)
    luna.hears(len(luna.advertisements()) + 20)
    before = len(luna.lines())

    def is_told():
        return any('rfkill' in line.get('reason', '') for line in luna.lines()[before:])

    def back():
        machine.plug(0)
        wait_for(is_told, 20, f'luna to tell of the block; it said: {luna.stderr()}')
        kernel.block_bluetooth(False)

    steps = machine.recovery.case('exclusive: unplugged, and back with a block of rfkill', luna, lambda: machine.unplug(0), back)
    only_waits(steps)
    ends(luna)


test_blocked_by_a_person.seconds = 90


def test_killed_while_it_scans(machine):
    machine.ready()
    for _ in range(3):
        killed = machine.scan('exclusive').hears(3)
        killed.signal(signal.SIGKILL)
        killed.ends(-signal.SIGKILL)
    ends(machine.scan('exclusive').hears(3))


def test_the_median_is_short(machine):
    machine.recovery.check()
