"""What changes under a running scan: adapters that go and come back, a bluetoothd that dies."""

import signal
import time

import pace
from bench import Client, Machine, luna_time, wait_for

IN_VM = True


def prepare(mode):
    return Machine('vhci', 'vhci', mode=mode)


def later(luna, since):
    """Advertisements that were heard after a moment."""
    return [line for line in luna.advertisements() if luna_time(line) > since]


def goes_on(luna, since, seconds=40):
    wait_for(lambda: len(later(luna, since)) >= 8, seconds, f'the scan to go on; luna said: {luna.stderr()}')


def ends_well(machine, luna):
    luna.signal(signal.SIGINT)
    luna.ends(130)


def test_bluetoothd_is_killed_and_comes_back(machine):
    machine.ready()
    for radio in ('dbus', 'observe'):
        luna = machine.scan(radio).hears(3)
        machine.stop_bluetoothd(signal.SIGKILL)
        time.sleep(1)
        machine.start_bluetoothd()
        wait_for(lambda: machine.property('Powered'), what='power')
        goes_on(luna, time.time())
        ends_well(machine, luna)


def test_bluetoothd_stops_in_order(machine):
    machine.ready()
    luna = machine.scan('observe').hears(3)
    machine.stop_bluetoothd()
    time.sleep(1)
    machine.start_bluetoothd()
    wait_for(lambda: machine.property('Powered'), what='power')
    goes_on(luna, time.time())
    ends_well(machine, luna)


def test_adapter_is_switched_off_and_on(machine):
    machine.ready()
    luna = machine.scan('observe').hears(3)
    machine.property('Powered', False)
    time.sleep(1)
    machine.property('Powered', True)
    goes_on(luna, time.time())
    ends_well(machine, luna)


def test_scan_of_another_program_ends(machine):
    """Its Set Scan Enable 0 must not end ours."""
    machine.ready()
    client = Client(machine)
    luna = machine.scan('observe').hears(3)
    client.close()
    # Nobody is told when the daemon has heard of that: it goes on discovering for luna.
    time.sleep(1 * pace.slower())
    goes_on(luna, time.time())
    ends_well(machine, luna)


def test_adapter_returns_under_another_number(machine):
    machine.ready()
    for radio in ('observe', 'dbus'):
        luna = machine.scan(radio, '-i', machine.world.places[0]).hears(3)
        mine = luna.advertisements()[0]['adapter']
        machine.unplug(0)
        time.sleep(0.5)
        assert machine.plug(1) == mine, 'the second adapter was to take the number of the first'
        name = machine.plug(0)
        assert name != mine
        wait_for(lambda: machine.property('Powered'), what='power')
        since = time.time()
        goes_on(luna, since)
        adapters = {line['adapter'] for line in later(luna, since)}
        assert adapters == {name}, f'{radio} followed the number, not the address: {adapters}'
        ends_well(machine, luna)
        machine.unplug(1)
        machine.unplug(0)
        machine.ready()
