"""luna doctor beside a real kernel and bluetoothd: every state that keeps luna from scanning is named."""

import os
import signal
import subprocess

import kernel
from bench import Client, Luna, lasting, never, wait_for, with_adapter, without_adapter as prepare
from group_doctor import examine, finds

IN_VM = True


def failed(found):
    return sorted(name for name, line in found.items() if line['state'] == 'failed')


def test_no_adapter(machine):
    found = examine(machine, '-T', lasting(2), code=1)
    assert failed(found) == ['adapter', 'listen'], found
    assert found['power']['state'] == 'unknown' and found['namespace']['state'] == 'ok', found
    assert 'no Bluetooth adapter' in found['adapter']['cause'], found['adapter']


def test_all_is_well(machine):
    with_adapter(machine)
    found = examine(machine, '-T', lasting(4))
    assert failed(found) == [], found
    for name in ('adapter', 'power', 'rfkill', 'bluetoothd', 'dbus', 'capabilities', 'scanner', 'listen'):
        assert found[name]['state'] == 'ok', found[name]
    assert machine.world.addresses[0] in found['adapter']['cause'], found['adapter']
    assert 'bluetoothd 5.' in found['bluetoothd']['cause'], found['bluetoothd']
    assert 'observe' in found['capabilities']['cause'], found['capabilities']
    assert 'Linux ' in found['kernel']['cause'], found['kernel']
    assert 'observe:hci' in found['listen']['cause'], found['listen']
    machine.world.wait_for_silence()


def test_only_the_last_check_does_anything(machine):
    with_adapter(machine)
    machine.world.wait_for_silence()
    before = len(machine.world.journal('command'))
    names = [n for n in examine(machine, '-T', lasting(1)) if n != 'listen']
    machine.world.wait_for_silence()
    before = len(machine.world.journal('command'))
    examine(machine, *names)
    told = machine.world.journal('command')[before:]
    assert not told, f'the controller was told {told}'


def test_off(machine):
    with_adapter(machine).property('Powered', False)
    found = examine(machine, '-T', lasting(2), code=1)
    assert failed(found) == ['listen', 'power'], found
    assert 'is off' in found['power']['cause'] and 'power on' in found['power']['remedy'], found['power']
    assert 'is off' in found['listen']['cause'], found['listen']


def test_blocked_by_rfkill(machine):
    with_adapter(machine)
    kernel.block_bluetooth(True)
    try:
        wait_for(lambda: not machine.property('Powered'), what='the block')
        found = examine(machine, '-T', lasting(2), code=1)
        assert failed(found) == ['listen', 'power', 'rfkill'], found
        assert found['rfkill']['remedy'] == 'run: sudo rfkill unblock bluetooth', found['rfkill']
        assert 'rfkill' in found['power']['cause'] and 'rfkill' in found['listen']['cause'], found
    finally:
        kernel.block_bluetooth(False)


def test_what_bluetoothd_calls_not_ready(machine):
    """Whoever has bluetoothd scan, as every user may, is told what keeps the adapter off, and not the word for it."""
    for block, cause, remedy in (
        (False, 'hci0 is off', 'power on'), (True, 'rfkill', 'sudo rfkill unblock bluetooth'),
    ):
        with_adapter(machine)
        try:
            if block:
                kernel.block_bluetooth(True)
                wait_for(lambda: not machine.property('Powered'), what='the block')
            else:
                machine.property('Powered', False)
            for radio, prefix in ((['--radio', 'dbus'], ()), ([], machine.as_nobody())):
                found = examine(machine, *radio, '-T', lasting(2), code=1, prefix=prefix)
                assert failed(found) == ['listen', 'power'] + ['rfkill'] * block, found
                assert cause in found['listen']['cause'] and remedy in found['listen']['remedy'], found['listen']
                assert 'is off' in found['power']['cause'], found['power']
                assert found['bluetoothd']['state'] == 'ok', found['bluetoothd']
        finally:
            kernel.block_bluetooth(False)


test_what_bluetoothd_calls_not_ready.seconds = 90


