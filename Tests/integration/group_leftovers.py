"""Without bluetoothd: the kernel alone, what a killed luna leaves behind, and a reader that stalls."""

import re
import signal
import time

import kernel
import pace
from bench import Machine, check_complete, wait_for

IN_VM = True


def prepare(mode):
    machine = Machine('vhci', mode=mode, daemon=False)
    machine.mgmt = kernel.Mgmt()
    wait_for(lambda: machine.mgmt.indexes(), what='hci0')
    machine.mgmt.command(0x000D, 0, b'\1')  # LE
    machine.mgmt.power(0)
    return machine


def test_observe_and_mgmt_without_bluetoothd(machine):
    luna = machine.listens(30, 'observe')
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    machine.world.wait_for_silence()
    luna = machine.listens(1, 'mgmt', until=lambda lines: len({line['address'] for line in lines}) >= 4)
    heard = {e['address'] for e in machine.world.heard(0, luna.began)}
    addresses = {line['address'] for line in luna.advertisements()}
    assert len(addresses) >= 4 and addresses <= heard, (addresses, heard)
    machine.world.wait_for_silence()


def test_auto_without_bus_and_bluetoothd(machine):
    luna = machine.listens(10, 'auto')
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))


def test_what_a_killed_run_left_is_cleared_at_the_next_start(machine):
    for radio in ('observe', 'mgmt'):
        for mode in ('--passive', '--active'):
            killed = machine.scan(radio, mode).hears(3)
            killed.signal(signal.SIGKILL)
            killed.ends(-signal.SIGKILL)
            machine.listens(8, radio, mode)
            machine.world.wait_for_silence()
            left = machine.mgmt.monitors(0)
            assert not left, f'{radio} {mode}: the monitors {left} of the killed run are still there'


def test_killed_exclusive_run(machine):
    killed = machine.scan('exclusive').hears(3)
    killed.signal(signal.SIGKILL)
    killed.ends(-signal.SIGKILL)
    luna = machine.listens(10, 'exclusive')
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    machine.world.wait_for_silence()
    if not machine.mgmt.settings(0) & 1:
        machine.mgmt.power(0)


def stall(machine, *arguments, prefix=()):
    """A reader that stands still for 3,000 of 5,000 reports, at 1,000 a second; returns delivered, missing, luna."""

    def sent(count):
        return any(entry['delivered'] >= count for entry in machine.world.journal('loading', adapter=0, since=began))

    machine.world.tell('still')
    try:
        luna = machine.scan('observe', *arguments, prefix=prefix)
        wait_for(lambda: machine.world.scanning(0)['on'], what='a scan; luna said: ' + luna.stderr())
        time.sleep(0.5 * pace.slower())
        began = time.time()
        machine.world.begin('load 1000 5000 0')
        wait_for(lambda: sent(1000), 30, 'the first reports')
        luna.signal(signal.SIGSTOP)
        wait_for(lambda: sent(4000), 30, 'reports while the reader stands still')
        luna.signal(signal.SIGCONT)
        delivered = machine.world.finish(40)['delivered']
        # When the reader goes on it has room again: the last one is there.
        wait_for(lambda: (luna.load_numbers() or [-1])[-1] == delivered - 1, 30, 'the last report')
        luna.signal(signal.SIGINT)
        luna.ends(130)
    finally:
        machine.world.tell('live')
    numbers = luna.load_numbers()
    assert numbers == sorted(set(numbers)), 'not in order, or twice'
    return delivered, delivered - len(numbers), luna


def test_stalled_reader_with_a_large_buffer_loses_nothing(machine):
    delivered, missing, luna = stall(machine, '--passive')
    assert missing == 0, f'{missing} of {delivered} are missing; luna said: {luna.stderr()}'


def test_stalled_reader_with_a_small_buffer_says_how_many_it_lost(machine):
    # This luna may not scan itself: bluetoothd does, from here on.
    machine.start_bus()
    machine.start_bluetoothd()
    machine.ready()
    delivered, missing, luna = stall(machine, prefix=machine.as_nobody('net_raw'))
    told = sum(int(number) for number in re.findall(r'(\d+) dropped', luna.stderr()))
    assert missing, 'nothing is missing, so this shows nothing'
    assert missing == told, f'{missing} of {delivered} are missing; luna said: {luna.stderr()}'
