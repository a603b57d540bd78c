"""GATT over an HCI controller behind a socket, without a kernel: every check of the conformance suite."""

import os

from bench import Bench, World
from conformance import PEER, Suite, define_tests

IN_VM = False


def prepare(mode):
    bench = Bench()
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', '--peer', mode=mode)
    bench.unix = f'h4:{path}'
    return bench


define_tests(globals(), 'h4', lambda bench: Suite(bench.unix, PEER))
