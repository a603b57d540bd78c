"""luna as a service: what it tells systemd, its lines in the journal, and what signals make it say."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import kernel
from bench import Bench, Luna, lasting, needs_root, never, wait_for

IN_VM = False
SECONDS = 3
F_SETPIPE_SZ = 1031
FINDER = ['finder', '--radio', 'virtual', '--location', 'static:52.5,13.4', '--format', 'text']


def prepare(mode):
    return Bench()


class Manager:
    """Where systemd listens: NOTIFY_SOCKET."""

    def __init__(self, bench, is_abstract=False):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.address = f'@luna-test-{os.getpid()}-{time.monotonic_ns()}' if is_abstract else os.path.join(bench.directory, f'notify{time.monotonic_ns()}')
        self.socket.bind('\0' + self.address[1:] if is_abstract else self.address)
        self.socket.setblocking(False)
        self.said = []

    def hears(self, line, count=1, seconds=20):
        def heard():
            try:
                while True:
                    self.said += self.socket.recv(4096).decode().split('\n')
            except BlockingIOError:
                return self.said.count(line) >= count

        wait_for(heard, seconds, f'{line} {count} times; {self.said}')
        return self

    def environment(self):
        return [f'NOTIFY_SOCKET={self.address}', f'WATCHDOG_USEC={SECONDS * 1000000}']

    def prefix(self, *more):
        return ['env', *self.environment(), *more]


def check_life(manager, luna, code):
    """From the start to the end, with the watchdog fed meanwhile."""
    manager.hears('READY=1')
    assert any(line.startswith('STATUS=') and len(line) > 10 for line in manager.said), manager.said
    manager.hears('WATCHDOG=1', 3)
    assert 'STOPPING=1' not in manager.said
    luna.signal(signal.SIGTERM)
    luna.ends(code)
    manager.hears('STOPPING=1')


def test_scan_is_a_service(bench):
    for is_abstract in (False, True):
        manager = Manager(bench, is_abstract)
        luna = bench.scan('virtual', prefix=manager.prefix()).hears(5)
        check_life(manager, luna, 143)


def test_a_program_with_file_capabilities_is_a_service(bench):
    """As the doctor advises where there is no luna-helper; such a program has more rights than its caller."""
    needs_root('give a file capabilities')
    program = shutil.copy(bench.luna, os.path.join(bench.directory, 'able'))
    kernel.allow_with_file_capabilities(program, kernel.CAP_NET_RAW, kernel.CAP_NET_ADMIN)
    manager = Manager(bench, is_abstract=True)
    nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    luna = bench.scan('virtual', prefix=[*nobody, *manager.prefix()], program=program)
    check_life(manager, luna, 143)


def test_finder_is_a_service(bench):
    manager = Manager(bench)
    luna = Luna(bench, *FINDER, '--state', os.path.join(bench.directory, 'finder'), prefix=manager.prefix())
    check_life(manager, luna, 0)


def backend(bench, *prefix):
    store = os.path.join(bench.directory, f'store{time.monotonic_ns()}')
    return Luna(bench, 'backend', '--listen', '127.0.0.1:0', '--store', f'sqlite:{store}', prefix=prefix)


def test_backend_is_a_service(bench):
    manager = Manager(bench)
    luna = backend(bench, *manager.prefix())
    manager.hears('READY=1')
    assert any(line.startswith('STATUS=listening on 127.0.0.1:') for line in manager.said), manager.said
    check_life(manager, luna, 0)


def test_one_that_cannot_listen_is_never_ready(bench):
    manager = Manager(bench)
    bench.scan('h4:/nowhere', prefix=manager.prefix()).process.wait(never(15))
    try:
        said = manager.socket.recv(4096)
    except BlockingIOError:
        return
    raise AssertionError(said)


def test_one_that_hangs_is_not_fed_for(bench):
    manager = Manager(bench)
    luna = bench.scan('virtual', prefix=manager.prefix()).hears(5)
    manager.hears('WATCHDOG=1')
    luna.signal(signal.SIGSTOP)
    time.sleep(1)
    manager.hears('READY=1')
    fed = manager.said.count('WATCHDOG=1')
    time.sleep(SECONDS)
    manager.hears('READY=1')
    assert manager.said.count('WATCHDOG=1') == fed
    luna.signal(signal.SIGCONT)
    manager.hears('WATCHDOG=1', fed + 1)


def test_an_output_that_nobody_reads_any_more(bench):
    """Who looks on has seen enough. A service is started anew, which systemd does with one that does not end well."""
    told = Manager(bench).prefix()
    finder = [*FINDER[:-1], 'jsonl', '--interval', '1s', '--state', os.path.join(bench.directory, 'unread')]
    scan = ['scan', '--radio', 'virtual', '--format', 'jsonl']
    path = os.path.join(bench.directory, 'home.json')
    with open(path, 'w') as file:
        json.dump({
            'box': {'radio': 'virtual:7'}, 'server': {'listen': '127.0.0.1:0'},
            'trackers': [{'id': 'beacon', 'match': 'rssi > -127'}], 'rules': []}, file)
    home = ['home', 'run', path, '--format', 'jsonl', '--state', os.path.join(bench.directory, 'home')]
    for words, prefix, code in ((scan, (), 0), (scan, told, 7), (finder, (), 0), (finder, told, 7), (home, told, 7)):
        reads, writes = os.pipe()
        luna = subprocess.Popen(
            [*prefix, bench.luna, *words], stdin=subprocess.DEVNULL, stdout=writes, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, HOME=bench.directory, XDG_DATA_HOME=bench.directory))
        os.close(writes)
        try:
            assert os.read(reads, 1) == b'{', words
            os.close(reads)
            said = luna.communicate(timeout=never(30))[1]
        finally:
            luna.kill()
        assert luna.returncode == code, (words, luna.returncode, said)
        assert ('nobody reads' in said) == (code == 7), (words, said)


test_an_output_that_nobody_reads_any_more.seconds = 120


class StandingReader:
    """A luna whose output has a reader that stands still: there is room for so many bytes in the pipe. It has one
    processor: one thread or two for all tasks."""

    def __init__(self, bench, *words, room=0):
        self.reads, writes = os.pipe()
        size = fcntl.fcntl(writes, F_SETPIPE_SZ, 4096)
        os.write(writes, b'\n' * (size - room))
        self.errors = tempfile.TemporaryFile('w+', dir=bench.directory)
        self.luna = subprocess.Popen(
            [bench.luna, *words], stdin=subprocess.DEVNULL, stdout=writes, stderr=self.errors,
            preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
            env=dict(os.environ, HOME=bench.directory, XDG_DATA_HOME=bench.directory))
        os.close(writes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.luna.kill()
        self.luna.wait()
        os.close(self.reads)
        self.errors.close()

    def said(self):
        return os.pread(self.errors.fileno(), 1 << 16, 0).decode(errors='replace')

    def listens(self):
        wait_for(lambda: 'a simulated room' in self.said(), 30, 'luna that listens; it said: ' + self.said())
        return self

    def ends(self, code):
        assert self.luna.wait(never(30)) == code, (self.luna.args, self.luna.returncode, self.said())


def test_a_reader_that_stands_still_when_the_time_is_over(bench):
    """What waits for it is lost, and that is said; what was recorded is whole."""
    path = os.path.join(bench.directory, 'standing.pcapng')
    scan = ['scan', '--radio', 'virtual', '--format', 'jsonl', '-T', '3s', '-w', path]
    capture = ['capture', '--radio', 'virtual', '-w', '-', '-T', '5s']
    finder = [*FINDER[:-1], 'jsonl', '-T', '2s', '--state', os.path.join(bench.directory, 'standing')]
    # There is something to record, and a recording begins before the time does.
    for words, room in ((scan, 1024), (capture, 512), (finder, 0)):
        with StandingReader(bench, *words, room=room) as standing:
            standing.ends(7)
            assert 'nobody reads standard output' in standing.said(), (words, standing.said())
    assert Luna(bench, 'scan', '-r', path, '--format', 'jsonl').ends(0).advertisements(), 'nothing was recorded'


test_a_reader_that_stands_still_when_the_time_is_over.seconds = 120


def test_a_reader_that_stands_still_when_a_signal_comes(bench):
    """It takes no second one."""
    scan = ['scan', '--radio', 'virtual', '--format', 'jsonl']
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with StandingReader(bench, *scan) as standing:
            standing.listens().luna.send_signal(number)
            standing.ends(code)


def test_a_reader_that_goes_on_has_everything(bench):
    with StandingReader(bench, 'scan', '--radio', 'virtual', '--format', 'jsonl', '-c', '100') as standing:
        standing.listens()
        with open(standing.reads, closefd=False) as reader:
            lines = [json.loads(line) for line in reader if line != '\n']
        standing.ends(0)
        assert len([line for line in lines if line['type'] == 'advertisement']) == 100, lines
        assert lines[-1]['type'] == 'end' and not lines[-1]['dropped'], (lines[-1], standing.said())


def test_a_log_that_is_rotated(bench):
    """It is copied and cut, or moved away: luna goes on with whole lines in the file that it was given."""
    path = os.path.join(bench.directory, 'log')
    with open(path, 'a') as log:
        luna = subprocess.Popen(
            [bench.luna, *FINDER[:-1], 'jsonl', '--interval', '1s', '--state', os.path.join(bench.directory, 'rotated')],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=bench.directory))
    try:
        pieces = [f'{path}.1', f'{path}.2', f'{path}.moved']
        for piece in pieces[:2]:
            wait_for(lambda: os.path.getsize(path) > 1000, 60, 'a log that is worth it')
            shutil.copyfile(path, piece)
            os.truncate(path, 0)
        os.rename(path, pieces[2])
        wait_for(lambda: os.path.getsize(pieces[2]) > 1000, 60, 'lines in the log that was moved')
        luna.terminate()
        assert luna.wait(never(30)) == 0
    finally:
        luna.kill()
    for piece in pieces:
        with open(piece) as file:
            lines = file.read().split('\n')
        assert lines.pop() == '', piece
        lines = [json.loads(line) for line in lines]
    assert lines[-1]['type'] == 'end', lines[-1]


test_a_log_that_is_rotated.seconds = 120


def journal(path):
    status = os.stat(path)
    return f'JOURNAL_STREAM={status.st_dev}:{status.st_ino}'


def run_into(bench, name, *arguments):
    """Runs luna with its standard error in a file that is, or is not, the journal; returns the lines."""
    path = os.path.join(bench.directory, 'errors')
    with open(path, 'w') as errors:
        stream = journal(path) if name is None else name
        subprocess.run(
            ['env', stream, bench.luna, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, timeout=never(30))
    with open(path) as file:
        return file.read().splitlines()


def test_lines_in_the_journal_say_how_much_they_matter(bench):
    scan = ['scan', '--radio', 'virtual', '-T', lasting(1)]
    lines = run_into(bench, None, *scan)
    assert len(lines) >= 2 and all(line.startswith('<6>luna: ') for line in lines), lines
    lines = run_into(bench, None, 'scan', '-r', '/nowhere')
    assert lines and lines[-1].startswith('<3>luna: '), lines
    lines = run_into(bench, None, 'scan', '--nonsense')
    assert lines and lines[-1].startswith('<3>luna'), lines
    for name in ('JOURNAL_STREAM=1:1', 'JOURNAL_STREAM=', 'NOTHING='):
        lines = run_into(bench, name, *scan)
        assert lines and not any(line.startswith('<') for line in lines), lines


def test_backend_and_finder_in_the_journal(bench):
    path = os.path.join(bench.directory, 'journal')
    with open(path, 'w') as file:
        command = [bench.luna, *FINDER, '--state', os.path.join(bench.directory, 'j'), '-T', lasting(3)]
        subprocess.run(['env', journal(path), *command], stdin=subprocess.DEVNULL, stdout=file, stderr=file, timeout=never(30))
    with open(path) as file:
        lines = file.read().splitlines()
    assert lines and all(line[:3] in ('<3>', '<6>') for line in lines), lines
    assert any('listening' in line and line.startswith('<6>') for line in lines), lines
    with open(path, 'w') as file:
        process = subprocess.Popen(
            ['env', journal(path), bench.luna, 'backend', '--listen', '127.0.0.1:0', '--store', f'sqlite:{path}.db'], stderr=file)
        wait_for(lambda: 'listening' in open(path).read(), 20)
        process.terminate()
        assert process.wait(never(15)) == 0
    with open(path) as file:
        lines = file.read().splitlines()
    assert lines and all(json.loads(line[3:])['level'] == {'<3>': 'error', '<6>': 'info'}[line[:3]] for line in lines), lines


def says(luna, text, seconds=20):
    wait_for(lambda: text in luna.stderr(), seconds, f'"{text}"; it said: {luna.stderr()}')


def test_statistics_on_a_signal(bench):
    luna = bench.scan('virtual', '-q').hears(5)
    luna.signal(signal.SIGUSR1)
    says(luna, ' advertisements heard in ')
    says(luna, 'nothing lost')
    luna.signal(signal.SIGINT)
    luna.ends(130)
    luna = Luna(bench, 'local', '--format', 'jsonl', '--radio', 'virtual', '--state', bench.directory)
    says(luna, 'simulated')
    luna.signal(signal.SIGUSR1)
    says(luna, ' advertisements heard in ')
    luna.signal(signal.SIGINT)
    luna.ends(130)
    luna = Luna(bench, *FINDER, '--state', os.path.join(bench.directory, 'usr1'))
    wait_for(lambda: os.path.getsize(luna.output.name), 20)
    luna.signal(signal.SIGUSR1)
    says(luna, 'sightings queued, 0 events uploaded')
    luna.signal(signal.SIGTERM)
    luna.ends(0)
    luna = backend(bench)
    says(luna, '"listening"')
    luna.signal(signal.SIGUSR1)
    says(luna, '"message":"statistics"')
    luna.signal(signal.SIGTERM)
    luna.ends(0)


def answers(luna, text):
    """What it says when it is asked, once it has told something. It may not be ready to be asked at that moment."""
    wait_for(lambda: os.path.getsize(luna.output.name), 30, f'the first line; it said: {luna.stderr()}')

    def answered():
        luna.signal(signal.SIGUSR1)
        return text in luna.stderr()

    wait_for(answered, 20, lambda: f'"{text}"; it said: {luna.stderr()}')
    luna.signal(signal.SIGINT)
    luna.ends(130, 60)


def test_statistics_of_what_is_no_service(bench):
    state = os.path.join(bench.directory, 'trackers')
    Luna(bench, 'tracker', 'create', 'keys', '--state', state).ends(0)
    answers(Luna(bench, 'tracker', 'run', 'keys', '--radio', 'virtual', '--state', state), ', 0 connections (0 open), 0 sounds')
    # The last check listens; the one before it is done at once.
    answers(Luna(bench, 'doctor', 'disk', 'listen', '--format', 'jsonl', '--radio', 'virtual', '-T', '10m'), 'luna: 1 of 2 checks done: ')
    # Killed, it leaves its files behind; ended, none.
    own = os.path.join(bench.directory, 'demo')
    os.mkdir(own)
    words = ('demo', '--format', 'jsonl', '--picture', os.path.join(bench.directory, 'map.svg'))
    answers(Luna(bench, *words, prefix=('env', f'TMPDIR={own}')), 'luna: step ')
    assert not os.listdir(own), os.listdir(own)
