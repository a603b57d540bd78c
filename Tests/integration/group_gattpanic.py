"""Adapters that are taken away from under L2CAP sockets, our own or bluetoothd's.

Linux 6.1.192 mostly crashes when such a socket is closed after its adapter has gone while it was
connecting or connected. A kernel that survives has to show what is asked for here; a crash of that
kind is recorded as known. Each test has a VM of its own (a mode of this group).
"""

import time

from bench import Machine, wait_for
from group_gattfaults import Driving, works_again

IN_VM = True
KNOWN_PANIC = 'Kernel panic - not syncing: Kernel mode fault'


def prepare(mode):
    return Machine('vhci', '--peer', daemon=mode == 'daemon')


def returns(machine, driver):
    machine.plug(0)
    if machine.bluetoothd:
        wait_for(lambda: machine.property('Powered'), 20, 'bluetoothd to have the adapter')
    # Without bluetoothd it is the scan that powers it.
    driver.does('hear 20')


def loses_adapter_during_an_attempt(machine, driver):
    machine.world.tell('peer hide')
    driver.begin('connect 20', until='#')
    time.sleep(0.5)
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


test_removed_during_an_attempt_of_bluetoothd.modes = ('daemon',)
test_removed_during_an_attempt_of_ours.modes = ('attempt',)
test_removed_while_connected_by_us.modes = ('connected',)
