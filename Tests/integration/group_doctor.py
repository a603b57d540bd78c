"""luna doctor on this machine, as a plain process: what it prints, how it ends, and what a gateway needs."""

import json
import os
import signal
import socket
import subprocess
import time

import kernel
import pace
from bench import Bench, Luna, NotRun, free_port, heeds, lasting, needs_root, never, wait_for
from fake_gpsd import Gpsd
from gateways import Server

IN_VM = False
CHECKS = [
    'namespace', 'adapter', 'power', 'rfkill', 'bluetoothd', 'dbus', 'capabilities', 'kernel', 'autosuspend',
    'scanner', 'clock', 'location', 'backend', 'queue', 'disk', 'state', 'units', 'listen',
]


def prepare(mode):
    bench = Bench()
    bench.radio = ('--radio', 'virtual:5')
    return bench


def examine(bench, *arguments, code=0, prefix=(), seconds=40):
    """The findings by name."""
    luna = Luna(bench, 'doctor', '--format', 'jsonl', *arguments, prefix=prefix).ends(code, seconds)
    found = {}
    for line in luna.lines():
        assert line['type'] == 'check' and line['state'] in ('ok', 'warning', 'failed', 'unknown'), line
        assert line['cause'] and set(line) <= {'type', 'name', 'state', 'cause', 'remedy'}, line
        assert line['state'] != 'failed' or line['remedy'], f'nothing to do about {line}'
        assert line['name'] not in found, line
        found[line['name']] = line
    assert (code == 1) == any(line['state'] == 'failed' for line in found.values()), found
    return found


def finds(bench, name, state, words, *arguments, remedy=None, **how):
    """One check, with its state and words of its cause and remedy."""
    how.setdefault('code', 1 if state == 'failed' else 0)
    [line] = examine(bench, name, *arguments, **how).values()
    assert line['name'] == name and line['state'] == state and words in line['cause'], line
    if remedy:
        assert remedy in line.get('remedy', ''), line
    return line


def test_all_checks_in_their_order(bench):
    luna = Luna(bench, 'doctor', '--format', 'jsonl', '-T', lasting(2))
    code = luna.process.wait(never(60))
    assert [line['name'] for line in luna.lines()] == CHECKS, luna.lines()
    assert code == (1 if any(line['state'] == 'failed' for line in luna.lines()) else 0), code
    assert not luna.stderr(), luna.stderr()


def test_without_bluetooth_says_so(bench):
    if kernel.has_bluetooth():
        raise NotRun('this kernel has Bluetooth')
    found = examine(bench, '-T', '1s', code=1)
    assert found['namespace']['state'] == 'failed', found['namespace']
    assert found['adapter']['state'] == 'failed' and found['power']['state'] == 'unknown', found
    # Could not look is not nothing there.
    assert found['listen']['state'] == 'failed' and 'could not listen' in found['listen']['cause'], found['listen']


def test_table(bench):
    table = Luna(bench, 'doctor', '--format', 'table', '--color', 'never', '--radio', 'virtual', '-T', lasting(1), '--location', 'static:52,13')
    table.ends(0, 40)
    with open(table.output.name) as file:
        text = file.read()
    assert '\x1b' not in text, text
    lines = text.splitlines()
    assert all(any(name in line.split()[:2] for line in lines) for name in CHECKS), text
    assert lines[-2] == '' and lines[-1], text
    coloured = Luna(bench, 'doctor', '--format', 'table', '--color', 'always', 'disk').ends(0)
    with open(coloured.output.name) as file:
        assert '\x1b[32m' in file.read()


def test_csv_and_list(bench):
    luna = Luna(bench, 'doctor', 'disk', '--format', 'csv').ends(0)
    with open(luna.output.name) as file:
        lines = file.read().splitlines()
    assert lines[0] == 'name,state,cause,remedy' and lines[1].startswith('disk,ok,'), lines
    listed = Luna(bench, 'doctor', '--list', '--format', 'jsonl').ends(0).lines()
    assert [line['name'] for line in listed] == CHECKS and all(line['summary'] for line in listed), listed


def test_names_that_are_wrong(bench):
    said = Luna(bench, 'doctor', 'rfkil').ends(2).stderr()
    assert 'did you mean rfkill?' in said, said
    Luna(bench, 'doctor', '--backend').ends(2)


def test_radio_of_another_kind(bench):
    found = examine(bench, *bench.radio, '-T', lasting(2))
    assert found['listen']['state'] == 'ok' and 'advertisers' in found['listen']['cause'], found['listen']
    assert found['adapter']['state'] == 'ok' and 'no adapter' in found['adapter']['cause'], found['adapter']


def test_interrupted(bench):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        luna = Luna(bench, 'doctor', 'listen', *bench.radio, '-T', '10m', '--format', 'jsonl')
        wait_for(lambda: heeds(luna.process, number), what='luna to see to signals')
        luna.signal(number)
        luna.ends(code)
        assert luna.lines() == [], luna.lines()


