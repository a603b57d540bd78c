"""The firmware of a tracker as a process (scripts/firmware, port linux) with one controller, and luna with another, both over H4."""

import os
import signal
import socket
import subprocess

from bench import ROOT, Bench, Luna, World, lasting, wait_for
from boards import Board, needs_emulator
from onboarding import Home, events
from trackers import epoch

IN_VM = False
# Emulated boards are built for it, and are no faster than real ones.
GROUP_SECONDS = 2400


def prepare(mode):
    bench = Bench()
    bench.board_path = os.path.join(bench.directory, 'board.sock')
    bench.world = World(bench.directory, f'unix:{bench.board_path}', 'tcp:127.0.0.1:0', mode=mode)
    bench.ear = 'h4:tcp:' + bench.world.places[1]
    bench.world.tell('still')
    bench.program = {}
    return bench


def onboarded(bench, fast=False, protocol=(), port='linux'):
    """A new board, and the owner who has read its label from what it wrote."""
    board = Board(bench, fast=fast, port=port).says('LUNA1:')
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
    followed = Luna(bench, 'local', 'Keys', '--format', 'jsonl', '-c', '1', '-T', lasting(20), *owner).ends(0, 40)
    assert [line['name'] for line in followed.lines() if line['type'] == 'device'][-1] == 'Keys', followed.lines()
    board.press()
    Luna(bench, 'buzz', 'Keys', *owner).ends(0, 60)
    board.says('sound on')
    board.hold()


test_from_its_first_start_to_its_ringing.seconds = 240


def check_scan(bench, port):
    board = Board(bench, port=port).says('LUNA1:')
    words = ['--format', 'jsonl', '--filter', 'beacon == "luna"', '-c', '1', '-T', lasting(60), '--radio', bench.ear]
    [line] = Luna(bench, 'scan', *words).ends(0, 80).advertisements()
    [beacon] = [each for each in line['beacons'] if each['beacon'] == 'luna']
    assert beacon['onboardable'], line
    board.cut()


def test_a_scan_finds_it(bench):
    check_scan(bench, 'linux')


test_a_scan_finds_it.seconds = 120


def check_commands(bench, port):
    """Each command of an owner, and the answer to it, which only this tracker's keys can have made."""
    board, home = onboarded(bench, port=port)

    def obeyed(*words):
        board.press()
        run = Luna(bench, *words, 'Keys', '--format', 'jsonl', '--state', home.state, '--radio', bench.ear).ends(0, 60)
        answers = [line for line in run.lines() if 'receipt' in line]
        assert answers and answers[-1]['verified'], run.lines()
        return answers[-1]

    assert obeyed('buzz', '--seconds', '3')['event'] == 'buzzing'
    board.says('sound on')
    pinged = obeyed('owner', 'ping')
    assert pinged['command'] == 'ping' and pinged['clock']['low'] <= pinged['clock']['high'] < 60, pinged
    assert obeyed('owner', 'set-clock')['command'] == 'setClock'
    board.state(' clock=good ')
    assert obeyed('owner', 'here')['command'] == 'ownerHere'
    obeyed('owner', 'blink', '--seconds', '2')
    board.says('light on')
    obeyed('owner', 'reset', '--yes')
    board.state('state factory ')
    assert not Luna(bench, 'owner', 'list', '--state', home.state).ends(0).lines(), 'its owner has not forgotten it'
    assert 'fault' not in board.text(), board.text()


def test_obeys_its_owner_who_is_near(bench):
    check_commands(bench, 'linux')


test_obeys_its_owner_who_is_near.seconds = 300


def check_rotations(bench, port):
    """Protocol time runs 40 times as fast on both sides: a period lasts 26 seconds."""
    clock = ('--speed', '40', '--epoch', epoch())
    board, home = onboarded(bench, fast=True, protocol=clock, port=port)
    followed = Luna(bench, 'local', 'Keys', '--format', 'jsonl', '--state', home.state, '--radio', bench.ear, *clock)
    wait_for(lambda: len({line['eid'] for line in followed.lines() if 'eid' in line}) >= 5, 180, 'five identifiers of one tracker')
    followed.signal(signal.SIGINT)
    followed.ends(130)
    assert 'fault' not in board.text(), board.text()


def test_is_followed_through_four_rotations(bench):
    check_rotations(bench, 'linux')


test_is_followed_through_four_rotations.seconds = 260


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


def test_without_a_controller_it_says_so(bench):
    board = Board(bench, controller='none').says('LUNA1:').says('fault controller', 40)
    assert board.has_power()
    board.cut()


test_without_a_controller_it_says_so.seconds = 90


def test_flash_full_of_garbage_is_a_new_tracker(bench):
    path = os.path.join(bench.directory, 'garbage.flash')
    with open(path, 'wb') as file:
        file.write(os.urandom(32768))
    board = Board(bench, path).says('LUNA1:')
    board.state('state factory')
    code = next(line for line in board.text().split('\r\n') if line.startswith('LUNA1:'))
    board = board.again()
    board.state('state factory')
    board.type('c')
    board.state('state factory')
    assert 'LUNA1:' not in board.text(), board.text()
    # Who presses its button is told once more.
    board.type('B')
    board.state(' button=down ')
    board.type('c')
    board.says(code + '\r\n')


