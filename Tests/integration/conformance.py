"""The GATT conformance suite (Tests/conformance) as tests of a group, one for every check."""

import os
import queue
import re
import subprocess
import threading
import time

from bench import never

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEER = 'E7:1A:00:00:00:01'


def checks():
    """The names of the checks, from the source: the program may not be built yet."""
    names = []
    for part in ('Discovery', 'Values', 'Subscriptions', 'Refusals', 'Endings', 'Connecting'):
        with open(os.path.join(ROOT, 'Tests', 'conformance', 'Checks', part + '.swift')) as file:
            names += re.findall(r'^\s*Check\("([^"]+)"\)', file.read(), re.MULTILINE)
    return names


class Suite:
    """One run of the suite, whose results are waited for one by one."""

    def __init__(self, *arguments):
        program = os.path.join(os.path.dirname(os.environ['LUNA']), 'luna-gatt-conformance')
        environment = dict(os.environ, LUNA_TEST_PATIENCE=str(round(never(1))))
        self.process = subprocess.Popen(
            [program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines, self.explanation = [], ''
        self.changed = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip())
                self.changed.notify_all()
        with self.changed:
            self.lines.append('')
            self.changed.notify_all()

    def result(self, name, seconds=150):
        """Waits for a check; raises when it failed."""

        def told():
            return [line for line in self.lines if line.startswith((f'ok {name} ', f'FAILED {name}:'))] or '' in self.lines[-1:]

        with self.changed:
            self.changed.wait_for(told, never(seconds))
            found = told()
        assert found and found is not True, f'no result; the suite said: {self.lines[-3:]}'
        assert found[0].startswith('ok'), found[0]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Driver:
    """Connects, reads and waits as it is told, while a test breaks something."""

    def __init__(self, *arguments):
        program = os.path.join(os.path.dirname(os.environ['LUNA']), 'luna-gatt-conformance')
        self.process = subprocess.Popen(
            [program, *arguments, '--interactive'],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip())
        self.lines.put('error ended 0 the program has ended')

    def begin(self, command, until='begin'):
        """Returns when a line that begins so was said."""
        self.said = []
        self.process.stdin.write(command + '\n')
        self.process.stdin.flush()
        while True:
            line = self.lines.get(timeout=never(30))
            self.said.append(line)
            if line.startswith(until):
                return
            assert not line.startswith(('ok', 'error')), self.said

    def finish(self, seconds=30):
        """Returns the kind of the error, or ok, and how many milliseconds it took."""
        while True:
            line = self.lines.get(timeout=never(seconds))
            self.said.append(line)
            if line.startswith('ok'):
                return 'ok', 0
            if line.startswith('error'):
                return line.split()[1], int(line.split()[2])

    def does(self, command, seconds=30):
        """Asserts that it works."""
        self.begin(command)
        kind, _ = self.finish(seconds)
        assert kind == 'ok', self.said

    def fails(self, kind, within):
        """Asserts that what has begun fails so. On an idle machine it does `within` these seconds from now."""
        began = time.monotonic()
        got, _ = self.finish(within + 5)
        assert got == kind, f'{got}, not {kind}: {self.said}'
        spent = time.monotonic() - began
        assert spent <= never(within), f'{spent:.1f} s instead of {within}: {self.said}'

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(never(15))
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError('the program did not end')


def define_tests(namespace, label, start):
    """Adds a test for every check to a group; `start` begins the run when the first one is asked for."""
    suites = {}

    def make(name):
        def test(bench):
            if label not in suites:
                suites[label] = start(bench)
            began = time.monotonic()
            suites[label].result(name)
            return time.monotonic() - began

        test.__name__ = f'test_{label} {name}'
        test.seconds = 160
        return test

    for name in checks():
        namespace[f'test_{label}_{name}'] = make(name)
    return suites
