"""`luna buzz` and what belongs to it, through a real kernel and bluetoothd."""

import buzzing
from bench import Machine

IN_VM = True


class Both(Machine):
    """A machine whose second adapter is the software tracker's, and stays."""

    def unplug(self, index):
        if index == 0:
            super().unplug(index)


def prepare(mode):
    path = '/tmp/tracker.sock'
    machine = Both('vhci', f'unix:{path}', '--strangers', mode=mode)
    machine.ear = ('--radio', 'dbus', '-i', machine.world.places[0])
    machine.mouth = (f'h4:{path}',)
    machine.world.tell('still')
    return machine


buzzing.define_tests(globals())
