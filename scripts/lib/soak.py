#!/usr/bin/env python3
"""scripts/lib/soak.py [--hours 24] [--rate 1000] [--speed 96] [--luna PROGRAM] local|finder|home

A day in a busy place, faster than it is: an HCI controller of this program (H4 over a socket) hears so many
advertisements a second of rotating addresses, ten of them from trackers that rotate by the protocol, and has a
fault every ten minutes of protocol time, the first of which is a silence. `luna local`, `luna finder` or `luna home run` listens, the last one
with rules for each tracker and apps that come, listen and go. It must come back from every
fault by itself, grow neither in memory nor in descriptors, and its counters must add up. Prints a JSON line;
exits with 1 when something is wrong.
"""
import argparse, atexit, collections, datetime, fcntl, http.client, itertools, json, os, pathlib, random, select, shutil, socket, statistics, struct, subprocess, sys, tempfile, termios, threading, time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/integration"))
import lunaprotocol  # noqa: E402

TRACKERS = 10
ROTATION = 15 * 60  # s after which everybody else has another address
FAULTS = ["closes", "reader stalls", "garbage", "lengths", "hardware", "disallowed", "stalls"]
SILENCE = 45  # s, longer than the watchdog waits
EVERY = 600  # s of protocol time between faults
# The first fault and each so many later is a silence, so that also an hour has one.
SILENT = 36
PENDING = 1 << 18
# Reports that may be taken for data of a packet that begins in garbage: luna believes 4 KiB of one (H4Splitter), and what
# is left of it may begin others.
SWALLOWED = 3 * 4101 // 29
GARBAGE = 300  # B
# Each byte that luna skips counts as one that was lost: those of garbage, and of a report in whose middle it begins anew, up to 45.
SKIPPED = GARBAGE + 3 * 45


def report(address, data, rssi):
    """An LE Advertising Report event, Core Specification 6.0 Vol 4 Part E 7.7.65.2."""
    body = bytes([3, 1]) + address + bytes([len(data)]) + data + bytes([rssi & 0xFF])
    return bytes([0x04, 0x3E, len(body) + 2, 0x02, 1]) + body


class Place:
    """Who is there."""

    def __init__(self, rate):
        self.chance, self.rate = random.Random(7), rate
        self.keys = [lunaprotocol.Keys(self.chance.randbytes(32)) for _ in range(TRACKERS)]
        self.frames, self.crowd = (None, []), (None, [])

    def devices(self, path, since):
        """The trackers as a file that `luna owner import` takes."""
        with open(path, "w") as file:
            json.dump({"format": "luna-devices", "version": 1, "devices": [
                {"uuid": str(uuid.UUID(int=number + 1)).upper(), "kind": "luna", "name": f"Tracker {number}",
                 "onboardingTimestamp": datetime.datetime.fromtimestamp(since, datetime.timezone.utc).isoformat().replace("+00:00", "Z"),
                 "masterKey": keys.master_key.hex()} for number, keys in enumerate(self.keys)]}, file)

    def second(self, now):
        """The packets of a second of protocol time."""
        period, turn = int(now) // lunaprotocol.PERIOD, int(now) // ROTATION
        if self.frames[0] != period:
            self.frames = period, [
                report(self.chance.randbytes(5) + b"\xc8",
                       lunaprotocol.make_frame(keys.eid(period), keys.aotp(period), b"abc", period), -50 - 4 * number)
                for number, keys in enumerate(self.keys)]
        if self.crowd[0] != turn:
            others = []
            for number in range(self.rate - TRACKERS):
                kind = number % 4
                key = self.chance.randbytes(22)
                data = (b"\x1e\xff\x4c\x00\x12\x19\x10" + key + b"\x00\x00" if kind == 0
                        else b"\x02\x01\x06\x1a\xff\x4c\x00\x02\x15" + key + b"\xc5" if kind == 1
                        else b"\x02\x01\x06\x0b\x09" + key[:5].hex().encode() if kind == 2
                        else b"\x02\x01\x06\x11\x07" + key[:16])
                others.append(report(self.chance.randbytes(5) + b"\xd0", data[:31], -40 - number % 55))
            self.crowd = turn, others
        return self.frames[1] + self.crowd[1]


