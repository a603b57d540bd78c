"""The firmware of a tracker as a process (scripts/firmware, port linux) with one controller, and luna with another, both over H4."""

import os
import shutil
import signal
import subprocess
import sys
import time

from bench import ROOT, Bench, Luna, World, never, wait_for
from onboarding import Home, events
from trackers import epoch

IN_VM = False


def prepare(mode):
    bench = Bench()
    bench.board_path = os.path.join(bench.directory, 'board.sock')
    bench.world = World(bench.directory, f'unix:{bench.board_path}', 'tcp:127.0.0.1:0', mode=mode)
    bench.ear = 'h4:tcp:' + bench.world.places[1]
    bench.world.tell('still')
    bench.program = {}
    return bench


def program(bench, fast):
    """The firmware, built once; with a clock that runs 40 times as fast, too."""
    if fast not in bench.program:
        folder = os.path.join(bench.directory, 'fast' if fast else 'firmware')
        words = [os.path.join(ROOT, 'scripts', 'firmware', 'build'), 'linux', folder]
        built = subprocess.run(words, cwd=ROOT, env={**os.environ, 'LUNA_FAST': '1' if fast else ''}, capture_output=True, text=True)
        assert built.returncode == 0, built.stdout + built.stderr
        bench.program[fast] = built.stdout.split()[-1]
    return os.path.join(ROOT, bench.program[fast])


class Board:
    """A board that has power. Its flash outlives it."""

    numbers = iter(range(10**6))

    def __init__(self, bench, flash=None, fast=False, entropy='/dev/urandom'):
        self.bench, self.fast = bench, fast
        number = next(Board.numbers)
        self.flash = flash or os.path.join(bench.directory, f'{number}.flash')
        self.console = os.path.join(bench.directory, f'{number}.console')
        with open(self.console, 'w') as console:
            self.process = subprocess.Popen(
                [program(bench, fast), self.flash, bench.board_path, entropy], stdin=subprocess.PIPE, stdout=console, stderr=subprocess.STDOUT
            )
        bench.started.append(self)

    def text(self):
        with open(self.console, newline='') as file:
            return file.read()

    def type(self, letters):
        self.process.stdin.write(letters.encode())
        self.process.stdin.flush()

    def says(self, text, seconds=20):
        """Waits for a text on the console."""
        wait_for(lambda: text in self.text(), seconds, lambda: f'{text!r} on the console, which says: {self.text()!r}')
        return self

    def state(self, text):
        """Asks until it is in this state."""

        def asks():
            self.type('s')
            return text in self.text()

        wait_for(asks, 20, lambda: f'{text!r}; the console says: {self.text()!r}')

    def press(self, seconds=0.1):
        self.type('B')
        time.sleep(seconds)  # what a finger does
        self.type('b')

    def cut(self):
        """A power cut."""
        self.process.kill()
        self.process.wait()

        def is_free():
            return (self.bench.world.journal('connected', 'disconnected', adapter=0) or [{'event': 'disconnected'}])[-1]['event'] == 'disconnected'

        wait_for(is_free, what='a free controller')

    def again(self):
        self.cut()
        return Board(self.bench, self.flash, self.fast)


def onboarded(bench, fast=False, protocol=()):
    """A new board, and the owner who has read its label from what it wrote."""
    board = Board(bench, fast=fast).says('LUNA1:')
    label = os.path.join(bench.directory, f'label-{next(Home.numbers)}.png')
    Luna(bench, 'tracker', 'label', '--code-file', board.console, '-o', label).ends(0)
    board.press()
    home = Home(bench)
    run = home.onboard('--qr', label, *protocol, code=None).ends(0, 60)
    assert events(run)[-1] == 'onboarded', run.lines()
    board.state('state keyed')
    return board, home


