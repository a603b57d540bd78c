"""Gateways that report, and somebody who searches among them."""

import asyncio, datetime, http.client, os, random, resource, time, urllib.parse

from .backend import Backend, health, records, tokens
from .crowd import Answers, Gateway, pace, rfc3339

PERIOD = 60
SEARCHES = ["", "hall", "gw-0042", "site:\"site 7\"", "tag:roof verdict:bad", "state:online -tag:floor1", "manufacturer:łódź*",
            "queue:>90", "version:>=0.2.2", "near:52.5,13.4,2000", "seen:<5m", "roof OR door", "reason:outageShort", "has:position hall",
            "nothing like that"]
ORDERS = ["name", "-name", "seenAt", "verdict", "site"]


def search(backend, answers, until):
    """Searches again and again, a little more than once a second."""
    chance = random.Random(2)
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    while time.monotonic() < until:
        words = {"q": chance.choice(SEARCHES), "sort": chance.choice(ORDERS), "limit": 100}
        began = time.monotonic()
        connection.request("GET", "/v1/gateways?" + urllib.parse.urlencode(words), headers={"Authorization": f"Bearer {backend.admin}"})
        answer = connection.getresponse()
        answer.read()
        answers.times.append(time.monotonic() - began)
        answers.failures += answer.status != 200
        time.sleep(0.7)
    connection.close()


async def crowd(backend, gateways, until, uploads):
    """The reports, each fifth with a sample; batches of ten events of other gateways beside them, ten a second."""
    async def report(index, round_):
        body = {"product": "luna/0.2.0", "health": health(index, 3600 + round_ * PERIOD), "items": []}
        if (index + round_) % 5 == 0:
            body["samples"] = [{"time": rfc3339(time.time()), "health": body["health"]}]
        return await gateways[index].post("/v1/telemetry", body)

    async def upload(index, _):
        day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        events = [{"protocolVersion": 1, "heid": os.urandom(16).hex(), "encodedLocation": "AQ" + "A" * 80 + "==", "esf": "a77593", "day": day}
                  for _ in range(10)]
        return await uploaders[index].post("/trackerEvent", events)

    uploaders = [Gateway(backend.port, gateway.token) for gateway in gateways[:20]]
    reports, events = await asyncio.gather(pace(len(gateways), PERIOD, until, report), pace(len(uploaders), 2, until, upload))
    uploads.times, uploads.failures = events.times, events.failures
    return reports


def measure(options, table):
    # A connection has a file here and one there.
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    backend = Backend(options.luna)
    try:
        count = options.gateways
        made = tokens(backend, count)
        backend.start()
        before = backend.memory()
        records(backend, count)
        gateways = [Gateway(backend.port, token) for token in made]
        # All connect and are seen once.
        asyncio.run(warm(backend, gateways, table, count, options.seconds))
        table.add("memory of the backend at the most", backend.memory("VmHWM"), "MiB", 300, f"{before:.0f} MiB without gateways")
        table.add("the database", backend.disk(), "MiB", note="after that")
    finally:
        backend.close()


async def warm(backend, gateways, table, count, seconds):
    first = await crowd(backend, gateways, time.monotonic() + PERIOD, Answers())
    if first.failures:
        raise SystemExit(f"{first.failures} of {count} first reports failed")
    used, began, uploads, found = backend.cpu(), time.monotonic(), Answers(), Answers()
    quiet = await crowd(backend, gateways, began + seconds, uploads)
    share = 100 * (backend.cpu() - used) / (time.monotonic() - began)
    name = f"{count:,} gateways, a report each {PERIOD} s"
    if quiet.failures or uploads.failures:
        raise SystemExit(f"{quiet.failures} reports and {uploads.failures} uploads failed")
    table.add(f"{name}, 100 events/s: CPU", share, "% of a core", 20, f"{len(quiet.times)} reports in {seconds} s")
    table.add("p99 of a report", quiet.quantile(0.99), "ms", 50, f"median {quiet.quantile(0.5):.1f} ms")
    table.add("p99 of an upload of 10 events meanwhile", uploads.quantile(0.99), "ms", 50, f"median {uploads.quantile(0.5):.1f} ms")
    until = time.monotonic() + seconds
    searching = asyncio.get_running_loop().run_in_executor(None, search, backend, found, until)
    used, began = backend.cpu(), time.monotonic()
    busy = await crowd(backend, gateways, until, uploads)
    await searching
    if busy.failures or uploads.failures or found.failures:
        raise SystemExit(f"{busy.failures} reports, {uploads.failures} uploads and {found.failures} searches failed")
    share = 100 * (backend.cpu() - used) / (time.monotonic() - began)
    table.add(f"search over {count:,} meanwhile: p95", found.quantile(0.95), "ms", 50,
              f"median {found.quantile(0.5):.1f} ms, {len(found.times)} searches, {len(SEARCHES)} kinds, {len(ORDERS)} orders")
    table.add("p99 of a report meanwhile", busy.quantile(0.99), "ms", 50, f"CPU {share:.1f} % of a core with the searches")
    for gateway in gateways:
        gateway.close()
