"""A large recording, whose JSON lines several threads make: in everything that one sees, it is as with one processor."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

from bench import ROOT, NotRun, Place, wait_for

IN_VM = False
# 5 MiB of records, from where on it is worth it.
EVENTS = 80_000
GENERATOR = os.path.join(ROOT, 'scripts/lib/bench/generate_capture.py')


class Recordings(Place):
    def __init__(self):
        super().__init__('blocks')
        self.files = {}
        for name, more in {'legacy': (), 'several': ('--multi', '20', '--junk', '10', '--bad', '5'), 'extended': ('--ext',)}.items():
            self.files[name] = self.path(name + '.btsnoop')
            subprocess.run(
                [sys.executable, GENERATOR, self.files[name], '--events', str(EVENTS), *more], check=True, stdout=subprocess.DEVNULL)
            assert os.path.getsize(self.files[name]) > 4 << 20, name

    def command(self, processors, file, *arguments):
        here = sorted(os.sched_getaffinity(0))
        if processors > len(here):
            raise NotRun('there is nothing to compare on one processor')
        use = ','.join(str(number) for number in here[:processors])
        return ['taskset', '-c', use, self.luna, 'scan', '--read', file, '--format', 'jsonl', *arguments]

    def began(self, processors, file):
        return subprocess.Popen(
            self.command(processors, file), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)

    def ran(self, processors, file, *arguments, limit=None):
        """The exit code, what was printed, and what was said, without what the time of the run says."""

        def prepare():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with tempfile.TemporaryFile(dir=self.folder) as output:
            done = subprocess.run(
                self.command(processors, file, *arguments), stdout=output, stderr=subprocess.PIPE, env=self.environment,
                preexec_fn=prepare)
            output.seek(0)
            return done.returncode, output.read(), re.sub(rb'in [0-9.]+ s', b'', done.stderr)


def prepare(mode):
    return Recordings()


def same(place, file, code, *arguments, **how):
    """What both ways print, which is the same."""
    one, two = (place.ran(processors, file, *arguments, **how) for processors in (1, 2))
    assert one[0] == two[0] == code, (one[0], one[2], two[0], two[2])
    assert one[2] == two[2], (one[2], two[2])
    # Not as a whole in a message: it is long.
    equal = one[1] == two[1]
    assert equal, f'{len(one[1])} bytes and {len(two[1])}'
    return one[1]


def test_every_line_is_the_same(bench):
    for name, file in bench.files.items():
        lines = same(bench, file, 0, '-v').count(b'\n')
        assert lines >= EVENTS, (name, lines)
    same(bench, bench.files['several'], 0, '-v', '--fields', 'time,address,rssi')


def test_a_part_of_a_recording(bench):
    printed = same(bench, bench.files['legacy'], 0, '-v', '-T', '1s')
    assert 2 < printed.count(b'\n') < EVENTS


def test_a_recording_that_was_cut(bench):
    path = bench.path('cut.btsnoop')
    with open(bench.files['legacy'], 'rb') as whole, open(path, 'wb') as cut:
        cut.write(whole.read()[:-7])
    same(bench, path, 0, '-v')


def test_a_full_disk(bench):
    printed = same(bench, bench.files['legacy'], 7, limit=1_000_001)
    assert len(printed) == 1_000_001


def test_a_reader_that_goes(bench):
    for processors in (1, 2):
        luna = bench.began(processors, bench.files['legacy'])
        luna.stdout.read(100_000)
        luna.stdout.close()
        said = luna.stderr.read()
        luna.stderr.close()
        assert luna.wait() == 0 and not said, (processors, luna.returncode, said)


def test_a_signal_while_nobody_reads(bench):
    """What was read by then is printed, whole lines and the last one, as soon as somebody reads again."""
    for processors in (1, 2):
        luna = bench.began(processors, bench.files['legacy'])
        first = os.read(luna.stdout.fileno(), 1000)
        luna.send_signal(signal.SIGINT)
        # It has been taken when it is not pending any more: of the process, whoever waits for it.
        wait_for(lambda: not pending(luna.pid, signal.SIGINT), what='a signal that is taken')
        rest = luna.stdout.read()
        luna.communicate()
        assert luna.returncode == 130, (processors, luna.returncode)
        lines = (first + rest).split(b'\n')
        assert not lines[-1] and lines[-2].startswith(b'{"type":"end"'), (processors, lines[-2:])
        assert b'"shown":%d,' % (len(lines) - 3) in lines[-2], (processors, len(lines), lines[-2])


def pending(pid, number):
    with open(f'/proc/{pid}/status') as lines:
        return any(int(line.split()[1], 16) >> number - 1 & 1 for line in lines if line.startswith('ShdPnd'))
