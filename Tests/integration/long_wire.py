"""A long way between two devices: what comes in at one goes out at the other, later, some of it never, and no faster than the
way is at the moment. Not every kernel has netem, which would do that.

  python3 long_wire.py WAY DEVICE DEVICE   (WAY as JSON; carries until it is ended)

Says "ready" when it carries.
"""

import dataclasses
import heapq
import itertools
import json
import random
import select
import socket
import struct
import sys
import time

SOL_PACKET, ADD_MEMBERSHIP, VNET_HEADER, OUTGOING, PROMISCUOUS = 263, 1, 15, 4, 1
SO_RCVBUFFORCE = 33


@dataclasses.dataclass
class Way:
    # How long it is, there and back, and by how much each packet may come later than that, s.
    round_trip: float = 0.0
    jitter: float = 0.0
    # Which share of the packets is lost, each way.
    loss: float = 0.0
    # How fast it is at most, bytes a second, one after the other, each for so long, s; none for as fast as may be.
    rates: list = dataclasses.field(default_factory=list)
    step: float = 0.2
    # How long a packet waits at most for others to go, s.
    patience: float = 0.3
    seed: int = 1

    def json(self):
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def mobile(seed=1):
        """As a telephone that moves has it: between 3 and 15 Mbit/s, 60 ms, now and then a packet less."""
        chance = random.Random(seed)
        rates = [chance.uniform(3e6, 15e6) / 8 for _ in range(400)]
        return Way(round_trip=0.06, jitter=0.01, loss=0.001, rates=rates, seed=seed)


class Wire:
    def __init__(self, way, devices):
        self.way, self.chance = way, random.Random(way.seed)
        self.ends = [end(device) for device in devices]
        # What is on the way: when it is due, where it goes; when each direction is free, and the last one of it is due.
        self.flying, self.numbers = [], itertools.count()
        self.free, self.last = [0.0, 0.0], [0.0, 0.0]
        self.began = time.monotonic()

    def run(self):
        print('ready', flush=True)
        while True:
            patience = max(0, self.flying[0][0] - time.monotonic()) if self.flying else None
            for ready in select.select(self.ends, [], [], patience)[0]:
                self.take(self.ends.index(ready))
            now = time.monotonic()
            while self.flying and self.flying[0][0] <= now:
                _, _, direction, frame = heapq.heappop(self.flying)
                try:
                    self.ends[1 - direction].send(frame)
                except OSError:
                    pass  # there is no room: it is lost

    def take(self, direction):
        for _ in range(64):
            try:
                frame, sender = self.ends[direction].recvfrom(70000, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            if sender[2] != OUTGOING and self.chance.random() >= self.way.loss:
                self.send(direction, frame, time.monotonic())

    def send(self, direction, frame, now):
        way, due = self.way, now
        if way.rates:
            rate = way.rates[int((now - self.began) / way.step) % len(way.rates)]
            begins = max(now, self.free[direction])
            if begins - now > way.patience:
                return
            due = self.free[direction] = begins + len(frame) / rate
        due += way.round_trip / 2 + self.chance.random() * way.jitter
        # None overtakes another.
        due = self.last[direction] = max(due, self.last[direction])
        heapq.heappush(self.flying, (due, next(self.numbers), direction, frame))


def end(device):
    """A socket that is given all frames of a device, with what the kernel still has to do to them, and takes them so."""
    frames = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    frames.setsockopt(SOL_PACKET, VNET_HEADER, 1)
    frames.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    member = struct.pack('iHH8s', socket.if_nametoindex(device), PROMISCUOUS, 0, b'')
    frames.setsockopt(SOL_PACKET, ADD_MEMBERSHIP, member)
    frames.bind((device, 3))
    return frames


if __name__ == '__main__':
    Wire(Way(**json.loads(sys.argv[1])), sys.argv[2:]).run()
