"""Two days of reports while the backend's clock runs faster: memory that stays, and the room on disk."""

import asyncio, os, shutil, sqlite3, time

from .backend import Backend, health, records, tokens
from .crowd import Gateway, pace, rfc3339

PERIOD = 300
# 48 h of five minutes, 30 d of hours, 400 d of days, for each gateway.
KEPT = 576 + 720 + 400
# What SQLite keeps of the file at most, MiB (PRAGMA cache_size).
PAGES = 64


def measure(options, table):
    what = f"memory after {options.hours} h against a quarter of them"
    if not shutil.which("faketime"):
        table.skip(what, "faketime is not installed")
        return
    # What waits goes by another clock, which keeps its pace.
    began = time.time()
    backend = Backend(options.luna, "--requests-per-second", "0",
                      before=["env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", f"+0 x{options.speed}"])
    try:
        made = tokens(backend, options.samplers)
        began = time.time()
        backend.start()
        records(backend, options.samplers)
        memory = asyncio.run(run(backend, [Gateway(backend.port, token) for token in made], options, began))
        # SQLite keeps what it has touched of the file, up to a limit, which few gateways do not reach: that is no leak.
        own = [resident - min(PAGES, file) for resident, file in memory]
        quarter, late = own[len(own) // 4], max(own[len(own) * 3 // 4:])
        table.add(what, late - quarter, "MiB more", 8,
                  f"{options.samplers} gateways, a report with a sample each {PERIOD} s, clock x{options.speed}; besides SQLite's pages, "
                  f"{memory[len(memory) // 4][0]:.1f} to {memory[-1][0]:.1f} MiB with them")
        size(backend, table)
    finally:
        backend.close()


async def run(backend, gateways, options, began):
    """MiB of memory, and of the file, at the end of each simulated hour."""
    def now():
        return began + (time.time() - began) * options.speed

    async def report(index, round_):
        body = {"health": health(index, 3600 + round_ * PERIOD), "items": []}
        body["samples"] = [{"time": rfc3339(now()), "health": body["health"]}]
        return await gateways[index].post("/v1/telemetry", body)

    seconds = options.hours * 3600 / options.speed
    until = time.monotonic() + seconds
    memory = []

    async def watch():
        while time.monotonic() < until:
            await asyncio.sleep(3600 / options.speed)
            memory.append((backend.memory(), os.path.getsize(backend.path) / 2**20))
            # Somebody looks, too.
            await asyncio.get_running_loop().run_in_executor(None, backend.call, "GET", "/v1/gateways?limit=100&q=verdict:bad")

    watching = asyncio.create_task(watch())
    answers = await pace(len(gateways), PERIOD / options.speed, until, report)
    await watching
    if answers.failures:
        raise SystemExit(f"{answers.failures} reports failed")
    return memory


def size(backend, table):
    """Of what was written in the order of time, with the room that a tree leaves between."""
    with sqlite3.connect(backend.path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count = database.execute("SELECT count(*) FROM samples").fetchone()[0]
        data = database.execute("SELECT avg(length(data)) FROM samples").fetchone()[0]
        try:
            size = database.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'samples'").fetchone()[0]
            how = "as they lie in the file"
        except sqlite3.OperationalError:
            pages, free, page = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
            size, how = (pages - free) * page, "the whole file"
    each = size / count
    table.add("a sample in the database", each, "bytes", 250, f"{count:,} samples {how}, {data:.0f} bytes of them numbers")
    table.add("10,000 gateways for 400 days", each * KEPT * 10_000 / 1e9, "GB", 3, f"{KEPT:,} samples each, extrapolated")
