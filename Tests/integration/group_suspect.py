"""A tracker of somebody else that follows, over H4 without a kernel."""

import os

import followers
from bench import Bench, World

IN_VM = False


def prepare(mode):
    bench = Bench()
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', '--strangers', mode=mode)
    bench.ear = f'h4:{path}'
    bench.world.tell('still')
    return bench


followers.define_tests(globals())