def test_from_its_first_start_to_its_ringing(bench):
    board, home = onboarded(bench)
    owner = ('--state', home.state, '--radio', bench.ear)
    board.press()
    Luna(bench, 'buzz', 'Keys', '--seconds', '5', *owner).ends(0, 60)
    board.says('sound on').says('sound off')
    # It tells its code once.
    board = board.again()
    board.state('state keyed')
    assert 'LUNA1:' not in board.text(), board.text()
    followed = Luna(bench, 'local', 'Keys', '--format', 'jsonl', '-c', '1', '-T', '20s', *owner).ends(0, 40)
    assert [line['name'] for line in followed.lines() if line['type'] == 'device'][-1] == 'Keys', followed.lines()
    board.press()
    Luna(bench, 'buzz', 'Keys', *owner).ends(0, 60)
    board.says('sound on')
    board.press(10.5)
    board.says('state factory')


test_from_its_first_start_to_its_ringing.seconds = 240


def test_is_followed_through_four_rotations(bench):
    """Protocol time runs 40 times as fast on both sides: a period lasts 26 seconds."""
    clock = ('--speed', '40', '--epoch', epoch())
    board, home = onboarded(bench, fast=True, protocol=clock)
    followed = Luna(bench, 'local', 'Keys', '--format', 'jsonl', '--state', home.state, '--radio', bench.ear, *clock)
    wait_for(lambda: len({line['eid'] for line in followed.lines() if 'eid' in line}) >= 5, 180, 'five identifiers of one tracker')
    followed.signal(signal.SIGINT)
    followed.ends(130)
    assert 'fault' not in board.text(), board.text()


test_is_followed_through_four_rotations.seconds = 260


def test_power_cuts_while_it_is_onboarded(bench):
    """Whenever it comes, it is in factory state with its code, or its owner's."""
    board = Board(bench).says('LUNA1:')
    code = next(word for word in board.text().split() if word.startswith('LUNA1:'))
    path = os.path.join(bench.directory, 'cut.code')
    with open(path, 'w') as file:
        file.write(code + '\n')
    for seconds in (0.2, 0.5, 0.9, 1.4, 2.0):
        home = Home(bench)
        board.press()
        run = home.onboard('--code-file', path, '--wait', '20s', code=None)
        time.sleep(seconds)
        board = board.again()
        run.signal(signal.SIGINT)
        run.process.wait(never(20))
        board.state('state ')
        if 'state keyed' in board.text():
            board.press(10.5)
            board.says('state factory')
    home = Home(bench)
    board.press()
    run = home.onboard('--code-file', path, code=None).ends(0, 60)
    assert events(run)[-1] == 'onboarded', run.lines()


test_power_cuts_while_it_is_onboarded.seconds = 240


def test_without_entropy_there_is_no_code(bench):
    zeros = os.path.join(bench.directory, 'zeros')
    with open(zeros, 'wb') as file:
        file.write(bytes(4096))
    for source in (zeros, os.devnull, os.path.join(bench.directory, 'nowhere')):
        board = Board(bench, entropy=source).says('fault entropy')
        assert 'LUNA1:' not in board.text(), board.text()
        with open(board.flash, 'rb') as flash:
            assert set(flash.read()) == {0xFF}, 'something is in flash'
        board.cut()


def test_flash_full_of_garbage_is_a_new_tracker(bench):
    path = os.path.join(bench.directory, 'garbage.flash')
    with open(path, 'wb') as file:
        file.write(os.urandom(32768))
    board = Board(bench, path).says('LUNA1:')
    board = board.again()
    board.state('state factory')
    assert 'LUNA1:' not in board.text(), board.text()


def vectors(bench, port, *options):
    """Vectors are fed over the console of a board that computes what a tracker does; the exit code, and what was said."""
    words = [os.path.join(ROOT, 'scripts', 'firmware', 'vectors'), port, '--folder', os.path.join(bench.directory, f'{port}-vectors')]
    asked = subprocess.run([*words, *options], cwd=ROOT, capture_output=True, text=True)
    return asked.returncode, asked.stdout + asked.stderr


def check_vectors(bench, port):
    code, said = vectors(bench, port)
    assert code == 0 and said.splitlines()[-1].endswith(' 0 failed'), said
    code, said = vectors(bench, port, '--spoil')
    functions = said.splitlines()[-1].split(' functions')[0].split()[-1]
    assert code == 1 and said.splitlines()[-1].endswith(f' {functions} failed'), said


