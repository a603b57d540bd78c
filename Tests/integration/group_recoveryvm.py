"""Faults of an adapter and of what is around it, on the path observe: the kernel's monitor channel."""

import signal
import time

from bench import lasting, wait_for
from gateways import finder, of, wait_lines
from recovery import check_steps, ends, machine_with, plug_in, told_to, undisturbed

IN_VM = True


def prepare(mode):
    return machine_with('vhci', 'vhci', 'vhci', mode=mode)


def all_three(machine):
    """Adapters 0, 1 and 2 are plugged in and on."""
    plug_in(machine.ready(), 1, 2)


def test_silent_adapters_beside_one_that_hears(machine):
    """Two fall silent in the same stream: one needs its scan anew, the other has to be switched off and on."""
    all_three(machine)
    names = machine.world.places
    # Passively: in an active scan the kernel switches the scan on anew every ten seconds by itself.
    luna = machine.scan('observe', '--passive', *(word for name in names for word in ('-i', name))).hears(200)
    heard = {line['adapter'] for line in luna.advertisements()}
    assert heard == set(names), heard
    since = time.time()
    machine.world.tell('deaf 1 reset')
    steps = machine.recovery.case(
        'silent until its scan is switched on anew', luna, lambda: machine.world.tell('deaf 0 scan'),
        notice=40, adapter=names[0])
    machine.recovery.case(
        'silent until it is reset', luna, lambda: None, notice=40, within=30, adapter=names[1])
    assert [line['step'] for line in steps][0] == 'scan', steps
    # The third was left alone, and heard all the time.
    assert not [line for line in luna.lines() if line['type'] == 'recovery' and line['adapter'] == names[2]]
    assert not machine.world.journal('command', adapter=2, since=since), machine.world.journal('command', adapter=2, since=since)
    ends(luna)


test_silent_adapters_beside_one_that_hears.seconds = 120


def test_each_step_is_taken_on_a_kernel(machine):
    """A controller that stays silent whatever is done: one step after the other is taken, also down to the kernel's
    interface and to what this adapter is not, a USB device; and each leaves a scan that hears."""
    machine.ready()
    luna = machine.scan('observe', '--passive').hears(200)
    told = lambda: [(line['step'], line['outcome']) for line in luna.lines() if line['type'] == 'recovery']
    with undisturbed(machine, 1, 2):
        since = time.time()
        machine.world.tell('deaf 0')
        try:
            wait_for(lambda: ('usb', 'failed') in told(), 120, lambda: f'every step, not {told()}; luna said: {luna.stderr()}')
        finally:
            machine.world.tell('hear 0')
        assert {('power', 'done'), ('interface', 'done')} <= set(told()) and ('usb', 'done') not in told(), told()
        wait_for(lambda: told()[-1][1] == 'recovered', 60, lambda: f'luna to recover, not {told()}')
    usb = next(line for line in luna.lines() if line['type'] == 'recovery' and line['step'] == 'usb')
    assert 'USB' in usb['reason'], usb
    # The controller was begun anew for both: by power, and by its interface.
    resets = [one for one in machine.world.journal('command', adapter=0, since=since) if one['opcode'] == '0C03']
    assert len(resets) >= 2, resets
    check_steps([line for line in luna.lines() if line['type'] == 'recovery'])
    ends(luna)


test_each_step_is_taken_on_a_kernel.seconds = 240


def test_one_of_several_is_unplugged(machine):
    all_three(machine)
    names = list(machine.world.places)
    # Passively: in an active scan the kernel switches the scan on anew every ten seconds by itself.
    luna = machine.scan('observe', '--passive', '-i', names[0], '-i', names[1]).hears(20)
    wait_for(lambda: not told_to(machine, [0], time.time() - 3), 30, f'{names[0]} to be set up')
    since = time.time()
    machine.unplug(2)
    steps = machine.recovery.case(
        'one of two unplugged, and back with another number', luna, lambda: machine.unplug(1),
        lambda: (machine.plug(2), machine.plug(1)), adapter=None)
    assert steps[-1]['adapter'] == machine.world.places[1] != names[1], (steps, machine.world.places)
    states = [line for line in luna.lines() if line['type'] == 'state']
    assert {line['state'] for line in states} <= {'listening'}, f'the other one heard all the time: {states}'
    assert states[0]['adapter'] == f'{names[0]},{names[1]}', states
    assert not told_to(machine, [0], since), told_to(machine, [0], since)
    ends(luna)


def test_one_of_several_is_not_there_yet(machine):
    machine.ready()
    if machine.world.places[1]:
        machine.unplug(1)
    luna = machine.scan('observe', '-i', machine.world.places[0], '-i', machine.world.addresses[1]).hears(10)
    assert machine.plug(1)
    wait_for(lambda: machine.world.places[1] in {line['adapter'] for line in luna.advertisements()}, 20, 'the second adapter')
    ends(luna)


