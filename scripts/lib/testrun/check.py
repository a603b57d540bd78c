"""Checks the reading of results itself: what a process that was never run would have said; and how long tests of
integration wait."""

import contextlib
import importlib
import importlib.machinery
import io
import json
import os
import signal
import subprocess
import sys
import tempfile

import again
import integration
import records
import report
import slowest
import units

sys.path.append(os.path.join(records.ROOT, 'Tests', 'integration'))

import bench
import pace
import remains

PASSED = 0


def expect(value, wanted, what):
    global PASSED
    if value != wanted:
        sys.exit(f'{what}: {value!r}, not {wanted!r}')
    PASSED += 1


def test(name):
    place = {'filePath': f'{records.ROOT}/Tests/A/B.swift', 'line': 7}
    identity = f'ATests.B/{name}/B.swift:7:4'
    return {'kind': 'test', 'payload': {'kind': 'function', 'id': identity, 'sourceLocation': place}}


def event(kind, name=None, **more):
    identity = f'ATests.B/{name}/B.swift:7:4' if name else None
    return {'kind': 'event', 'payload': {'kind': kind, 'testID': identity, 'messages': [], **more}}


def issue(name, text, **more):
    said = [{'symbol': 'fail', 'text': text}]
    return event('issueRecorded', name, messages=said, issue={'isKnown': False, 'isFailure': True, **more})


def run_of(*lines, status=0, text=''):
    run = units.Run.__new__(units.Run)
    run.label, run.status, run.text = 'ATests', status, text
    run.forget()
    for line in lines:
        run.take(line)
    return [(r.outcome, r.count, r.name, r.reason, r.again) for r in run.records()]


def units_are_read():
    good = [test('a()'), event('testStarted', 'a()'), event('testEnded', 'a()')]
    bad = [test('b()'), event('testStarted', 'b()'), issue('b()', 'one\x1b[2J\ntwo'), event('testEnded', 'b()')]
    end = event('runEnded')
    expect(run_of(*good, end), [('passed', 1, 'ATests', '', '')], 'one that passes')
    found = run_of(*good, *bad, end, status=1)
    expect(found[1], ('failed', 1, 'ATests.B/b()', 'one\\x1b[2J two', 'unit'), 'one that fails')
    known = [test('b()'), event('testStarted', 'b()'), issue('b()', 'known', isFailure=False), event('testEnded', 'b()')]
    expect(run_of(*known, end), [('passed', 1, 'ATests', '', '')], 'a known issue')
    died = run_of(*good, *bad[:2], status=-11)
    expect(died[1][0::4], ('failed', ''), 'a crash is not asked again')
    expect('signal 11' in died[1][3] and 'ATests.B/b()' in died[1][3], True, 'a crash says what was under way')
    text = '◇ Test b() started.\nfree(): double free detected\n\x1b[92m✔\x1b[0m Test isAnError() passed.\n'
    expect(run_of(*good, *bad[:2], status=-6, text=text)[1][3].endswith('b(). free(): double free detected'), True, 'a crash says its last words')
    expect('did not end' in run_of(*good, status=124)[1][3], True, 'a process that hangs')
    expect(run_of(end)[0][3], 'no test ran', 'a filter that matches nothing')
    expect(run_of(*good, end, status=1)[1][0], 'failed', 'a status without a failure')
    word = 'ERROR: AddressSanitizer: heap-use-after-free'
    expect(run_of(*good, end, text=word)[1][3:], (word, ''), 'the word of a sanitizer')
    exit_test = 'Expectation failed: .signal(%s) was not expected'
    crashed = run_of(*bad[:2], issue('b()', 'late'), issue('b()', exit_test % 'SIGSEGV'), *bad[-1:], end, status=1)
    expect((crashed[0][0], crashed[0][4]), ('failed', ''), 'a crash in an exit test is not asked again')
    for number, is_deadly in ('11', True), ('SIGABRT → 6', True), ('SIGKILL', False), ('15', False), ('SIGALRM → 14', False):
        expect(bool(units.DEADLY.search(exit_test % number)), is_deadly, f'the signal {number}')
    expect(units.exactly('ATests.B/b(n:)'), r'^ATests\.B/b\(n:\)/', 'the filter for one test')
    expect(units.seed_place('ATests.B/C/b(n:)/B.swift:7:4'), 'ATests/B.swift/b(n:)', 'how a test that draws is named')
    beside = [['BlueZTests'], ['BeaconsTests', 'BluetoothTests']]
    expect(units.lanes(['BeaconsTests', 'BlueZTests', 'BluetoothTests']), beside, 'what runs side by side')
    run = units.Run.__new__(units.Run)
    run.label, run.status, run.text = 'ATests', 1, 'seed 7 of ATests/B.swift/b()\n'
    run.forget()
    for line in [*bad, end]:
        run.take(line)
    expect(run.records()[0].command, "LUNA_SEED=7 scripts/test one 'ATests.B/b()'", 'what draws the same again')


