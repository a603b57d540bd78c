"""GATT through bluetoothd and a real kernel: every check of the conformance suite."""

from bench import Machine
from conformance import PEER, Suite, define_tests

IN_VM = True


def prepare(mode):
    return Machine('vhci', '--peer', mode=mode)


define_tests(globals(), 'through bluetoothd', lambda machine: Suite('dbus', PEER))
