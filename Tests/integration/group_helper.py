"""luna without any right: luna-helper opens the sockets, for the group bluetooth alone."""

import ctypes
import grp
import os
import shutil
import signal
import socket
import struct
import subprocess
import threading

import kernel
from bench import NOBODY, Luna, Machine, lasting, never, wait_for

IN_VM = True
HELPER = '/usr/libexec/luna/luna-helper'
SOCKET = '/run/luna/helper'
SO_ATTACH_FILTER, SO_DETACH_FILTER, SO_LOCK_FILTER = 26, 27, 44
HCIDEVDOWN = 0x400448CA
WITHOUT_RIGHTS = f"""
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
libc.ioctl(0, {HCIDEVDOWN}, 0)
print(ctypes.get_errno())
libc.bind(0, struct.pack('<HHH', 31, 0xFFFF, 2), 6)
print(ctypes.get_errno())
"""
WITHOUT_BLUETOOTH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'without_bluetooth.py')
SAID = 'luna-helper has opened its sockets'
NO_CAPABILITIES = ['--inh-caps=-all', '--bounding-set=+net_raw,+net_admin']


def prepare(mode):
    machine = Machine('vhci', mode=mode)
    try:
        machine.group = grp.getgrnam('bluetooth').gr_gid
    except KeyError:
        machine.group = 900
        with open('/etc/group', 'a') as file:
            file.write('bluetooth:x:900:\n')
    install(machine)
    return machine


def install(machine):
    """As the package does."""
    os.makedirs(os.path.dirname(HELPER), exist_ok=True)
    shutil.copy(os.environ['LUNA_HELPER'], HELPER)
    os.chown(HELPER, 0, machine.group)
    os.chmod(HELPER, 0o750)
    kernel.allow_with_file_capabilities(HELPER, kernel.CAP_NET_RAW, kernel.CAP_NET_ADMIN)


def as_member(machine, *more):
    """A user with nothing but the group."""
    return ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', f'--groups={machine.group}', *NO_CAPABILITIES, *more]


def check_scans(machine, prefix, radios):
    for radio in radios:
        luna = machine.scan(radio, prefix=prefix).hears(5)
        with open(f'/proc/{luna.process.pid}/status') as file:
            status = file.read()
        assert 'CapEff:\t0000000000000000' in status and 'CapPrm:\t0000000000000000' in status, status
        luna.signal(signal.SIGINT)
        luna.ends(130)
        assert SAID in luna.stderr(), f'{radio}: {luna.stderr()}'


def test_a_member_of_the_group_scans_on_every_path(machine):
    machine.ready()
    check_scans(machine, as_member(machine), ['observe', 'mgmt', 'auto', 'exclusive'])
    wait_for(lambda: machine.property('Powered'), what='bluetoothd to have its adapter back')


def test_a_member_scans_without_bluetoothd(machine):
    machine.ready()
    machine.stop_bluetoothd()
    try:
        check_scans(machine, as_member(machine), ['auto', 'exclusive'])
    finally:
        machine.start_bluetoothd()
        machine.ready()


def test_auto_takes_observe(machine):
    machine.ready()
    luna = machine.scan('auto', '-T', lasting(2), prefix=as_member(machine)).ends(0)
    assert luna.lines()[0]['source'].startswith('observe:'), luna.lines()[0]


def test_a_stranger_does_not(machine):
    machine.ready()
    for radio in ('observe', 'mgmt', 'exclusive'):
        luna = machine.scan(radio, '-T', lasting(5), prefix=machine.as_nobody()).ends(4)
        assert 'bluetooth, and log in again' in luna.stderr(), luna.stderr()
    luna = machine.scan('auto', '-T', lasting(2), prefix=machine.as_nobody()).ends(0)
    assert luna.lines()[0]['source'].startswith('dbus:') and SAID not in luna.stderr(), luna.stderr()
    # By a shell: setpriv itself has rights until the program runs.
    run = subprocess.run(machine.as_nobody() + ['sh', '-c', HELPER], capture_output=True, text=True)
    assert run.returncode == 126 and 'Permission denied' in run.stderr, run


def test_a_helper_that_has_lost_its_capabilities_is_none(machine):
    machine.ready()
    os.removexattr(HELPER, 'security.capability')
    try:
        luna = machine.scan('observe', '-T', lasting(5), prefix=as_member(machine)).ends(4)
        assert 'not permitted' in luna.stderr(), luna.stderr()
    finally:
        install(machine)


