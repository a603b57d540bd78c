"""A controller behind a socket that does not come back: a group of its own, because luna gives it time."""

import os

from bench import Bench, World, wait_for

IN_VM = False


def prepare(mode):
    bench = Bench()
    path = os.path.join(bench.directory, 'hci.sock')
    bench.world = World(bench.directory, f'unix:{path}', mode=mode)
    bench.radio = f'h4:{path}'
    return bench


def test_controller_does_not_come_back(bench):
    luna = bench.scan(bench.radio).hears(3)
    bench.world.process.kill()
    wait_for(lambda: 'recovering' in luna.stderr(), what='luna to notice')
    luna.ends(7, seconds=180)
    error = luna.lines()[-1]
    assert (error['type'], error['code']) == ('error', 7), error


test_controller_does_not_come_back.seconds = 200
