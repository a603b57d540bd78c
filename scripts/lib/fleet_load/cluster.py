"""Uploads to a database that somebody has, such as a cluster of Citus, and whether all that was acknowledged is there."""

import concurrent.futures, datetime, http.client, json, os, time

from .backend import Backend

GATEWAYS = 8


def upload(backend, token, size, until):
    """Batches for a while, each again until it is taken; returns the identifiers, and how often one was to wait."""
    kept, waits = [], 0
    day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    left = []
    while left or time.monotonic() < until:
        # What was not taken a moment ago goes on with new ones beside it.
        fresh = size - len(left) if time.monotonic() < until else 0
        left += [{"protocolVersion": 1, "heid": os.urandom(16).hex(), "encodedLocation": "AQ" + "A" * 80 + "==", "esf": "a77593",
                  "day": day} for _ in range(max(0, fresh))]
        connection.request("POST", "/trackerEvent", json.dumps(left), headers)
        answer = connection.getresponse()
        data = answer.read()
        if answer.status == 200:
            results = json.loads(data)["results"]
            kept += [each["heid"] for each, result in zip(left, results) if result["status"] != "rejected"]
            left = [each for each, result in zip(left, results) if result["status"] == "rejected"]
        elif answer.status != 503:
            raise SystemExit(f"an upload: {answer.status} {data[:500]}")
        if left:
            waits += 1
            time.sleep(0.2)
    connection.close()
    return kept, waits


def stored(backend, token, heids):
    """How many events of some identifiers there are."""
    count, cursor = 0, None
    today = datetime.datetime.now(datetime.timezone.utc).date()
    while True:
        body = {"heids": heids, "from": str(today - datetime.timedelta(1)), "to": str(today)} | ({"cursor": cursor} if cursor else {})
        page = backend.call("POST", "/v1/events/query", body, token)
        count += len(page["events"])
        cursor = page.get("cursor")
        if not cursor:
            return count


def rates(options, table, store, name):
    """Events a second by the size of batches."""
    backend = Backend(options.luna, "--events-per-second", "0", "--requests-per-second", "0", store=store)
    found = {}
    try:
        tokens = [backend.token("gateway", f"{backend.name}-{number}") for number in range(GATEWAYS)]
        owner = backend.token("owner", backend.name)
        backend.start()
        for size in (10, 100):
            until = time.monotonic() + options.seconds
            with concurrent.futures.ThreadPoolExecutor() as pool:
                done = list(pool.map(lambda token: upload(backend, token, size, until), tokens))
            heids = [heid for kept, _ in done for heid in kept]
            found[size] = len(heids) / options.seconds
            table.add(f"{name}, batches of {size}: an event", 1e6 / max(1, found[size]), "µs", None,
                      f"{found[size]:,.0f} a second; {sum(waits for _, waits in done)} batches waited")
            there = sum(stored(backend, owner, heids[start:start + 1024]) for start in range(0, len(heids), 1024))
            table.add(f"{name}, batches of {size}: acknowledged and not there, or twice", abs(len(heids) - there), "events", 0)
    finally:
        backend.close()
    return found


def measure(options, table):
    if not options.store:
        return table.skip("uploads to a cluster", "--store names it")
    cluster = rates(options, table, options.store, "cluster")
    if options.plain:
        plain = rates(options, table, options.plain, "one server")
        table.add("batches of 10: the cluster's share of the other's rate", 100 * cluster[10] / max(1, plain[10]), "%", least=25)