def switched_off(machine):
    import dbus

    try:
        machine.property('Powered', False)
    except dbus.DBusException:
        pass  # it is busy with what another test began
    return not machine.property('Powered')


def test_command_disallowed(machine):
    machine.ready()
    luna = machine.scan('observe').hears(10)

    def refuse():
        for opcode in ('200C', '200B'):
            machine.world.tell(f'refuse 0 {opcode} 0C 3')
        wait_for(lambda: switched_off(machine), what='the adapter to be off')

    with undisturbed(machine, 1, 2):
        machine.recovery.case(
            'Command Disallowed once it is on again', luna, refuse, lambda: wait_for(machine.powered, what='power'))
    ends(luna)


test_command_disallowed.seconds = 90


def test_unplugged(machine):
    machine.ready()
    luna = machine.scan('observe').hears(10)
    with undisturbed(machine, 1, 2):
        machine.recovery.unplugged(machine, luna)
    ends(luna)


test_unplugged.seconds = 90


def test_blocked_and_switched_off_by_a_person(machine):
    machine.ready()
    luna = machine.scan('observe').hears(10)
    # A block is one of all adapters.
    steps = machine.recovery.blocked(luna)
    assert [line['outcome'] for line in steps].count('waiting') == 1, steps
    with undisturbed(machine, 1, 2):
        machine.recovery.switched_off(machine, luna)
    ends(luna)


test_blocked_and_switched_off_by_a_person.seconds = 120


def test_mgmt(machine):
    """The same on the other path through the kernel."""
    machine.ready()
    luna = machine.scan('mgmt').hears(10)
    machine.recovery.blocked(luna, 'mgmt: ')
    with undisturbed(machine, 1, 2):
        machine.recovery.unplugged(machine, luna, 'mgmt: ')
        machine.recovery.switched_off(machine, luna, 'mgmt: ')
    ends(luna)


test_mgmt.seconds = 120


def test_mgmt_silent(machine):
    machine.ready()
    luna = machine.scan('mgmt').hears(200, seconds=60)
    with undisturbed(machine, 1, 2):
        machine.recovery.case(
            'mgmt: silent until it is reset', luna, lambda: machine.world.tell('deaf 0 reset'), notice=45, within=45)
    ends(luna)


test_mgmt_silent.seconds = 180


def test_bluetoothd(machine):
    """Its faults, and those of the bus, concern all adapters: there is no other one to be left alone."""
    machine.ready()
    luna = machine.scan('observe').hears(10)
    machine.recovery.case('bluetoothd killed', luna, lambda: machine.stop_bluetoothd(signal.SIGKILL))
    machine.recovery.case('bluetoothd started', luna, machine.start_bluetoothd)
    machine.bluetoothd.send_signal(signal.SIGSTOP)
    luna.hears(len(luna.advertisements()) + 100)
    machine.bluetoothd.send_signal(signal.SIGCONT)
    ends(luna)


def test_bus(machine):
    machine.ready()
    luna = machine.scan('observe').hears(10)
    machine.stop_bluetoothd(signal.SIGKILL)
    machine.stop_bus()
    try:
        luna.hears(len(luna.advertisements()) + 50, seconds=20)
    finally:
        machine.start_bus()
        machine.start_bluetoothd()
    luna.hears(len(luna.advertisements()) + 50, seconds=20)
    ends(luna)


def test_the_time_is_over_before_it_is_back(machine):
    machine.ready()
    luna = machine.scan('observe', '-T', lasting(5)).hears(3)
    machine.unplug(0)
    luna.ends(7)
    error = luna.lines()[-1]
    assert (error['type'], error['code']) == ('error', 7), error


def test_the_time_of_a_gateway_is_over(machine):
    """One of its two adapters is gone: the other one hears, and all is well. Without either it is not."""
    for gone, code in (((1,), 0), ((0, 1), 7)):
        all_three(machine)
        names = list(machine.world.places)
        machine.radio = ('--radio', 'observe', '-i', names[0], '-i', names[1])
        gateway = finder(machine, f'ends-with-{code}', '--duty', 'full', '-T', lasting(15))
        wait_lines(gateway, 'state')
        for index in gone:
            machine.unplug(index)
        told = lambda: {line['adapter'] for line in of(gateway, 'recovery')}
        wait_for(lambda: {names[index] for index in gone} <= told(), 15, lambda: f'steps for {gone}, not {told()}')
        gateway.ends(code, 60)


test_the_time_of_a_gateway_is_over.seconds = 120


def test_the_median_is_short(machine):
    machine.recovery.check()
