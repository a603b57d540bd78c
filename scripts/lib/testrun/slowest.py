"""What took longest in the last run: unit targets (all tests of one begin at once), and tests of integration."""

import glob
import json
import os
import re

import integration
from records import RESULTS

MOST = 10


def show():
    for what, found in (('unit tests', targets()), ('integration', tests())):
        print(f'{what}:')
        for seconds, name in sorted(found, reverse=True)[:MOST]:
            print(f'{seconds:>8.1f} s  {name}')


def targets():
    """(seconds, name), by the first and the last line of each event stream."""
    found = []
    for path in glob.glob(os.path.join(RESULTS, '*Tests.jsonl')):
        times = []
        with open(path, errors='replace') as stream:
            for line in stream:
                try:
                    times.append(json.loads(line)['payload']['instant']['absolute'])
                except (ValueError, KeyError, TypeError):
                    pass  # no event, or the last line of a process that died
        if times:
            found.append((times[-1] - times[0], os.path.basename(path).removesuffix('.jsonl')))
    return found


def tests():
    """(seconds, name), as the runner told them; those that failed told none."""
    found = []
    for name, test in integration.parse(integration.paths_of('integration')[0]).items():
        told = re.fullmatch(r'\((\d+\.\d) s\)', test['text'])
        if told:
            found.append((float(told[1]), name))
    return found
