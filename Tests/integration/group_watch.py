"""luna watch on recordings that others have made."""

import datetime
import glob
import itertools
import json
import math
import os
import signal
import socket
import struct
import subprocess

import backends
from bench import ROOT, Place, lasting, wait_for

IN_VM = False


def prepare(mode):
    return Place('watch')


def watch(place, path, *words):
    """The code and the lines of a recording, judged by somebody who has no keys."""
    run = subprocess.run([place.luna, 'watch', '-r', path, '--format', 'jsonl', '--state', place.path('state'), *words], capture_output=True, text=True)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def recordings():
    """Those that others have made."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'Tests', 'captures', '*'))):
        if path.endswith(('.btsnoop', '.pcap', '.pcapng', '.cfa')):
            yield path


def test_no_recording_raises_an_alarm(place):
    read = []
    for path in recordings():
        code, lines = watch(place, path)
        # One of them has no record that could be read.
        assert code in (0, 1, 8), (path, code)
        grades = [line['grade'] for line in lines if line['type'] == 'suspect']
        assert 'alarm' not in grades, (path, grades)
        if code != 8:
            # What was listened to stands beside what was not found.
            end = lines[-1]
            assert end['type'] == 'end' and end['alarms'] == 0 and end['cannotFind'], (path, end)
            read.append(path)
    assert len(read) >= 8, read


MINUTE = 60
BEGIN = 1_793_606_400                       # 2026-11-02T08:00:00Z
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000          # its time zero to the Unix epoch, microseconds
# Half an hour somewhere, two kilometres on foot, a while there, and back.
LEGS = [(30, 0, 0), (30, 0, 2000), (40, 2000, 2000), (30, 2000, 0), (40, 0, 0)]


def metres(legs):
    """Where somebody is each minute."""
    for minutes, begin, end in legs:
        for minute in range(minutes):
            yield begin + (end - begin) * minute / minutes


def write_track(path, begin, legs):
    """A GPX of somebody who is at so many metres to the north each minute."""
    with open(path, 'w') as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="test"><trk><trkseg>\n')
        for minute, north in enumerate(metres(legs)):
            stamp = datetime.datetime.fromtimestamp(begin + minute * MINUTE, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
            file.write(f'<trkpt lat="{48 + north / 111_200:.7f}" lon="11.0"><time>{stamp}</time></trkpt>\n')
        file.write('</trkseg></trk></gpx>\n')


def test_no_recording_on_a_walk_raises_an_alarm(place):
    """As if each were made by somebody on the way: in the middle of a trip, at its end, and where one has just arrived."""
    track, walked = place.path('walk.gpx'), 0
    for path in recordings():
        heard = subprocess.run([place.luna, 'scan', '-r', path, '--format', 'jsonl'], capture_output=True, text=True)
        times = [line['time'] for line in map(json.loads, heard.stdout.splitlines()) if line['type'] == 'advertisement' and line.get('time')]
        if not times:
            continue
        for before in (45, 58, 61):
            write_track(track, int(moment(min(times))) - before * MINUTE, LEGS)
            _, lines = watch(place, path, '--track', track)
            grades = [line['grade'] for line in lines if line['type'] == 'suspect']
            assert 'alarm' not in grades, (path, grades)
            end = lines[-1]
            assert (end['type'], end['trips'], end['alarms']) == ('end', 2, 0), (path, before, end)
            walked += 1
    assert walked >= 24, walked


def stretched(records, seconds, path):
    """The same packets again and again, one each 20 s."""
    with open(path, 'wb') as file:
        file.write(records[0])
        for time_of_it, (head, packet) in zip(range(BEGIN, BEGIN + seconds, 20), itertools.cycle(records[1])):
            original, included, flags, drops, _ = struct.unpack('>IIIIQ', head)
            file.write(struct.pack('>IIIIQ', original, included, flags, drops, BTSNOOP_EPOCH + time_of_it * 1_000_000) + packet)


def records_of(path, address, payload=b''):
    """The head of a recording, and its records that have an address and a payload in them."""
    with open(path, 'rb') as file:
        data = file.read()
    found, position, needle = [], 16, bytes.fromhex(address.replace(':', ''))[::-1]
    while position < len(data):
        head = data[position:position + 24]
        length = struct.unpack('>I', head[4:8])[0]
        packet = data[position + 24:position + 24 + length]
        position += 24 + length
        if needle in packet and payload in packet:
            found.append((head, packet))
    return data[:16], found


def test_a_separated_tracker_on_a_walk_raises_an_alarm(place):
    air, walk, track = (place.path(name) for name in ('air.btsnoop', 'walk.btsnoop', 'walk.gpx'))
    subprocess.run([place.luna, 'capture', '--radio', 'virtual:5', '-w', air, '-T', lasting(8), '--force'], env=place.environment, check=True, capture_output=True)
    heard = subprocess.run([place.luna, 'scan', '-r', air, '--format', 'jsonl'], check=True, capture_output=True, text=True)
    lines = [line for line in map(json.loads, heard.stdout.splitlines()) if line['type'] == 'advertisement']
    separated = [line for line in lines if any(one['beacon'] == 'luna' and one.get('separated') for one in line.get('beacons', []))]
    assert separated, 'no software tracker is separated'
    # Owners come and go: not all that this one has sent was sent while its owner was away.
    head, packets = records_of(air, separated[0]['address'], bytes.fromhex(separated[0]['data']))
    assert packets, separated
    records = (head, packets[:1])
    stretched(records, len(list(metres(LEGS))) * MINUTE, walk)
    write_track(track, BEGIN, LEGS)
    code, lines = watch(place, walk, '--track', track)
    told = [line for line in lines if line['type'] == 'suspect']
    assert code == 0 and told[-1]['grade'] == 'alarm', lines
    alarm = told[-1]
    assert (alarm['family'], alarm['trips'], alarm['confidence']) == ('luna', 2, 1), alarm
    assert alarm['places'] >= 2 and alarm['metres'] >= 1900 and alarm['minutes'] >= 60, alarm
    end = lines[-1]
    assert (end['type'], end['trips'], end['alarms']) == ('end', 2, 1), end
    # Who stays while it goes along is told of nothing.
    code, lines = watch(place, walk)
    assert 'alarm' not in [line.get('grade') for line in lines], lines


def test_whose_keys_come_while_it_watches(place):
    """Who is onboarded or imported meanwhile is one's own from then on, as for luna local."""
    keys, state, said = (place.path(name) for name in ('keys.json', 'later', 'said.jsonl'))
    subprocess.run([place.luna, 'tracker', 'export', '--radio', 'virtual:5', keys], env=place.environment, check=True, capture_output=True)
    with open(said, 'w') as file:
        run = subprocess.Popen(
            [place.luna, 'watch', '--radio', 'virtual:5', '--state', state, '--format', 'jsonl', '-T', lasting(15)],
            env=place.environment, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.getsize(said), 20, 'luna watch to listen')
    subprocess.run([place.luna, 'owner', 'import', keys, '--state', state], env=place.environment, check=True, capture_output=True)
    _, errors = run.communicate()
    assert run.returncode == 1, (run.returncode, errors)
    with open(said) as file:
        lines = [json.loads(line) for line in file]
    assert lines[0]['type'] == 'start' and lines[-1]['type'] == 'end', lines
    assert [line['why'] for line in lines if line['type'] == 'excluded'], lines