def integration_is_read():
    text = 'exit code 1 instead of 0 <- bench.py:7 <- group_h4.py:9'
    expect(integration.reason(text), ('exit code 1 instead of 0', 'Tests/integration/bench.py:7'), 'the place')
    expect(integration.reason('LUNA_SEED=7 ' + text), integration.reason(text), 'a seed before the reason')
    expect(bool(integration.DEADLY.search('luna crashed with SIGSEGV; it said: ')), True, 'a crash')


# A runner of one group of which one test has failed, and another passed, and which then says so, or is gone before.
RUNNER = """#!/bin/bash
echo '{"name": "h4: a", "passed": true, "text": "(1.0 s)"}' >>"$3"
echo '{"name": "h4: b", "passed": false, "text": "%s"}' >>"$3"
%s
exit 1
"""


def told_by_runner(directory, text, end):
    """What the runner of this kind leaves in the records, and what comes of asking about its other test."""
    integration.RESULTS = directory
    integration.RUN, runner = os.path.join(directory, 'runner'), integration.RUN
    with open(integration.RUN, 'w') as file:
        file.write(RUNNER % (text, end))
    os.chmod(integration.RUN, 0o755)
    records.replace([])
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            integration.run()
        return [(one.outcome, one.name, one.again) for one in records.read()], integration.ask(failed_test('h4: a'), 2)
    finally:
        integration.RUN = runner


def failed_test(name):
    return records.Record('failed', 'integration', 1, name, again='integration')


def runners_that_die_are_noticed(directory):
    good, late = ('passed', 'integration', ''), ('failed', 'h4: b', 'integration')
    expect(told_by_runner(directory, 'late', 'echo 1 passed, 1 failed'), ([good, late], None), 'one that comes to its end')
    died = ('failed', 'Tests/integration/run', '')
    expect(told_by_runner(directory, 'late', 'echo OSError'), ([good, late, died], None), 'one that dies after a test has failed')
    word = 'luna crashed with SIGSEGV'
    crash = [good, ('failed', 'h4: b', '')], word
    expect(told_by_runner(directory, word, 'echo 1 passed, 1 failed'), crash, 'a crash beside the test that is asked again')


def times_are_told(directory):
    integration.RESULTS = slowest.RESULTS = directory
    with open(os.path.join(directory, 'ATests.jsonl'), 'w') as stream:
        for second in (5.0, 6.5, 9.25):
            stream.write(json.dumps(event('testEnded', 'a()', instant={'absolute': second})) + '\n')
        stream.write('{"kind": "eve')
    expect(slowest.targets(), [(4.25, 'ATests')], 'what a target took')
    with open(os.path.join(directory, 'integration.jsonl'), 'w') as results:
        results.write('{"name": "h4: a", "passed": true, "text": "(12.3 s)"}\n')
        results.write('{"name": "h4: b", "passed": false, "text": "it is wrong"}\n')
    expect(slowest.tests(), [(12.3, 'h4: a')], 'what a test of integration took')


def failed(number, kind='unit'):
    return records.Record('failed', 'unit', 1, f'ATests.B/{number}()', 'it was late', 'B.swift:7', 'scripts/test one', kind)


def asked_again(found, answers):
    """The outcomes after asking, and how often it was asked."""
    asked = []

    def ask(record, attempt=1):
        asked.append(record.name)
        return answers.pop(0)

    units.ask, integration.ask = ask, ask
    records.replace(found)
    with contextlib.redirect_stdout(io.StringIO()):
        again.ask_all()
    return [record.outcome for record in records.read()], len(asked)


