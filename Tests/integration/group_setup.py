"""`luna setup gateway` on a terminal and without one, against a real backend; and services that read their
configuration again."""

import json
import os
import pty
import pwd
import re
import select
import signal
import socket
import stat
import subprocess
import tempfile
import time
import urllib.request

from backends import LUNA, PATIENCE, APIBench, event
from bench import NotRun, free_port, needs_root, wait_for

IN_VM = False


def prepare(mode):
    return APIBench()


def gateway_code(bench, name):
    return bench.backend.command('enroll', name)[0]['code']


def url(bench):
    return f'http://127.0.0.1:{bench.backend.port}'


class Place:
    """Where a gateway is set up, with a home of its own."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix='luna-setup.')
        self.etc = os.path.join(self.directory, 'etc')
        self.environment = dict(os.environ, HOME=self.directory, XDG_DATA_HOME=os.path.join(self.directory, 'data'))

    def file(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def read(self, name):
        return open(os.path.join(self.etc, name)).read()

    def command(self, *words):
        return [LUNA, 'setup', 'gateway', '--directory', self.etc, '--no-service', *words]

    def run(self, *words, umask=-1):
        return subprocess.run(
            self.command(*words), env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=30 * PATIENCE, umask=umask)


def on_a_terminal(command, environment, answers):
    """Runs a command on a terminal; when a text appears, the line beside it is typed."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], command, environment)
    shown, seen = '', 0
    for text, line in answers:
        until = time.monotonic() + 10 * PATIENCE
        while text not in shown[seen:]:
            assert time.monotonic() < until, f'waited for {text!r}: {shown!r}'
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 4096).decode()
        seen = shown.index(text, seen) + len(text)
        os.write(terminal, (line + '\n').encode())
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode()
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown


def check_files(bench, place, name, settings):
    lines = [line for line in place.read('luna.conf').splitlines() if not line.startswith('#')]
    assert lines == ['[finder]', *settings], lines
    path = os.path.join(place.etc, 'gateway.token')
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    # The token is one of a gateway at that backend.
    bench.backend.tokens['gateway', name] = place.read('gateway.token').strip()
    assert bench.backend.upload([event()], name=name).json['results'][0]['status'] == 'accepted'


def is_examined(code, said):
    """It ends with the doctor, who may find that this machine has no adapter."""
    assert 'the configuration is in' in said, said
    assert code in (0, 1), (code, said)
    assert ('the gateway is set up' in said) == (code == 0), said
    assert ('luna doctor finds something to mend' in said) == (code == 1), said


def test_asks_on_a_terminal(bench):
    place = Place()
    code, said = on_a_terminal(
        place.command(),
        place.environment,
        [
            ('backend:', 'nonsense'),
            ('backend:', url(bench)),
            ('geoclue [gpsd]:', 'static:95,3'),
            ('geoclue [gpsd]:', 'static:52.5,13.4'),
            ('or first [first]:', ''),
            ('sparse [auto]:', 'full'),
            ('enrolment code:', gateway_code(bench, 'kitchen')),
        ],
    )
    is_examined(code, said)
    check_files(bench, place, 'kitchen', [f'backend = {url(bench)}', 'location = static:52.5,13.4', 'duty = full'])


def test_asks_nothing_with_yes(bench):
    place = Place()
    code = place.file('code', gateway_code(bench, 'hall') + '\n')
    done = place.run('--yes', '--backend', url(bench), '--code-file', code, '-i', 'hci1')
    is_examined(done.returncode, done.stderr)
    check_files(bench, place, 'hall', [f'backend = {url(bench)}', 'location = gpsd', 'duty = auto', 'adapter = hci1'])
    checked = subprocess.run(
        [LUNA, 'config', 'check', '--config', os.path.join(place.etc, 'luna.conf')], env=place.environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=30 * PATIENCE)
    assert checked.returncode == 0, checked.stderr


