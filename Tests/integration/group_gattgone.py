"""An adapter that is taken away from under a connection through bluetoothd."""

from bench import wait_for
from group_gattfaults import Driving, prepare, works_again

IN_VM = True


def returns(machine):
    machine.plug(0)
    wait_for(lambda: machine.property('Powered'), 20, 'bluetoothd to have the adapter')


def test_the_adapter_is_removed_while_an_indication_is_awaited(machine):
    with Driving(machine) as driver:
        driver.does('connect 20')
        driver.begin('wait indicate 20', until='# subscribed')
        machine.unplug(0)
        driver.fails('adapterLost', within=5)
        returns(machine)
        works_again(driver)
