"""Boards with the firmware of a tracker: a process, or an emulated processor. What is on their consoles, and in their flash."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib

from bench import ROOT, NotRun, wait_for

# The systems that emulate a port, and the packages of Debian that have them.
EMULATORS = {'qemu-m4': ('qemu-system-arm', 'qemu-system-arm'), 'qemu-rv32': ('qemu-system-riscv32', 'qemu-system-misc')}
PAGE, PLACE = 16384, 128


def is_emulated_here(port):
    emulator, package = EMULATORS[port]
    if shutil.which(emulator):
        return True
    print(f'not run: the firmware on {port} ({emulator} is not installed: apt-get install {package})', file=sys.stderr)
    return False


def needs_emulator(port):
    if not is_emulated_here(port):
        raise NotRun('{0} is not installed: apt-get install {1}'.format(*EMULATORS[port]))


def build(port, folder, fast=False):
    """Builds the firmware."""
    words = [os.path.join(ROOT, 'scripts', 'firmware', 'build'), port, folder]
    return subprocess.run(words, cwd=ROOT, env={**os.environ, 'LUNA_FAST': '1' if fast else ''}, capture_output=True, text=True)


def program(bench, port, fast=False):
    """The firmware, built once; with a clock that runs 40 times as fast, too."""
    if (port, fast) not in bench.program:
        built = build(port, os.path.join(bench.directory, port + ('-fast' if fast else '')), fast)
        assert built.returncode == 0, built.stdout + built.stderr
        bench.program[port, fast] = os.path.join(ROOT, built.stdout.split()[-1])
    return bench.program[port, fast]


def folder_for_vms(fast):
    return os.path.join(ROOT, '.build', 'integration', 'firmware' + ('-fast' if fast else ''))


def build_for_vms():
    """Builds what boards in a VM run, before it begins: it has no memory for a compiler."""
    for fast in (False, True):
        built = build('linux', folder_for_vms(fast), fast)
        if built.returncode != 0:
            print(f'the firmware for boards in a VM is not built: {built.stdout}{built.stderr}', file=sys.stderr)


def programs_for_vms():
    """What :func:`build_for_vms` has made, for a bench."""
    return {('linux', fast): os.path.join(folder_for_vms(fast), 'luna-tracker.elf') for fast in (False, True)}


class Board:
    """A board that has power. Its flash outlives it."""

    numbers = iter(range(10**6))

    def __init__(self, bench, flash=None, fast=False, entropy='/dev/urandom', port='linux', controller=None, counted=False):
        self.bench, self.fast, self.port, self.counted = bench, fast, port, counted
        self.controller = controller or bench.board_path
        number = next(Board.numbers)
        self.flash = flash or os.path.join(bench.directory, f'{number}.flash')
        self.console = os.path.join(bench.directory, f'{number}.console')
        words = [os.path.join(ROOT, 'scripts', 'firmware', 'run'), port, self.flash, self.controller, entropy]
        variables = {**os.environ, 'LUNA_FIRMWARE': program(bench, port, fast), 'LUNA_ICOUNT': '1' if counted else ''}
        with open(self.console, 'w') as console:
            self.process = subprocess.Popen(
                words, cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=console, stderr=subprocess.STDOUT
            )
        bench.started.append(self)

    def text(self):
        with open(self.console, newline='', errors='replace') as file:
            return file.read()

    def type(self, letters):
        self.process.stdin.write(letters.encode())
        self.process.stdin.flush()

    def has_power(self):
        return self.process.poll() is None

    def waits_for(self, condition, seconds, what):
        """Until something is so; not where the power has gone."""

        def is_so():
            # First, so that what was written before it went counts.
            is_over = not self.has_power()
            result = condition()
            assert result or not is_over, f'the board has no power; it was waited for {what}, and the console says: {self.text()!r}'
            return result

        wait_for(is_so, seconds, lambda: f'{what}; the console says: {self.text()!r}')

    def says(self, text, seconds=20):
        """Waits for a text on the console."""
        self.waits_for(lambda: text in self.text(), seconds, repr(text))
        return self

    def lines(self, word):
        """The whole lines of the console that begin with a word."""
        return [line for line in self.text().split('\r\n')[:-1] if line.startswith(word + ' ')]

    def asked(self, letter, word):
        """What it answers to a letter, in a line that begins with a word."""
        count, typed = len(self.lines(word)), 0.0

        def is_answered():
            nonlocal typed
            # What is typed before a board has begun to listen is lost.
            if time.monotonic() - typed > 2:
                self.type(letter)
                typed = time.monotonic()
            return len(self.lines(word)) > count

        self.waits_for(is_answered, 20, f'an answer to {letter!r}')
        return self.lines(word)[-1]

    def state(self, text):
        """Asks until this is in its answer; returns that."""
        answers = []

        def is_so():
            answers.append(self.asked('s', 'state'))
            return text in answers[-1]

        self.waits_for(is_so, 30, repr(text))
        return answers[-1]

    def numbers_of(self, letter, word):
        """The numbers in what it answers to a letter."""
        pairs = [part.split('=') for part in self.asked(letter, word).split() if '=' in part]
        return {name: int(value) for name, value in pairs if value.isdigit()}

    def press(self):
        """Presses its button until that counts, and releases it."""
        if self.port == 'qemu-rv32':
            return  # It has none.
        self.type('B')
        self.state(' button=down ')
        self.type('b')
        self.state(' button=up ')

    def hold(self):
        """Holds its button until it has forgotten its owner."""
        self.type('B')
        self.state('state factory ')
        self.type('b')
        self.state(' button=up ')

    def gone(self):
        """Waits until it is off, and nobody holds its controller."""
        self.process.wait()

        def is_free():
            told = self.bench.world.journal('connected', 'disconnected', adapter=getattr(self.bench, 'board_adapter', 0))
            return not told or told[-1]['event'] == 'disconnected'

        wait_for(is_free, what='a free controller')

    def cut(self):
        """A power cut."""
        self.process.kill()
        self.gone()

    def again(self):
        self.cut()
        return Board(self.bench, self.flash, self.fast, port=self.port, controller=self.controller)


class Wire:
    """Between a board and its controller, for a board at a time: cuts the power behind a packet, or has the controller keep
    what it is given, as for a peer that takes nothing."""

    # Of commands, data and events: how many bytes the head has, and how many of them, behind the kind, the length.
    HEADS = {1: (4, 3, 'B'), 2: (5, 3, 'H'), 4: (3, 2, 'B')}
    # The event Number Of Completed Packets, from its kind on.
    COMPLETED = b'\x04\x13'

    def __init__(self, bench):
        self.path = os.path.join(bench.directory, f'wire-{next(Board.numbers)}.sock')
        self.bench, self.lock, self.left, self.board, self.kinds = bench, threading.Lock(), None, None, ()
        self.was_cut = threading.Event()
        self.is_stuck = False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def cut_behind(self, count, board, kinds=(1, 2, 4)):
        """Cuts the power of a board behind so many more packets of these kinds."""
        with self.lock:
            self.was_cut.clear()
            self.left, self.board, self.kinds = count, board, kinds

    def serve(self):
        while True:
            try:
                board, _ = self.listener.accept()
            except OSError:
                return
            controller = socket.socket(socket.AF_UNIX)
            controller.connect(self.bench.board_path)
            for source, sink in ((board, controller), (controller, board)):
                threading.Thread(target=self.pass_on, args=(source, sink), daemon=True).start()

    def pass_on(self, source, sink):
        waiting = b''
        try:
            while piece := source.recv(4096):
                waiting += piece
                while packet := self.packet(waiting):
                    waiting = waiting[len(packet):]
                    if not (self.is_stuck and packet.startswith(self.COMPLETED)):
                        sink.sendall(packet)
                    self.count(packet[0])
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def packet(self, waiting):
        if not waiting:
            return None
        head, place, length = self.HEADS[waiting[0]]
        if len(waiting) < head:
            return None
        count = head + struct.unpack_from('<' + length, waiting, place)[0]
        return waiting[:count] if len(waiting) >= count else None

    def count(self, kind):
        with self.lock:
            if self.left is None or kind not in self.kinds:
                return
            self.left -= 1
            if self.left > 0:
                return
            self.left = None
            self.board.process.kill()
        self.was_cut.set()

    def close(self):
        self.listener.close()


class FlashRecord:
    """The newest record in a flash, as FlashSlot.swift lays it out; None where there is none."""

    def __init__(self, sequence, body):
        self.sequence, self.code = sequence, body[3:19]
        self.counter = self.key = None
        if body[1] & 1:
            self.counter, self.key = int.from_bytes(body[23:27], 'big'), body[51:83]

    @staticmethod
    def newest(path):
        with open(path, 'rb') as file:
            flash = file.read()
        records = []
        for place in range(0, 2 * PAGE, PLACE):
            checksum, sequence, length = struct.unpack_from('>IIB', flash, place)
            end = place + 9 + length
            if 0 < length <= PLACE - 9 and zlib.crc32(flash[place + 4 : end]) == checksum:
                records.append((sequence, flash[place + 9 : end]))
        return FlashRecord(*max(records)) if records else None