def test_keeps_what_is_there(bench):
    place = Place()
    code = place.file('code', gateway_code(bench, 'cellar'))
    os.mkdir(place.etc)
    # A file that says nothing yet is as good as none.
    place.file('etc/luna.conf', '# [finder]\n# backend = https://luna.example\n\n')
    blank = place.run('--yes', '--backend', url(bench), '--code-file', '/dev/null')
    assert 'exists already' not in blank.stderr, blank
    place.file('etc/luna.conf', 'color = never\n')
    refused = place.run('--yes', '--backend', url(bench), '--code-file', code)
    assert refused.returncode == 2 and 'exists already' in refused.stderr, refused
    assert place.read('luna.conf') == 'color = never\n'
    # The code was not used for nothing.
    done = place.run('--yes', '--backend', url(bench), '--code-file', code, '--force')
    is_examined(done.returncode, done.stderr)
    token = place.read('gateway.token')
    os.unlink(os.path.join(place.etc, 'luna.conf'))
    again = place.run('--yes', '--backend', url(bench), '-i', 'first')
    is_examined(again.returncode, again.stderr)
    assert 'adapter' not in place.read('luna.conf'), place.read('luna.conf')
    assert place.read('gateway.token') == token
    # A gateway that moved needs no new code.
    moved = place.run('--yes', '--force', '--backend', url(bench), '--location', 'static:52.5,13.4')
    is_examined(moved.returncode, moved.stderr)
    assert 'location = static:52.5,13.4\n' in place.read('luna.conf'), place.read('luna.conf')
    assert place.read('gateway.token') == token


def test_takes_a_token_from_a_file(bench):
    place = Place()
    token = place.file('token', bench.backend.token('gateway', 'attic') + '\n')
    done = place.run('--yes', '--backend', url(bench), '--token-file', token)
    is_examined(done.returncode, done.stderr)
    assert place.read('gateway.token') == open(token).read()


def test_files_that_are_named(bench):
    place = Place()
    token, empty = place.file('token', bench.backend.token('gateway', 'porch') + '\n'), place.file('empty', ' \n')
    words = ['--yes', '--backend', url(bench)]
    none = place.run(*words, '--token-file', empty)
    assert none.returncode == 8 and 'no token' in none.stderr, none
    # A service runs in another directory.
    place.file('ca.pem', '')
    done = place.run(*words, '--token-file', token, '--ca-file', os.path.relpath(os.path.join(place.directory, 'ca.pem')))
    assert f"ca-file = {os.path.realpath(place.directory)}/ca.pem" in place.read('luna.conf'), done


def test_the_service_reads_it_whatever_the_umask(bench):
    place = Place()
    token = place.file('token', bench.backend.token('gateway', 'loft') + '\n')
    words = ['--yes', '--backend', url(bench), '--token-file', token]

    def mode(name):
        return stat.S_IMODE(os.stat(os.path.join(place.etc, name)).st_mode)

    done = place.run(*words, umask=0o077)
    is_examined(done.returncode, done.stderr)
    modes = [mode(name) for name in ('.', 'luna.conf', 'gateway.token')]
    assert modes == [0o755, 0o644, 0o600], modes
    # What somebody has closed stays so.
    os.chmod(os.path.join(place.etc, 'luna.conf'), 0o640)
    again = place.run(*words, '--force', umask=0o022)
    is_examined(again.returncode, again.stderr)
    assert mode('luna.conf') == 0o640
    # A password is nobody else's.
    os.chmod(os.path.join(place.etc, 'luna.conf'), 0o644)
    secret = place.run(*words, '--force', '--proxy', 'me:hidden@127.0.0.1:1', umask=0o022)
    assert 'the configuration is in' in secret.stderr and mode('luna.conf') in (0o600, 0o640), secret