def test_other_commands_point_to_it(bench):
    if kernel.has_bluetooth():
        raise NotRun('this kernel has Bluetooth')
    state = ['--state', os.path.join(bench.directory, 'pointing')]
    for words in (
        ['scan'], ['local'], ['adapters'], ['capture', '-w', os.path.join(bench.directory, 'air.pcapng')],
        ['finder', '--location', 'static:52.5,13.25', *state], ['identify', 'C0:FF:EE:00:00:01', *state],
    ):
        luna = Luna(bench, *words)
        assert luna.process.wait(never(15)) == 3, words
        assert 'luna doctor' in luna.stderr(), (words, luna.stderr())
    # Neither a usage error nor a recording is about a radio.
    for words in (['scan', '--phy', '3m'], ['scan', '-r', '/nonexistent.pcapng'], ['scan', '-i', 'hci0', '--radio', 'h4:/x']):
        luna = Luna(bench, *words)
        assert luna.process.wait(never(15)) in (2, 8), words
        assert 'luna doctor' not in luna.stderr(), (words, luna.stderr())


def test_gpsd(bench):
    at = lambda port: ('--location', f'gpsd:127.0.0.1:{port}')
    good = Gpsd([{'class': 'TPV', 'mode': 3, 'lat': 52.5, 'lon': 13.4, 'time': '+0', 'eph': 4.0}])
    blind = Gpsd([{'class': 'TPV', 'mode': 0}])
    stale = Gpsd([{'class': 'TPV', 'mode': 3, 'lat': 52.5, 'lon': 13.4, 'time': '-600'}])
    silent = Gpsd([])
    strange = Gpsd([], version={'class': 'VERSION', 'proto_major': 2, 'proto_minor': 0})
    try:
        finds(bench, 'location', 'ok', 'has a fix, to 4 m', *at(good.port))
        finds(bench, 'location', 'failed', 'no fix', *at(blind.port), remedy='sky')
        finds(bench, 'location', 'failed', '30 s old', *at(stale.port))
        finds(bench, 'location', 'failed', 'no position', *at(silent.port))
        finds(bench, 'location', 'failed', 'version 3', *at(strange.port))
    finally:
        for gpsd in (good, blind, stale, silent, strange):
            gpsd.close()
    finds(bench, 'location', 'failed', 'refused', *at(good.port), remedy='gpsd.socket')
    finds(bench, 'location', 'ok', '52', '--location', 'static:52,13')
    finds(bench, 'location', 'ok', 'no location source is named')


def test_backend(bench):
    server = Server(bench)
    state = ['--state', os.path.join(bench.directory, 'gateway')]
    try:
        finds(bench, 'backend', 'ok', 'knows the token', *server.at('gateway'), *state)
        found = examine(bench, 'clock', *server.at('gateway'), *state)
        assert 'agrees with the backend' in found['clock']['cause'], found
        # An owner's token is none of a gateway.
        finds(bench, 'backend', 'failed', '403', '--backend', server.url, '--token-file', server.tokens['owner'], *state)
        wrong = os.path.join(bench.directory, 'wrong.token')
        with open(wrong, 'w') as file:
            file.write('luna-gateway-' + 64 * '0')
        finds(bench, 'backend', 'failed', '401', '--backend', server.url, '--token-file', wrong, *state, remedy='luna finder enroll')
        finds(bench, 'backend', 'failed', 'No such file', '--backend', server.url, *state)
        with open(wrong) as file:
            secret = file.read()
        luna = Luna(bench, 'doctor', 'backend', '--backend', server.url, '--token-file', wrong, '--format', 'jsonl').ends(1)
        assert secret not in json.dumps(luna.lines()) + luna.stderr()
    finally:
        server.stop()
    finds(bench, 'backend', 'failed', 'cannot connect', *server.at('gateway'), *state, remedy='that it runs')


def test_backend_that_cannot_be_trusted(bench):
    key, certificate = (os.path.join(bench.directory, name) for name in ('key.pem', 'cert.pem'))
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
        + ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
        check=True, stderr=subprocess.DEVNULL)
    port = free_port()
    store = 'sqlite:' + os.path.join(bench.directory, 'tls.db')
    token = os.path.join(bench.directory, 'tls.token')
    Luna(bench, 'backend', 'token', 'create', 'gateway', 'kitchen', '--store', store, '--out', token).ends(0)
    Luna(bench, 'backend', '--store', store, '--listen', f'127.0.0.1:{port}', '--tls-cert', certificate, '--tls-key', key)
    wait_for(lambda: not socket.socket().connect_ex(('127.0.0.1', port)), 15, 'the backend to listen')
    at = ['--backend', f'https://localhost:{port}', '--token-file', token]
    finds(bench, 'backend', 'failed', 'cannot be trusted', *at, remedy='certificate authority')
    finds(bench, 'backend', 'ok', 'knows the token', *at, '--ca-file', certificate)


