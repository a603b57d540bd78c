"""Every state that keeps luna from scanning, each named and with its exit code."""

import os

import kernel
from bench import Luna, lasting, never, wait_for, with_adapter, without_adapter as prepare

IN_VM = True
PATHS = ('auto', 'observe', 'mgmt', 'dbus', 'exclusive')


def fails(machine, code, radio, *words, prefix=(), arguments=()):
    """Runs a scan that has to end at once with this exit code and one line that has these words."""
    luna = machine.scan(radio, '-T', lasting(5), *arguments, prefix=prefix)
    try:
        luna.ends(code)
    except AssertionError as error:
        raise AssertionError(f'{radio}: {error}')
    error = luna.lines()[-1]
    assert error['type'] == 'error' and error['code'] == code and error['reason'], (radio, error)
    said = luna.stderr().splitlines()[-1]
    for word in words:
        assert word.lower() in said.lower(), f'{radio}: "{word}" is not in: {said}'
    assert error['reason'] in luna.stderr(), (radio, luna.stderr())
    return luna


def test_no_adapter(machine):
    for radio in PATHS:
        fails(machine, 3, radio, 'adapter', '--radio virtual', '--read')
    Luna(machine, 'adapters').ends(3)


def test_an_older_recording_stays_without_an_adapter(machine):
    path = os.path.join(machine.directory, 'older.btsnoop')
    with open(path, 'w') as file:
        file.write('an older recording')
    for command in ('capture', 'scan'):
        for radio in PATHS:
            Luna(machine, command, '--radio', radio, '-w', path, '--force').ends(3)
            with open(path) as file:
                assert file.read() == 'an older recording', (command, radio)


def test_another_adapter_than_there_is(machine):
    with_adapter(machine)
    for radio in ('auto', 'observe', 'mgmt', 'dbus', 'exclusive'):
        fails(machine, 3, radio, 'hci7', arguments=['-i', 'hci7'])
        fails(machine, 3, radio, arguments=['-i', '00:11:22:33:44:55'])


def test_adapter_by_address(machine):
    with_adapter(machine)
    for radio in ('observe', 'dbus'):
        luna = machine.scan(radio, '-i', machine.world.addresses[0], '-T', lasting(2)).ends(0)
        assert luna.advertisements(), radio


def test_off(machine):
    with_adapter(machine).property('Powered', False)
    for radio in ('auto', 'observe', 'dbus'):
        fails(machine, 5, radio, 'power')
    luna = Luna(machine, 'adapters', '--format', 'jsonl').ends(0)
    assert luna.lines()[0]['state'] == 'down', luna.lines()


def test_mgmt_may_switch_on_and_then_leaves_it_off_again(machine):
    with_adapter(machine).property('Powered', False)
    luna = machine.scan('mgmt', '-T', lasting(2))
    assert luna.process.wait(never(20)) in (0, 5), luna.stderr()
    wait_for(lambda: not machine.property('Powered'), 5, 'the adapter to be off again')


def test_blocked_by_rfkill(machine):
    with_adapter(machine)
    kernel.block_bluetooth(True)
    try:
        wait_for(lambda: not machine.property('Powered'), what='the block')
        for radio in PATHS:
            fails(machine, 5, radio, 'rfkill')
        luna = Luna(machine, 'adapters', '--format', 'jsonl').ends(0)
        assert luna.lines()[0]['state'] == 'soft-blocked', luna.lines()
    finally:
        kernel.block_bluetooth(False)


def test_busy(machine):
    with_adapter(machine)
    mgmt = kernel.Mgmt()
    mgmt.power(0, False)
    held = kernel.open_channel(kernel.USER, 0)
    try:
        for radio in ('exclusive', 'observe', 'auto'):
            fails(machine, 6, radio)
        luna = Luna(machine, 'adapters', '--format', 'jsonl').ends(0)
        assert luna.lines()[0]['state'] == 'exclusive', luna.lines()
    finally:
        held.close()
    wait_for(lambda: machine.property('Powered'), what='bluetoothd to have its adapter back')


def test_no_permission_for_a_path(machine):
    with_adapter(machine)
    for radio in ('observe', 'mgmt', 'exclusive'):
        luna = fails(machine, 4, radio, 'setcap', prefix=machine.as_nobody())
        assert machine.luna in luna.stderr(), f'the hint does not name this program: {luna.stderr()}'


def test_no_permission_on_the_bus(machine):
    with_adapter(machine)
    policy = '/etc/dbus-1/system.d/refuse.conf'
    with open(policy, 'w') as file:
        file.write('<busconfig><policy user="nobody"><deny send_destination="org.bluez"/></policy></busconfig>')
    machine.bus.send_signal(1)  # SIGHUP: read the policy again
    try:
        wait_for(lambda: machine.scan('dbus', '-T', lasting(1), prefix=machine.as_nobody()).process.wait() != 0)
        for radio in ('dbus', 'auto'):
            fails(machine, 4, radio, prefix=machine.as_nobody())
    finally:
        os.unlink(policy)
        machine.bus.send_signal(1)


def test_no_bluetoothd(machine):
    with_adapter(machine)
    machine.stop_bluetoothd()
    try:
        fails(machine, 4, 'auto', 'setcap', prefix=machine.as_nobody())
        luna = machine.scan('dbus', '-T', lasting(2))
        assert luna.process.wait(never(20)) in (3, 7), luna.stderr()
        assert 'bluetoothd' in luna.stderr(), luna.stderr()
    finally:
        machine.start_bluetoothd()


def test_no_bus(machine):
    with_adapter(machine)
    machine.stop_bluetoothd()
    machine.stop_bus()
    try:
        fails(machine, 4, 'auto', 'setcap', prefix=machine.as_nobody())
        luna = machine.scan('auto', '-T', lasting(2)).ends(0)
        assert luna.advertisements()
    finally:
        machine.start_bus()
        machine.start_bluetoothd()
