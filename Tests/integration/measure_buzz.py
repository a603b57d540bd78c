#!/usr/bin/python3
"""Measures the time from `luna buzz` to the sound, the tracker being in sight.

  measure_buzz.py [COUNT]      in the VM: through a real bluetoothd and kernel (see scripts/vm/measure-buzz)
  measure_buzz.py --h4 [COUNT] on this machine, over H4

A software tracker whose button was pressed is told COUNT times (50) to sound, each time by a new
process. The time is from before the process starts until the tracker says that it sounds. Trackers
obey ten commands a minute, so that each is asked ten times at most. Ends with a line of the median,
the 90th percentile and the worst, s.
"""

import os
import statistics
import sys
import time
from datetime import datetime

import group_buzz
import group_buzzvm
from buzzing import Owned

COMMANDS = 8
SECONDS_OF_BUTTON = 40


def seconds(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def once(keys):
    before = len(keys.sounds())
    began = time.time()
    keys.buzz('--seconds', '1').ends(0, 120)
    line = [line for line in keys.tracker.told('sound') if line['on']][before]
    return seconds(line['time']) - began


def main(words):
    over_h4 = '--h4' in words
    count = int(next((word for word in words if word.isdigit()), 50))
    bench = (group_buzz if over_h4 else group_buzzvm).prepare('extended')
    times, keys, pressed = [], None, 0
    try:
        while len(times) < count:
            if len(times) % COMMANDS == 0:
                if keys:
                    keys.stop()
                keys, pressed = Owned(bench), 0
            if time.time() - pressed > SECONDS_OF_BUTTON:
                keys.press()
                pressed = time.time()
                # The iBeacon slot that may be on air then takes 2 s.
                time.sleep(2.5)
            times.append(once(keys))
            print(f'{len(times)}: {times[-1]:.3f} s', file=sys.stderr, flush=True)
        keys.stop()
    finally:
        bench.tidy()
        bench.close()
    times.sort()
    where = 'over H4' if over_h4 else 'in the VM, through bluetoothd'
    worst, high = times[-1], times[min(len(times) - 1, len(times) * 9 // 10)]
    print(f'{len(times)} buzzes {where}: median {statistics.median(times):.3f} s, p90 {high:.3f} s, worst {worst:.3f} s')


if __name__ == '__main__':
    os.environ.setdefault('LUNA', os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../.build/release/luna'))
    main(sys.argv[1:])
