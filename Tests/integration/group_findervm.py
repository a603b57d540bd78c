"""The whole way in a VM: a tracker in software on one adapter; luna finder on another one, over the kernel and
bluetoothd; luna backend; the tracker's owner, elsewhere."""

import json
import os
import signal
import sqlite3
import time

import pace
from bench import Luna, Machine, never, wait_for
from buzzing import Owned
from gateways import Server, events, finder, of, sealed, status, wait_lines

IN_VM = True
DAY = 86400


class Both(Machine):
    """A machine whose second adapter is the software tracker's, and stays."""

    def unplug(self, index):
        if index == 0:
            super().unplug(index)


def prepare(mode):
    machine = Both('vhci', 'vhci', mode=mode)
    machine.world.tell('still')
    mouth = machine.world.places[1]
    wait_for(lambda: machine.property('Address', adapter=mouth), 30, 'bluetoothd to have the second adapter')
    machine.mouth = ('exclusive', '-i', mouth)
    machine.radio = ('--radio', 'auto', '-i', machine.world.places[0])
    return machine


def test_sighting_and_remote_buzz(machine):
    keys = Owned(machine)
    server = Server(machine)
    gateway = finder(machine, 'gateway', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
    wait_lines(gateway, 'upload')
    run = events(machine, keys.state, server, keys.name).ends(0)
    line = of(run, 'event')[0]
    assert (line['latitude'], line['longitude'], line['altitude']) == (52.5, 13.25, 40), line
    assert line['plausible'] and not line['simulated'] and line['device'] == keys.uuid, line
    assert line['eid'] in [told['eid'] for told in keys.tracker.told('rotated')], line
    assert run.lines()[-1]['unopened'] == [], run.lines()
    buzz = Luna(machine, 'owner', 'buzz', keys.name, '--remote', '--hours', '1', '--seconds', '3', '--format', 'jsonl',
                '--state', keys.state, *server.at('owner'))
    pressed = [0]

    def over():
        # So that it accepts connections all the time, however long this takes.
        if time.monotonic() - pressed[0] > 40:
            keys.press()
            pressed[0] = time.monotonic()
        return buzz.process.poll() is not None

    wait_for(over, 150, f'the receipt; {gateway.stderr()}')
    buzz.ends(0)
    last = buzz.lines()[-1]
    assert last['state'] == 'confirmed' and last['verified'] and last['status'] == 'done', last
    keys.tracker.tells('sound')
    assert set(keys.sounds()) == {3}, keys.sounds()
    gateway.signal(signal.SIGTERM)
    gateway.ends(0, 60)
    assert [line['event'] for line in of(gateway, 'command')][-3:] == ['started', 'done', 'confirmed'], of(gateway, 'command')
    assert of(gateway, 'command')[-1]['requestId'] == last['requestId'], gateway.lines()
    keys.stop()


test_sighting_and_remote_buzz.seconds = 240


def test_an_adapter_that_is_off_has_not_failed(machine):
    """A gateway that is started while its adapter is off ends, and tells its backend why."""
    server = Server(machine, 'dark')
    machine.property('Powered', False)
    try:
        finder(machine, 'dark', *server.at('gateway')).ends(5, 60)
    finally:
        machine.property('Powered', True)
    with sqlite3.connect(server.path) as database:
        (report,) = database.execute("SELECT report FROM health WHERE gateway = 'dark'").fetchone()
    assert [one['state'] for one in json.loads(report)['adapters']] == ['off'], report
    server.stop()


def test_without_rights(machine):
    """Through bluetoothd one can only scan actively: a gateway that listens now and then does so, too. Only listening it cannot."""
    machine.ready()
    place = os.path.join(machine.directory, 'nobody')
    os.makedirs(place)
    os.chmod(place, 0o777)
    for name, radio in (('auto', machine.radio), ('dbus', ('--radio', 'dbus', *machine.radio[2:]))):
        machine.radio, before = radio, machine.radio
        try:
            gateway = finder(machine, f'nobody/{name}', '--duty', 'sparse', prefix=machine.as_nobody())
            line = wait_lines(gateway, 'state')[0]
            assert line['state'] == 'listening', (name, line, gateway.stderr())
            gateway.signal(signal.SIGTERM)
            gateway.ends(0, 60)
            quiet = finder(machine, f'nobody/quiet-{name}', '--passive', prefix=machine.as_nobody())
            quiet.process.wait(never(60))
            assert quiet.process.returncode == {'auto': 4, 'dbus': 2}[name], (name, quiet.stderr())
        finally:
            machine.radio = before


def set_clock(seconds):
    time.clock_settime(time.CLOCK_REALTIME, seconds)


def test_clock_that_jumps(machine):
    """No clock at the start; then it is set, jumps, and the gateway is killed: nothing is lost, nothing is twice."""
    machine.radio = ('--radio', 'virtual:5')
    server = Server(machine, 'jumps')
    right, began = time.time(), time.monotonic()
    arguments = [*server.at('gateway'), '--batch-time', '0.2s', '--interval', '1s']

    def at(offset):
        set_clock(right + time.monotonic() - began + offset)

    def further(gateway):
        """Waits until events of from now on have been uploaded."""
        count = len(of(gateway, 'upload'))
        wait_lines(gateway, 'upload', count + 2)

    try:
        # As a machine without a battery for its clock starts.
        set_clock(1000)
        gateway = finder(machine, 'jumps', *arguments)
        said = wait_lines(gateway, 'problem')[0]
        assert '1970-01-01' in said['reason'] and 'NTP' in said['reason'], said
        # Meanwhile it hears many.
        time.sleep(2 * pace.slower())
        assert not of(gateway, 'sighting') and not of(gateway, 'upload'), gateway.lines()
        at(0)
        further(gateway)
        for offset in (12 * 3600, -12 * 3600, 40 * DAY, 0):
            at(offset)
            further(gateway)
        at(3600)
        further(gateway)
        gateway.process.kill()
        gateway.process.wait()
        at(0)
        gateway = finder(machine, 'jumps', *arguments)
        further(gateway)
        gateway.signal(signal.SIGTERM)
        gateway.ends(0, 60)
    finally:
        at(0)
    left = status(machine, 'jumps')
    assert (left['waiting'], left['dropped']) == (0, []), left
    # What was sealed while the clock was far ahead, and sent when it was right again, is refused and set aside.
    aside = {entry['reason']: entry['count'] for entry in left['setAside']}
    assert set(aside) <= {'dayInFuture'}, left
    assert 0 < left['eventsPerHour'] < 1e6 and left['hoursLeft'] > 0, left
    server.stop()
    stored = server.events()
    assert len(stored) == len(set(stored)), 'twice'
    assert len(stored) + sum(aside.values()) == sealed(machine, 'jumps'), (len(stored), aside, sealed(machine, 'jumps'))


test_clock_that_jumps.seconds = 200
