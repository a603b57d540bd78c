"""The first five minutes (FLEET.md, 9), but for what people do: how long it takes from the label that an operator has read
to a gateway that is online. Tests/integration/group_console.py goes the same way by the screens."""

import pathlib, subprocess, time

from .backend import Backend
from .home import wait_for

GATEWAYS = 3
PLACE = {"latitude": 52.5, "longitude": 13.25}


class Finder:
    """A luna finder without a token, as it comes out of its package."""

    def __init__(self, backend, name):
        self.state = pathlib.Path(backend.directory, name)
        self.log = self.state.with_suffix(".log")
        words = ["--radio", "virtual", "--format", "jsonl", "--location", f"static:{PLACE['latitude']},{PLACE['longitude']}", "--state", self.state,
                 "--backend", f"http://127.0.0.1:{backend.port}"]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([backend.luna, "finder", *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def line(self):
        """What its label says, once it has printed that whole."""
        for line in self.log.read_text(errors="replace").splitlines(keepends=True):
            if line.startswith("LUNAG1:") and line.endswith("\n"):
                return line.strip()
        return None

    def close(self):
        self.process.terminate()
        self.process.wait(60)


def measure(options, table):
    backend = Backend(options.luna)
    finders = []
    try:
        backend.start()
        times = []
        for number in range(GATEWAYS):
            finders.append(Finder(backend, f"gateway-{number}"))
            times.append(online(backend, finders[-1]))
        table.add("from a label that was read to a gateway that is online", max(times), "s", 70,
                  f"the slowest of {len(times)}, each scanned as soon as it has printed its line; the fastest {min(times):.0f} s")
    except TimeoutError as error:
        table.skip("from a label that was read to a gateway that is online", f"{error} did not come")
    finally:
        for finder in finders:
            finder.close()
        backend.close()


def online(backend, finder):
    """Takes a gateway in by its label; gives how many seconds it needs until it is online."""
    wait_for(finder.line, "the line of a label")
    began = time.monotonic()
    made = backend.call("POST", "/v1/gateways", {"payload": finder.line(), "place": PLACE})["gateway"]["id"]
    wait_for(lambda: backend.call("GET", f"/v1/gateways/{made}").get("state") == "online", "a gateway that is online", 300)
    return time.monotonic() - began
