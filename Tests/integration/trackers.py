"""Software trackers for the tests of `luna tracker`: making them, running them, what is heard of them."""

import datetime
import time

from bench import Luna, wait_for

REGIONS = [
    '45035880-A27F-5EB2-965F-DE0BB7F471A6',
    '18569F30-81A7-5874-AE31-172C33BFF7C3',
    '4412AED3-23C4-5022-9405-64E8C0CD9EF1',
]


def epoch():
    """Now, as an --epoch. A tracker that ran with an earlier one would be ahead of its clock, and would
    wait for it before it rotates: so each epoch goes with trackers of its own.
    """
    return datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def create(bench, name, *options):
    return Luna(bench, 'tracker', 'create', name, *options).ends(0).lines()[0]


class Tracker(Luna):
    """A running `luna tracker run`."""

    def __init__(self, bench, radio, *arguments, **how):
        super().__init__(bench, 'tracker', 'run', '--radio', radio, *arguments, **how)

    def told(self, kind):
        return [line for line in self.lines() if line['type'] == kind]

    def tells(self, kind, count=1, seconds=20):
        def enough():
            if self.process.poll() is not None:
                raise AssertionError(f'luna tracker ended with {self.process.returncode}: {self.stderr()}')
            return len(self.told(kind)) >= count

        wait_for(enough, seconds, f'{count} lines "{kind}"; luna tracker said: {self.stderr()}')
        return self


def frames(lines):
    """The Luna frames among advertisements: (advertisement, frame)."""
    return [(line, b) for line in lines for b in line.get('beacons', []) if b['beacon'] == 'luna']


def beacons(lines):
    """The iBeacons of Luna regions: (advertisement, beacon)."""
    return [(line, b) for line in lines for b in line.get('beacons', []) if b.get('uuid') in REGIONS]


def check_rotations(tracker, lines, at_least, own_addresses=True):
    """What is heard is what the tracker told, each period with an address of its own."""
    told = {line['eid']: line for line in tracker.told('rotated')}
    heard = {}
    for line, frame in frames(lines):
        assert frame['eid'] in told, (frame, list(told))
        heard.setdefault(frame['eid'], set()).add(line['address'])
        assert frame['heid'] == told[frame['eid']]['heid'], frame
        assert frame['keyRollingCounter'] == told[frame['eid']]['counter'] % 256, frame
        if own_addresses:
            assert frame['connectable'] == (line['pdu'] == 'ADV_IND'), line
    assert len(heard) >= at_least, f'{len(heard)} identifiers, not {at_least}'
    if own_addresses:
        for eid, addresses in heard.items():
            assert addresses == {told[eid]['address']}, (eid, addresses, told[eid])
    counters = [line['counter'] for line in tracker.told('rotated')]
    assert counters == sorted(set(counters)), counters
    prefixes = {line['heid'][:8] for line in told.values()}
    for _, beacon in beacons(lines):
        assert f'{beacon["major"]:04x}{beacon["minor"]:04x}' in prefixes, beacon


def settle(seconds=0.5):
    time.sleep(seconds)
