"""Very many events in PostgreSQL, as much as a disk takes: how much room they have, how soon a page is there, how fast more
come in, and how soon a day is gone."""

import concurrent.futures, datetime, pathlib, random, subprocess, sys, time, uuid

from .backend import Backend

DAYS = 400
# Of a tracker: periods of a day and events of each.
PERIODS, PER_PERIOD = 84, 3
# How many identifiers are asked for at once, and how many days more than their own, before and after (LunaOwner).
BLOCK, MARGIN = 128, 1
# Made up where they are kept: a sealed report is a byte and 60 that nobody can tell from random ones.
EVENT = """
    gen_random_uuid(), {day}, gen_random_uuid(), 1, '\\x01'::bytea || uuid_send(gen_random_uuid())
      || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || substring(uuid_send(gen_random_uuid()) FOR 12), 7, 0
    FROM generate_series(1, {count})"""
INSERT = "INSERT INTO luna.events(heid, day, event_id, version, location, esf, received) SELECT"
# As a backend has it; each thousand is a transaction.
STREAM = f"""DO $$ BEGIN FOR number IN 1..{{times}} LOOP
    {INSERT} {EVENT} ON CONFLICT(heid, day, event_id) DO UPDATE SET version = excluded.version WHERE false;
    COMMIT;
  END LOOP; END $$"""
WRITERS, TIMES = 4, 250


class Database:
    """A server of its own."""

    def __init__(self):
        script = pathlib.Path(__file__).resolve().parents[1] / "postgresql-server"
        self.process = subprocess.Popen([script, "shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=15min"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.settings = self.process.stdout.readline().strip()
        if not self.settings:
            sys.exit("there is no PostgreSQL to be measured")

    def ask(self, sql):
        done = subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", self.settings, "-c", sql],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def number(day):
    return (day - datetime.date(1970, 1, 1)).days


def fill(database, events, today):
    """All days alike, and in each a tracker; gives its identifiers by day."""
    chance = random.Random(13)
    heids = {}
    first = number(today) - DAYS

    def day(each):
        database.ask(f"{INSERT} {EVENT.format(day=each, count=events // DAYS)}")
        values = ", ".join(
            f"('{heid}', {each}, gen_random_uuid(), 1, decode(repeat('01', 61), 'hex'), 7, 0)"
            for heid in heids[each] for _ in range(PER_PERIOD))
        database.ask(f"INSERT INTO luna.events(heid, day, event_id, version, location, esf, received) VALUES {values}")

    for each in range(first, first + DAYS):
        heids[each] = [str(uuid.UUID(int=chance.getrandbits(128))) for _ in range(PERIODS)]
    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        for count, _ in enumerate(pool.map(day, heids), 1):
            if count % 40 == 0:
                print(f"  {count} of {DAYS} days", flush=True)
    # What the server does by itself over a year, and would do beside the first pages when all came at once.
    database.ask("VACUUM (ANALYZE) luna.events")
    database.ask("CHECKPOINT")
    return heids


def pages(backend, heids):
    """A year as luna owner fetches it: how long each page took, s."""
    token, times = backend.token("owner", backend.name), []
    all_heids = [(heid.replace("-", ""), day) for day, each in heids.items() for heid in each]
    date = lambda day: str(datetime.date(1970, 1, 1) + datetime.timedelta(day))
    for start in range(0, len(all_heids), BLOCK):
        block = all_heids[start:start + BLOCK]
        body = {"heids": [heid for heid, _ in block], "from": date(block[0][1] - MARGIN), "to": date(block[-1][1] + MARGIN)}
        while True:
            began = time.monotonic()
            page = backend.call("POST", "/v1/events/query", body, token)
            times.append(time.monotonic() - began)
            if not page.get("cursor"):
                break
            body["cursor"] = page["cursor"]
    return times


def measure(options, table):
    database, backend = Database(), None
    try:
        backend = Backend(options.luna, "--requests-per-second", "0", store="postgres:" + database.settings)
        backend.start()
        made = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
        while int(database.ask(made)) < DAYS + 15:
            time.sleep(0.5)
        today = datetime.datetime.now(datetime.timezone.utc).date()
        began = time.monotonic()
        heids = fill(database, options.events, today)
        total = options.events // DAYS * DAYS + DAYS * PERIODS * PER_PERIOD
        note = f"{total:,} events of {DAYS} days in {time.monotonic() - began:,.0f} s"
        size = "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
        table.add("an event", int(database.ask(size)) / total, "bytes", 225, note)
        for name in ("first", "again"):
            times = sorted(pages(backend, heids))
            note = f"{len(times)} pages, the middle one {1000 * times[len(times) // 2]:.0f} ms"
            table.add(f"p99 of a page of a year, {name}", 1000 * times[len(times) * 99 // 100], "ms", 100, note)
        day = number(today) - DAYS // 2
        database.ask(f"CLUSTER luna.events_{day} USING events_{day}_pkey")
        each = int(database.ask(f"SELECT pg_total_relation_size('luna.events_{day}')"))
        table.add("an event of a closed day", each / (options.events // DAYS + PERIODS * PER_PERIOD), "bytes", 205, "after CLUSTER")
        began = time.monotonic()
        stream = STREAM.format(times=TIMES, day=number(today), count=1000)
        with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(lambda _: database.ask(stream), range(WRITERS)))
        rate = WRITERS * TIMES * 1000 / (time.monotonic() - began)
        table.add("inserts by SQL", rate, "events/s", least=30_000, note=f"{WRITERS} connections, 1,000 events a transaction")
        oldest = number(today) - DAYS
        began = time.monotonic()
        database.ask(f"ALTER TABLE luna.events DETACH PARTITION luna.events_{oldest} CONCURRENTLY")
        database.ask(f"DROP TABLE luna.events_{oldest}")
        table.add("the drop of a day", 1000 * (time.monotonic() - began), "ms", 1000)
    finally:
        if backend:
            backend.close()
        database.close()
