"""home_history.py [--rows N]: what the history of a home costs, its app's first page, and how soon a rule acts (HOME.md 14).
Prints a JSON line each, with the bar beside it; exits with 1 when one is missed. Needs the release binary, or that of LUNA."""
import argparse, gzip, http.client, json, os, pathlib, random, re, signal, socket, sqlite3, statistics, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUNA = os.environ.get("LUNA", ROOT / ".build/release/luna")
DAY = 86_400 * 10**6
DAYS = 90
PROPERTIES = ["charge", "temperature", "light", "humidity", "load", "volume", "level", "speed", "weight"]
TRACKERS = [f"t{number}" for number in range(10)]
missed = []


def row(name, value, bar, unit, **more):
    """Prints a number; more than the bar is a miss."""
    if value > bar:
        missed.append(name)
    print(json.dumps({"name": f"{name} (must {bar})", "value": round(value, 3), "unit": unit, **more}), flush=True)


class Home:
    def __init__(self, folder):
        self.folder, self.state = folder, f"{folder}/state"
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        managed = [{"name": name, "type": "number"} for name in PROPERTIES]
        pathlib.Path(folder, "home.json").write_text(json.dumps({
            "box": {"radio": "virtual:7"}, "server": {"listen": f"127.0.0.1:{self.port}"},
            "devices": [{"class": "Device", "oemModel": "m", "managedProperties": managed}],
            "trackers": [{"id": tracker, "model": "m"} for tracker in TRACKERS] + [{"id": "radio", "match": "rssi > -127"}],
            "exec": {"note": ["/bin/sh", "-c", f"date +%s.%N >> {folder}/acts"]},
            "rules": [{"id": f"act-{name}", "cooldown": "0s", "maxPerHour": 3600, "when": [{"property": {"property": name, "changes": True}}],
                       "then": [{"exec": {"name": "note"}}]} for name in PROPERTIES]}))

    def start(self):
        """Returns how long it took until the first page was there, s."""
        began = time.monotonic()
        self.process = subprocess.Popen([LUNA, "home", "run", f"{self.folder}/home.json", "--state", self.state, "--format", "jsonl"],
                                        stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/log", "w"))
        while time.monotonic() < began + 120:
            if self.process.poll() is not None:
                sys.exit(open(f"{self.folder}/log").read())
            try:
                if self.get("/ui/")[0] == 200:
                    return time.monotonic() - began
            except OSError:
                time.sleep(0.01)
        sys.exit("the home does not answer: " + open(f"{self.folder}/log").read())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(120)

    def token(self):
        done = subprocess.run([LUNA, "home", "account", "token", "add", f"bench{random.random()}"[:12].replace(".", ""), "--role", "owner",
                               "--state", self.state, "--format", "jsonl"], stdout=subprocess.PIPE, check=True)
        self.rights = {"Authorization": "Bearer " + json.loads(done.stdout)["token"]}

    def get(self, path, headers=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        link.request("GET", path, None, headers or {})
        answer = link.getresponse()
        body = answer.read()
        link.close()
        return answer.status, body, answer.headers

    def api(self, path):
        """The body of an answer, and the median of how long it took, s."""
        took = []
        for _ in range(5):
            began = time.monotonic()
            status, body, _ = self.get("/api/v1/" + path, self.rights)
            took.append(time.monotonic() - began)
            assert status == 200, (path, status, body)
        return json.loads(body), statistics.median(took)


def text(moment):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment // 10**6))


def fill(path, rows, now):
    """90 days of values, and a year of positions each five minutes of one tracker."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    chance = random.Random(1)
    series = [(tracker, name) for tracker in TRACKERS for name in PROPERTIES]
    each = rows // len(series)
    step = DAYS * DAY // each
    # Those of a year ago are the oldest of one's own that retention may put together: this tracker keeps them.
    database.executemany("INSERT OR IGNORE INTO series(tracker, property) VALUES(?, ?)", series + [("t1", "location")])
    ids = {(tracker, name): number for number, tracker, name in database.execute("SELECT id, tracker, property FROM series")}
    begin = now - DAYS * DAY + 3600 * 10**6
    before = size(path)
    for pair in series:
        number = ids[pair]
        values = [float(chance.randrange(1000)) / 10 for _ in range(1000)]
        database.executemany("INSERT OR REPLACE INTO points VALUES(?, ?, ?)",
                             ((number, begin + index * step, values[index % 1000]) for index in range(each)))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spent = size(path) - before
    number = ids["t1", "location"]
    database.executemany("INSERT OR IGNORE INTO fixes VALUES(?, ?, ?, ?, ?, ?, 'report')",
                         ((number, now - 365 * DAY + index * 300 * 10**6, index, 525_000_000 + index % 7000, 134_000_000 + index % 9000, 600)
                          for index in range(365 * 288)))
    database.commit()
    database.close()
    return each * len(series), spent


def size(path):
    return sum(os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end))


def page(home):
    """What the first page loads, as it comes over the wire: the document and all that it and its modules name."""
    wanted, seen, sent = ["/ui/"], set(), 0
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        status, body, headers = home.get(path, {"Accept-Encoding": "gzip"})
        if status != 200:
            continue
        sent += len(body)
        words = gzip.decompress(body).decode() if headers.get("Content-Encoding") == "gzip" else body.decode(errors="replace")
        folder = path.rsplit("/", 1)[0]
        for found in re.findall(r"""(?:from|import|src=|href=)\s*\(?['"]([^'"]+\.(?:js|css|svg))['"]""", words):
            wanted.append(os.path.normpath(found if found.startswith("/") else f"{folder}/{found}"))
    return sent / 1000, len(seen)


def reactions(home, count=180):
    """From an input by the socket to the begin of the program that a rule starts, s."""
    acts = pathlib.Path(home.folder, "acts")
    link = socket.socket(socket.AF_UNIX)
    place = os.open(home.state, os.O_PATH)
    link.connect(f"/proc/self/fd/{place}/home.sock")
    answers = link.makefile()
    sent = []
    pairs = [(tracker, name) for tracker in TRACKERS for name in PROPERTIES]
    for number in range(count):
        # A property is told once a second at most: each in its turn.
        tracker, name = pairs[number % len(pairs)]
        if number and number % len(pairs) == 0:
            time.sleep(1.1)
        sent.append(time.time())
        link.sendall(json.dumps({"id": number, "call": "do", "tracker": tracker, "action": f"set:{name}", "value": number + 1}).encode() + b"\n")
        answer = json.loads(answers.readline())
        assert "result" in answer, answer
        until = time.time() + 30
        while (len(acts.read_text().splitlines()) if acts.exists() else 0) <= number and time.time() < until:
            time.sleep(0.002)
    began = [float(line) for line in acts.read_text().splitlines()]
    assert len(began) == count, (len(began), count)
    return sorted(end - begin for begin, end in zip(sent, began))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=DAYS * 100_000)
    options = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="luna-history.") as folder:
        home = Home(folder)
        row("first page after the start, empty", home.start(), 1, "s")
        took = reactions(home)
        row("input to action begun, p99", took[len(took) * 99 // 100], 1, "s", inputs=len(took), median=round(statistics.median(took), 3))
        home.stop()
        path, now = f"{home.state}/home.sqlite", int(time.time() * 10**6)
        # t1 keeps its track for years; else retention would put it together.
        file = pathlib.Path(folder, "home.json")
        document = json.loads(file.read_text())
        document["trackers"][1]["keepDays"] = 3660
        file.write_text(json.dumps(document))
        rows, spent = fill(path, options.rows, now)
        row("100,000 values", spent / rows * 100_000 / 2**20, 8, "MiB", values=rows)
        row(f"first page after the start, {rows:,} values", home.start(), 1, "s")
        home.token()
        kb, files = page(home)
        row("first page, compressed", kb, 400, "kB", files=files)
        begin = now - 45 * DAY
        day, seconds = home.api(f"trackers/t5/history?property=load&from={text(begin)}&to={text(begin + DAY)}&limit=5000")
        row("a property's day", seconds * 1000, 100, "ms", values=len(day["values"]))
        year, seconds = home.api(f"trackers/t1/track?from={text(now - 365 * DAY)}&to={text(now)}&limit=5000")
        row("a tracker's year", seconds, 1, "s", positions=len(year["features"]))
        begin = now - 365 * DAY
        whole, seconds = home.api(f"trackers/t5/history?property=load&from={text(begin)}&to={text(now)}&bucket=86400&limit=5000")
        row("a property's year, by the day", seconds, 1, "s", days=len(whole["values"]))
        home.stop()
        # Everything is four months older now: what is older than 90 days is an hour's value each.
        database = sqlite3.connect(path)
        shift = 120 * DAY
        database.execute("UPDATE points SET time = time - ? WHERE series = (SELECT id FROM series WHERE tracker = 't5' AND property = 'load')", (shift,))
        database.commit()
        home.start()
        raw = "SELECT count(*) FROM points WHERE series = (SELECT id FROM series WHERE tracker = 't5' AND property = 'load')"
        until = time.time() + 300
        while database.execute(raw).fetchone()[0] and time.time() < until:
            time.sleep(0.2)
        hours = database.execute(raw.replace("points", "hours")).fetchone()[0]
        left = database.execute(raw).fetchone()[0]
        row("values older than 90 days that are still kept one by one", left, 0, "values", hours=hours)
        if not 0 < hours <= DAYS * 24 + 1:
            missed.append("hourly values")
        home.stop()
    if missed:
        sys.exit("missed: " + ", ".join(missed))


main()