def test_bluetoothd_is_stopped(machine):
    with_adapter(machine)
    machine.stop_bluetoothd()
    try:
        finds(machine, 'bluetoothd', 'warning', 'does not run', remedy='systemctl start bluetooth')
        found = examine(machine, '-T', lasting(3))
        assert found['listen']['state'] == 'ok', found['listen']
        found = examine(machine, '-T', lasting(2), code=1, prefix=machine.as_nobody())
        # bluetoothd has switched it off at its end.
        assert failed(found) == ['bluetoothd', 'capabilities', 'listen', 'power'], found
        assert 'no bluetoothd' in found['power']['cause'], found['power']
    finally:
        machine.start_bluetoothd()


def test_bluetoothd_hangs(machine):
    with_adapter(machine)
    machine.bluetoothd.send_signal(signal.SIGSTOP)
    try:
        found = examine(machine, 'adapter', 'power', 'bluetoothd', 'dbus', 'rfkill', 'scanner', code=1)
        assert failed(found) == ['bluetoothd'], found
        assert 'does not answer' in found['bluetoothd']['cause'], found['bluetoothd']
        assert found['adapter']['state'] == 'ok' and found['power']['state'] == 'ok', found
    finally:
        machine.bluetoothd.send_signal(signal.SIGCONT)


def test_without_capabilities(machine):
    with_adapter(machine)
    found = examine(machine, '-T', lasting(6), prefix=machine.as_nobody())
    assert failed(found) == [], found
    assert found['capabilities']['state'] == 'warning', found['capabilities']
    assert f'setcap cap_net_raw,cap_net_admin+eip {machine.luna}' in found['capabilities']['remedy'], found
    assert 'dbus' in found['listen']['cause'], found['listen']
    for rights, word in ((['net_raw'], 'CAP_NET_RAW alone'), (['net_admin'], 'CAP_NET_ADMIN alone')):
        finds(machine, 'capabilities', 'warning', word, prefix=machine.as_nobody(*rights))
    machine.world.wait_for_silence(seconds=10)


def test_the_policy_of_the_bus(machine):
    with_adapter(machine)
    policy = '/etc/dbus-1/system.d/refuse.conf'
    with open(policy, 'w') as file:
        file.write('<busconfig><policy user="nobody"><deny send_destination="org.bluez"/></policy></busconfig>')
    machine.bus.send_signal(signal.SIGHUP)
    try:
        wait_for(lambda: examine_state(machine, 'dbus') == 'failed', what='the policy')
        found = examine(machine, 'dbus', 'bluetoothd', 'capabilities', code=1, prefix=machine.as_nobody())
        assert failed(found) == ['capabilities', 'dbus'], found
        assert found['dbus']['remedy'].startswith('run: sudo adduser $USER bluetooth'), found['dbus']
    finally:
        os.unlink(policy)
        machine.bus.send_signal(signal.SIGHUP)


def examine_state(machine, name):
    luna = Luna(machine, 'doctor', name, '--format', 'jsonl', prefix=machine.as_nobody())
    luna.process.wait(never(30))
    return luna.lines()[0]['state']


def test_no_bus(machine):
    with_adapter(machine)
    machine.stop_bluetoothd()
    machine.stop_bus()
    try:
        found = examine(machine, '-T', lasting(3))
        assert found['dbus']['state'] == 'warning' and found['bluetoothd']['state'] == 'unknown', found
        assert found['listen']['state'] == 'ok', found['listen']
        finds(machine, 'dbus', 'failed', 'cannot be reached', prefix=machine.as_nobody())
    finally:
        machine.start_bus()
        machine.start_bluetoothd()


