#!/usr/bin/env python3
"""scripts/lib/bench/backend.py [--seconds N] [--rounds N] [--rows N] [--plain | --year]: what `luna backend` takes and gives.

Starts it on loopback with SQLite, empty and with five million events, in turn with a plain server of FastAPI,
uvicorn and SQLite (plain_server.py: WAL, FULL, a transaction per request); uploads to each with scripts/lib/load
as fast as it is answered, in batches of 1, 10 and 100 on 16 connections; then asks for a year of one tracker.
Then the same for PostgreSQL (a private server) where it is installed, at full and at half load. Builds a release
in .build-bench, unless --luna and --load name programs.
"""
import argparse, datetime, http.client, json, os, pathlib, random, re, socket, sqlite3, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
YEAR = 30_800
CONNECTIONS = 16
# Times as many events a second as the plain server takes, by batch.
WANTED = {1: 8, 10: 6, 100: 4}


class Process:
    """A server, and the time that it has used of a core."""

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Plain(Process):
    def __init__(self, python, database):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        program = pathlib.Path(__file__).with_name("plain_server.py")
        self.process = subprocess.Popen([python, program, database, "token", str(self.port)])
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit("the plain server does not start")
                time.sleep(0.05)

    def token(self, role):
        return "token"

    def stop(self):
        self.process.terminate()
        self.process.wait(15)


class Luna(Process):
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

    def stop(self):
        self.process.terminate()
        if self.process.wait(15) != 0:
            sys.exit("the backend did not end well")


def load(program, server, token, seconds, batch, rate=None):
    words = [program, str(server.port), token, str(CONNECTIONS), str(seconds), str(batch)]
    done = subprocess.run(words + ([str(rate)] if rate else []), stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    if found["failures"]:
        sys.exit(f"uploads failed: {found}")
    return found


def measured(program, server, token, seconds, batch):
    """One run: events a second, µs of the server's CPU an event, p99 in ms."""
    before = server.cpu()
    found = load(program, server, token, seconds, batch)
    return found["eventsPerSecond"], 1e6 * (server.cpu() - before) / found["events"], found["p99"]


def compare(state, servers, program, seconds, rounds):
    """Luna and the plain server in turn, so that a busy moment hits both."""
    tokens = [server.token("gateway") for server in servers]
    for batch, wanted in WANTED.items():
        runs = []
        for server, token in zip(servers, tokens):
            load(program, server, token, 1, batch)
        for _ in range(rounds):
            runs.append([measured(program, server, token, seconds, batch) for server, token in zip(servers, tokens)])
        middle = lambda index, which: statistics.median(run[which][index] for run in runs)
        ratio = statistics.median(ours[0] / theirs[0] for ours, theirs in runs)
        costs = statistics.median(theirs[1] / ours[1] for ours, theirs in runs)
        print(f"backend, {state}, batches of {batch}: {middle(0, 0):.0f} events/s, {ratio:.1f} x the plain server's "
              f"{middle(0, 1):.0f} (must be {wanted}); {middle(1, 0):.1f} µs of CPU an event, 1/{costs:.1f} of its "
              f"{middle(1, 1):.1f}; p99 {middle(2, 0):.1f} ms, its {middle(2, 1):.1f}", flush=True)


def uploads(name, server, program, seconds):
    token = server.token("gateway")
    load(program, server, token, 2, 10)
    before = server.cpu()
    full = load(program, server, token, seconds, 10)
    used = server.cpu() - before
    half = load(program, server, token, seconds, 10, full["eventsPerSecond"] / 20)
    print(f"{name}, batches of 10: {full['eventsPerSecond']} events/s accepted (must be 15000), p99 {full['p99']} ms, "
          f"{1e6 * used / full['events']:.0f} µs of its CPU an event; at half load p50 {half['p50']} ms, "
          f"p99 {half['p99']} ms (must be 50)", flush=True)


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
    options.add_argument("--seconds", type=float, default=4, help="of a run")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--rows", type=int, default=5_000_000)
    options.add_argument("--plain", action="store_true", help="only the comparison with the plain server")
    options.add_argument("--year", action="store_true", help="only a tracker's year")
    options.add_argument("--luna")
    options.add_argument("--load")
    options = options.parse_args()
    if not options.luna:
        build = ["swift", "build", "-c", "release", "--scratch-path", ".build-bench"]
        for product in ("luna", "luna-load"):
            subprocess.run([*build, "--product", product], cwd=ROOT, env={**os.environ, "LUNA_BENCH": "1"}, check=True, stdout=subprocess.DEVNULL)
        options.luna, options.load = ROOT / ".build-bench/release/luna", ROOT / ".build-bench/release/luna-load"
    luna, program = str(options.luna), str(options.load)
    venv = subprocess.run([ROOT / "scripts/lib/api-venv", "plain"], check=True, stdout=subprocess.PIPE, text=True)
    python = venv.stdout.strip() + "/bin/python"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        if not options.year:
            servers = [Luna(luna, f"sqlite:{folder}/empty", folder), Plain(python, f"{folder}/plain-empty")]
            compare("empty", servers, program, options.seconds, options.rounds)
            for server in servers:
                server.stop()
        store, other = f"{folder}/full", f"{folder}/plain-full"
        subprocess.run([luna, "backend", "migrate", "--store", "sqlite:" + store], check=True, stderr=subprocess.DEVNULL)
        tracker = fill(store, options.rows)
        Plain(python, other).stop()
        fill(other, options.rows)
        # What was filled in is not to be written to the disk during the runs.
        os.sync()
        servers = [Luna(luna, "sqlite:" + store, folder), Plain(python, other)]
        if not options.year:
            compare(f"{options.rows} events", servers, program, options.seconds, options.rounds)
        tokens = [server.token("owner") for server in servers]
        times = [[year(server, tracker, token) for server, token in zip(servers, tokens)] for _ in range(5)]
        for server in servers:
            server.stop()
        if any(count != YEAR for run in times for _, count in run):
            sys.exit(f"{times} of {YEAR} events were found")
        ours, theirs = ([run[which][0] for run in times] for which in (0, 1))
        print(f"a year of one tracker ({YEAR} identifiers) among {options.rows} events: "
              f"{statistics.median(ours):.2f} s (must be 0.5; first {ours[0]:.2f}), the plain server "
              f"{statistics.median(theirs):.2f} s (first {theirs[0]:.2f})", flush=True)
        if options.plain or options.year:
            return
        postgres = subprocess.Popen(
            [ROOT / "scripts/lib/postgresql-server", "shared_buffers=512MB", "max_wal_size=4GB"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        settings = postgres.stdout.readline().strip()
        if settings:
            server = Luna(luna, "postgres:" + settings, folder)
            uploads("backend, PostgreSQL", server, program, options.seconds)
            server.stop()
        postgres.stdin.close()
        postgres.wait()


main()
