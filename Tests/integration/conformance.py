"""The GATT conformance suite (Tests/conformance) as tests of a group, one for every check."""

import os
import re
import subprocess
import threading
import time

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
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
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
            self.changed.wait_for(told, seconds)
            found = told()
        assert found and found is not True, f'no result; the suite said: {self.lines[-3:]}'
        assert found[0].startswith('ok'), found[0]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


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
