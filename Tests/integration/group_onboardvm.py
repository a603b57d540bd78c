"""`luna onboard` through a real bluetoothd and kernel, to a tracker of Bumble's that speaks the protocol in Python."""

import onboarding
from bench import Machine

IN_VM = True


class Both(Machine):
    """A machine whose second adapter is Bumble's, and stays."""

    def unplug(self, index):
        if index == 0:
            super().unplug(index)


def prepare(mode):
    path = '/tmp/tracker.sock'
    machine = Both('vhci', f'unix:{path}', mode=mode)
    machine.world.tell('still')
    machine.ear, machine.tracker_path = 'auto', path
    return machine


onboarding.define_tests(globals(), ('exchanges', 'faults'))