def test_says_that_no_places_come(place):
    """Who is on the way, with a receiver that nobody can ask, would find no trip and not know why."""
    with socket.socket() as nobody:
        nobody.bind(('127.0.0.1', 0))
        said = place.path('lost.txt')
        with open(said, 'w') as errors:
            run = subprocess.Popen(
                [place.luna, 'watch', '--radio', 'virtual:5', '--state', place.path('lost'), '--location', f'gpsd:127.0.0.1:{nobody.getsockname()[1]}'],
                env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            wait_for(lambda: 'the position is not known: ' in open(said).read(), 30, lambda: f'a word about places: {open(said).read()}')
        finally:
            run.send_signal(signal.SIGINT)
            code = run.wait(60)
    assert code in (1, 130), (code, open(said).read())


def simulated(place, seed, planted, interval, days):
    """What luna watch says of what was planted in simulated days, with their truth."""
    air, track, truth = (place.path(name) for name in ('days.btsnoop', 'days.gpx', 'truth.json'))
    with open(air, 'wb') as file:
        subprocess.run([os.path.join(ROOT, 'scripts/lib/simulate-days'), seed, '--planted', planted, '--gpx', track, '--truth', truth, '--interval', interval, '--days', days],
                       stdout=file, check=True, env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})
    with open(truth) as file:
        story = json.load(file)
    code, lines = watch(place, air, '--track', track)
    assert code == 0, lines[-1]
    return story, [line for line in lines if line['type'] == 'suspect' and set(line['identifiers']) & set(story['identifiers'])]


