"""Faults of what a gateway leans on: the source of its position, and its backend."""

import os
import subprocess

from bench import Bench, free_port
from fake_gpsd import Gpsd
from gateways import finder, of, wait_lines
from recovery import Recovery

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    bench.recovery = Recovery()
    return bench


def test_gpsd(bench):
    fix = {'class': 'TPV', 'mode': 3, 'time': '-1', 'lat': 48.0, 'lon': 11.0, 'eph': 6}
    gpsd = Gpsd([fix], free_port())
    gateway = finder(bench, 'gpsd', location=f'gpsd:127.0.0.1:{gpsd.port}')
    wait_lines(gateway, 'sighting')

    def mend():
        bench.gpsd = Gpsd([dict(fix, lat=48.001)], gpsd.port)

    # The last position counts for half a minute.
    bench.recovery.measure(
        'gateway: gpsd gone and back', gateway, gpsd.close, mend,
        noticed=lambda: not of(gateway, 'location')[-1]['known'], notice=40,
        recovered=lambda: of(gateway, 'location')[-1].get('latitude') == 48.001)
    bench.gpsd.close()
    gateway.signal(15)
    gateway.ends(0, 60)


test_gpsd.seconds = 120


def test_the_backend_is_gone_for_a_week(bench):
    """On a clock that does not wait, with the queue on the disk: nothing is lost, and nobody has to do anything."""
    program = os.path.join(os.path.dirname(os.environ['LUNA']), 'luna-bench')
    assert os.access(program, os.X_OK), f'there is no {program}: LUNA_BENCH=1 swift build makes it'
    run = subprocess.run([program, 'week'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(run.stdout, end='', flush=True)
    assert run.returncode == 0 and run.stdout.startswith('recovered |'), run.stdout


test_the_backend_is_gone_for_a_week.seconds = 180


def test_the_median_is_short(bench):
    bench.recovery.check()
