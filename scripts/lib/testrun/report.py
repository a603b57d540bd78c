"""The end of a run: what failed and what was unsteady, the time of each step, and the count."""

import os

from records import RESULTS, read, show

# So that the last 60 lines of a run tell everything.
MOST = 20


def report(died):
    """Returns the exit status. `died`: the step in which the run ended early."""
    found = read()
    failed = [record for record in found if record.outcome == 'failed']
    unsteady = [record for record in found if record.outcome == 'unsteady']
    passed = sum(record.count for record in found if record.outcome in ('passed', 'unsteady'))
    wrong = sum(record.count for record in failed)
    print('== results')
    for record in (unsteady + failed)[:MOST]:
        show(record)
    more = len(unsteady) + len(failed) - MOST
    if more > 0:
        print(f'... and {more} more, in .build/test-results/records')
    if died:
        wrong += 1
        print(f'FAILED {died}: the run ended here, before its end')
    for step, seconds in times().items():
        print(f'{seconds:>6} s  {step}')
    print(f'logs: {os.path.relpath(RESULTS)}')
    print(f'{len(unsteady)} unsteady')
    print(f'{passed} passed, {wrong} failed', flush=True)
    return 1 if wrong or not passed else 0


def times():
    """The steps of this run, and what each took."""
    try:
        with open(os.path.join(RESULTS, 'times')) as file:
            return dict(line.rstrip('\n').split('\t') for line in file)
    except FileNotFoundError:
        return {}
