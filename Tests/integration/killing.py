"""Gateways that upload while backends are killed, and the count at the end."""

import http.client
import signal
import threading
import time

from backends import PATIENCE, event
from bench import chance


class Uploader(threading.Thread):
    """A gateway that sends batches until each was answered, however often the server goes away."""

    def __init__(self, backend, batches, name, begun):
        super().__init__(daemon=True)
        self.backend, self.batches, self.name_, self.begun = backend, batches, name, begun
        backend.token('gateway', name)
        self.accepted = {}
        self.problem = None

    def run(self):
        try:
            for batch in self.batches:
                while True:
                    self.begun.release()
                    try:
                        answer = self.backend.upload(batch, self.name_, check=False)
                    except (OSError, http.client.HTTPException):
                        time.sleep(0.01)
                        continue
                    if answer.status == 503:
                        time.sleep(0.05)
                        continue
                    assert answer.status == 200, (answer.status, answer.body)
                    for result in answer.json['results']:
                        key = batch[result['index']]['encodedLocation']
                        assert result['status'] in ('accepted', 'duplicate'), result
                        if result['status'] == 'accepted':
                            self.accepted[key] = self.accepted.get(key, 0) + 1
                    break
        except Exception as error:
            self.problem = error


def survives_kills(backends, kills):
    """Kills one backend after the other at random moments; they share one storage."""
    uploaders, events, begun = [], {}, threading.Semaphore(0)

    def go(count):
        batches = [[event() for _ in range(10)] for _ in range(count)]
        events.update((e['encodedLocation'], e) for batch in batches for e in batch)
        # Every batch goes through two gateways, so that they meet.
        fresh = [Uploader(backends[i // 4 % len(backends)], batches[i % 4 :: 4], f'g{i}', begun) for i in range(8)]
        [u.start() for u in fresh]
        uploaders.extend(fresh)

    go(kills * 6)
    lots = chance()
    for number in range(kills):
        if not any(u.is_alive() for u in uploaders):
            go(400)
        # Some more uploads have to begin, however long that takes here, and then it is any moment of the next ones.
        while begun.acquire(blocking=False):
            pass
        for _ in range(lots.randrange(16)):
            # None does any more when all are answered.
            if not begun.acquire(timeout=1):
                break
        time.sleep(lots.uniform(0.0, 0.02))
        backend = backends[number % len(backends)]
        backend.kill(signal.SIGKILL)
        backend.process.wait()
        backend.start()
    for uploader in uploaders:
        uploader.join(PATIENCE)
        assert not uploader.is_alive() and uploader.problem is None, uploader.problem
    stored = backends[0].stored([e['heid'] for e in events.values()])
    assert len(stored) == len(events), f'{len(events)} events were answered for, {len(stored)} are stored'
    assert {e['encodedLocation'] for e in stored} == set(events)
    for key in events:
        assert sum(u.accepted.get(key, 0) for u in uploaders) <= 1, 'an event was accepted twice'