class Controller:
    """What an H4 controller does, and what it does wrong."""

    def __init__(self, place, path):
        self.place = place
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(4)
        self.link, self.waiting, self.input = None, b"", b""
        self.scanning, self.refusals, self.sent, self.links = False, 0, 0, 0
        # Bytes that were to be written so far and that were, and where in them each report ends that was not yet.
        self.total, self.written, self.ends = 0, 0, collections.deque()
        # Reports that were written and perhaps not read yet; those that went with a link, or came when nobody listened; those
        # that garbage may have swallowed; and what is no report and may be counted as one that was lost.
        self.unread, self.gone, self.swallowed, self.odd = 0, 0, 0, 0
        self.lame = False  # it has failed: what it hears from now on may be read and not listened to
        self.back = 0.0  # until when nobody is let in
        self.dumb = 0.0  # until when nothing is read, answered or heard
        self.scan_began = 0.0

    def adds(self, *packets):
        self.waiting += b"".join(packets)
        self.total += sum(map(len, packets))

    def hears(self, packets):
        end = self.total
        for packet in packets:
            end += len(packet)
            self.ends.append(end)
        self.adds(*packets)
        self.sent += len(packets)

    def wrote(self, count):
        self.waiting = self.waiting[count:]
        self.written += count
        while self.ends and self.ends[0] <= self.written:
            self.ends.popleft()
            self.unread += 1

    def looks(self):
        """What luna has read does not go with the link any more."""
        if not self.link or self.lame:
            return
        left = struct.unpack("i", fcntl.ioctl(self.link, termios.TIOCOUTQ, bytes(4)))[0]
        # Of a link that luna has closed nothing is left either.
        end = select.poll()
        end.register(self.link, select.POLLRDHUP)
        if left == 0 and not end.poll(0):
            self.unread = 0

    def drains(self):
        """Waits until luna has read everything, before a fault that would take it away."""
        until = time.monotonic() + 5
        while self.link and time.monotonic() < until:
            self.looks()
            if not self.waiting and not self.unread:
                return
            self.turn(0.01)

    def takes(self):
        return self.link and self.scanning and len(self.waiting) < PENDING and time.monotonic() >= self.dumb

    def goes(self, seconds):
        if self.link:
            self.link.close()
        # What was never sent, or not to its end.
        self.sent -= len(self.ends)
        self.gone += self.unread
        self.ends.clear()
        self.unread, self.lame, self.written = 0, False, self.total
        self.link, self.waiting, self.input, self.scanning = None, b"", b"", False
        self.back = time.monotonic() + seconds

    def turn(self, limit):
        """Waits for something to do, at most so long, and does it."""
        now = time.monotonic()
        if now < self.dumb:
            return time.sleep(min(limit, self.dumb - now))
        self.looks()
        if not self.link:
            if now < self.back:
                return time.sleep(min(limit, self.back - now))
            if not select.select([self.server], [], [], limit)[0]:
                return
            self.link = self.server.accept()[0]
            self.link.setblocking(False)
            self.links += 1
            return
        readable, writable, _ = select.select([self.link], [self.link] if self.waiting else [], [], limit)
        try:
            if readable:
                piece = self.link.recv(65536)
                if not piece:
                    return self.goes(0)
                self.input += piece
                while len(self.input) >= 4 and len(self.input) >= 4 + self.input[3]:
                    command, self.input = self.input[: 4 + self.input[3]], self.input[4 + self.input[3] :]
                    self.answer(command)
            if writable:
                self.wrote(self.link.send(self.waiting[:65536]))
        except BlockingIOError:
            pass
        except OSError:
            self.goes(0)

    def answer(self, command):
        opcode = struct.unpack_from("<H", command, 1)[0]
        status, values = 0, {
            0x1001: bytes([9, 0, 0, 9, 0xFF, 0xFF, 0, 0]),
            0x1009: bytes([6, 5, 4, 3, 2, 1]),
            0x2002: bytes([251, 0, 8]),
        }.get(opcode, bytes(64))
        if opcode == 0x0C03 or (opcode == 0x200C and not command[4]):
            # What was heard before a reset, or is on its way when the scan is switched off, may be nobody's any more.
            self.gone += self.unread + len(self.ends)
            self.unread, self.lame = 0, False
        if opcode == 0x0C03:
            self.scanning = False
        if opcode == 0x200C:
            if command[4] and self.refusals:
                self.refusals, status, values = self.refusals - 1, 0x0C, b""
            else:
                self.scanning = bool(command[4])
                self.scan_began = time.monotonic()
        self.adds(bytes([0x04, 0x0E, 4 + len(values), 1]) + command[1:3] + bytes([status]) + values)

    def fault(self, kind, chance):
        if kind == "closes":
            self.drains()
            self.goes(0.3)
        elif kind == "garbage":
            self.adds(chance.randbytes(GARBAGE))
            self.swallowed += SWALLOWED
            self.odd += SKIPPED
        elif kind == "lengths":
            # A report that says that it has more data than its event, and an event without the five that it says it has.
            self.adds(bytes.fromhex("043e0c02010301") + bytes(6) + b"\xff\x01\x02" + b"\x04\x3e\x02\x02\x05")
            self.odd += 6
        elif kind == "hardware":
            self.drains()
            self.adds(b"\x04\x10\x01\x42")
            self.lame = True
        elif kind == "disallowed":
            self.drains()
            self.refusals = 2
            self.goes(0)
        elif kind == "stalls":
            self.dumb = time.monotonic() + 2
        elif kind == "falls silent":
            self.drains()
            self.dumb = time.monotonic() + SILENCE


