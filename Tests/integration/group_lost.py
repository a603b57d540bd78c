"""An adapter that does not come back: a group of its own, because luna gives it time."""

from bench import Machine

IN_VM = True


def prepare(mode):
    return Machine('vhci', mode=mode)


def test_adapter_does_not_come_back(machine):
    luna = machine.scan('observe').hears(3)
    machine.world.tell('unplug 0')
    luna.ends(7, seconds=180)
    error = luna.lines()[-1]
    assert (error['type'], error['code']) == ('error', 7), error


test_adapter_does_not_come_back.seconds = 200
