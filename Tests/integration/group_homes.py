"""Two homes with a backend between them, and a tracker that both hear: Anna shares it with Ben, by what their apps ask for, and
takes it back."""

import base64
import glob
import http.client
import json
import os
import shutil
import signal
import subprocess
import time

import pace
from backends import LUNA, PATIENCE
from bench import Bench, World, wait_for
from buzzing import Owned
from gateways import Server, finder, wait_lines
from group_homeapi import ended
from group_homeweb import Home

IN_VM = False
# For how long it is rung, s: longer than it takes to hear that it sounds.
SOUNDS = 30


def moment(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(seconds))


class Person(Home):
    """The home of somebody, with a radio and a card of their own."""

    def __init__(self, name, radio, server, keys=None):
        self.name, self.radio, self.server, self.keys = name, radio, server, keys
        super().__init__({
            'name': name, 'service': {'fetchEvery': '1m', 'endpoints': {'Field.Europe': {'url': server.url}}},
            'trackers': [{'id': 'bike', 'name': 'Bike', 'device': keys.name}] if keys else [],
            'places': [{'id': 'shed', 'latitude': 52.5, 'longitude': 13.25, 'radius': 200}]})
        self.headers = self.person(self.link('link'), name)

    @property
    def state(self):
        return os.path.join(self.directory, 'state')

    def write(self):
        self.file['box'] = {'radio': self.radio}
        super().write()
        self.picture = os.path.join(self.directory, 'card.png')
        self.card = self.luna('contact', 'card', '--name', self.name, '-o', self.picture)[0]
        if self.keys:
            self.luna('owner', 'import', os.path.join(self.keys.bench.directory, self.keys.name + '.json'))
        shutil.copy(self.server.tokens['owner'], os.path.join(self.state, 'owner.token'))

    def luna(self, *words):
        done = subprocess.run([LUNA, *words, '--state', self.state, '--format', 'jsonl'], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (words, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def ask(self, method, path, body=None, status=200, **headers):
        answer = self.call(method, '/api/v1/' + path, body, {**self.headers, **headers})
        assert answer.status == status, (method, path, answer.status, answer.body)
        return answer

    def knows(self, other):
        """Adds somebody by a picture of their card, and compares the code."""
        with open(other.picture, 'rb') as file:
            made = self.ask('POST', 'cards', {'picture': base64.b64encode(file.read()).decode(), 'name': other.name}, 201).json
        assert made['code'] == other.card['code'], (made, other.card)
        self.ask('PUT', 'cards/' + made['code'], {'compared': True})

    def takes(self, envelope):
        """Takes a file that somebody has sent."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE)
        connection.request('POST', '/api/v1/shares/import', envelope, {**self.headers, 'Content-Type': 'application/octet-stream'})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        return answer.status, told

    def value(self, tracker, name):
        """What is known of a tracker now; None for what is stale."""
        found = self.ask('GET', 'trackers/' + tracker).json['properties'].get(name, {})
        return found.get('value') if found.get('fresh') else None

    def sees(self, tracker, name, value, seconds=60):
        wait_for(lambda: self.value(tracker, name) == value, seconds,
                 lambda: f'{name} of {tracker} to be {value} for {self.name}: {self.ask("GET", "trackers/" + tracker).json}')

    def problems(self):
        """What the home says of trackers whose devices are not there."""
        return [one for one in self.ask('GET', 'problems').json['notices'] if one['kind'] == 'unusable']

    def devices(self):
        """What the file of devices holds."""
        return b''.join(open(path, 'rb').read() for path in glob.glob(os.path.join(self.state, 'luna-finder-memory-devices.data*')))

    def rings(self, tracker, keys):
        keys.press()
        return ended(self, self.headers, self.ask('POST', f'trackers/{tracker}/do', {'action': 'turn_on'}, 202).json['commandId'])


def prepare(mode):
    bench = Bench()
    paths = [os.path.join(bench.directory, name + '.sock') for name in ('anna', 'ben', 'gateway')]
    bench.world = World(bench.directory, *[f'unix:{path}' for path in paths], 'tcp:127.0.0.1:0', mode=mode)
    bench.ears = [f'h4:{path}' for path in paths]
    bench.radio = ('--radio', bench.ears[2])
    bench.mouth = ('h4:tcp:' + bench.world.places[3],)
    bench.world.tell('still')
    return bench


def test_a_tracker_is_shared_and_taken_back(bench):
    keys, server, people = Owned(bench), Server(bench), []
    try:
        for name, ear, own in [('anna', bench.ears[0], keys), ('ben', bench.ears[1], None)]:
            people.append(Person(name, ear, server, own))
        anna, ben = people
        anna.knows(ben)
        ben.knows(anna)
        anna.sees('bike', 'present', 'yes')
        until = moment(time.time() + 3 * 86400)
        made = anna.ask('POST', 'shares', {'tracker': 'bike', 'card': ben.card['code'], 'rights': ['see', 'status', 'ring'], 'ringSeconds': SOUNDS, 'until': until}, 201)
        share = 'shares/' + made.json['id']
        given = lambda: anna.ask('GET', share + '/envelope').body
        status, taken = ben.takes(given())
        assert status == 200 and (taken['name'], taken['state']) == (f'{keys.name} of anna', 'live'), taken
        # Both ask the same backend.
        assert taken['otherBackend'] is None, taken
        bike = taken['tracker']
        # Nearby, with its state.
        ben.sees(bike, 'present', 'yes')
        ben.sees(bike, 'sound', 'off')
        # What he rings is delivered, and proven by what it says of itself.
        rung = ben.rings(bike, keys)
        assert (rung['state'], rung['detail']) == ('done', 'delivered; only its owner can prove that it rang'), rung
        ben.sees(bike, 'sound', 'on')
        assert keys.sounds() == [SOUNDS], keys.sounds()
        # Her next command works after it.
        rung = anna.rings('bike', keys)
        assert rung['state'] == 'done', rung
        wait_for(lambda: keys.sounds() == [SOUNDS, 12], 30, lambda: f'the sound of its owner: {keys.sounds()}')
        # Where others have heard it, both learn from the backend.
        gateway = finder(bench, 'gateway', *server.at('gateway'), '--batch-time', '1s', '--interval', '5s')
        wait_lines(gateway, 'upload', 1, 120)
        for person, tracker in [(anna, 'bike'), (ben, bike)]:
            person.sees(tracker, 'zone', 'shed', 120)
            assert person.value(tracker, 'location')['source'] == 'report'
        gateway.signal(signal.SIGTERM)
        gateway.ends(0, 60)
        # It is not handed on.
        refused = ben.ask('POST', 'shares', {'tracker': bike, 'card': anna.card['code'], 'until': until}, 409)
        assert refused.json['code'] == 'foreignDevice', refused.body
        # It ends by its date: he neither hears nor rings it any more, though it is there.
        end = int(time.time()) + round(10 * pace.slower())
        near = anna.ask('PUT', share, {'until': moment(end)}, **{'If-Match': made.headers['ETag']})
        assert ben.takes(given())[0] == 200
        assert ben.value(bike, 'present') == 'yes', ben.ask('GET', 'trackers/' + bike).json
        wait_for(lambda: time.time() > end, end - time.time() + 5, 'the end of the share')
        count = len(keys.sounds())
        rung = ben.rings(bike, keys)
        assert rung['state'] == 'failed' and 'has ended' in rung['detail'], rung
        assert len(keys.sounds()) == count, keys.sounds()
        wait_for(lambda: ben.value(bike, 'present') != 'yes', 120, lambda: f'it to be lost: {ben.ask("GET", "trackers/" + bike).json}')
        anna.sees('bike', 'present', 'yes')
        # With the next start, if not before, it is not in his list, and nothing of what was shared is on his disk.
        assert ben.end() == 0
        ben.start()
        wait_for(lambda: ben.ask('GET', 'trackers').json['trackers'] == [], 30, lambda: f'it to leave the list: {ben.ask("GET", "trackers").json}')
        assert not ben.problems(), ben.problems()
        assert ben.luna('owner', 'list') == [] and ben.luna('share', 'list') == []
        now = int(time.time()) // 1024
        assert not [n for n in range(now + 9, now + 200) if keys.keys.eid(n) in ben.devices()]
        # She may share it again: it comes back.
        made = anna.ask('PUT', share, {'until': until}, **{'If-Match': near.headers['ETag']})
        status, taken = ben.takes(given())
        assert status == 200 and (taken['name'], taken['state']) == (f'{keys.name} of anna', 'live'), taken
        bike = taken['tracker']
        ben.sees(bike, 'present', 'yes')
        assert [n for n in range(now + 9, now + 200) if keys.keys.eid(n) in ben.devices()]
        # Anna ends it: his home obeys.
        assert ben.end() == 0
        shutil.copytree(ben.state, ben.state + '.old')
        ben.start()
        assert anna.ask('DELETE', share, **{'If-Match': made.headers['ETag']}).json['state'] == 'ended'
        last = given()
        status, told = ben.takes(last)
        assert status == 200 and told['state'] == 'ended', told
        assert ben.ask('GET', 'trackers').json['trackers'] == []
        status, told = ben.takes(last)
        assert (status, told['code']) == (409, 'serial'), told
        # Who puts back what was there before sees it until its end, as she was told.
        assert ben.end() == 0
        shutil.rmtree(ben.state)
        os.rename(ben.state + '.old', ben.state)
        ben.start()
        ben.sees(bike, 'present', 'yes')
    finally:
        for person in people:
            person.close()
        keys.stop()


test_a_tracker_is_shared_and_taken_back.seconds = 900
