"""Browsers that watch: streams of events, and changes that must reach all of them soon."""

import asyncio, json, statistics, time

from .backend import Backend, records
from .crowd import Gateway

STREAMS = 500
RATE = 5


class Stream:
    """One stream of a browser, and when changes came."""

    def __init__(self, backend, token):
        self.backend, self.token, self.came = backend, token, {}

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.backend.port)
        self.writer.write((f"GET /v1/stream?topics=gateway HTTP/1.1\r\nHost: 127.0.0.1:{self.backend.port}\r\n"
                           f"Authorization: Bearer {self.token}\r\n\r\n").encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        return int(head[9:12])

    async def read(self):
        while line := await self.reader.readline():
            # The note of the record says which change it is.
            if (start := line.find(b'"note":"change ')) >= 0:
                self.came[int(line[start + 15:line.index(b'"', start + 15)])] = time.monotonic()


def measure(options, table):
    backend = Backend(options.luna, "--requests-per-second", "0")
    try:
        # Three streams are allowed to each.
        viewers = [backend.token("admin", f"viewer-{number}") for number in range(-(-STREAMS // 3))]
        backend.start()
        records(backend, 1000)
        asyncio.run(run(options, backend, viewers, table))
    finally:
        backend.close()


async def run(options, backend, viewers, table):
    what = f"{STREAMS} streams"
    found = backend.call("GET", "/v1/gateways?limit=500")["gateways"]
    before = backend.memory()
    streams = [Stream(backend, viewers[number // 3]) for number in range(STREAMS)]
    for stream in streams:
        if (status := await stream.open()) != 200:
            table.skip(what, f"the server answers {status}")
            return
    reading = [asyncio.create_task(stream.read()) for stream in streams]
    editor = Gateway(backend.port, backend.admin)
    used, began, sent = backend.cpu(), time.monotonic(), {}
    number = 0
    while time.monotonic() < began + options.seconds:
        await asyncio.sleep(max(0, began + number / RATE - time.monotonic()))
        one = found[number % len(found)]
        # One field of one record, whatever revision it has.
        sent[number] = time.monotonic()
        status = await editor.send("PATCH", f"/v1/gateways/{one['id']}", {"revision": one["revision"] + number // len(found), "note": f"change {number}"})
        if status != 200:
            raise SystemExit(f"an edit: {status}")
        number += 1
    share = 100 * (backend.cpu() - used) / (time.monotonic() - began)
    await asyncio.sleep(3)
    more = backend.memory("VmHWM") - before
    late = sorted(stream.came.get(change, float("inf")) - at for change, at in sent.items() for stream in streams)
    for task in reading:
        task.cancel()
    lost = sum(value == float("inf") for value in late)
    table.add(f"{what}, {RATE} changes/s: CPU", share, "% of a core", 5, "with the edits themselves")
    table.add(f"{what}: memory", more, "MiB more", 64)
    if lost:
        table.skip("a change in all browsers: p99", f"{lost} of {len(late)} did not come")
    else:
        table.add("a change in all browsers: p99", 1000 * late[int(0.99 * len(late))], "ms", 1000, f"median {1000 * statistics.median(late):.0f} ms")
