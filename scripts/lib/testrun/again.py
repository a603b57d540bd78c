"""Asks tests that failed again, each alone and with nothing beside it, at most twice."""

import dataclasses

import integration
import records
import units

ATTEMPTS = 2
# More than this many do not fail for the moment's load.
MOST = 20


def ask_all():
    found = records.read()
    failed = [record for record in found if record.outcome == 'failed']
    wanted = [record for record in failed if record.again]
    if not wanted:
        return
    # All that failed because one VM ended count as one.
    causes = {record.reason if record.reason.startswith(integration.NO_KERNEL) else record.name for record in failed}
    if len(causes) > MOST:
        print(f'{len(failed)} tests failed: none is asked again')
        return
    print(f'== again: {len(wanted)} tests that failed, each alone')
    for number, record in enumerate(found):
        if record.outcome != 'failed' or not record.again:
            continue
        if passes(record):
            found[number] = dataclasses.replace(record, outcome='unsteady')
            records.show(found[number])
            records.replace(found)
        else:
            print(f'fails again: {record.name}', flush=True)


def passes(record):
    for attempt in range(1, ATTEMPTS + 1):
        reason = units.ask(record) if record.again == 'unit' else integration.ask(record, attempt)
        if reason is None:
            return True
        print(f'asked again ({attempt}): {record.name}: {records.plain(reason)}', flush=True)
        if integration.DEADLY.search(reason) or units.DEADLY.search(reason):
            return False
    return False
