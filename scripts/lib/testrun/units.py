"""Unit tests: each target in a process of its own, read from Swift Testing's event stream (JSON lines).

One target after the other: all tests of a process start at once, and those that wait for something
would wait for the computations of all others. Beside them the pure ones, which lean on no clock.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import threading

from records import RESULTS, ROOT, Record, add, plain, show

PROGRAM = os.path.join(ROOT, '.build', 'debug', 'lunaPackageTests.xctest')
# Nothing takes a tenth of this; a target that hangs must not hang everything. Longer than what a test may take, so that
# a test that hangs fails by itself, and can be asked again.
SECONDS = int(os.environ.get('LUNA_UNIT_SECONDS', 1200))
SANITIZER = re.compile(r'(Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer|: runtime error: ')
# What Swift Testing says of the process of an exit test that a signal ended which nobody sends, by name or by number.
CRASH = re.compile(r'\.signal\((SIG)?(ILL|TRAP|ABRT|BUS|FPE|SEGV|SYS|4|5|6|7|8|11|31)\b')
# How a process ends whose test is not asked once more.
DEADLY = re.compile(SANITIZER.pattern + '|' + CRASH.pattern + r'|^it (died of|did not end|ended with)')
# What a test was drawn by, as LunaTesting tells it; and where a command gives it again.
SEED = re.compile(r'^seed (\d+) of (\S+)$', re.M)
GIVEN_SEED = re.compile(r'^LUNA_SEED=(\d+) ')
# How the library of tests tells of its own: with a symbol, which may be coloured.
PROGRESS = re.compile(r'(?:\x1b\[[\d;]*m)*[^\x00-\x7f]')


class Run:
    """What the event stream of one process said."""

    def __init__(self, label, pattern, **variables):
        self.label = label
        name = re.sub(r'[^A-Za-z0-9.]+', '-', label)[:100].strip('-')
        self.log = os.path.join(RESULTS, name + '.log')
        self.stream = os.path.join(RESULTS, name + '.jsonl')
        self.forget()
        if os.path.exists(self.stream):
            os.unlink(self.stream)
        # It ends with this process, whatever ends that.
        command = ['setpriv', '--pdeathsig', 'TERM', 'timeout', '-k', '10', str(SECONDS), PROGRAM, '--testing-library', 'swift-testing']
        command += ['--filter', pattern, '--event-stream-output-path', self.stream]
        with open(self.log, 'w') as log:
            self.status = subprocess.run(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env=dict(os.environ, SWIFT_BACKTRACE='enable=no', **variables),
            ).returncode
        self.read()
        with open(self.log, errors='replace') as log:
            self.text = log.read()

    def forget(self):
        # Of each test: its place; its first issue.
        self.functions, self.issues, self.skipped = {}, {}, {}
        self.began, self.ended = set(), set()
        # Issues of no test; whether the stream has its end.
        self.elsewhere, self.whole = [], False

    def read(self):
        try:
            with open(self.stream, errors='replace') as stream:
                for line in stream:
                    try:
                        self.take(json.loads(line))
                    except (ValueError, KeyError, TypeError):
                        pass  # the last line of a process that died
        except FileNotFoundError:
            pass

    def take(self, line):
        payload = line['payload']
        if line['kind'] == 'test':
            if payload['kind'] == 'function':
                place = payload['sourceLocation']
                self.functions[payload['id']] = place_of(place)
            return
        kind, test = payload['kind'], payload.get('testID')
        if kind == 'runEnded':
            self.whole = True
        elif kind == 'testStarted':
            self.began.add(test)
        elif kind == 'testEnded':
            self.ended.add(test)
        elif kind == 'testSkipped':
            self.skipped[test] = said(payload)
        elif kind == 'issueRecorded':
            issue = payload['issue']
            if issue.get('isKnown') or not issue.get('isFailure', True):
                return
            place = place_of(issue['sourceLocation']) if issue.get('sourceLocation') else ''
            if test in self.functions:
                # The first one, but for a crash that came after it.
                if test not in self.issues or CRASH.search(said(payload)):
                    self.issues[test] = (said(payload), place)
            else:
                self.elsewhere.append((said(payload), place))

    def records(self):
        """A record for every test, and one for what no test did."""
        ran = [test for test in self.functions if test in self.ended]
        passed = [test for test in ran if test not in self.issues]
        found = [Record('passed', 'unit', len(passed), self.label)] if passed else []
        seeds = {place: seed for seed, place in SEED.findall(self.text)}
        for test, (reason, place) in self.issues.items():
            seed = seeds.get(seed_place(test), '')
            again = '' if CRASH.search(reason) else 'unit'
            found.append(failed(name_of(test), reason, place or self.functions[test], again=again, seed=seed))
        for reason, place in self.elsewhere:
            found.append(failed(self.label, reason, place))
        word = next((line for line in self.text.splitlines() if SANITIZER.search(line)), None)
        if word:
            found.append(failed(self.label, word))
        if not self.whole:
            open_tests = sorted(test for test in self.began - self.ended if test in self.functions)
            names = ', '.join(name_of(test) for test in open_tests[:8]) or 'none'
            # What allocators and runtimes say before they end a process has no word in common.
            last = next((line for line in reversed(self.text.splitlines()) if line.strip() and not PROGRESS.match(line)), '')
            seed = next(iter(seeds.values()), '')
            found.append(failed(self.label, f'{ending(self.status)}; under way: {names}. {last}', seed=seed))
        elif not ran:
            found.append(failed(self.label, 'no test ran'))
        elif self.status != 0 and not any(record.outcome == 'failed' for record in found):
            found.append(failed(self.label, f'{ending(self.status)}, and no test failed'))
        return found


def failed(name, reason, where='', again='', seed=''):
    command = f'LUNA_SEED={seed} ' * bool(seed) + 'scripts/test one ' + shlex.quote(name)
    return Record('failed', 'unit', 1, name, plain(reason), where, command, again)


def ending(status):
    """What became of a process that `timeout` ran."""
    if status == 124 or status == 137:
        return f'it did not end within {SECONDS} s'
    # `timeout` ends itself by the signal that its command died of.
    if status < 0 or status > 128:
        return f'it died of signal {-status if status < 0 else status - 128}'
    return f'it ended with status {status}'


def place_of(location):
    path = location.get('filePath') or location.get('_filePath') or location.get('fileID', '')
    path = os.path.relpath(path, ROOT) if path.startswith(ROOT + '/') else path
    return f'{path}:{location.get("line", 0)}'


def said(payload):
    lines = [message['text'] for message in payload.get('messages', []) if message.get('text')]
    return plain(' '.join(lines))


def name_of(test):
    """Target.Suite/function(), without the place that the stream's ids end with."""
    return re.sub(r'/[^/]+\.swift:\d+:\d+$', '', test)