def test_a_low_battery_is_told(bench):
    """On its console to who asks, without the hour that it lets pass between measurements, and to its owner in its frames."""
    board, home = onboarded(bench)
    board.state(' battery=normal ')
    board.type('L')
    board.state(' battery=critical ')
    followed = Luna(bench, 'local', 'Keys', '--format', 'jsonl', '--state', home.state, '--radio', bench.ear)
    wait_for(lambda: any(line.get('batteryLow') for line in followed.lines()), 60, 'a frame of a low battery')
    board.type('H')
    board.state(' battery=normal ')
    heard = len(followed.lines())
    wait_for(lambda: any(line.get('batteryLow') is False for line in followed.lines()[heard:]), 60, 'a frame of a full battery')
    followed.signal(signal.SIGINT)
    followed.ends(130)


test_a_low_battery_is_told.seconds = 240


def kept(board, name):
    """A number that a board has kept when it starts again; None as long as it has not."""
    with open(f'/proc/{board.process.pid}/environ', 'rb') as file:
        values = [word.split(b'=')[1] for word in file.read().split(b'\0') if word.startswith(name + b'=')]
    return int(values[0]) if values else None


def kept_clock(board):
    """What the clock of a tracker shows then, ms."""
    return kept(board, b'LUNA_BOARD_CLOCK')


def test_a_board_that_starts_again_after_a_fault_loses_no_time(bench):
    board, _ = onboarded(bench)
    board.cut()
    path = os.path.join(bench.directory, 'mute.sock')
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(path)
        mute.listen()
        board = Board(bench, board.flash, controller=path)
        board.waits_for(lambda: kept_clock(board) is not None, 60, 'another start')
        # Without a clock it began with a period. It waits for 9 s for its controller, and then for 10 s.
        first = kept_clock(board)
        assert first % 1_024_000 >= 19_000, first
        # No time is missing from it, and there was a fault.
        assert kept(board, b'LUNA_BOARD_NOTE') == 3, kept(board, b'LUNA_BOARD_NOTE')
        board.waits_for(lambda: kept_clock(board) not in (None, first), 60, 'a third start')
        assert kept_clock(board) - first >= 19_000, (first, kept_clock(board))
        board.cut()


test_a_board_that_starts_again_after_a_fault_loses_no_time.seconds = 180


def check_vectors(bench, port):
    """Vectors are fed over the console of a board that computes what a tracker does."""
    words = [os.path.join(ROOT, 'scripts', 'firmware', 'vectors'), port, '--folder', os.path.join(bench.directory, f'{port}-vectors')]
    asked = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert asked.returncode == 0 and asked.stdout.endswith(' 0 failed\n'), asked.stdout + asked.stderr
    # One of each function is spoiled.
    functions = asked.stdout.split(' functions')[0].split()[-1]
    asked = subprocess.run([*words, '--spoil'], cwd=ROOT, capture_output=True, text=True)
    assert asked.returncode == 1 and asked.stdout.endswith(f' {functions} failed\n'), asked.stdout + asked.stderr


def test_vectors_over_the_console(bench):
    check_vectors(bench, 'linux')


test_vectors_over_the_console.seconds = 180


def emulated(bench, port):
    needs_emulator(port)
    board = Board(bench, port=port).says('LUNA1:')
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
    # More than it keeps; it goes on to listen.
    board.type('x' * 4000)
    heap, stack = board.numbers_of('m', 'memory')['peak'], board.numbers_of('k', 'stack')['peak']
    print(f'  | # Cortex-M4: at most {heap} bytes of heap and {stack} of stack')
    assert heap <= 12 * 1024 and stack <= 13 * 1024, (heap, stack)


test_an_emulated_cortex_m4_is_onboarded_and_rings.seconds = 300


def test_an_emulated_cortex_m4_is_found_and_obeys_its_owner(bench):
    needs_emulator('qemu-m4')
    check_scan(bench, 'qemu-m4')
    check_commands(bench, 'qemu-m4')


test_an_emulated_cortex_m4_is_found_and_obeys_its_owner.seconds = 500


def test_an_emulated_cortex_m4_is_followed_through_four_rotations(bench):
    needs_emulator('qemu-m4')
    check_rotations(bench, 'qemu-m4')


test_an_emulated_cortex_m4_is_followed_through_four_rotations.seconds = 500


def test_an_emulated_risc_v_is_onboarded_and_rings(bench):
    emulated(bench, 'qemu-rv32')


test_an_emulated_risc_v_is_onboarded_and_rings.seconds = 300


def test_vectors_over_the_console_of_an_emulated_cortex_m4(bench):
    needs_emulator('qemu-m4')
    check_vectors(bench, 'qemu-m4')


test_vectors_over_the_console_of_an_emulated_cortex_m4.seconds = 300


def test_vectors_over_the_console_of_an_emulated_risc_v(bench):
    needs_emulator('qemu-rv32')
    check_vectors(bench, 'qemu-rv32')


test_vectors_over_the_console_of_an_emulated_risc_v.seconds = 300