def some_are_asked_again():
    passed = records.Record('passed', 'unit', 5, 'ATests')
    expect(asked_again([passed, failed(1)], [None]), (['passed', 'unsteady'], 1), 'passes at once')
    expect(asked_again([failed(1)], ['late', None]), (['unsteady'], 2), 'passes the second time')
    expect(asked_again([failed(1, 'integration')], ['late', 'late']), (['failed'], 2), 'never passes')
    for word in ('it died of signal 11', 'it did not end within 600 s', 'it ended with status 1; under way'):
        expect(asked_again([failed(1)], [word]), (['failed'], 1), word)
    expect(asked_again([failed(1, '')], []), (['failed'], 0), 'what is never asked again')
    expect(asked_again([failed(n) for n in range(20)], [None] * 20), (['unsteady'] * 20, 20), 'twenty')
    expect(asked_again([failed(n) for n in range(21)], []), (['failed'] * 21, 0), 'twenty-one')


def ends(found, died=''):
    records.replace(found)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = report.report(died)
    return status, out.getvalue().splitlines()


def reports_end_with_the_count():
    passed = records.Record('passed', 'unit', 5, 'ATests')
    status, lines = ends([passed])
    expect((status, lines[-2:]), (0, ['0 unsteady', '5 passed, 0 failed']), 'all passed')
    unsteady = failed(1)
    unsteady.outcome = 'unsteady'
    status, lines = ends([passed, unsteady])
    expect((status, lines[-2:]), (0, ['1 unsteady', '6 passed, 0 failed']), 'one is unsteady')
    expect(lines[1:3], ['unsteady: ATests.B/1(): it was late (B.swift:7)', '    alone: scripts/test one'], 'told')
    expect(ends([passed, failed(2)])[0], 1, 'the status of one that failed')
    status, lines = ends([passed], 'docs (status 130)')
    expect((status, lines[-1]), (1, '5 passed, 1 failed'), 'a run that died')
    expect(ends([])[0], 1, 'nothing ran')
    status, lines = ends([passed, *[failed(n) for n in range(100)]])
    expect(len(lines) < 60 and lines[-1], '5 passed, 100 failed', 'the last 60 lines tell everything')