def seed_place(test):
    """Target/file/function(): how LunaTesting names a test that draws."""
    found = re.fullmatch(r'(\w+)\.(?:.*/)?([^/]+)/([^/]+\.swift):\d+:\d+', test)
    return '/'.join(found.group(1, 3, 2)) if found else None


def escaped(text):
    return re.sub(r'([\\.^$|?*+()\[\]{}])', r'\\\1', text)


def exactly(name):
    """A filter for just this test, or this target."""
    return '^' + escaped(name) + (r'\.' if re.fullmatch(r'\w+', name) else '/')


def lanes(targets):
    """Those that may wait for something, and those of rooms without input, output and clock, as Package.swift calls them."""
    with open(os.path.join(ROOT, 'Package.swift')) as file:
        pure = {room + 'Tests' for room in re.findall(r'\bRoom\(\s*"(\w+)", \.pure\b', file.read())}
    return [[target for target in targets if (target in pure) == is_pure] for is_pure in (False, True)]


def run(targets):
    telling = threading.Lock()

    def one_after_the_other(lane):
        for target in lane:
            done = Run(target, exactly(target))
            with telling:
                say(done)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in pool.map(one_after_the_other, lanes(targets)):
            pass


def one(name):
    """The tests with this text in their name."""
    done = Run(name, escaped(name))
    sys.stdout.write(done.text)
    say(done)


def say(done):
    records = done.records()
    add(*records)
    for test, why in done.skipped.items():
        if test in done.functions:
            print(f'skipped: {name_of(test)}: {why or "no reason given"}')
    for record in records:
        if record.outcome == 'failed':
            show(record)
    sys.stdout.flush()


def ask(record):
    """Asks one test again, with the same seed: None when it passed, else why it did not."""
    seed = GIVEN_SEED.match(record.command)
    done = Run(f'again {record.name}', exactly(record.name), **({'LUNA_SEED': seed[1]} if seed else {}))
    mine = [test for test in done.functions if name_of(test) == record.name]
    wrong = [found.reason for found in done.records() if found.outcome == 'failed']
    if wrong:
        return next((reason for reason in wrong if DEADLY.search(reason)), wrong[0])
    if not any(test in done.ended for test in mine):
        return 'asked again, it did not run'
    return None
