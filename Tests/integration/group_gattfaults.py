"""GATT through bluetoothd while something breaks: each step ends soon, with its own error, and the next works."""

import os
import signal
import time

from bench import Machine, wait_for
from conformance import PEER, Driver
from group_paths import match_rules

IN_VM = True
FLEETING = 3
TIMEOUT = 0x08  # the reason of a disconnection: Connection Timeout


def prepare(mode):
    return Machine('vhci', '--peer', mode=mode)


class Driving:
    """A program that connects through bluetoothd, for the time of a test."""

    def __init__(self, machine, radio='dbus'):
        if machine.bluetoothd:
            machine.ready()
        machine.world.tell('peer show')
        self.machine, self.driver = machine, Driver(radio, PEER)

    def __enter__(self):
        return self.driver

    def __exit__(self, kind, error, trace):
        if kind:
            self.driver.process.kill()
        else:
            self.driver.end()


def restart(machine):
    machine.start_bluetoothd()
    wait_for(lambda: machine.property('Powered'), 20, 'bluetoothd to power its adapter')


def works_again(driver, limit=20):
    driver.does(f'connect {limit}', limit + 10)
    driver.does('read short')
    driver.does('disconnect')
    driver.does('hear 15')


def test_bluetoothd_is_killed_during_an_attempt(machine):
    with Driving(machine) as driver:
        # Known to bluetoothd, and gone since.
        driver.does('connect 20')
        driver.does('disconnect')
        machine.world.tell('peer hide')
        began = time.time()
        driver.begin('connect 20', until='#')
        wait_for(lambda: machine.world.journal('command', adapter=0, since=began), what='the attempt to reach the controller')
        machine.stop_bluetoothd(signal.SIGKILL)
        driver.fails('daemonRestarted', within=2)
        restart(machine)
        machine.world.tell('peer show')
        # The kernel goes on with the attempt for up to 20 s, and begins no discovery meanwhile.
        works_again(driver, 45)


def test_bluetoothd_is_killed_during_a_read(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        began = time.time()
        driver.begin('read silent')
        wait_for(lambda: any(e['what'] == 'silent' for e in machine.world.journal('peer', since=began)), what='the read to reach the peer')
        machine.stop_bluetoothd(signal.SIGKILL)
        driver.fails('daemonRestarted', within=2)
        restart(machine)
        works_again(driver)


def test_bluetoothd_is_restarted_while_an_indication_is_awaited(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.begin('wait indicate 20', until='# subscribed')
        machine.stop_bluetoothd(signal.SIGTERM)
        driver.fails('daemonRestarted', within=2)
        restart(machine)
        works_again(driver)


def test_the_adapter_is_switched_off(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.begin('wait indicate 20', until='# subscribed')
        machine.property('Powered', False)
        driver.fails('adapterLost', within=5)
        wait_for(machine.powered, what='the adapter to be powered')
        works_again(driver)


def knows_the_peer(machine):
    """Whether bluetoothd has an object for the peer."""
    import dbus

    connection = machine.connection()
    try:
        path = f'/org/bluez/{machine.world.places[0]}/dev_' + PEER.replace(':', '_')
        properties = dbus.Interface(
            connection.get_object('org.bluez', path, introspect=False), 'org.freedesktop.DBus.Properties'
        )
        return bool(properties.Get('org.bluez.Device1', 'Address'))
    except dbus.DBusException:
        return False
    finally:
        connection.close()


def test_links_are_lost_before_the_services_are_known(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.does('disconnect')
        began = time.time()
        machine.world.tell(f'fleeting {FLEETING} mtu')
        for number in range(FLEETING):
            driver.begin('connect 20')
            # Made again within the time, unless bluetoothd has said that it was up.
            kind, _ = driver.finish(30)
            assert kind in ('ok', 'abortedByPeer'), driver.said
            if kind == 'ok':
                driver.does('read short')
                driver.does('disconnect')
        lost = [entry for entry in machine.world.journal('peer', since=began) if entry.get('reason') == TIMEOUT]
        assert len(lost) == FLEETING, f'{len(lost)} links were lost'
        works_again(driver)


def test_nothing_is_left_of_connections(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.does('disconnect')
        pid = driver.process.pid

        def remains():
            return match_rules(machine, pid), len(os.listdir(f'/proc/{pid}/fd'))

        before = remains()
        for _ in range(3):
            driver.does('connect 20')
            driver.does('read short')
            # Nobody hears it any more, so that it is not known anew.
            machine.world.tell('peer hide')
            driver.does('disconnect')
            assert not knows_the_peer(machine), 'bluetoothd still has its object'
            machine.world.tell('peer show')
        assert remains() == before, (before, remains())


def test_a_peer_has_one_connection(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.begin('connect 3')
        driver.fails('busy', within=1)
        driver.does('read short')
        driver.does('disconnect')
