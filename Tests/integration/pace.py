"""How slow this machine is now. Deadlines are for what never comes, and are as much longer as everything else takes longer."""

import hashlib
import time

# What `work` takes when two cores like those of the tables in CONTRIBUTING have nothing else to do, in seconds.
IDLE = 0.2
# Slower than this is not waited for.
MOST = 20

slowest, measured = 1.0, None


def work():
    """Something that computes, and takes as long every time."""
    hashlib.pbkdf2_hmac('sha256', b'luna', b'luna', 220_000)


def slower(pause=30):
    """How many times slower it has been at most, measured anew when the last time was more than `pause` seconds ago."""
    global slowest, measured
    now = time.monotonic()
    if measured is None or now - measured >= pause:
        work()
        measured = time.monotonic()
        slowest = min(MOST, max(slowest, (measured - now) / IDLE))
    return slowest


class Deadline:
    """So many seconds, of a machine that is idle or nearly so. Only when they seem to be over it is asked how slow it is."""

    def __init__(self, seconds):
        self.began, self.seconds = time.monotonic(), seconds

    def left(self):
        """0 or less once something has not come."""
        left = self.began + self.seconds * slowest - time.monotonic()
        return left if left > 0 else self.began + self.seconds * slower() - time.monotonic()
