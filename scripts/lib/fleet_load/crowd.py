"""Gateways that report on time, each on a connection that it keeps, as luna finder does."""

import asyncio, json, time


class Gateway:
    """One connection, opened when it is first needed and again when it was closed."""

    def __init__(self, port, token):
        self.port, self.token, self.reader = port, token, None
        # One request after the other.
        self.turn = asyncio.Lock()

    async def post(self, path, body):
        """Sends a body; the status of the answer."""
        return await self.send("POST", path, body)

    async def send(self, method, path, body):
        async with self.turn:
            return await self.exchange(method, path, body)

    async def exchange(self, method, path, body):
        data = json.dumps(body, separators=(",", ":")).encode()
        head = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n").encode()
        for is_last in (False, True):
            try:
                if not self.reader:
                    self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
                self.writer.write(head + data)
                answer = await self.reader.readuntil(b"\r\n\r\n")
                break
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if is_last:
                    raise
        fields = answer.lower()
        start = fields.index(b"content-length:") + 15
        await self.reader.readexactly(int(fields[start:fields.index(b"\r", start)]))
        return int(answer[9:12])

    def close(self):
        if self.reader:
            self.writer.close()
        self.reader = None


def rfc3339(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03}Z"


class Answers:
    """How long answers took, from when their requests were due, s."""

    def __init__(self):
        self.times, self.failures = [], 0

    def quantile(self, part):
        """ms."""
        times = sorted(self.times)
        return times[min(len(times) - 1, int(part * len(times)))] * 1000 if times else float("nan")


async def pace(count, period, until, job):
    """Has `job(index, round)` done by each of so many once in a period, evenly spread; when it is due, whether or not the
    ones before are done. Gives the Answers."""
    answers, running = Answers(), set()
    began = time.monotonic()
    number = 0

    async def one(index, round_, due):
        try:
            status = await job(index, round_)
            answers.times.append(time.monotonic() - due)
            answers.failures += status != 200
        except (OSError, asyncio.IncompleteReadError):
            answers.failures += 1

    while True:
        due = began + number * period / count
        if due >= until:
            break
        if (wait := due - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        task = asyncio.create_task(one(number % count, number // count, due))
        running.add(task)
        task.add_done_callback(running.discard)
        number += 1
    if running:
        await asyncio.wait(running, timeout=60)
    return answers