def run_with(directory, step):
    """How scripts/test ends when this is its only step: (status, last line)."""
    script = '. scripts/lib/common.sh; . scripts/lib/steps.sh; need_swift() { :; }; need_packages() { :; }; '
    done = subprocess.run(
        ['bash', '-c', script + 'step_sample() { ' + step + '; }; run_steps sample'],
        cwd=records.ROOT, env=dict(os.environ, LUNA_TEST_RESULTS=os.path.join(directory, 'run')),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    return done.returncode, done.stdout.splitlines()[-1]


def runs_end_with_their_status(directory):
    good, bad = 'record passed 2 good', 'record failed 1 bad "it is wrong"'
    expect(run_with(directory, good), (0, '2 passed, 0 failed'), 'a run in which all passed')
    expect(run_with(directory, f'{good}; {bad}'), (1, '2 passed, 1 failed'), 'a run in which one failed')
    expect(run_with(directory, f'{bad}; true'), (1, '0 passed, 1 failed'), 'a step that ends well after that')
    expect(run_with(directory, ':'), (1, '0 passed, 0 failed'), 'a run without a test')
    expect(run_with(directory, f'{good}; : >"$TMPDIR/kept"'), (1, '2 passed, 1 failed'), 'a run that leaves a file behind')
    if os.access('/dev/shm', os.W_OK):
        kept = '/dev/shm/${TMPDIR##*/}.kept'
        expect(run_with(directory, f'{good}; : >{kept}'), (1, '2 passed, 1 failed'), 'a run that leaves something in memory')
    # Nobody waits for a process that does not end by itself.
    number = os.path.join(directory, 'number')
    for place, whose in ('$TMPDIR', 'one'), ('$TMPDIR/of/its/own', 'one with a folder of its own'):
        stays = f'sleep() {{ :; }}; TMPDIR={place} command sleep 600 >/dev/null 2>&1 & echo $! >{number}'
        expect(run_with(directory, f'{good}; {stays}'), (1, '2 passed, 1 failed'), f'a run that leaves a process behind, {whose}')
        with open(number) as file:
            expect(os.path.exists(f'/proc/{file.read().strip()}'), False, f'what became of that process, {whose}')
    expect(run_with(directory, f'{good}; exit 0'), (1, '2 passed, 1 failed'), 'a run that ends in the middle')
    expect(run_with(directory, f'{good}; kill -s TERM $$'), (1, '2 passed, 1 failed'), 'a run that is ended')


# A group of integration with one test, which makes a file and starts a program that starts another.
GROUP = """
import os, signal, subprocess, tempfile
import remains
IN_VM = False
class Bench:
    def tidy(self): pass
    def close(self): pass
def prepare(mode):
    return Bench()
def test_a(bench):
    open(os.path.join(tempfile.mkdtemp(), 'file'), 'w').close()
    program = subprocess.Popen(['sh', '-c', 'sleep 600 & echo $!; wait'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    print(tempfile.gettempdir(), program.pid, program.stdout.readline().strip(), flush=True)
"""


def group_that(directory, ends, tell=None):
    """What becomes of the folder and of the processes of a group whose test ends so, when it is told so meanwhile: whether
    they are there."""
    with open(os.path.join(directory, 'group_sample.py'), 'w') as file:
        file.write(GROUP + '    ' + ends + '\n')
    environment = dict(os.environ, PYTHONPATH=directory, PYTHONDONTWRITEBYTECODE='1', TMPDIR=directory)
    environment.pop(remains.MARK, None)
    with subprocess.Popen(
        [sys.executable, integration.RUN, '--here', 'sample'], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as run:
        folder, *processes = run.stdout.readline().split()
        if tell:
            run.send_signal(tell)
        run.stdout.read()
    # One that has ended has no words any more, even while it is still in the list.
    return os.path.exists(folder), [bool(text_of(f'/proc/{process}/cmdline')) for process in processes]


def text_of(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ''


def groups_leave_nothing(directory):
    expect(group_that(directory, 'assert False'), (False, [False, False]), 'a group of which a test fails')
    expect(group_that(directory, 'signal.pause()', signal.SIGTERM), (False, [False, False]), 'a group that is ended')
    expect(group_that(directory, 'raise KeyboardInterrupt'), (False, [False, False]), 'a group that comes to no end')
    expect(group_that(directory, 'remains.end_family(program)'), (False, [False, False]), 'a program that is ended with its own')


# A group of which nobody looks at how its program ends, and of which something may go wrong once its test has passed.
ENDING = """
import subprocess
from bench import NotRun
IN_VM = False
class Bench:
    def tidy(self): pass
    def close(self): {close}
def prepare(mode):
    return Bench()
def test_a(bench):
    subprocess.run(['{program}', '{number}'])
    {end}
"""


def told_of(directory, number, close='pass', end='pass'):
    """What the runner tells of that group when its program is ended by this signal: whether it passed, and the text; what
    it says without a result where there is none."""
    program = os.path.join(directory, 'luna')
    with open(program, 'w') as file:
        file.write('#!/bin/sh\nkill -s $1 $$\n')
    os.chmod(program, 0o755)
    with open(os.path.join(directory, 'group_ending.py'), 'w') as file:
        file.write(ENDING.format(close=close, program=program, number=number, end=end))
    sys.modules.pop('group_ending', None)
    importlib.invalidate_caches()
    runner = importlib.machinery.SourceFileLoader('runner', integration.RUN).load_module()
    # What goes on here was not told to end.
    runner.SECONDS_TO_END = 0
    results, said, _ = runner.run_group('ending', program, runner.Choice(everything=True))
    return (results[0].passed, results[0].text) if results else said


def groups_tell_how_they_end(directory):
    sys.path.append(directory)
    sys.dont_write_bytecode = True
    os.environ.update(PYTHONPATH=directory, PYTHONDONTWRITEBYTECODE='1', TMPDIR=directory)
    expect(told_of(directory, 'TERM')[0], True, 'a program that is ended')
    passed, text = told_of(directory, 'SEGV')
    expect((passed, bool(integration.DEADLY.search(text))), (False, True), f'a program that crashes while nobody looks: {text}')
    absent = told_of(directory, 'TERM', end='raise NotRun("no moon")')
    expect(absent, ['not run ending: a: no moon'], 'a test that lacks something')
    passed, text = told_of(directory, 'TERM', 'raise OSError("it stays")')
    expect((passed, 'it stays' in text), (False, True), f'a group that cannot put away what it made: {text}')
    passed, text = told_of(directory, 'TERM', f'subprocess.run(["{directory}/luna", "ABRT"])')
    expect((passed, bool(integration.DEADLY.search(text))), (False, True), f'a program that crashes when it is put away: {text}')


def runs_name_what_they_leave(directory):
    # One has the pipe of what the group says, too.
    for pipe in ('', ', stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL'):
        passed, text = told_of(directory, 'TERM', end=f'subprocess.Popen(["sleep", "617"]{pipe})')
        expect((passed, 'left running: process ' in text and 'sleep 617' in text), (False, True), f'a group that leaves a process{pipe}: {text}')
        process = int(text.partition('process ')[2].partition(':')[0])
        expect(text_of(f'/proc/{process}/cmdline'), '', 'what became of that process')
    runner = importlib.machinery.SourceFileLoader('runner', integration.RUN).load_module()
    left, before, tempfile.tempdir = [], tempfile.tempdir, directory
    with runner.folder_of_the_run(left):
        place = os.environ['TMPDIR']
        open(os.path.join(place, 'kept'), 'w').close()
        # scripts/test has one, into which it looks itself.
        with runner.folder_of_the_run([]):
            expect(os.environ['TMPDIR'], place, 'the folder of a run in a run')
    expect((left, os.path.exists(place), os.environ['TMPDIR']), (['kept'], False, directory), 'a run that leaves a file')
    tempfile.tempdir = before


class Machine:
    """A clock that goes on only while something is computed, and something that takes as long as it is told."""

    def __init__(self):
        self.now, self.takes, self.times = 1000.0, pace.IDLE, 0
        pace.time, pace.work, pace.slowest, pace.measured = self, self.work, 1.0, None

    def monotonic(self):
        return self.now

    def work(self):
        self.now += self.takes
        self.times += 1

    def slower(self, takes, later=30):
        """How much slower it is said to be, so many seconds later."""
        self.takes = takes
        self.now += later
        return round(pace.slower(), 3)


def patience_is_measured():
    machine = Machine()
    expect((machine.slower(0.2), machine.times), (1, 1), 'a machine that is idle')
    expect((machine.slower(1.0, 29), machine.times), (1, 1), 'one that was measured just now')
    expect((machine.slower(1.0), machine.times), (5, 2), 'one that is five times slower')
    expect(machine.slower(0.2), 5, 'one that was slower a while ago: what it began then is still there')
    expect(machine.slower(60.0), pace.MOST, 'one that is too slow to be waited for')
    expect(Machine().slower(0.05), 1, 'one that is faster')
    machine = Machine()
    deadline = pace.Deadline(10)
    machine.now += 9
    expect((deadline.left(), machine.times), (1, 0), 'time that is left, for which nothing is computed')
    machine.now, machine.takes = machine.now + 2, 1.0
    expect(round(deadline.left(), 3), 38, 'a deadline on a machine that is five times slower')
    machine.now += 35
    expect((round(deadline.left(), 3), machine.times), (3, 1), 'what is left of it, for which nothing is computed anew')
    machine.now += 3
    expect(deadline.left() <= 0, True, 'a deadline that is over there, too')
    machine = Machine()
    deadline = pace.Deadline(10)
    machine.now += 10
    expect(deadline.left() <= 0, True, 'a deadline that is over')


def waits_tell_what_for():
    def over():
        raise bench.TookTooLong('took too long')

    # One that would ask whoever does not answer is not asked.
    for what, told in ('the tide', 'took too long, waiting for the tide'), (lambda: 1 / 0, 'took too long'):
        said = None
        try:
            bench.wait_for(over, what=what)
        except bench.TookTooLong as limit:
            said = str(limit)
        expect(said, told, 'a test whose time is over while it waits')


class Numbers:
    """Draws these, and then no more."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def randrange(self, *_):
        if not self.numbers:
            sys.exit('none is free')
        return self.numbers.pop(0)


def ports_are_not_shared():
    chosen = [bench.free_port(), bench.free_port()]
    script = f'import sys; sys.path.append({os.path.dirname(__file__)!r}); import bench, check; bench.random = check.Numbers(*{chosen}); bench.free_port()'
    asked = subprocess.run([sys.executable, '-c', script], cwd=os.path.dirname(bench.__file__), capture_output=True, text=True)
    expect(asked.stderr, 'none is free\n', 'ports that another process has chosen and does not use yet')


def main():
    with tempfile.TemporaryDirectory() as directory:
        records.RESULTS = report.RESULTS = directory
        records.RECORDS = os.path.join(directory, 'records')
        runs_end_with_their_status(directory)
        groups_leave_nothing(directory)
        groups_tell_how_they_end(directory)
        runs_name_what_they_leave(directory)
        units_are_read()
        integration_is_read()
        runners_that_die_are_noticed(directory)
        times_are_told(directory)
        some_are_asked_again()
        reports_end_with_the_count()
    patience_is_measured()
    waits_tell_what_for()
    ports_are_not_shared()
    print(f'{PASSED} checks of the reading of results and of patience')


if __name__ == '__main__':
    main()
