"""An owner fetches a year from a `luna backend` on PostgreSQL with five million events of 400 days (SCALE, part 1).

LUNA_YEAR_EVENTS is how many. A year is fetched in a time that does not grow with what others have there, and nobody who
uploads waits for it.
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
from bench import never, wait_for
from figures import tell
from postgres import Bench, absent

IN_VM = False
EVENTS = int(os.environ.get('LUNA_YEAR_EVENTS', '5000000'))
DAYS, PER_PERIOD = 400, 3
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


def fill(bench, store, keys, now):
    """Events of a tracker in each of its periods, and of strangers."""
    today = now // 86400
    rows = os.path.join(bench.folder, 'rows')
    with open(rows, 'w') as file:
        for period in range((now - (DAYS - 1) * 86400) // PERIOD, now // PERIOD):
            heid = keys.heid(period).hex()
            for number in range(PER_PERIOD):
                when = period * PERIOD + number * 300
                file.write(f'{heid}\t{when // 86400}\t{os.urandom(16).hex()}\t1\t\\\\x01{os.urandom(60).hex()}\t7\t{when}\n')
    count = sum(1 for _ in open(rows))
    psql = ['psql', '-qX', '-v', 'ON_ERROR_STOP=1', *bench.server.connection(store)]
    with open(rows) as file:
        subprocess.run(
            [*psql, '-c', 'COPY luna.events(heid, day, event_id, version, location, esf, received) FROM STDIN'], stdin=file, check=True)
    bench.server.ask(
        store,
        f"""INSERT INTO luna.events(heid, day, event_id, version, location, esf, received)
        SELECT md5('h' || i)::uuid, {today} - i % {DAYS}, md5('e' || i)::uuid, 1,
          decode('01' || repeat(md5('l' || i), 4), 'hex'), 7, 0 FROM generate_series(1, {EVENTS - count}) i""")
    bench.server.ask(store, 'ANALYZE luna.events')
    return count


def test_a_year_is_fetched_while_others_upload(bench):
    store = bench.server.database()
    # It tells of each request.
    backend = bench.serve('-v', '--events-per-second', '0', '--requests-per-second', '0', store=store)
    placed = lambda: int(bench.server.ask(store, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass")[0])
    wait_for(lambda: placed() == DAYS + 15, PATIENCE, 'all days to be made')
    now = int(time.time())
    key = os.urandom(32)
    count = fill(bench, store, lunaprotocol.Keys(key), now)
    size = "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
    each = int(bench.server.ask(store, size)[0]) / EVENTS
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

    def fetch(owner):
        """A year; returns how long it took."""
        token = os.path.join(bench.folder, owner)
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

    alone = fetch('one')
    with open(backend.log_path) as log:
        pages = sorted(json.loads(line)['milliseconds'] for line in log if '"operation":"queryEvents"' in line)
    page = pages[len(pages) * 99 // 100] / 1000
    tell(1, 'a year through luna owner', alone, 's', at_most=3)
    tell(1, f'the p99 of its {len(pages)} pages', page, 's', at_most=0.1)
    # Before: 503.
    assert alone < never(3) and page < never(0.1), (alone, page)
    backend.token('gateway')
    owners = [f'owner{number}' for number in range(4)]
    [backend.token('owner', owner) for owner in owners]
    took, problems = [], []

    def run(owner):
        try:
            took.append(fetch(owner))
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