def keeps_to_its_schema(lines):
    checker = backends.schema_checker()
    with open(os.path.join(ROOT, 'scripts/examples/watch-suspect.schema.json')) as file:
        schema = json.load(file)
    checker.Draft202012Validator.check_schema(schema)
    validator = checker.Draft202012Validator(schema)
    for line in lines:
        assert not list(validator.iter_errors(line)), (line, [error.message for error in validator.iter_errors(line)])
    # What would not keep to it is noticed.
    assert list(validator.iter_errors({**lines[0], 'links': [{}]})) and list(validator.iter_errors({**lines[0], 'more': 1}))


def is_what_was_heard(line, story):
    """Identifiers, links, slots and signal of a finding are those of the frames that were sent."""
    names, frames = [one['identifier'] for one in story['heard']], {one['identifier']: one['frames'] for one in story['heard']}
    identifiers, now = line['identifiers'], moment(line['time'])
    begin = names.index(identifiers[0])
    assert identifiers == names[begin:begin + len(identifiers)], line
    assert [(link['from'], link['to']) for link in line['links']] == list(zip(identifiers, identifiers[1:])), line
    shares = [link['confidence'] for link in line['links']]
    assert set(shares) <= {0.85, 0.97}, line
    # A claim has the product of the links that it needs.
    spans = [math.prod(shares[first:last]) for first in range(len(shares) + 1) for last in range(first, len(shares) + 1)]
    assert any(abs(product - line['confidence']) <= 0.0051 for product in spans), line
    slots = {int(time_of_it // 120) for name in identifiers for time_of_it, _ in frames[name] if time_of_it < now}
    for ride in line['rides']:
        first, last = math.ceil(moment(ride['begin']) / 120), int(moment(ride['end']) // 120)
        assert ride['heard'] == len(slots & set(range(first, last))) <= ride['listened'], ride
    # The visit after the last trip goes on.
    last = line['rides'][-1]
    after = len(slots & set(range(math.ceil(moment(last['end']) / 120), int(now // 120) + 1)))
    assert last['after'] == after or moment(last['end']) < now - 7200, (last, after)
    medians = set()
    for until in (now, now + 1):
        signals = sorted([rssi for time_of_it, rssi in frames[identifiers[-1]] if time_of_it < until][-8:])
        medians.add(signals[len(signals) // 2])
    assert line['rssi'] in medians, (line, medians)


def test_evidence_of_a_chain_is_what_was(place):
    """A tracker that changes its identifier each quarter of an hour."""
    story, found = simulated(place, '9', 'P3', '15', '9')
    for line in found:
        is_what_was_heard(line, story)
    keeps_to_its_schema(found)
    grades = {line['grade'] for line in found}
    assert grades == {'notice', 'suspect', 'alarm'}, found
    assert all(line['confidence'] >= 0.6 and line['links'] for line in found if line['grade'] == 'alarm'), found


def test_evidence_is_what_was(place):
    """The last days of a simulated fortnight, with a tracker of a fixed address from the second Monday's noon on: its trips, their
    places and metres are those of the story."""
    story, found = simulated(place, '3', 'P1', '30', '10')
    for line in found:
        is_what_was_heard(line, story)
    keeps_to_its_schema(found)
    last = found[-1]
    assert last['grade'] == 'alarm' and last['identifiers'] == story['identifiers'] and last['confidence'] == 1 and not last['links'], last
    trips = [trip for trip in story['trips'] if moment(trip['begin']) >= moment(story['since'])]
    rides = last['rides']
    assert len(rides) >= 5 and last['trips'] == sum(ride['made'] for ride in rides), last
    for ride, trip in zip(rides, trips):
        # Positions come each half minute.
        assert abs(moment(ride['begin']) - moment(trip['begin'])) <= 60 and abs(moment(ride['end']) - moment(trip['end'])) <= 60, (ride, trip)
        north, east = ((ride['to' + name] - ride['from' + name]) * scale for name, scale in (('Latitude', 111_200), ('Longitude', 74_400)))
        assert abs(math.hypot(north, east) - ride['metres']) <= 0.03 * ride['metres'] + 100, ride
        assert ride['heard'] <= ride['listened'], ride
    assert abs(last['metres'] - sum(ride['metres'] for ride in rides if ride['made'])) <= len(rides), last
    assert last['minutes'] == int((moment(last['time']) - moment(rides[0]['begin'])) // 60), last
    # Home, the office and the shop.
    spots = {(round(ride[end + 'Latitude'], 3), round(ride[end + 'Longitude'], 3)) for ride in rides if ride['made'] for end in ('from', 'to')}
    assert last['places'] == len(spots), (last['places'], spots)
