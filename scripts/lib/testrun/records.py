"""What came of each test, in .build/test-results/records: a line each, its fields between tabs.

The shell's steps write such lines too (`record` in steps.sh).
"""

import dataclasses
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
RESULTS = os.environ.get('LUNA_TEST_RESULTS') or os.path.join(ROOT, '.build', 'test-results')
RECORDS = os.path.join(RESULTS, 'records')
REASON = 500


def plain(text, limit=REASON):
    """One line of at most `limit` characters, in which nothing controls a terminal or ends a field."""
    text = ' '.join(text.split())
    text = re.sub(r'[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]', lambda m: f'\\x{ord(m[0]):02x}', text)
    text = text.encode('utf-8', 'replace').decode()
    return text if len(text) <= limit else text[: limit - 1] + '…'


@dataclasses.dataclass
class Record:
    # passed, failed, or unsteady: it failed, and passed when it was asked again.
    outcome: str
    step: str
    # How many tests this line stands for.
    count: int
    name: str = ''
    reason: str = ''
    where: str = ''
    # The command that runs it alone.
    command: str = ''
    # How it is asked again: unit or integration; empty for what is never asked again.
    again: str = ''

    def line(self):
        fields = [self.outcome, self.step, str(self.count), plain(self.name, 300), plain(self.reason)]
        return '\t'.join([*fields, plain(self.where, 300), plain(self.command, 900), self.again])

    @staticmethod
    def parse(line):
        fields = (line.split('\t') + [''] * 8)[:8]
        return Record(fields[0], fields[1], int(fields[2] or 0), *fields[3:])


def read():
    try:
        with open(RECORDS, errors='replace') as file:
            return [Record.parse(line.rstrip('\n')) for line in file if line.count('\t') >= 3]
    except FileNotFoundError:
        return []


def add(*records):
    with open(RECORDS, 'a') as file:
        file.writelines(record.line() + '\n' for record in records)


def replace(records):
    """All of them at once: a run that is killed meanwhile keeps the old ones."""
    with open(RECORDS + '.new', 'w') as file:
        file.writelines(record.line() + '\n' for record in records)
    os.replace(RECORDS + '.new', RECORDS)


def show(record):
    """What a person has to know of a test that failed, in two lines."""
    word = {'failed': 'FAILED', 'unsteady': 'unsteady:'}[record.outcome]
    where = f' ({record.where})' if record.where else ''
    print(f'{word} {record.name}: {record.reason or "it failed"}{where}')
    if record.command:
        print(f'    alone: {record.command}')