def test_a_service_that_was_not_installed_to_the_end(bench):
    """With systemctl and useradd of our own, where luna believes that systemd runs: the next attempt does what is left."""
    needs_root('mount a directory')
    if any(entry.pw_name == 'luna-finder' for entry in pwd.getpwall()):
        raise NotRun('this machine has a user luna-finder')
    place = Place()
    token = place.file('token', bench.backend.token('gateway', 'shed') + '\n')
    units, programs, calls = (os.path.join(place.directory, name) for name in ('units', 'programs', 'calls'))
    for folder in (units, programs):
        os.mkdir(folder)

    def program(name, code):
        path = place.file(f'programs/{name}', f'#!/bin/sh\necho "${{0##*/}}" "$@" >>{calls}\nexit {code}\n')
        os.chmod(path, 0o755)

    def run(*more):
        # A service would see nothing of where the program lies.
        inside = (
            'mount -t tmpfs luna /run && mkdir -p /run/systemd/system && mount -t tmpfs luna /opt && cp "$2" /opt/luna '
            '&& cp -a /etc /opt/etc && mount --bind /opt/etc /etc && mount --bind "$1" /etc/systemd/system '
            '&& PATH="$3:$PATH" && shift 3 && exec /opt/luna "$@"')
        words = ['setup', 'gateway', '--yes', '--force', '--backend', url(bench), '--token-file', token, *more]
        return subprocess.run(
            ['unshare', '--mount', 'sh', '-c', inside, 'sh', units, LUNA, programs, *words], env=place.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60 * PATIENCE)

    # What the service would not read is not written.
    elsewhere = run('--directory', place.etc)
    assert elsewhere.returncode == 2 and 'reads /etc/luna' in elsewhere.stderr, elsewhere
    assert not os.path.exists(os.path.join(place.etc, 'luna.conf'))
    program('systemctl', 0)
    program('groupadd', 0)
    program('useradd', 1)
    failed = run()
    assert failed.returncode == 7 and 'useradd' in failed.stderr and 'journalctl' not in failed.stderr, failed
    assert 'systemctl' not in open(calls).read() and os.listdir(units) == [], os.listdir(units)
    program('useradd', 0)
    done = run()
    is_examined(done.returncode, done.stderr)
    assert sorted(os.listdir(units))[0] == 'luna-finder.service', os.listdir(units)
    made = [line for line in open(calls).read().splitlines() if line.startswith(('useradd', 'systemctl'))]
    assert made[1].startswith('useradd') and 'systemctl restart luna-finder.service' in made, made


def test_says_what_is_missing(bench):
    place = Place()
    for words, code, text in [
        ([], 2, 'needs --backend, and --code-file'),
        (['--yes'], 2, 'needs --backend'),
        (['--yes', '--backend', url(bench)], 2, 'needs --code-file'),
        (['--yes', '--backend', url(bench), '--code-file', place.file('wrong', 'no-such-code')], 9, ''),
        (['--yes', '--backend', 'nonsense', '--code-file', '/dev/null'], 2, ''),
    ]:
        done = place.run(*words)
        assert done.returncode == code and text in done.stderr, (words, done)
        assert not os.path.exists(os.path.join(place.etc, 'luna.conf')), words


def lines(path, kind):
    found = []
    for line in open(path).read().splitlines():
        if line.startswith('{') and json.loads(line).get('type') == kind:
            found.append(json.loads(line))
    return found


def test_a_finder_reads_its_configuration_again(bench):
    place = Place()
    config = place.file('finder.conf', '[finder]\nlocation = static:1,2\nduty = full\n')
    out, errors = os.path.join(place.directory, 'out'), os.path.join(place.directory, 'errors')
    finder = subprocess.Popen(
        [LUNA, 'finder', '--radio', 'virtual', '--config', config], env=place.environment,
        stdin=subprocess.DEVNULL, stdout=open(out, 'w'), stderr=open(errors, 'w'), start_new_session=True)
    try:
        wait_for(lambda: lines(out, 'sighting'), 30, 'a tracker')
        place.file('finder.conf', '[finder]\nlocation = static:3,4\nduty = much\n')
        finder.send_signal(signal.SIGHUP)
        wait_for(lambda: 'goes on with the configuration that it has' in open(errors).read())
        assert 'finder.conf:3:' in open(errors).read()
        place.file('finder.conf', '[finder]\nlocation = static:3,4\nduty = full\n')
        finder.send_signal(signal.SIGHUP)
        wait_for(lambda: len(lines(out, 'start')) == 2, 30, 'a new beginning')
        wait_for(lambda: [l for l in lines(out, 'location') if l.get('latitude') == 3], 10, 'the new place')
        assert len(lines(out, 'end')) == 1
        # One that cannot begin: its port is somebody else's.
        with socket.create_server(('127.0.0.1', 0)) as taken:
            place.file('finder.conf', f'[finder]\nlocation = static:5,6\nmetrics = {taken.getsockname()[1]}\n')
            finder.send_signal(signal.SIGHUP)
            wait_for(lambda: 'goes on with the configuration that it had' in open(errors).read())
        wait_for(lambda: len(lines(out, 'start')) == 3, 30, 'the old one again')
        assert lines(out, 'location')[-1]['latitude'] == 3
        finder.send_signal(signal.SIGTERM)
        assert finder.wait(15 * PATIENCE) == 0, open(errors).read()
    finally:
        finder.kill()
        finder.wait()


