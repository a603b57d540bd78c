"""An owner fetches a year from a `luna backend` on PostgreSQL with five million events of 400 days (SCALE, part 1).

LUNA_YEAR_EVENTS is how many. A year is fetched in a time that does not grow with what others have there, and nobody who
uploads waits for it. What "does not grow" is compared with is measured in the same run: a year of the same tracker where
nobody else has anything.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import lunaprotocol
from backends import LUNA, PATIENCE, event
from bench import wait_for
from figures import tell
from postgres import Bench, absent

IN_VM = False
EVENTS = int(os.environ.get('LUNA_YEAR_EVENTS', '5000000'))
DAYS, PER_PERIOD = 400, 3
# How often a year is fetched from each of the two, and how many times longer one may take that is among many others'.
TURNS, MORE = 3, 3
PERIOD = lunaprotocol.PERIOD


class YearBench(Bench):
    def __init__(self):
        super().__init__('shared_buffers=512MB', 'max_wal_size=4GB')
        self.folder = tempfile.mkdtemp(prefix='luna-year.')

    def close(self):
        super().close()
        subprocess.run(['rm', '-rf', self.folder])


def prepare(mode):
    return YearBench()


class YearStore:
    """A database with its backend, which tells of each request."""

    def __init__(self, bench):
        self.bench, self.store = bench, bench.server.database()
        self.backend = bench.serve('-v', '--events-per-second', '0', '--requests-per-second', '0', store=self.store)
        placed = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
        wait_for(lambda: int(self.ask(placed)) == DAYS + 15, PATIENCE, 'all days to be made')

    def ask(self, sql):
        return self.bench.server.ask(self.store, sql)[0]

    def do(self, sql, stdin=subprocess.DEVNULL):
        psql = ['psql', '-qX', '-v', 'ON_ERROR_STOP=1', *self.bench.server.connection(self.store)]
        subprocess.run([*psql, '-c', sql], stdin=stdin, check=True)

    def fill(self, rows, strangers, now):
        """Events of a tracker, and of strangers."""
        with open(rows) as file:
            self.do('COPY luna.events(heid, day, event_id, version, location, esf, received) FROM STDIN', file)
        self.do(f"""INSERT INTO luna.events(heid, day, event_id, version, location, esf, received)
            SELECT md5('h' || i)::uuid, {now // 86400} - i % {DAYS}, md5('e' || i)::uuid, 1,
              decode('01' || repeat(md5('l' || i), 4), 'hex'), 7, 0 FROM generate_series(1, {strangers}) i""")
        self.do('ANALYZE luna.events')

    def pages(self):
        """How long each page took, in seconds, in order."""
        with open(self.backend.log_path) as log:
            return sorted(json.loads(line)['milliseconds'] / 1000 for line in log if '"operation":"queryEvents"' in line)


def write_rows(path, keys, now):
    """Events of a tracker in each of its periods; returns how many."""
    count = 0
    with open(path, 'w') as file:
        for period in range((now - (DAYS - 1) * 86400) // PERIOD, now // PERIOD):
            heid = keys.heid(period).hex()
            for number in range(PER_PERIOD):
                when = period * PERIOD + number * 300
                file.write(f'{heid}\t{when // 86400}\t{os.urandom(16).hex()}\t1\t\\\\x01{os.urandom(60).hex()}\t7\t{when}\n')
                count += 1
    return count


def test_a_year_is_fetched_while_others_upload(bench):
    crowd, few = YearStore(bench), YearStore(bench)
    now = int(time.time())
    key = os.urandom(32)
    rows = os.path.join(bench.folder, 'rows')
    count = write_rows(rows, lunaprotocol.Keys(key), now)
    crowd.fill(rows, EVENTS - count, now)
    few.fill(rows, 0, now)
    size = "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
    each = int(crowd.ask(size)) / EVENTS
    tell(1, f'each of {EVENTS} events, {count} of them of one tracker', each, 'bytes')
    # With keys and columns as they were it was 250; of few events each day has room that is empty.
    assert each < 240 or EVENTS < 5000000, each
    state, path = os.path.join(bench.folder, 'state'), os.path.join(bench.folder, 'keys.json')
    onboarded = datetime.datetime.fromtimestamp(now - DAYS * 86400, datetime.timezone.utc)
    with open(path, 'w') as file:
        json.dump(
            {'format': 'luna-devices', 'version': 1, 'devices': [{
                'uuid': '00000000-0000-4000-8000-000000000001', 'name': 'Year', 'masterKey': key.hex(),
                'onboardingTimestamp': onboarded.isoformat().replace('+00:00', 'Z')}]}, file)
    subprocess.run([LUNA, 'owner', 'import', path, '--state', state, '-q'], check=True, stdout=subprocess.DEVNULL)
    first = (datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(364)).isoformat()

    def fetch(place, owner):
        """A year; returns how long it took."""
        backend = place.backend
        token = os.path.join(bench.folder, f'{backend.port}.{owner}')
        with open(token, 'w') as file:
            file.write(backend.token('owner', owner))
        os.chmod(token, 0o600)
        began = time.monotonic()
        done = subprocess.run(
            [LUNA, 'owner', 'events', 'Year', '--from', first, '--backend', f'http://127.0.0.1:{backend.port}',
             '--token-file', token, '--state', state],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        took = time.monotonic() - began
        assert done.returncode in (0, 1), (done.returncode, done.stderr[-500:])
        # They are made up: all are fetched, none can be opened.
        assert 'auth' in done.stderr, done.stderr[-500:]
        return took

    # By turns, so that whatever else goes on here meets both.
    times = [(fetch(crowd, 'one'), fetch(few, 'one')) for _ in range(TURNS)]
    alone, without = map(min, zip(*times))
    pages, bare = crowd.pages(), few.pages()
    page = pages[len(pages) * 99 // 100]
    tell(1, 'a year through luna owner', alone, 's', at_most=3)
    tell(1, 'the same year where nobody else has anything', without, 's')
    tell(1, f'the p99 of its {len(pages)} pages', page, 's', at_most=0.1)
    # Before: 503, of pages that looked at everybody's.
    assert alone < MORE * without, times
    middle, least = pages[len(pages) // 2], bare[len(bare) // 2]
    assert len(pages) == len(bare) and middle < MORE * max(least, 0.01), (len(pages), middle, len(bare), least)
    backend = crowd.backend
    backend.token('gateway')
    owners = [f'owner{number}' for number in range(4)]
    [backend.token('owner', owner) for owner in owners]
    took, problems = [], []

    def run(owner):
        try:
            took.append(fetch(crowd, owner))
        except AssertionError as error:
            problems.append(error)

    threads = [threading.Thread(target=run, args=(owner,)) for owner in owners]
    [thread.start() for thread in threads]
    uploads = []
    while any(thread.is_alive() for thread in threads):
        began = time.monotonic()
        answer = backend.upload([event() for _ in range(10)], check=False)
        uploads.append(time.monotonic() - began)
        assert answer.status == 200, answer.body
    [thread.join() for thread in threads]
    assert not problems, problems[0]
    uploads.sort()
    late = uploads[len(uploads) * 99 // 100]
    tell(1, 'the longest of four at once', max(took), 's')
    tell(1, f'the p99 of {len(uploads)} uploads beside them', late, 's', at_most=0.2)
    # Of pages of which none took five seconds, and of which uploads wait for none.
    assert late < max(1, alone / 4), (late, alone)


test_a_year_is_fetched_while_others_upload.seconds = 600

REASON = absent()
if REASON:
    print(f'backendyear is left out: {REASON}', file=sys.stderr)
    for name in [name for name in globals() if name.startswith('test_')]:
        del globals()[name]
