"""luna watch on recordings that others have made."""

import glob
import json
import os
import subprocess

from bench import ROOT, Place

IN_VM = False


def prepare(mode):
    return Place('watch')


def watch(place, path):
    """The code and the lines of a recording, judged by somebody who has no keys."""
    run = subprocess.run([place.luna, 'watch', '-r', path, '--format', 'jsonl', '--state', place.path('state')], capture_output=True, text=True)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()]


def test_no_recording_raises_an_alarm(place):
    read = []
    for path in sorted(glob.glob(os.path.join(ROOT, 'Tests', 'captures', '*'))):
        if not path.endswith(('.btsnoop', '.pcap', '.pcapng', '.cfa')):
            continue
        code, lines = watch(place, path)
        # One of them has no record that could be read.
        assert code in (0, 1, 8), (path, code)
        grades = [line['grade'] for line in lines if line['type'] == 'suspect']
        assert 'alarm' not in grades, (path, grades)
        if code != 8:
            # What was listened to stands beside what was not found.
            end = lines[-1]
            assert end['type'] == 'end' and end['alarms'] == 0 and end['cannotFind'], (path, end)
            read.append(path)
    assert len(read) >= 8, read