def test_somebody_has_the_adapter_for_itself(machine):
    with_adapter(machine)
    kernel.Mgmt().power(0, False)
    held = kernel.open_channel(kernel.USER, 0)
    try:
        found = examine(machine, '-T', lasting(2), code=1)
        assert failed(found) == ['listen', 'scanner'], found
        assert f'({os.getpid()})' in found['scanner']['cause'], found['scanner']
        assert 'HCI user channel' in found['listen']['cause'], found['listen']
        # Without a look into the process, the kernel's name of it.
        line = finds(
            machine, 'scanner', 'failed', 'python', '-i', 'hci0', prefix=machine.as_nobody('net_raw'))
        assert f'({os.getpid()})' not in line['cause'], line
    finally:
        held.close()
    wait_for(lambda: machine.property('Powered'), what='bluetoothd to have its adapter back')


def test_somebody_sends_commands_past_the_kernel(machine):
    with_adapter(machine)
    with kernel.open_channel(kernel.RAW, 0):
        finds(machine, 'scanner', 'warning', 'raw socket', remedy='end that program')


def test_somebody_scans(machine):
    with_adapter(machine)
    client = Client(machine)
    try:
        wait_for(lambda: machine.world.scanning()['on'], what="the client's scan")
        finds(machine, 'scanner', 'warning', 'has bluetoothd scan')
        finds(machine, 'scanner', 'warning', 'has bluetoothd scan', prefix=machine.as_nobody())
    finally:
        client.close()
    machine.world.wait_for_silence(seconds=10)


def test_another_luna_scans(machine):
    with_adapter(machine)
    luna = machine.scan('observe').hears(2)
    try:
        finds(machine, 'scanner', 'ok', f'luna ({luna.process.pid})')
    finally:
        luna.signal(signal.SIGTERM)
        luna.ends(143)


def test_nothing_there_is_not_could_not_look(machine):
    with_adapter(machine)
    machine.world.tell('still')
    try:
        finds(machine, 'listen', 'warning', 'heard nothing', '-T', lasting(3))
    finally:
        machine.world.tell('live')


def test_what_bluetoothd_calls_in_progress(machine):
    """The controller refuses to scan; bluetoothd says InProgress, and the kernel why."""
    with_adapter(machine)
    enable = '2042' if machine.mode == 'extended' else '200C'
    machine.world.tell(f'refuse 0 {enable} 0C 50')
    try:
        line = finds(machine, 'listen', 'failed', 'the kernel refuses', '--radio', 'dbus', '-T', lasting(3))
        assert 'Discovery on hci0' in line['cause'] and 'InProgress' in line['cause'], line
    finally:
        machine.world.tell(f'refuse 0 {enable} 00 0')


def points(machine, code, *radio, prefix=()):
    """Commands that need a radio end with this exit code, and say who finds out more."""
    place = os.path.join(machine.directory, f'points-{code}')
    os.makedirs(place, exist_ok=True)
    os.chmod(place, 0o777)
    state = ['--state', os.path.join(place, 'state')]
    for words in (
        ['scan'], ['local', *state], ['capture', '-w', os.path.join(place, 'air.pcapng')],
        ['finder', '--location', 'static:52.5,13.25', *state], ['identify', 'C0:FF:EE:00:00:01', *state],
    ):
        luna = Luna(machine, *words, *radio, prefix=prefix).ends(code, 60)
        assert 'luna doctor finds out more' in luna.stderr(), (words, luna.stderr())


def test_other_commands_point_to_it(machine):
    """Without a right, with an adapter that is off, and with one that another program has."""
    with_adapter(machine)
    points(machine, 4, '--radio', 'observe', prefix=machine.as_nobody())
    machine.property('Powered', False)
    points(machine, 5)
    machine.ready()
    kernel.Mgmt().power(0, False)
    held = kernel.open_channel(kernel.USER, 0)
    try:
        points(machine, 6)
    finally:
        held.close()
    wait_for(lambda: machine.property('Powered'), what='bluetoothd to have its adapter back')


test_other_commands_point_to_it.seconds = 120


def test_the_adapter_that_is_asked_for(machine):
    with_adapter(machine)
    finds(machine, 'adapter', 'failed', 'there is no adapter hci7', '-i', 'hci7', remedy='hci0')
    finds(machine, 'adapter', 'ok', 'hci0', '-i', machine.world.addresses[0])


