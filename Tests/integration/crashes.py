"""Programs under test that were ended by a signal that nobody sent, whoever started them."""

import os
import signal
import subprocess

# A program that ends by one of these has crashed.
SIGNALS = {
    -getattr(signal, name): name for name in ('SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGSYS')
}
# What is under test; servers of others are not.
PROGRAMS = ('luna', 'luna-helper', 'luna-gatt-conformance')
FOUND = []


class Watched(subprocess.Popen):
    """A process that is started from here, also by subprocess.run: its exit code is noted whoever asks for it. Tests look at
    those that they expect, and some at none."""

    @property
    def returncode(self):
        return self.code

    @returncode.setter
    def returncode(self, code):
        self.code = code
        if code in SIGNALS and is_under_test(self.args):
            FOUND.append(f'{SIGNALS[code]}: {words(self.args)}'[:200])


def words(args):
    return ' '.join(map(os.fsdecode, [args] if isinstance(args, (str, bytes, os.PathLike)) else args))


def is_under_test(args):
    return any(os.path.isabs(word) and os.path.basename(word) in PROGRAMS for word in words(args).split(' '))


def watch():
    subprocess.Popen = Watched


def found():
    """By which signals programs have crashed since it was asked last, and with which words they were started."""
    crashed = list(FOUND)
    FOUND.clear()
    return crashed