def ask(machine, request):
    """What the helper answers a member of the group: a text, and a socket or None."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    mine.settimeout(never(20))
    with mine:
        process = subprocess.Popen(as_member(machine) + [HELPER], stdin=its)
        its.close()
        mine.send(request.encode())
        answer, descriptors, _, _ = socket.recv_fds(mine, 100, 1)
        assert process.wait(never(20)) == 0, process.returncode
    return answer.decode(), socket.socket(kernel.AF_BLUETOOTH, socket.SOCK_RAW, kernel.BTPROTO_HCI, fileno=descriptors[0]) if descriptors else None


def refused(call):
    try:
        call()
    except PermissionError:
        return
    raise AssertionError('it was not refused')


def test_what_is_handed_over(machine):
    machine.ready()
    answer, monitor = ask(machine, 'luna 1 monitor')
    assert answer == 'ok', answer
    with monitor:
        assert monitor.getsockopt(socket.SOL_SOCKET, SO_LOCK_FILTER) == 1
        refused(lambda: monitor.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0))
        everything = struct.pack('HBBI', 6, 0, 0, 0xFFFFFFFF)
        code = ctypes.create_string_buffer(everything)
        program = struct.pack('HxxxxxxP', 1, ctypes.addressof(code))
        refused(lambda: monitor.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program))
        refused(lambda: monitor.setsockopt(socket.SOL_SOCKET, SO_LOCK_FILTER, 0))
    for request, error in [('luna 1 user hci7', 'bind 19'), ('luna 1 down hci7', 'ioctl 19'), ('luna 1 up hci7', 'ioctl 19')]:
        assert ask(machine, request) == (f'error {error}', None), (request, ask(machine, request))
    for request in ('luna 1 raw hci0', 'luna 1 raw', 'luna 1 query hci0', 'luna 1 logging', 'luna 1 user hci65535', 'luna 1 user hci0 x'):
        assert ask(machine, request) == ('refused', None), request
    # An adapter in use: the user channel is not for the asking.
    assert ask(machine, 'luna 1 user hci0') == ('error bind 16', None)


def test_up_and_down(machine):
    machine.ready()
    machine.stop_bluetoothd()
    try:
        mgmt = kernel.Mgmt()
        assert ask(machine, 'luna 1 down hci0') == ('ok', None)
        wait_for(lambda: not mgmt.settings(0) & 1, what='the adapter to be down')
        assert ask(machine, 'luna 1 up hci0') == ('ok', None)
        wait_for(lambda: mgmt.settings(0) & 1, what='the adapter to be up')
        mgmt.close()
    finally:
        machine.start_bluetoothd()
        machine.ready()


class Manager:
    """What luna-helper.socket and luna-helper@.service are: a socket, and a helper for each connection."""

    def __init__(self, machine):
        os.makedirs(os.path.dirname(SOCKET), exist_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.bind(SOCKET)
        os.chown(SOCKET, 0, machine.group)
        os.chmod(SOCKET, 0o660)
        self.socket.listen()
        self.served = 0
        capabilities = ['--inh-caps=+net_raw,+net_admin', '--ambient-caps=+net_raw,+net_admin', '--no-new-privs']
        self.command = ['setpriv', '--reuid=61000', '--regid=61000', f'--groups={machine.group}', *capabilities, HELPER]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                subprocess.Popen(self.command, stdin=connection).wait()
            self.served += 1

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        os.unlink(SOCKET)


def test_a_service_has_it_behind_a_socket(machine):
    """No new privileges: the program gains none."""
    machine.ready()
    service = as_member(machine, '--no-new-privs')
    machine.scan('observe', '-T', lasting(5), prefix=service).ends(4)
    manager = Manager(machine)
    try:
        check_scans(machine, service, ['observe', 'mgmt', 'exclusive'])
        assert manager.served > 3, manager.served
        served = manager.served
        machine.scan('observe', '-T', lasting(5), prefix=machine.as_nobody()).ends(4)
        assert manager.served == served, 'a stranger was served'
    finally:
        manager.close()


def test_sockets_that_everybody_may_have_have_no_rights(machine):
    machine.ready()
    answer, query = ask(machine, 'luna 1 query')
    assert answer == 'ok', answer
    with query:
        # For one without capabilities: refused as ever (EPERM).
        run = subprocess.run(
            as_member(machine) + ['/usr/bin/python3', '-c', WITHOUT_RIGHTS], stdin=query, capture_output=True, text=True)
        assert run.stdout.split() == ['1', '1'], run
    answer, link = ask(machine, 'luna 1 link')
    assert answer == 'ok', answer
    link.close()


def test_a_service_that_may_not_make_bluetooth_sockets(machine):
    """RestrictAddressFamilies without AF_BLUETOOTH: every one of them comes from the helper."""
    machine.ready()
    # Where every user may read it, whatever the modes of the checkout's directories.
    without_bluetooth = shutil.copy(WITHOUT_BLUETOOTH, machine.directory)
    os.chmod(without_bluetooth, 0o644)
    manager = Manager(machine)
    try:
        service = as_member(machine, '--no-new-privs') + ['/usr/bin/python3', without_bluetooth]
        check_scans(machine, service, ['observe', 'mgmt', 'auto', 'exclusive'])
        luna = Luna(machine, 'adapters', '--format', 'jsonl', prefix=service).ends(0)
        assert luna.lines()[0]['state'] == 'up', luna.lines()
    finally:
        manager.close()


def test_adapters_are_listed_as_ever(machine):
    machine.ready()
    luna = Luna(machine, 'adapters', '--format', 'jsonl', prefix=as_member(machine)).ends(0)
    assert luna.lines()[0]['state'] == 'up', luna.lines()
