"""`luna buzz` and what belongs to it, over H4 without a kernel."""

import os

import buzzing
from bench import Bench, World

IN_VM = False


def prepare(mode):
    bench = Bench()
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', 'tcp:127.0.0.1:0', '--strangers', mode=mode)
    bench.ear = ('--radio', f'h4:{path}')
    bench.mouth = ('h4:tcp:' + bench.world.places[1],)
    bench.world.tell('still')
    return bench


buzzing.define_tests(globals())