def test_a_scan_reads_its_configuration_again(bench):
    """What a service shows changes without an end of it: scan, local; with the port of its numbers."""
    place = Place()
    port, next_port = free_port(), free_port()

    def answers(port):
        try:
            return b'luna_' in urllib.request.urlopen(f'http://127.0.0.1:{port}/metrics', timeout=PATIENCE).read()
        except OSError:
            return False

    for command in ('scan', 'local'):
        config = place.file('scan.conf', f'[{command}]\nradio = virtual\nmetrics = {port}\n')
        out, errors = os.path.join(place.directory, f'{command}.out'), os.path.join(place.directory, f'{command}.errors')
        listener = subprocess.Popen(
            [LUNA, command, '--config', config], env=place.environment,
            stdin=subprocess.DEVNULL, stdout=open(out, 'w'), stderr=open(errors, 'w'), start_new_session=True)

        def says(text, count=1):
            wait_for(lambda: open(errors).read().count(text) == count, 30, f'{text}: {open(errors).read()}')

        try:
            says('numbers are at')
            wait_for(lambda: len(lines(out, 'start')) == 1, 30, 'the beginning')
            place.file('scan.conf', f'[{command}]\nradio = virtual\nmetrics = much\n')
            listener.send_signal(signal.SIGHUP)
            says('goes on with the configuration that it has')
            place.file('scan.conf', f'[{command}]\nradio = virtual\nmetrics = {next_port}\n')
            listener.send_signal(signal.SIGHUP)
            wait_for(lambda: len(lines(out, 'start')) == 2, 30, 'a new beginning')
            wait_for(lambda: answers(next_port), 30, 'what is new')
            assert not answers(port)
            # One that cannot begin: its port is somebody else's.
            with socket.create_server(('127.0.0.1', 0)) as taken:
                place.file('scan.conf', f'[{command}]\nradio = virtual\nmetrics = {taken.getsockname()[1]}\n')
                listener.send_signal(signal.SIGHUP)
                says('goes on with the configuration that it had')
            wait_for(lambda: len(lines(out, 'start')) == 3, 30, 'the old one again')
            wait_for(lambda: answers(next_port), 30, 'what worked before')
            listener.send_signal(signal.SIGTERM)
            assert listener.wait(15 * PATIENCE) == 143, open(errors).read()
        finally:
            listener.kill()
            listener.wait()


def test_a_backend_reads_its_configuration_again(bench):
    place = Place()
    config = place.file('backend.conf', '[backend]\nlisten = 127.0.0.1:0\n')
    log = os.path.join(place.directory, 'log')
    backend = subprocess.Popen(
        [LUNA, 'backend', '--config', config, '--store', f'sqlite:{place.directory}/b.sqlite'],
        env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(log, 'w'),
        start_new_session=True)
    try:
        listening = lambda: re.findall(r'"listening","address":"(127\.0\.0\.\d+):\d+"', open(log).read())
        wait_for(lambda: listening() == ['127.0.0.1'])
        place.file('backend.conf', '[backend]\nlisten = 127.0.0.2:0\n')
        backend.send_signal(signal.SIGHUP)
        wait_for(lambda: listening() == ['127.0.0.1', '127.0.0.2'])
        # One that cannot begin: its port is somebody else's.
        with socket.create_server(('127.0.0.1', 0)) as taken:
            place.file('backend.conf', f'[backend]\nlisten = 127.0.0.1:{taken.getsockname()[1]}\n')
            backend.send_signal(signal.SIGHUP)
            wait_for(lambda: 'goes on with the configuration that it had' in open(log).read())
            wait_for(lambda: listening() == ['127.0.0.1', '127.0.0.2', '127.0.0.2'])
        # From there it goes on as from any other.
        place.file('backend.conf', '[backend]\nlisten = 127.0.0.3:0\n')
        backend.send_signal(signal.SIGHUP)
        wait_for(lambda: listening()[3:] == ['127.0.0.3'])
        backend.send_signal(signal.SIGTERM)
        assert backend.wait(15 * PATIENCE) == 0
    finally:
        backend.kill()
        backend.wait()
