#!/usr/bin/env python3
"""scripts/benchmarks/backend.py [--seconds N] [--rows N]: what `luna backend` takes and gives.

Starts it on loopback with a new storage: SQLite, and PostgreSQL (a private server) where it is
installed; uploads with scripts/load as fast as it is answered, then at half that rate. Fills a storage
with ten million events and asks for a year of one tracker. Builds a release with PostgreSQL in
.build-bench, unless --luna and --load name programs.
"""
import argparse, datetime, http.client, json, os, pathlib, random, re, sqlite3, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
YEAR = 30_800


class Server:
    def __init__(self, luna, store, folder):
        self.luna, self.store, self.log = luna, store, open(f"{folder}/log", "w+")
        self.process = subprocess.Popen(
            [luna, "backend", "--listen", "127.0.0.1:0", "--store", store, "--events-per-second", "0"],
            stdout=self.log, stderr=self.log)
        while True:
            found = re.search(r'"address":"127.0.0.1:(\d+)"', pathlib.Path(self.log.name).read_text())
            if found:
                break
            if self.process.poll() is not None:
                sys.exit(pathlib.Path(self.log.name).read_text())
            time.sleep(0.05)
        self.port = int(found.group(1))

    def token(self, role):
        done = subprocess.run([self.luna, "backend", "token", "create", role, "bench", "--store", self.store],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return json.loads(done.stdout)["token"]

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        if self.process.wait(15) != 0:
            sys.exit("the backend did not end well")


def load(program, server, token, connections, seconds, rate=None):
    words = [program, str(server.port), token, str(connections), str(seconds)]
    done = subprocess.run(words + ([str(rate)] if rate else []), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def uploads(name, server, program, seconds, connections):
    token = server.token("gateway")
    load(program, server, token, connections, 2)
    before = server.cpu()
    full = load(program, server, token, connections, seconds)
    used = server.cpu() - before
    half = load(program, server, token, connections, seconds, full["eventsPerSecond"] / 20)
    if full["failures"] or half["failures"]:
        sys.exit(f"{name}: uploads failed: {full} {half}")
    print(f"{name}, batches of 10 on {connections} connections: {full['eventsPerSecond']} events/s accepted "
          f"(must be 15000), p99 {full['p99']} ms, {1e6 * used / full['events']:.0f} µs of its CPU an event; "
          f"at half load p50 {half['p50']} ms, p99 {half['p99']} ms (must be 50)")


def fill(path, rows):
    """A storage with events of a tracker's year among others, written directly."""
    chance = random.Random(1)
    today = (datetime.datetime.now(datetime.timezone.utc).date() - datetime.date(1970, 1, 1)).days
    # Identifiers are digits here: SQLite makes them by itself, in the order of the key.
    digits = lambda: b"%016d" % chance.randrange(10**16)
    tracker = [(digits(), today - 365 + index * 1024 // 86400) for index in range(YEAR)]
    columns = "events(heid, day, event_id, version, location, esf, received)"
    rest = "randomblob(16), 1, zeroblob(61), 5, 1700000000000000"
    database = sqlite3.connect(path)
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
    database.execute(
        f"INSERT INTO {columns} WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)"
        f" SELECT CAST(printf('%016d', i * (10000000000000000 / ?1)) AS BLOB), ?2 - i % 365, {rest} FROM n",
        (rows - YEAR, today))
    database.executemany(f"INSERT INTO {columns} VALUES(?, ?, {rest})", tracker)
    database.commit()
    database.close()
    return tracker


def year(server, tracker, token):
    """Seconds and events of asking for all of a tracker's identifiers, in blocks, with the days of each."""
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    text = lambda day: (datetime.date(1970, 1, 1) + datetime.timedelta(day)).isoformat()
    count, began = 0, time.monotonic()
    for start in range(0, len(tracker), 1024):
        block = tracker[start : start + 1024]
        query = {"heids": [heid.hex() for heid, _ in block], "from": text(block[0][1] - 1), "to": text(block[-1][1] + 1)}
        while True:
            link.request("POST", "/v1/events/query", json.dumps(query),
                         {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
            answer = link.getresponse()
            page = json.loads(answer.read())
            if answer.status == 429:
                time.sleep(0.1)
                continue
            count += len(page["events"])
            if "cursor" not in page:
                break
            query["cursor"] = page["cursor"]
    return time.monotonic() - began, count


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=int, default=8)
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--luna")
    options.add_argument("--load")
    options = options.parse_args()
    if not options.luna:
        build = ["swift", "build", "-c", "release", "--scratch-path", ".build-bench", "--traits", "PostgreSQL"]
        for product in ("luna", "luna-load"):
            subprocess.run([*build, "--product", product], cwd=ROOT, env={**os.environ, "LUNA_BENCH": "1"}, check=True, stdout=subprocess.DEVNULL)
        options.luna, options.load = ROOT / ".build-bench/release/luna", ROOT / ".build-bench/release/luna-load"
    luna, program = str(options.luna), str(options.load)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        server = Server(luna, f"sqlite:{folder}/sqlite", folder)
        uploads("backend, SQLite", server, program, options.seconds, 16)
        server.stop()
        postgres = subprocess.Popen(
            [ROOT / "scripts/lib/postgresql-server", "shared_buffers=512MB", "max_wal_size=4GB"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        settings = postgres.stdout.readline().strip()
        if settings:
            server = Server(luna, "postgres:" + settings, folder)
            uploads("backend, PostgreSQL", server, program, options.seconds, 16)
            server.stop()
        postgres.stdin.close()
        postgres.wait()
        store = f"{folder}/year"
        subprocess.run([luna, "backend", "migrate", "--store", "sqlite:" + store], check=True, stderr=subprocess.DEVNULL)
        tracker = fill(store, options.rows)
        server = Server(luna, "sqlite:" + store, folder)
        token = server.token("owner")
        times = [year(server, tracker, token) for _ in range(3)]
        server.stop()
        if any(count != YEAR for _, count in times):
            sys.exit(f"{times[0][1]} of {YEAR} events were found")
        print(f"a year of one tracker ({YEAR} identifiers) among {options.rows} events: "
              f"{times[0][0]:.2f} s, again {times[1][0]:.2f} and {times[2][0]:.2f} s (must be 3)")


main()
