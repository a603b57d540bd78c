"""An HCI controller behind a socket, without a kernel: --radio h4:PATH and h4:tcp:HOST:PORT."""

import os
import re
import signal
import time

from bench import Bench, Luna, NotRun, World, check_beacons, check_complete, check_refusals, never, wait_for

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.mode, bench.extended = mode, mode == 'extended'
    begin_world(bench)
    return bench


def begin_world(bench):
    path = os.path.join(bench.directory, 'hci.sock')
    if os.path.exists(path):
        os.unlink(path)
    bench.world = World(bench.directory, f'unix:{path}', 'tcp:127.0.0.1:0', mode=bench.mode)
    bench.unix, bench.tcp = f'h4:{path}', 'h4:tcp:' + bench.world.places[1]


def scan_all(bench, radio, adapter, *arguments, scan_responses=True):
    since = time.time()
    luna = bench.listens(40, radio, *arguments)
    start = luna.lines()[0]
    assert (start['type'], start['schema'], start['simulated']) == ('start', 2, False), start
    check_complete(luna.advertisements(), bench.world.heard(adapter, since))
    check_beacons(luna.advertisements(), bench.extended, scan_responses)
    check_refusals(bench.world, since)
    # One name for it in all lines.
    assert {line['adapter'] for line in luna.lines() if 'adapter' in line} == {'h4'}, luna.lines()[:5]
    return since


def test_unix_socket_active(bench):
    since = scan_all(bench, bench.unix, 0, '--active')
    assert all(e['active'] for e in bench.world.journal('scan', adapter=0, since=since) if e['on'])


def test_unix_socket_passive(bench):
    since = scan_all(bench, bench.unix, 0, '--passive', scan_responses=False)
    scans = [e for e in bench.world.journal('scan', adapter=0, since=since) if e['on']]
    assert scans and not any(e['active'] or e['filterDuplicates'] for e in scans), scans
    assert all(e['window'] == e['interval'] for e in scans), scans


def test_tcp(bench):
    scan_all(bench, bench.tcp, 1, '--active')


def test_scan_is_off_before_the_controller_is_left(bench):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        since = time.time()
        luna = bench.scan(bench.unix).hears(5)
        luna.signal(number)
        luna.ends(code, seconds=5)
        wait_for(lambda: bench.world.journal('disconnected', adapter=0, since=since), 5, 'the end of the connection')
        events = [e for e in bench.world.journal('scan', 'disconnected', adapter=0, since=since)]
        assert events[-1]['event'] == 'disconnected' and not events[-2].get('on', True), events


def test_coded_phy(bench):
    phys = lambda lines: {line['primaryPhy'] for line in lines}
    luna = bench.listens(30, bench.unix, '--phy', '1m,coded', until=lambda lines: len(phys(lines)) > 1)
    assert phys(luna.advertisements()) == {'1M', 'Coded'}, phys(luna.advertisements())
    check_complete(luna.advertisements(), bench.world.heard(0, luna.began))


test_coded_phy.modes = ('extended',)


def test_malformed_events_are_counted_and_not_printed(bench):
    luna = bench.scan(bench.unix).hears(5)
    bench.world.tell('garbage 0')
    bench.world.tell('garbage 0')
    luna.hears(len(luna.advertisements()) + 10)
    luna.signal(signal.SIGINT)
    luna.ends(130)
    # The event that announces two reports has one whole report, which counts.
    printed = [line for line in luna.advertisements() if line['address'] != 'C0:00:00:00:00:01']
    check_complete(printed, bench.world.heard(0, luna.began))
    told = re.search(r'(\d+) reports cut short', luna.stderr())
    assert told and int(told[1]) >= 8, luna.stderr()


