"""A `luna backend` brings the events of the version before to the table of this one, while it serves and is killed.

LUNA_MOVED_EVENTS is how many there are besides those that are looked for.
"""

import os
import signal
import sys
import time

from backends import PATIENCE, event, today
from bench import chance, wait_for
from figures import tell
from postgres import BEFORE, DAYS, Bench, absent

IN_VM = False
# In how many days they are, and how often the backend is killed meanwhile.
MOVED_EVENTS, MOVED_DAYS, MOVE_KILLS = int(os.environ.get('LUNA_MOVED_EVENTS', '1000000')), 40, 10


def prepare(mode):
    return Bench('shared_buffers=512MB', 'max_wal_size=4GB')


def test_events_of_the_version_before_are_moved(bench):
    """While the backend that moves them is killed again and again, each is there once, and nobody waits."""
    store = bench.server.database()
    one = bench.serve('--events-per-second', '0', '--requests-per-second', '0', store=store)
    names = lambda pattern: int(bench.server.ask(store, f"SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '{pattern}'")[0])
    bench.wait_for_days(store)
    kept = [event(day=today(-(number % MOVED_DAYS))) for number in range(400)]
    for start in range(0, len(kept), 100):
        assert {result['status'] for result in one.upload(kept[start : start + 100]).json['results']} == {'accepted'}
    one.token('owner')
    assert one.stop() == 0
    bench.server.ask(
        store,
        f"""INSERT INTO luna.events(heid, day, event_id, version, location, esf, received)
        SELECT md5('h' || i)::uuid, {int(time.time()) // 86400} - i % {MOVED_DAYS}, md5('e' || i)::uuid, 1,
          decode('01' || repeat(md5('l' || i), 4), 'hex'), 7, 0 FROM generate_series(1, {MOVED_EVENTS}) i""")
    bench.server.ask(store, BEFORE)

    left = lambda: names('^events_old_[0-9]+$')
    lots = chance()
    fresh, longest = [], 0

    def work():
        """What gateways and owners do all the time."""
        nonlocal longest
        fresh.append(event())
        began = time.monotonic()
        results = one.upload(lots.sample(kept, 49) + fresh[-1:]).json['results']
        longest = max(longest, time.monotonic() - began)
        assert [result['status'] for result in results] == ['duplicate'] * 49 + ['accepted'], results
        asked = lots.sample(kept, 100) + fresh[-100:]
        found = sorted(each['encodedLocation'] for each in one.stored([each['heid'] for each in asked]))
        assert found == sorted(each['encodedLocation'] for each in asked)

    one.start()
    for _ in range(MOVE_KILLS):
        before = left()
        assert before, 'all were moved before all kills'

        def moved():
            work()
            return left() < before

        wait_for(moved, 4 * PATIENCE, 'a day to be moved')
        one.kill(signal.SIGKILL)
        one.process.wait()
        one.start()

    def done():
        work()
        return not left()

    wait_for(done, 10 * PATIENCE, 'all days to be moved')
    meanwhile, longest = longest, 0
    for _ in range(20):
        work()
    everything = kept + fresh
    missing = len(everything) - len(one.stored([each['heid'] for each in everything]))
    count = int(bench.server.ask(store, 'SELECT count(*) FROM luna.events')[0])
    wrong = count - len(everything) - MOVED_EVENTS
    tell(16, f'of {count} events lost or doubled, with {MOVE_KILLS} kills', abs(missing) + abs(wrong), 'events', at_most=0)
    tell(16, 'the longest upload meanwhile', meanwhile, 's', at_most=1.2)
    assert not missing and not wrong, (missing, wrong)
    # As much longer on a busy machine: whatever waits for a lock waits for a second.
    assert meanwhile < max(1.2, 10 * longest), (meanwhile, longest)
    assert names('^events_[0-9]+$') == DAYS


test_events_of_the_version_before_are_moved.seconds = 600

REASON = absent()
if REASON:
    print(f'backendmove is left out: {REASON}', file=sys.stderr)
    for name in [name for name in globals() if name.startswith('test_')]:
        del globals()[name]
