"""Integration tests: what Tests/integration/run found, as records."""

import json
import os
import re
import shlex
import subprocess

from records import RESULTS, ROOT, Record, add

RUN = os.path.join(ROOT, 'Tests', 'integration', 'run')
LUNA = os.path.join(ROOT, '.build', 'release', 'luna')
# A program that crashed, or a sanitizer's word: not asked again.
DEADLY = re.compile(r'crashed with SIG|Sanitizer|: runtime error: ')
# All tests of a group whose VM ended so have failed for one reason.
NO_KERNEL = 'the kernel crashed in the VM'
# What the lots of a test that failed were drawn by, before the reason.
SEED = re.compile(r'^LUNA_SEED=\d+ ')


def run(*words):
    """Runs some of them, printing what they print; adds their records."""
    results, log = paths('integration')
    if os.path.exists(log):
        os.unlink(log)
    status = ask_runner(results, log, words, show=True)
    found = parse(results)
    passed = sum(test['passed'] for test in found.values())
    if passed:
        add(Record('passed', 'integration', passed, 'integration'))
    for name, test in found.items():
        if not test['passed']:
            again = '' if DEADLY.search(test['text']) else 'integration'
            seed = SEED.match(test['text'])
            command = (seed[0] if seed else '') + 'scripts/test one ' + shlex.quote(name)
            add(Record('failed', 'integration', 1, name, *reason(test['text']), command, again))
    # One that died in the middle ends with 1 as well, and has not said this.
    count = f'{passed} passed, {len(found) - passed} failed'
    if status not in (0, 1) or not found or (status == 1 and passed == len(found)) or count not in lines_of(log)[-5:]:
        why = f'ended with {status}, after {len(found)} tests: {last_line(log)}'
        add(Record('failed', 'integration', 1, 'Tests/integration/run', why))


def ask(record, attempt):
    """Asks one test again, by the same seed, the second time with all of its group: None when it passed, else why not."""
    words = ['--test', record.name] if attempt == 1 else ['--group', record.name.split(':')[0]]
    results, log = paths('integration-again')
    seed = SEED.match(record.command)
    variables = dict([seed[0].strip().split('=')]) if seed else {}
    ask_runner(results, log, ['--jobs', '1', *words], show=False, variables=variables)
    found = parse(results)
    # Also one that comes while another test of its group runs.
    crash = next((test['text'] for test in found.values() if not test['passed'] and DEADLY.search(test['text'])), None)
    if crash:
        return crash
    test = found.get(record.name)
    if not test:
        return 'asked again, it did not run: ' + last_line(log)
    return None if test['passed'] else SEED.sub('', test['text'])


def names(text):
    """The tests with this text in their name."""
    command = [RUN, '--list', '--only', text]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def paths_of(name):
    return [os.path.join(RESULTS, name + ending) for ending in ('.jsonl', '.log')]


def paths(name):
    results, log = paths_of(name)
    if os.path.exists(results):
        os.unlink(results)
    return results, log


def ask_runner(results, log, words, show, variables={}):
    process = subprocess.Popen(
        [RUN, LUNA, '--results', results, *words], cwd=ROOT, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', env=dict(os.environ, **variables),
    )
    with open(log, 'a') as file:
        for line in process.stdout:
            file.write(line)
            file.flush()
            if show and not line.startswith('ok '):
                print('    ' + line.rstrip('\n')[:2000], flush=True)
    return process.wait()


def parse(results):
    """name -> what came of it."""
    if not os.path.exists(results):
        return {}
    with open(results) as file:
        return {test['name']: test for test in map(json.loads, file)}


def reason(text):
    """(reason, where): the place in the tests is at the end of what they say."""
    frames = re.findall(r' <- (\S+:\d+)', text)
    return re.sub(r'( <- \S+:\d+)+$', '', SEED.sub('', text)), 'Tests/integration/' + frames[0] if frames else ''


def lines_of(log):
    with open(log, errors='replace') as file:
        return file.read().strip().splitlines()


def last_line(log):
    return (lines_of(log) or ['nothing was said'])[-1]