def test_vectors_over_the_console(bench):
    check_vectors(bench, 'linux')


test_vectors_over_the_console.seconds = 180


# The systems that emulate a port, and the packages of Debian that have them.
EMULATORS = {'qemu-m4': ('qemu-system-arm', 'qemu-system-arm'), 'qemu-rv32': ('qemu-system-riscv32', 'qemu-system-misc')}


class EmulatedBoard(Board):
    """A board whose processor is emulated, with the firmware that fits its flash."""

    def __init__(self, bench, port):
        self.bench = bench
        folder = os.path.join(bench.directory, port)
        build = subprocess.run([os.path.join(ROOT, 'scripts', 'firmware', 'build'), port, folder], cwd=ROOT, capture_output=True, text=True)
        assert build.returncode == 0, build.stdout + build.stderr
        self.flash, self.console = os.path.join(bench.directory, f'{port}.flash'), os.path.join(bench.directory, f'{port}.console')
        words = [os.path.join(ROOT, 'scripts', 'firmware', 'run'), port, self.flash, bench.board_path]
        program = {**os.environ, 'LUNA_FIRMWARE': os.path.join(folder, 'luna-tracker.elf')}
        with open(self.console, 'w') as console:
            self.process = subprocess.Popen(words, cwd=ROOT, env=program, stdin=subprocess.PIPE, stdout=console, stderr=subprocess.STDOUT)
        bench.started.append(self)

    def peak(self, letter, what):
        """The most that was ever taken, in bytes, as the board says."""
        self.type(letter)
        self.says(f'{what} ')
        return int(self.text().rsplit('peak=', 1)[1].split()[0])


def is_emulated_here(port):
    emulator, package = EMULATORS[port]
    if shutil.which(emulator):
        return True
    print(f'not run: the firmware on {port} ({emulator} is not installed: apt-get install {package})', file=sys.stderr)
    return False


def emulated(bench, port):
    if not is_emulated_here(port):
        return None
    board = EmulatedBoard(bench, port).says('LUNA1:')
    label = os.path.join(bench.directory, f'{port}.png')
    Luna(bench, 'tracker', 'label', '--code-file', board.console, '-o', label).ends(0)
    home = Home(bench)
    run = home.onboard('--qr', label, '--wait', '60s', code=None)
    board.press()
    run.ends(0, 120)
    assert events(run)[-1] == 'onboarded', run.lines()
    board.press()
    Luna(bench, 'buzz', 'Keys', '--state', home.state, '--radio', bench.ear).ends(0, 120)
    board.says('sound on')
    assert 'fault' not in board.text(), board.text()
    return board


def test_an_emulated_cortex_m4_is_onboarded_and_rings(bench):
    """With what a tracker may have of it: 160 kB of flash and 32 kB of RAM, of which neither stack nor heap takes all."""
    board = emulated(bench, 'qemu-m4')
    if board:
        heap, stack = board.peak('m', 'memory'), board.peak('k', 'stack')
        print(f'  | # Cortex-M4: at most {heap} bytes of heap and {stack} of stack')
        assert heap <= 12 * 1024 and stack <= 13 * 1024, (heap, stack)


test_an_emulated_cortex_m4_is_onboarded_and_rings.seconds = 300


def test_an_emulated_risc_v_is_onboarded_and_rings(bench):
    emulated(bench, 'qemu-rv32')


test_an_emulated_risc_v_is_onboarded_and_rings.seconds = 300


def test_vectors_over_the_console_of_an_emulated_cortex_m4(bench):
    if is_emulated_here('qemu-m4'):
        check_vectors(bench, 'qemu-m4')


test_vectors_over_the_console_of_an_emulated_cortex_m4.seconds = 300


def test_vectors_over_the_console_of_an_emulated_risc_v(bench):
    if is_emulated_here('qemu-rv32'):
        check_vectors(bench, 'qemu-rv32')


test_vectors_over_the_console_of_an_emulated_risc_v.seconds = 300
