"""A backend with SQLite on loopback, and a fleet that is written into it."""

import hashlib, http.client, json, os, pathlib, random, re, shutil, sqlite3, subprocess, sys, tempfile, time


class Backend:
    """One process of `luna backend` in a directory of its own."""

    def __init__(self, luna, *options, before=(), store=None):
        self.luna, self.options, self.before = luna, options, list(before)
        self.directory = tempfile.mkdtemp(prefix="luna-load.")
        self.path = f"{self.directory}/backend.sqlite"
        self.store = store or f"sqlite:{self.path}"
        # In a database that somebody has, somebody may have been before.
        self.name = "load-" + os.urandom(4).hex()
        self.admin = self.token("admin", self.name, "--role", "operator")

    def command(self, *words):
        done = subprocess.run([self.luna, *words, "--store", self.store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"luna {' '.join(words)}: {done.stderr}")
        return done.stdout

    def token(self, role, name, *more):
        return json.loads(self.command("backend", "token", "create", role, name, *more))["token"]

    def start(self):
        log = f"{self.directory}/log"
        with open(log, "w") as file:
            self.process = subprocess.Popen(
                [*self.before, self.luna, "backend", "--listen", "127.0.0.1:0", "--store", self.store, *self.options],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        while not (found := re.search(r'"message":"listening","address":"127.0.0.1:(\d+)"', open(log).read())):
            if self.process.poll() is not None:
                sys.exit(open(log).read()[-2000:])
            time.sleep(0.05)
        self.port = int(found[1])
        return self

    @property
    def pid(self):
        """Of luna, also where another program runs it."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if self.before and children else self.process.pid

    def cpu(self):
        """Seconds of a core that it has used."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, what="VmRSS"):
        """MiB."""
        return int(re.search(rf"{what}:\s+(\d+)", open(f"/proc/{self.pid}/status").read())[1]) / 1024

    def disk(self):
        """MiB of the database and what belongs to it."""
        return sum(os.path.getsize(self.path + end) for end in ("", "-wal") if os.path.exists(self.path + end)) / 2**20

    def call(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Authorization": f"Bearer {token or self.admin}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {data[:500]}")
        return json.loads(data)

    def close(self):
        if getattr(self, "process", None) and self.process.poll() is None:
            os.kill(self.pid, 15)
            self.process.wait(60)
        shutil.rmtree(self.directory, ignore_errors=True)


def names(count):
    return [f"gw-{number:05}" for number in range(count)]


def tokens(backend, count):
    """A token for each of some gateways, written directly: one by one that would take minutes."""
    made = []
    with sqlite3.connect(backend.path) as database:
        for name in names(count):
            text = "luna-gateway-" + os.urandom(32).hex()
            digest = hashlib.sha256(text.encode()).digest()
            database.execute("INSERT INTO tokens(id, role, name, digest, created) VALUES(?, 'gateway', ?, ?, ?)",
                             (digest[:6].hex(), name, digest, int(time.time() * 1e6)))
            made.append(text)
    return made


def records(backend, count):
    """Records of gateways as an operator imports them: forty sites in a city, five tags, one in fifty without position."""
    chance = random.Random(1)
    lines = []
    for number, name in enumerate(names(count)):
        place = {"text": f"hall {number % 9}, door {number % 31}"}
        if number % 50:
            place |= {"latitude": round(52.3 + chance.random() * 0.4, 5), "longitude": round(13.1 + chance.random() * 0.6, 5)}
        lines.append({"name": name, "place": place, "site": f"site {number % 40}", "manufacturer": ["Acme", "Łódź GmbH"][number % 2],
                      "tags": [f"floor{number % 5}"] + (["roof"] if number % 7 == 0 else []), "note": "made up for a measurement"})
    for start in range(0, count, 1000):
        backend.call("POST", "/v1/gateways/import", {"lines": lines[start:start + 1000]})


def health(number, uptime):
    """What a gateway tells of itself, with all fields that one with Bluetooth has; one in eight is not well."""
    return {
        "version": f"0.2.{number % 4}", "uptime": uptime, "radioPath": "observe",
        "adapters": [{"id": "hci0", "state": "scanning", "packetsPerSecond": 41.5 + number % 13}],
        "packetsPerSecond": 41.5 + number % 13, "packetsDropped": number % 3, "packetsMalformed": 0, "advertisers": 120 + number % 40,
        "families": {"tile": 3, "smartTag": 2, "lunaTracker": 5, "eddystone": 1}, "sightingsPerMinute": 300.5, "recoveries": 0,
        "silentSeconds": 0, "queueDepth": number % 100, "queueOldestSeconds": 12, "outageHoursLeft": 5.5 if number % 8 == 0 else 160.25,
        "eventsLost": 0, "uploadFailures": number % 5, "lastUploadSeconds": 4, "backendMilliseconds": 12, "commandsDone": 4,
        "commandsFailed": 0, "locationState": "known", "clockOffsetMilliseconds": -12, "uplinkVerdict": "fair", "cpuPercent": 2.4,
        "memoryMiB": 18.2, "diskFreeMiB": 20_480, "temperature": 48.5, "throttled": False}
