"""luna watch on recordings that others have made."""

import datetime
import glob
import itertools
import json
import math
import os
import struct
import subprocess
import time

from bench import ROOT, Place, lasting, wait_for

IN_VM = False


def prepare(mode):
    return Place('watch')


def watch(place, path, *words):
    """The code and the lines of a recording, judged by somebody who has no keys."""
    run = subprocess.run([place.luna, 'watch', '-r', path, '--format', 'jsonl', '--state', place.path('state'), *words], capture_output=True, text=True)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()]


def test_no_recording_raises_an_alarm(place):
    read = []
    for path in sorted(glob.glob(os.path.join(ROOT, 'Tests', 'captures', '*'))):
        if not path.endswith(('.btsnoop', '.pcap', '.pcapng', '.cfa')):
            continue
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


def metres():
    """Where somebody is each minute."""
    for minutes, begin, end in LEGS:
        for minute in range(minutes):
            yield begin + (end - begin) * minute / minutes


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
    places = list(metres())
    stretched(records, len(places) * MINUTE, walk)
    with open(track, 'w') as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="test"><trk><trkseg>\n')
        for minute, north in enumerate(places):
            stamp = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(BEGIN + minute * MINUTE))
            file.write(f'<trkpt lat="{48 + north / 111_200:.7f}" lon="11.0"><time>{stamp}</time></trkpt>\n')
        file.write('</trkseg></trk></gpx>\n')
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


def test_evidence_is_what_was(place):
    """The last days of a simulated fortnight, with a tracker of a fixed address from the second Monday's noon on: its trips, their
    places and metres are those of the story."""
    air, track, truth = (place.path(name) for name in ('days.btsnoop', 'days.gpx', 'truth.json'))
    with open(air, 'wb') as file:
        subprocess.run([os.path.join(ROOT, 'scripts/lib/simulate-days'), '3', '--planted', 'P1', '--gpx', track, '--truth', truth, '--interval', '30', '--days', '10'],
                       stdout=file, check=True, env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})
    with open(truth) as file:
        story = json.load(file)
    story = story.get('P1', story)
    code, lines = watch(place, air, '--track', track)
    assert code == 0, lines[-1]
    found = [line for line in lines if line['type'] == 'suspect' and set(line['identifiers']) & set(story['identifiers'])]
    last = found[-1]
    assert last['grade'] == 'alarm' and last['identifiers'] == story['identifiers'] and last['confidence'] == 1 and not last['links'], last
    moment = lambda text: datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()
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
