"""A day of a home, as fast as it takes one: whether memory stays flat, and no descriptor is kept."""

import json, os, pathlib, signal, socket, subprocess, tempfile, time

from .table import Table

TRACKERS, MINUTES = 50, 24 * 60


def resident(process):
    """MiB that it has in memory."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def client(state):
    """A connection to its socket, whose path may be longer than an address has room for."""
    link, place = socket.socket(socket.AF_UNIX), os.open(state, os.O_PATH | os.O_DIRECTORY)
    try:
        link.connect(f"/proc/self/fd/{place}/home.sock")
    finally:
        os.close(place)
    return link, link.makefile()


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)


def document():
    light = {"name": "light", "type": "number", "min": 0, "max": 100}
    return {
        "box": {"radio": "virtual:7"}, "server": {"listen": "127.0.0.1:0"},
        "devices": [{"class": "Device", "oemModel": "lamp", "managedProperties": [light]}],
        "trackers": [{"id": f"t{number}", "model": "lamp"} for number in range(TRACKERS)],
        "rules": [{"id": f"r{number}", "when": [{"property": {"who": f"t{number}", "property": "light", "above": 50}}],
                   "then": [{"wait": "1s"}]} for number in range(TRACKERS)]}


def day(state, minutes, first):
    """Sets a property of each tracker each minute; each time over a connection of its own."""
    for minute in range(first, first + minutes):
        link, answers = client(state)
        for number in range(TRACKERS):
            value = (minute * 37 + number * 11) % 100
            link.sendall(json.dumps({"id": number, "call": "do", "tracker": f"t{number}", "action": "set:light", "value": value}).encode() + b"\n")
            answer = json.loads(answers.readline())
            assert "result" in answer, answer
        answers.close()
        link.close()


def measure(options, table: Table):
    with tempfile.TemporaryDirectory(prefix="luna-day.") as folder:
        state, file = f"{folder}/state", f"{folder}/home.json"
        pathlib.Path(file).write_text(json.dumps(document()))
        home = subprocess.Popen([options.luna, "home", "run", file, "--state", state, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: os.path.exists(f"{state}/home.sock"), "the home to listen")
            # What it needs at all is there after a while.
            day(state, MINUTES // 6, 0)
            before, open_before, began = resident(home), descriptors(home), time.monotonic()
            day(state, MINUTES, MINUTES // 6)
            took = time.monotonic() - began
            wait_for(lambda: descriptors(home) <= open_before, "the descriptors to be closed", 15)
            table.add("a home: memory that a day leaves", max(0, resident(home) - before), "MiB", 4, f"{TRACKERS * MINUTES:,} inputs in {took:.0f} s; {before:.0f} MiB before")
            table.add("a home: descriptors that a day leaves", max(0, descriptors(home) - open_before), "", 0)
        except (TimeoutError, AssertionError, OSError) as error:
            table.skip("a day of a home", error)
        finally:
            home.send_signal(signal.SIGTERM)
            home.wait(30)
