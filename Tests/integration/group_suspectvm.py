"""A tracker of somebody else that follows, through a real kernel and bluetoothd; the browser is in the VM, too."""

import followers
from bench import Machine

IN_VM = True


def prepare(mode):
    machine = Machine('vhci', '--strangers', mode=mode)
    machine.ear = 'auto'
    machine.world.tell('still')
    return machine


followers.define_tests(globals())
