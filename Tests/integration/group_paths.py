"""The four ways through the kernel, beside a running bluetoothd: what each sees, and how it ends."""

import re
import signal
import time

import kernel
from bench import (
    Client,
    Luna,
    Machine,
    check_beacons,
    check_complete,
    check_refusals,
    wait_for,
)

IN_VM = True


def prepare(mode):
    machine = Machine('vhci', mode=mode)
    machine.extended = mode == 'extended'
    return machine


def scans(machine, since):
    return [e for e in machine.world.journal('scan', adapter=0, since=since) if e['on']]


def test_adapters(machine):
    machine.ready()
    luna = Luna(machine, 'adapters', '--format', 'jsonl').ends(0)
    [adapter] = luna.lines()
    assert adapter['type'] == 'adapter' and adapter['adapter'] == 'hci0', adapter
    assert adapter['address'] == machine.world.addresses[0], adapter
    assert adapter['state'] == 'up' and adapter['bus'] == 'virtual' and adapter['le'], adapter
    assert adapter.get('extended', machine.extended) == machine.extended, adapter
    assert 'bluetoothd' in adapter['users'], adapter
    table = Luna(machine, 'adapters', '--format', 'table').ends(0)
    with open(table.output.name) as file:
        assert machine.world.addresses[0] in file.read()


def test_auto_as_root_observes(machine):
    machine.ready()
    luna = machine.listens(10, 'auto')
    assert luna.lines()[0]['source'].startswith('observe'), luna.lines()[0]
    assert 'observe' in luna.stderr().splitlines()[0], luna.stderr()
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))


def test_observe_passive(machine):
    machine.ready()
    luna = machine.listens(60, 'observe', '--passive')
    machine.world.wait_for_silence()
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    check_beacons(luna.advertisements(), machine.extended, scan_responses=False)
    told = scans(machine, luna.began)
    assert told and not any(e['active'] or e['filterDuplicates'] for e in told), told
    assert told[-1]['window'] == told[-1]['interval'], f'half of the air is missed: {told[-1]}'
    mgmt = kernel.Mgmt()
    assert not mgmt.monitors(0), 'an advertisement monitor is left behind'
    check_refusals(machine.world, luna.began)


def test_observe_active(machine):
    machine.ready()
    luna = machine.listens(60, 'observe', '--active')
    machine.world.wait_for_silence()
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    check_beacons(luna.advertisements(), machine.extended)
    assert not kernel.Mgmt().monitors(0), 'an advertisement monitor is left behind'


def test_observe_while_another_client_scans_does_not_disturb_it(machine):
    machine.ready()
    client = Client(machine)
    try:
        wait_for(lambda: machine.world.scanning()['on'], what="the client's scan")
        before = time.time()
        luna = machine.listens(60, 'observe')
        heard = machine.world.heard(0, luna.began)
        check_complete(luna.advertisements(), heard)
        check_beacons(luna.advertisements(), machine.extended)
        assert machine.property('Discovering'), 'the discovery of the other client has ended'
        since = time.time()
        answers = lambda: [e for e in machine.world.heard(0, since) if e['pdu'] == 'SCAN_RSP']
        wait_for(answers, what='a scan response: the active scan of the other client has ended')
        offs = [e for e in machine.world.journal('scan', since=before) if not e['on']]
        # bluetoothd itself restarts its scan every 10 s, and when a monitor comes or goes.
        assert len(offs) <= 4 + (time.time() - before) / 10, offs
    finally:
        client.close()
    machine.world.wait_for_silence(seconds=10)


def test_mgmt_beside_bluetoothd(machine):
    machine.ready()
    for mode in ('--passive', '--active'):
        luna = machine.listens(12, 'mgmt', mode, until=tells_devices)
        machine.world.wait_for_silence()
        check_devices(machine, luna)
    assert not kernel.Mgmt().monitors(0), 'an advertisement monitor is left behind'


KINDS = {'ibeacon', 'eddystone-uid', 'eddystone-tlm', 'tag'}


def tells_devices(lines):
    """Whether there is something of every kind."""
    told = {beacon['beacon'] for line in lines for beacon in line.get('beacons', [])}
    return KINDS <= told | {'tag' for line in lines if '1804' in line.get('services', [])}


def check_devices(machine, luna):
    """For the paths that tell devices, not PDUs: who was there, how strong, what it said."""
    world = {}
    for entry in machine.world.heard(0, luna.began):
        world.setdefault(entry['address'], []).append(entry)
    lines = luna.advertisements()
    assert len(lines) >= 12, f'{len(lines)} advertisements'
    kinds = set()
    for line in lines:
        told = world.get(line['address'])
        assert told, f'{line["address"]} was not in the air'
        assert line['addressType'] == told[0]['addressType'], line
        if 'rssi' in line:
            assert line['rssi'] in {e['rssi'] for e in told}, (line, sorted({e['rssi'] for e in told}))
        for beacon in line.get('beacons', []):
            kinds.add(beacon['beacon'])
            if beacon['beacon'] == 'ibeacon':
                assert beacon['minor'] in {int(e['data'][-6:-2], 16) for e in told}, line
        if '1804' in line.get('services', []):
            kinds.add('tag')
            assert line['serviceData']['1804'] in {e['data'][-8:] for e in told}, line
    assert KINDS <= kinds, kinds


