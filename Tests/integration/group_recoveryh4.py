"""Faults of a controller behind a socket, each brought back without anybody's help."""

import os
import signal

from bench import Bench, World, lasting, wait_for
from recovery import Recovery, ends

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.mode, bench.recovery = mode, Recovery()
    begin_world(bench)
    return bench


def begin_world(bench):
    paths = [os.path.join(bench.directory, name) for name in ('hci.sock', 'other.sock')]
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)
    bench.world = World(bench.directory, *(f'unix:{path}' for path in paths), mode=bench.mode)
    bench.radio, bench.other = (f'h4:{path}' for path in paths)


def end_world(bench):
    bench.world.process.kill()
    bench.world.process.wait()


def test_silent_until_its_scan_is_switched_on_anew_or_for_good(bench):
    # Two at once, since silence is noticed after half a minute.
    luna, quiet = bench.scan(bench.radio), bench.scan(bench.other)
    for scan in (luna, quiet):
        scan.hears(100)  # enough to know that something is heard every second
    bench.world.tell('deaf 1')
    bench.recovery.case(
        'h4: silent until it is reset', luna, lambda: bench.world.tell('deaf 0 reset'), notice=40)
    wait_for(
        lambda: any(line['type'] == 'recovery' and line['outcome'] == 'quiet' for line in quiet.lines()),
        60, f'the other one to be left alone; luna said: {quiet.stderr()}')
    assert quiet.process.poll() is None, quiet.stderr()
    count = len(quiet.advertisements())
    bench.world.tell('hear 1')
    quiet.hears(count + 20)
    ends(luna)
    ends(quiet)


test_silent_until_its_scan_is_switched_on_anew_or_for_good.seconds = 200


def test_wedged(bench):
    luna = bench.scan(bench.radio).hears(20)

    def wedge():
        bench.world.tell('mute 0')
        bench.world.tell('error 0 20')

    bench.recovery.case('h4: wedged after a hardware error', luna, wedge, lambda: bench.world.tell('speak 0'), within=20)
    ends(luna)


def test_the_first_reset_is_lost(bench):
    bench.world.tell('lose 0 0C03')
    luna = bench.scan(bench.radio).hears(3, seconds=10)
    ends(luna)


def test_goes_and_returns(bench):
    luna = bench.scan(bench.radio).hears(20)
    bench.recovery.case('h4: gone and back', luna, lambda: end_world(bench), lambda: begin_world(bench), away=3)
    ends(luna)


def test_command_disallowed(bench):
    luna = bench.scan(bench.radio).hears(20)

    def refuse():
        for opcode in ('0C03', '200C', '2042', '200B', '2041'):
            bench.world.tell(f'refuse 0 {opcode} 0C 2')
        bench.world.tell('error 0 20')

    bench.recovery.case('h4: Command Disallowed', luna, refuse)
    ends(luna)


def test_garbage_stops_nothing(bench):
    luna = bench.scan(bench.radio).hears(20)
    for _ in range(20):
        bench.world.tell('garbage 0')
    luna.hears(len(luna.advertisements()) + 20)
    ends(luna)
    assert not [line for line in luna.lines() if line['type'] == 'recovery'], luna.lines()[-5:]
    assert luna.lines()[-1]['dropped']['overrun'] > 0, luna.lines()[-1]


def test_what_is_lost_is_told_while_it_scans(bench):
    """A line each time that it has grown, long before the end, which has the sums of them."""
    luna = bench.scan(bench.radio).hears(5)

    def told():
        return [line for line in luna.lines() if line['type'] == 'dropped' and line['reason'] == 'overrun']

    for number in range(1, 4):
        bench.world.tell('garbage 0')
        wait_for(lambda: len(told()) >= number, 30, f'the loss to be told {number} times; luna said: {luna.stderr()}')
    assert luna.process.poll() is None, luna.stderr()
    ends(luna)
    assert sum(line['count'] for line in told()) == luna.lines()[-1]['dropped']['overrun'], luna.lines()[-1]


def test_killed_while_it_scans(bench):
    killed = bench.scan(bench.radio).hears(3)
    killed.signal(signal.SIGKILL)
    killed.ends(-signal.SIGKILL)
    ends(bench.scan(bench.radio).hears(3))


def test_the_time_is_over_before_it_is_back(bench):
    luna = bench.scan(bench.radio, '-T', lasting(4)).hears(3)
    end_world(bench)
    luna.ends(7)
    error = luna.lines()[-1]
    assert (error['type'], error['code']) == ('error', 7), error
    begin_world(bench)


def test_the_median_is_short(bench):
    bench.recovery.check()
