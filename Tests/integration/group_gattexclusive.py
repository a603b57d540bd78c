"""GATT on an adapter that is taken away from a real kernel: every check of the conformance suite."""

from bench import Machine
from conformance import PEER, Suite, define_tests

IN_VM = True


def prepare(mode):
    # Legacy commands, and a bluetoothd to take the adapter from; extended commands, and none.
    return Machine('vhci', '--peer', mode=mode, daemon=mode == 'legacy')


define_tests(globals(), 'exclusive', lambda machine: Suite('exclusive', PEER))