def test_dbus(machine):
    machine.ready()
    luna = machine.listens(
        12, 'dbus', until=lambda lines: tells_devices(lines) and any(line.get('name') == 'FakeTag' for line in lines))
    machine.world.wait_for_silence(seconds=10)
    check_devices(machine, luna)


def match_rules(machine, pid):
    """The number of match rules of the connections that a process has to the bus."""
    import dbus

    connection = machine.connection()
    try:
        bus = connection.get_object('org.freedesktop.DBus', '/org/freedesktop/DBus', introspect=False)
        own = 0
        for name, held in bus.GetAllMatchRules(dbus_interface='org.freedesktop.DBus.Debug.Stats').items():
            try:
                if bus.GetConnectionUnixProcessID(name, dbus_interface='org.freedesktop.DBus') == pid:
                    own += len(held)
            except dbus.DBusException:
                pass  # it has gone meanwhile
        return own
    finally:
        connection.close()


def test_dbus_uses_a_constant_number_of_match_rules(machine):
    machine.ready()
    luna = machine.scan('dbus').hears(5)
    first = match_rules(machine, luna.process.pid)
    seen = {line['address'] for line in luna.advertisements()}
    wait_for(
        lambda: len({line['address'] for line in luna.advertisements()} - seen) > 4, 15, 'addresses that come new'
    )
    second = match_rules(machine, luna.process.pid)
    luna.signal(signal.SIGINT)
    luna.ends(130)
    assert 0 < first == second <= 6, (first, second)


def test_exclusive(machine):
    machine.ready()
    luna = machine.listens(60, 'exclusive', '--active')
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    check_beacons(luna.advertisements(), machine.extended)
    check_refusals(machine.world, luna.began)
    wait_for(lambda: machine.property('Powered'), what='bluetoothd to have its adapter back')


def phys(lines):
    return {line['primaryPhy'] for line in lines}


def test_coded_phy(machine):
    machine.ready()
    for radio in ('observe', 'exclusive'):
        luna = machine.listens(1, radio, '--phy', '1m,coded', until=lambda lines: len(phys(lines)) > 1)
        assert phys(luna.advertisements()) == {'1M', 'Coded'}, (radio, phys(luna.advertisements()))
        wait_for(lambda: machine.property('Powered'), what='the adapter to be powered')


test_coded_phy.modes = ('extended',)


def test_malformed_events_disturb_nobody(machine):
    """No report at all, lengths beyond the event, reports that are cut, subevents that nobody knows."""
    machine.ready()
    for radio in ('observe', 'exclusive', 'mgmt', 'dbus'):
        luna = machine.scan(radio).hears(5)
        for _ in range(2):
            machine.world.tell('garbage 0')
        wait_for(lambda: tells_devices(luna.advertisements()), 30, 'every kind of advertiser')
        luna.hears(len(luna.advertisements()) + 10, seconds=30)
        luna.signal(signal.SIGINT)
        luna.ends(130)
        if radio in ('observe', 'exclusive'):
            # The event that announces two reports has one whole report, which counts.
            printed = [line for line in luna.advertisements() if line['address'] != 'C0:00:00:00:00:01']
            check_complete(printed, machine.world.heard(0, luna.began))
            told = re.search(r'(\d+) reports cut short', luna.stderr())
            assert told and int(told[1]) >= 8, (radio, luna.stderr())
        wait_for(lambda: machine.property('Powered'), what='the adapter to be powered')
    assert machine.bluetoothd.poll() is None


test_malformed_events_disturb_nobody.seconds = 90


def test_scan_is_off_after_signals(machine):
    machine.ready()
    # Each path gets both signals, over the two modes.
    turn = machine.extended
    for radio in ('observe', 'mgmt', 'dbus', 'exclusive'):
        number, code = ((signal.SIGINT, 130), (signal.SIGTERM, 143))[turn]
        turn = not turn
        luna = machine.scan(radio).hears(3)
        luna.signal(number)
        luna.ends(code, seconds=8)
        machine.world.wait_for_silence(seconds=4)
        wait_for(lambda: machine.property('Powered'), what='the adapter to be powered')


def test_ordinary_user_falls_back_to_dbus(machine):
    machine.ready()
    luna = machine.listens(12, 'auto', until=tells_devices, prefix=machine.as_nobody())
    assert luna.lines()[0]['source'].startswith('dbus'), luna.lines()[0]
    said = luna.stderr()
    assert 'setcap' in said or 'CAP_NET_RAW' in said or 'cap_net_raw' in said, f'not said how to see more: {said}'
    check_devices(machine, luna)


def test_observe_with_one_capability(machine):
    machine.ready()
    luna = machine.listens(15, 'observe', prefix=machine.as_nobody('net_raw'))
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    machine.world.wait_for_silence(seconds=10)


def test_observe_with_file_capabilities(machine):
    machine.ready()
    import shutil

    program = shutil.copy(machine.luna, '/tmp/luna-with-capabilities')
    kernel.allow_with_file_capabilities(program, kernel.CAP_NET_RAW, kernel.CAP_NET_ADMIN)
    luna = machine.listens(30, 'auto', '--passive', prefix=machine.as_nobody(), program=program)
    assert luna.lines()[0]['source'].startswith('observe'), luna.lines()[0]
    check_complete(luna.advertisements(), machine.world.heard(0, luna.began))
    assert not any(e['active'] for e in scans(machine, luna.began))
