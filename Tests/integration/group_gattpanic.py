"""Links and adapters that are taken away from under L2CAP sockets, our own or bluetoothd's.

Linux 6.1.192 mostly crashes when such a socket is closed after its adapter has gone while it was
connecting or connected, and when its link was lost within some milliseconds of coming up: the end
of the link frees its hci_chan (hci_conn_del), and closing the socket frees it again (l2cap_conn_free),
whoever asked bluetoothd for the connection. A kernel that survives has to show what is asked for
here; a crash of that kind is recorded as known. Each test has a VM of its own (a mode of this group).
"""

import time

from bench import Machine, never, wait_for
from conformance import PEER
from group_gattfaults import TIMEOUT, Driving, works_again

IN_VM = True
FLEETING = 3
KNOWN_PANIC = 'Kernel panic - not syncing: Kernel mode fault'


def prepare(mode):
    return Machine('vhci', '--peer', daemon=mode in ('daemon', 'fleeting', 'fleetingalone'))


def returns(machine, driver):
    machine.plug(0)
    if machine.bluetoothd:
        wait_for(lambda: machine.property('Powered'), 20, 'bluetoothd to have the adapter')
    # Without bluetoothd it is the scan that powers it.
    driver.does('hear 20')


def losses_to_come(machine):
    """How many links are still going to be lost."""
    lost = [e for e in machine.world.journal('peer') if e.get('reason') == TIMEOUT]
    return FLEETING - len(lost)


def loses_adapter_during_an_attempt(machine, driver):
    machine.world.tell('peer hide')
    began = time.time()
    driver.begin('connect 20', until='#')
    wait_for(lambda: machine.world.journal('command', adapter=0, since=began), what='the attempt to reach the controller')
    machine.unplug(0)
    driver.fails('adapterLost', within=5)
    machine.world.tell('peer show')
    returns(machine, driver)
    works_again(driver)


def test_removed_during_an_attempt_of_bluetoothd(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.does('disconnect')
        loses_adapter_during_an_attempt(machine, driver)


def test_removed_during_an_attempt_of_ours(machine):
    with Driving(machine, 'mgmt') as driver:
        loses_adapter_during_an_attempt(machine, driver)


def test_removed_while_connected_by_us(machine):
    with Driving(machine, 'mgmt') as driver:
        driver.does('connect 20')
        driver.begin('wait indicate 20', until='# subscribed')
        machine.unplug(0)
        driver.fails('adapterLost', within=5)
        returns(machine, driver)
        works_again(driver)


def test_links_lost_as_they_come_up(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.does('disconnect')
        machine.world.tell(f'fleeting {FLEETING} up')
        while losses_to_come(machine):
            driver.begin('connect 20')
            kind, _ = driver.finish(30)
            assert kind in ('ok', 'abortedByPeer'), driver.said
            if kind == 'ok':
                driver.does('disconnect')
        works_again(driver)


def test_links_lost_as_they_come_up_without_luna(machine):
    """What the test before this one does, by bluetoothd's own client: whose fault a crash is."""
    import dbus

    machine.world.tell('peer show')
    bus = machine.connection()
    adapter = f'/org/bluez/{machine.world.places[0]}'
    device = f'{adapter}/dev_' + PEER.replace(':', '_')

    def call(path, interface, method, *arguments):
        proxy = bus.get_object('org.bluez', path, introspect=False)
        return dbus.Interface(proxy, interface).get_dbus_method(method)(*arguments, timeout=never(30))

    def is_known():
        try:
            return call(device, 'org.freedesktop.DBus.Properties', 'Get', 'org.bluez.Device1', 'Address')
        except dbus.DBusException:
            return False

    def is_connected():
        return call(device, 'org.freedesktop.DBus.Properties', 'Get', 'org.bluez.Device1', 'Connected')

    call(adapter, 'org.bluez.Adapter1', 'StartDiscovery')
    machine.world.tell(f'fleeting {FLEETING} up')
    while losses_to_come(machine):
        wait_for(is_known, 20, 'bluetoothd to hear the peer')
        try:
            call(device, 'org.bluez.Device1', 'Connect')
        except dbus.DBusException:
            pass  # the link was lost; what counts is that everybody lives
        wait_for(lambda: not is_connected(), 20, 'bluetoothd to know that the link is lost')
    call(device, 'org.bluez.Device1', 'Connect')
    assert is_connected()


test_removed_during_an_attempt_of_bluetoothd.modes = ('daemon',)
test_removed_during_an_attempt_of_ours.modes = ('attempt',)
test_removed_while_connected_by_us.modes = ('connected',)
test_links_lost_as_they_come_up.modes = ('fleeting',)
test_links_lost_as_they_come_up_without_luna.modes = ('fleetingalone',)