class Reader(threading.Thread):
    """Reads what luna writes into a file, and at times does not: then its queues fill up."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.output, self.end = os.pipe()
        self.file = open(path, "wb")
        self.idle = 0.0  # until when nothing is read

    def run(self):
        while piece := os.read(self.output, 65536):
            self.file.write(piece)
            time.sleep(max(0, self.idle - time.monotonic()))
        self.file.close()

    def stalls(self):
        self.idle = time.monotonic() + 3


def memory(pid):
    """What it has asked for and uses, KiB: pages of its own program come and go as the kernel likes."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("RssAnon"))


def processor(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Apps(threading.Thread):
    """People who open the app, listen for a while, and go: some streams are open all the time, others end in the middle."""

    COUNT = 5

    def __init__(self, port, token):
        super().__init__(daemon=True)
        self.port, self.rights = port, {"Authorization": "Bearer " + token}
        self.links, self.answers, self.events, self.goes_on = [], 0, 0, True

    def run(self):
        number = 0
        while self.goes_on:
            try:
                link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                link.request("GET", "/api/v1/" + ("stream" if number % 3 == 0 else "trackers"), None, self.rights)
                answer = link.getresponse()
                if answer.status == 200 and number % 3 == 0:
                    self.links.append(link)
                    self.events += len(answer.read1(4096))
                else:
                    self.answers += answer.status == 200
                    answer.read()
                    link.close()
                if len(self.links) > self.COUNT:
                    self.links.pop(0).close()
            except OSError:
                pass
            number += 1
            time.sleep(0.2)
        for link in self.links:
            link.close()


def home(folder, luna, state):
    """The file of a home for those ten, with a rule for each; the words of the command; its port and a token."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with open(f"{folder}/home.json", "w") as file:
        json.dump({
            "box": {"radio": f"h4:{folder}/hci.sock", "location": "static:52.5,13.25"}, "server": {"listen": f"127.0.0.1:{port}"},
            "places": [{"id": "home", "latitude": 52.5, "longitude": 13.25, "radius": 100}],
            "trackers": [{"id": f"t{number}", "device": f"Tracker {number}"} for number in range(TRACKERS)] + [{"id": "crowd", "match": "rssi > -42"}],
            "rules": [{"id": f"{word}-{number}", "cooldown": "0s", "when": [{word: {"who": f"t{number}"}}], "then": [{"finder": "stop"}]}
                      for number in range(TRACKERS) for word in ("beaconIn", "beaconOut")]
            + [{"id": "signal", "cooldown": "10s", "maxPerHour": 3600, "when": [{"property": {"property": "rssi", "changes": True}}], "then": [{"finder": "stop"}]}],
        }, file)
    token = json.loads(subprocess.run([luna, "home", "account", "token", "add", "soak", "--role", "owner", "--format", "jsonl", *state],
                                      check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["token"]
    return [luna, "home", "run", f"{folder}/home.json", "--format", "jsonl", *state], port, token


def recovered(fault, controller, recoveries):
    """The fault that it has not come back from yet; one that is over goes to the recoveries."""
    if fault and controller.scan_began > fault[1]:
        recoveries.append((fault[0], controller.scan_began - fault[1]))
        return None
    return fault


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hours", type=float, default=24)
    options.add_argument("--rate", type=int, default=1000)
    options.add_argument("--speed", type=int, default=96)
    options.add_argument("--luna", default=os.environ.get("LUNA", str(ROOT / ".build/release/luna")))
    options.add_argument("command", choices=["local", "finder", "home"])
    options = options.parse_args()
    speed, rate, seconds = options.speed, options.rate, options.hours * 3600
    folder = tempfile.mkdtemp(prefix="luna-soak.")
    # However it ends; what has gone wrong is printed.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    place = Place(rate)
    controller = Controller(place, f"{folder}/hci.sock")
    place.devices(f"{folder}/devices.json", time.time() - 86400)
    state = ["--state", f"{folder}/state"]
    subprocess.run([options.luna, "owner", "import", f"{folder}/devices.json", *state], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    words = [options.luna, options.command, "--radio", f"h4:{folder}/hci.sock", "--format", "jsonl", *state]
    if options.command == "finder":
        words += ["--location", "static:52.5,13.25", "--duty", "full"]
    if options.command == "home":
        words, port, token = home(folder, options.luna, state)
        apps = Apps(port, token)
        apps.start()
    began = epoch = time.time()
    moment = datetime.datetime.fromtimestamp(began, datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    words += ["--speed", str(speed), "--epoch", moment]
    reader, errors = Reader(f"{folder}/out"), open(f"{folder}/err", "w+")
    luna = subprocess.Popen(words, stdout=reader.end, stderr=errors)
    atexit.register(lambda: (luna.kill(), luna.wait()))
    os.close(reader.end)
    reader.start()
    chance, kinds, due, until = random.Random(3), itertools.cycle(FAULTS), epoch + EVERY, epoch + seconds
    recoveries, fault, faults, samples = [], None, 0, []
    at, cpu, measured = epoch, 0.0, None
    next_sample = time.time() + 5
    wrong = []
    while at < until and luna.poll() is None:
        now = time.time()
        wanted = epoch + (now - began) * speed
        is_silent = fault and fault[0] == "falls silent"
        if not controller.takes():
            if not (controller.link and controller.scanning):
                # What nobody listens to is not sent later.
                missed = max(0, wanted - 1 - at)
                at += missed
                if is_silent:
                    # It is longer than an hour, and no part of the time that was asked for.
                    until, due = until + missed, due + missed
            controller.turn(0.02)
        else:
            if measured is None:
                measured, cpu = now, processor(luna.pid)
            fault = recovered(fault, controller, recoveries)
            if at <= wanted:
                controller.hears(place.second(at))
                at += 1
                controller.turn(0)
            else:
                controller.turn(min(0.02, (at - wanted) / speed))
        if at >= due and not fault:
            faults += 1
            kind = "falls silent" if faults % SILENT == 1 else next(kinds)
            if kind in ("closes", "hardware", "disallowed", "falls silent"):
                fault = kind, time.monotonic()
            reader.stalls() if kind == "reader stalls" else controller.fault(kind, chance)
            due += EVERY
        # While it waits for a radio it needs less than later.
        if now >= next_sample and not is_silent:
            next_sample = now + 5
            samples.append((memory(luna.pid), len(os.listdir(f"/proc/{luna.pid}/fd"))))
    if luna.poll() is not None:
        wrong.append(f"it ended with {luna.returncode}")
    else:
        # The last fault is one to come back from too, and what is on its way arrives.
        limit = time.time() + 60
        while fault and time.time() < limit:
            controller.turn(0.05)
            fault = recovered(fault, controller, recoveries)
        while controller.waiting and controller.link and time.time() < limit:
            controller.turn(0.05)
        if options.command == "home":
            apps.goes_on = False
            apps.join(30)
        time.sleep(1)
        cpu = processor(luna.pid) - cpu
        luna.terminate()
        while luna.poll() is None:
            controller.turn(0.05)
    reader.join()
    took = time.time() - (measured or began)
    with open(f"{folder}/out") as file:
        lines = [json.loads(line) for line in file]
    end = next((line for line in lines if line["type"] == "end"), None)
    # A moment may be the one in which a queue is full; a quarter is not.
    quarter = max(1, len(samples) // 4)
    early, late = ([statistics.median_low(column) for column in zip(*part)] for part in (samples[quarter : 2 * quarter], samples[-quarter:]))
    if options.command == "home":
        # It says what happens to trackers and rules, not how much it heard.
        present = {line["tracker"] for line in lines if line["type"] == "value" and line["property"] == "present" and line["value"] == "yes"}
        fired = {line["firing"]["rule"] for line in lines if line["type"] == "firing"}
        if len(present) < TRACKERS:
            wrong.append(f"it heard {sorted(present)} only")
        if "signal" not in fired:
            wrong.append(f"only these rules ran: {sorted(fired)}")
        if luna.returncode != 0:
            wrong.append(f"it ended with {luna.returncode}")
        if apps.answers == 0 or apps.events == 0:
            wrong.append("its app did not answer")
    elif not end:
        wrong.append("it wrote no line of type end")
    else:
        heard, dropped = end.get("heard", 0), sum(end.get("dropped", {}).values()) if isinstance(end.get("dropped"), dict) else end.get("dropped", 0)
        lost = controller.sent - heard - dropped
        # What was in the socket when a link ended is lost; of everything else each is accounted for.
        most = controller.gone + controller.swallowed
        if not -controller.odd <= lost <= most:
            wrong.append(f"of {controller.sent} reports {heard} were heard and {dropped} counted as dropped: {lost} are not accounted for, at most {most} may be")
    if not early or not late:
        wrong.append("its memory was not seen often enough")
    else:
        if late[0] > early[0] * 1.1 + 2048:
            wrong.append(f"its memory grew from {early[0]} to {late[0]} KiB")
        if late[1] > early[1] + 2:
            wrong.append(f"it has {late[1]} descriptors, and had {early[1]}")
    if fault:
        wrong.append(f"it has not come back after the controller {fault[0]}")
    result = {"command": options.command, "seconds": round(took, 1), "protocolHours": round((at - epoch) / 3600, 2),
              "reports": controller.sent, "heard": end and end.get("heard"), "dropped": end and end.get("dropped"), "faults": faults,
              "mayBeLost": [-controller.odd, controller.gone + controller.swallowed],
              "anonymousKiB": [part[0] for part in (early, late) if part], "mostKiB": max((memory for memory, _ in samples), default=0),
              "descriptors": [part[1] for part in (early, late) if part],
              "percentOfACore": round(100 * cpu / took, 2), "recoveries": {}, "wrong": wrong}
    for kind in sorted({kind for kind, _ in recoveries}):
        times = sorted(time for other, time in recoveries if other == kind)
        result["recoveries"][kind] = {"times": len(times), "median": round(times[len(times) // 2], 2), "longest": round(times[-1], 2)}
    print(json.dumps(result), flush=True)
    if wrong:
        with open(f"{folder}/err") as file:
            print(file.read()[-3000:], file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