def test_stalled_reader_loses_nothing(bench):
    def sent(count):
        return any(entry['delivered'] >= count for entry in bench.world.journal('loading', adapter=0, since=began))

    bench.world.tell('still')
    try:
        luna = bench.scan(bench.unix)
        wait_for(lambda: bench.world.scanning(0)['on'], what='a scan')
        began = time.time()
        bench.world.begin('load 1000 5000 0')
        wait_for(lambda: sent(1000), 30, 'the first reports')
        luna.signal(signal.SIGSTOP)
        wait_for(lambda: sent(4000), 30, 'reports while the reader stands still')
        luna.signal(signal.SIGCONT)
        delivered = bench.world.finish(40)['delivered']
        wait_for(lambda: len(luna.load_numbers()) >= delivered, what=f'all {delivered} reports')
        luna.signal(signal.SIGINT)
        luna.ends(130)
        numbers = luna.load_numbers()
        assert numbers == list(range(delivered)), f'{len(numbers)} of {delivered}'
    finally:
        bench.world.tell('live')


def test_no_controller_at_the_path(bench):
    luna = bench.scan('h4:' + os.path.join(bench.directory, 'nothing')).ends(3)
    error = luna.lines()[-1]
    assert (error['type'], error['code']) == ('error', 3) and error['reason'], error


def test_silent_controller(bench):
    bench.world.tell('mute 0')
    try:
        luna = bench.scan(bench.unix, '-T', '5s')
        code = luna.process.wait(never(30))
        assert code not in (0, 1, 2), f'exit code {code}: {luna.stderr()}'
        assert luna.lines()[-1]['type'] == 'error', luna.lines()[-1]
    finally:
        bench.world.tell('speak 0')


def test_an_older_recording_stays_while_nothing_is_heard(bench):
    path = os.path.join(bench.directory, 'older.btsnoop')
    with open(path, 'w') as file:
        file.write('an older recording')

    def begin(command):
        return Luna(bench, command, '--radio', bench.unix, '-w', path, '--force')

    def is_scanning(luna):
        return any(entry['on'] for entry in bench.world.journal('scan', adapter=0, since=luna.began))

    def is_there(command):
        with open(path) as file:
            assert file.read() == 'an older recording', command

    bench.world.tell('deaf 0')
    try:
        for command in ('capture', 'scan'):
            luna = begin(command)
            wait_for(lambda: is_scanning(luna), what='a scan')
            is_there(command)
            luna.signal(signal.SIGINT)
            luna.ends(130)
            is_there(command)
    finally:
        bench.world.tell('hear 0')
    # Nor does one go for a controller that says nothing at all.
    bench.world.tell('mute 0')
    try:
        luna = begin('capture')
        code = luna.process.wait(never(30))
        assert code not in (0, 1, 2), f'exit code {code}: {luna.stderr()}'
        is_there('capture')
    finally:
        bench.world.tell('speak 0')


def test_controller_goes_and_comes_back(bench):
    luna = bench.scan(bench.unix).hears(3)
    bench.world.process.kill()
    bench.world.process.wait()
    wait_for(lambda: 'recovering' in luna.stderr(), what='luna to notice')
    assert luna.process.poll() is None, luna.stderr()
    begin_world(bench)
    heard = len(luna.advertisements())
    luna.hears(heard + 10, seconds=30)
    wait_for(lambda: 'scanning again' in luna.stderr(), what='luna to say so')
    luna.signal(signal.SIGINT)
    luna.ends(130)
    # All that the new controller told, and its scan was switched off at the end.
    check_complete(luna.advertisements()[heard:], bench.world.heard(0), at_least=10)
    assert not bench.world.scanning(0)['on']


def test_no_bluetooth_in_this_kernel(bench):
    import kernel

    if kernel.has_bluetooth():
        raise NotRun('this kernel has Bluetooth')
    for radio in ('auto', 'observe', 'mgmt', 'exclusive'):
        luna = bench.scan(radio).ends(3)
        assert '--radio virtual' in luna.stderr() and '--read' in luna.stderr(), luna.stderr()