def test_ctrl_c_switches_the_scan_off(machine):
    with_adapter(machine)
    for radio in ('observe', 'dbus', 'exclusive'):
        luna = Luna(machine, 'doctor', 'listen', '--radio', radio, '-T', '10m', '--format', 'jsonl')
        wait_for(lambda: machine.world.scanning()['on'], what='the scan')
        luna.signal(signal.SIGINT)
        luna.ends(130)
        machine.world.wait_for_silence(seconds=10)
        wait_for(lambda: machine.property('Powered'), what='the adapter')


def test_disk(machine):
    full, locked = '/mnt/full', '/mnt/locked'
    for path, size, mode in ((full, '1m', 'rw'), (locked, '64m', 'ro')):
        os.makedirs(path, exist_ok=True)
        subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size},{mode}', 'none', path], check=True)
    try:
        finds(machine, 'disk', 'failed', 'free', '--state', full + '/luna', remedy='free some space')
        finds(machine, 'disk', 'failed', 'read-only', '--state', locked)
    finally:
        for path in (full, locked):
            subprocess.run(['umount', path], check=True)


def test_units(machine):
    """What systemd tells, by a systemctl that says it: the VM has no systemd."""
    directory = os.path.join(machine.directory, 'bin')
    os.makedirs(directory)
    os.makedirs('/run/systemd/system', exist_ok=True)
    path, said = os.environ['PATH'], os.path.join(directory, 'said')
    with open(os.path.join(directory, 'systemctl'), 'w') as file:
        file.write(
            f'#!/bin/sh\necho "$@" >>{directory}/asked\ncase "$1" in\n'
            'list-unit-files) echo "luna-finder.service enabled enabled"; echo "luna-scan@.service disabled enabled";;\n'
            'list-units) echo "luna-finder.service loaded active running Luna finder";;\n'
            f'show) cat {said};;\nesac\n')
    os.chmod(os.path.join(directory, 'systemctl'), 0o755)

    def tells(**values):
        unit = {
            'Id': 'luna-finder.service', 'LoadState': 'loaded', 'ActiveState': 'active', 'SubState': 'running',
            'Result': 'success', 'ExecMainStatus': '0', 'UnitFileState': 'enabled', 'NeedDaemonReload': 'no',
            'ExecStart': f'{{ path={machine.luna} ; argv[]={machine.luna} finder ; ignore_errors=no }}',
            'ExecMainStartTimestamp': '@4000000000',
        }
        with open(said, 'w') as file:
            file.write(''.join(f'{name}={value}\n' for name, value in (unit | values).items()))

    os.environ['PATH'] = directory + ':' + path
    try:
        tells()
        finds(machine, 'units', 'ok', 'luna-finder runs')
        asked = open(os.path.join(directory, 'asked')).read()
        assert 'luna-*.service luna-helper.socket' in asked and 'luna*.service' not in asked, asked
        tells(ExecMainStartTimestamp='@1')
        finds(machine, 'units', 'warning', 'before the last upgrade', remedy='systemctl restart luna-finder.service')
        tells(ActiveState='failed', Result='exit-code', ExecMainStatus='4')
        finds(machine, 'units', 'failed', 'exit code 4', remedy='journalctl -u luna-finder.service')
        tells(ActiveState='inactive', SubState='dead')
        finds(machine, 'units', 'failed', 'does not run', remedy='systemctl start')
        tells(LoadState='not-found')
        finds(machine, 'units', 'ok', 'no service')
        with open(os.path.join(directory, 'systemctl'), 'w') as file:
            file.write('#!/bin/sh\nexit 1\n')
        finds(machine, 'units', 'unknown', 'cannot be asked')
        with open(os.path.join(directory, 'systemctl'), 'w') as file:
            file.write('#!/bin/sh\nsleep 300\n')
        found = examine(machine, 'units', 'disk')
        assert found['units']['state'] == 'unknown' and found['disk']['state'] == 'ok', found
    finally:
        os.environ['PATH'] = path
        os.rmdir('/run/systemd/system')