def test_what_hangs_stops_nothing_else(bench):
    """A backend that takes the connection and says nothing, and a gpsd that does the same."""
    with socket.create_server(('127.0.0.1', 0)) as server:
        port = server.getsockname()[1]
        began = time.monotonic()
        found = examine(
            bench, 'backend', 'clock', 'location', 'disk', 'state', '--backend', f'http://127.0.0.1:{port}', '--location',
            f'gpsd:127.0.0.1:{port}', code=1)
        assert time.monotonic() - began < 35 * pace.slower(), time.monotonic() - began
    assert found['backend']['state'] == 'failed' and 'in time' in found['backend']['cause'], found['backend']
    assert found['location']['state'] == 'failed', found['location']
    assert found['disk']['state'] == 'ok', found['disk']
    assert found['clock']['state'] in ('ok', 'warning'), found['clock']


def test_queue_and_state(bench):
    path = os.path.join(bench.directory, 'keeper')
    state = ['--state', path]
    finds(bench, 'state', 'ok', 'not there yet', *state)
    finds(bench, 'queue', 'ok', 'no queue', *state)
    assert not os.path.exists(path), 'the doctor made it'
    Luna(bench, 'finder', *bench.radio, '--location', 'static:52,13', '-T', lasting(3), *state).ends(0, 60)
    finds(bench, 'queue', 'ok', 'events wait', *state)
    finds(bench, 'state', 'ok', 'can be read', *state)
    queue = os.path.join(path, 'luna-finder-memory.data')
    with open(queue, 'rb') as file:
        before = file.read()
    finds(bench, 'state', 'ok', 'can be read', *state)
    with open(queue, 'rb') as file:
        assert file.read() == before, 'the doctor changed the queue'
    os.chmod(path, 0o755)
    finds(bench, 'state', 'warning', 'others can look', *state, remedy='chmod go=')
    os.chmod(path, 0o700)
    token = os.path.join(path, 'gateway.token')
    with open(token, 'w') as file:
        file.write('x')
    os.chmod(token, 0o644)
    finds(bench, 'state', 'failed', 'gateway.token', *state, remedy='chmod go=')
    os.chmod(token, 0o600)
    with open(queue + '.replaced-1', 'w'):
        pass
    finds(bench, 'state', 'warning', 'moved aside', *state)
    os.unlink(queue + '.replaced-1')
    for name in (queue, queue + '-wal', queue + '-shm'):
        if os.path.exists(name):
            os.unlink(name)
    with open(queue, 'wb') as file:
        file.write(b'Z' * 8192)
    finds(bench, 'state', 'failed', 'luna-finder-memory.data', *state)
    finds(bench, 'queue', 'failed', 'luna-finder-memory.data', *state)


def test_no_service_where_systemd_runs(bench):
    """systemctl fails where it lists no file of a unit, as it does where systemd does not answer."""
    needs_root('mount a directory')
    folder = os.path.join(bench.directory, 'systemctl')
    os.mkdir(folder)
    program = os.path.join(folder, 'systemctl')
    with open(program, 'w') as file:
        file.write('#!/bin/sh\n[ "$1" != list-unit-files ]\n')
    os.chmod(program, 0o755)
    inside = 'mount -t tmpfs luna /run && mkdir -p /run/systemd/system && PATH="$0:$PATH" exec "$@"'
    prefix = ['unshare', '--mount', 'sh', '-c', inside, folder]
    finds(bench, 'units', 'ok', 'no service of Luna', prefix=prefix)
    with open(program, 'w') as file:
        file.write('#!/bin/sh\nexit 1\n')
    finds(bench, 'units', 'unknown', 'does not answer', prefix=prefix)


def test_disk_that_is_read_only(bench):
    needs_root('mount a disk')
    path = os.path.join(bench.directory, 'pressed')
    os.mkdir(path, 0o700)
    prefix = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs -o ro,mode=0700 luna "$0" && exec "$@"', path]
    finds(bench, 'disk', 'failed', 'mounted read-only', '--state', path, prefix=prefix)
    finds(bench, 'state', 'unknown', 'see disk', '--state', path, prefix=prefix)


def test_state_of_another_user(bench):
    if os.geteuid():
        raise NotRun('only root can be two users')
    path = os.path.join(bench.directory, 'roots')
    os.mkdir(path, 0o700)
    nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    luna = bench.luna
    bench.luna = os.path.join(bench.directory, 'luna')
    subprocess.run(['cp', luna, bench.luna], check=True)
    try:
        finds(bench, 'state', 'failed', 'belongs to root', '--state', path, prefix=nobody, remedy='chown')
        below = ['--state', os.path.join(path, 'below')]
        finds(bench, 'disk', 'failed', 'may not write', *below, prefix=nobody)
        # Whose it is cannot be seen.
        line = finds(bench, 'state', 'failed', 'Permission denied', *below, prefix=nobody, remedy='as root')
        assert 'belongs to' not in line['cause'], line
        # What is only the way to it is nobody's to take.
        os.chmod(path, 0o755)
        line = finds(bench, 'disk', 'failed', f'may not write in {path}', *below, prefix=nobody)
        assert 'chown' not in line['remedy'], line
    finally:
        os.unlink(bench.luna)
        bench.luna = luna
