"""GATT on a real kernel, through bluetoothd and without it: every check of the conformance suite."""

from bench import Machine
from conformance import PEER, Suite, define_tests

IN_VM = True


def prepare(mode):
    # Legacy commands and bluetoothd; extended commands and the kernel's own sockets.
    return Machine('vhci', '--peer', mode=mode, daemon=mode == 'legacy')


def start(machine):
    return Suite('dbus' if machine.bluetoothd else 'mgmt', PEER)


define_tests(globals(), 'gatt', start)
