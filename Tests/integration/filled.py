"""A backend with something of everything in its database, as one would ask for it: before and after the database of a
version before is brought to this one."""

import struct
import zlib

from backends import event, package, soon
from group_accounts import Accounts, Browser
import ties

# What leads from a version of the schema to the one before, the newest first (SQLiteSchema.steps).
BACK = [
    'DROP TABLE outcomes;',
    'DROP TABLE failures;',
    'ALTER TABLE commands DROP COLUMN cancelled; ALTER TABLE commands DROP COLUMN first_heid;',
]
GATEWAY = 'kitchen-of-the-version-before'


def chunk(kind, body):
    return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))


PICTURE = (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0))
           + chunk(b'IDAT', zlib.compress(b'\0\0')) + chunk(b'IEND', b''))


class Filled:
    """What somebody sees who was signed in before."""

    def __init__(self, backend):
        self.backend, people = backend, Accounts()
        self.ada, self.vera = people.person(backend, 'ada', 'admin'), people.person(backend, 'vera', 'viewer')
        people.account('link', 'vera', '--issuer', 'https://id.example', '--subject', '1', backend=backend)
        self.events = ties.sends(backend, GATEWAY, 'luna.event.before')
        (self.heard,) = [one for one in self.get('/v1/gateways')['gateways'] if one['key'] == GATEWAY]
        roof = {'name': 'Roof', 'site': 'North', 'place': {'latitude': 52.5, 'longitude': 13.25}, 'tags': ['x'], 'note': 'Äpfel'}
        self.roof = self.tell('POST', '/v1/gateways', 201, roof)['gateway']['id']
        self.tell('PATCH', f'/v1/gateways/{self.roof}', 200, {'revision': 1, 'site': 'South'})
        gone = self.tell('POST', '/v1/gateways', 201, {'name': 'Gone', 'allowNoPosition': True})['gateway']['id']
        self.removal = self.tell('DELETE', f'/v1/gateways/{gone}', 200)['change']
        token = backend.command('token', 'create', 'admin', 'pictures', '--role', 'operator')[0]['token']
        headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'image/png'}
        answer = backend.call('PUT', f'/v1/gateways/{self.roof}/picture', PICTURE, headers=headers)
        assert answer.status == 200, answer.body
        (device,) = self.get(f'/v1/gateways/{self.heard["id"]}/devices')['devices']
        self.tell('PATCH', f'/v1/gateways/{self.heard["id"]}/devices/{device["ref"]}', 200,
                  {'revision': device['revision'], 'name': 'Lamp', 'approved': True})
        body = {'controlPackages': [package(event()['heid'])], 'expiresAt': soon()}
        answer = backend.call('POST', '/v1/commands', body, 'owner')
        assert answer.status == 201, answer.body
        self.command = answer.headers['location']
        self.before = self.shown()
        # That there is something to lose.
        for name, least in [('accounts', 2), ('sessions', 1), ('identities', 1), ('gateways', 2), ('history', 3), ('changes', 6),
                            ('samples', 1), ('devices', 1), ('events', 4)]:
            assert len(self.before[name]) >= least, (name, self.before[name])
        assert self.before['picture'] and self.before['devices'][0]['name'] == 'Lamp', self.before

    def tell(self, method, path, status, body=None):
        answer = self.ada.call(method, path, body)
        assert answer.status == status, (method, path, answer.status, answer.body)
        return answer.json

    def get(self, path):
        return self.tell('GET', path, 200)

    def shown(self):
        """All that is to be the same whatever version wrote it, but for what goes on."""
        moving = ('seenAt', 'state', 'verdict', 'reasons', 'health', 'online')
        still = lambda rows: [{name: value for name, value in row.items() if name not in moving} for row in rows]
        picture = self.get(f'/v1/gateways/{self.roof}')['pictureUrl']
        return {
            'accounts': still(self.get('/v1/accounts')['accounts']),
            'sessions': [one['id'] for one in self.get('/v1/sessions')['sessions']],
            'identities': still(self.get('/v1/identities')['identities']),
            'gateways': still(self.get('/v1/gateways')['gateways']),
            'history': self.get(f'/v1/gateways/{self.roof}/history')['changes'],
            'changes': self.get('/v1/changes?audit=1')['changes'],
            'samples': self.get(f'/v1/gateways/{self.heard["id"]}/samples')['samples'],
            'devices': self.get(f'/v1/gateways/{self.heard["id"]}/devices')['devices'],
            'picture': self.ada.call('GET', picture).body,
            'events': sorted(one['encodedLocation'] for one in self.backend.stored([one['heid'] for one in self.events])),
            'command': self.backend.call('GET', self.command, role='owner').json['state'],
        }

    def is_all_there(self):
        """Also that each is as good as it was."""
        after = self.shown()
        for name, value in self.before.items():
            assert after[name] == value, (name, value, after[name])
        # Who was signed in is it still, and who was not can sign in.
        assert self.vera.call('GET', '/v1/gateways').status == 200
        Browser(self.backend, '127.0.9.9').sign_in('vera')
        assert {one['status'] for one in self.backend.upload(self.events, name=GATEWAY).json['results']} == {'duplicate'}
        # What was recorded before is known, and its sums are there.
        again = ties.items(GATEWAY, 'luna.event.before')
        answer = self.backend.call('POST', '/v1/telemetry', {'product': 'test', 'items': again}, 'gateway', GATEWAY)
        assert {one['status'] for one in answer.json['results']} == {'duplicate'}, answer.body
        # What was done can be undone, and what there is be edited.
        self.tell('POST', f'/v1/changes/{self.removal}/undo', 200)
        assert 'Gone' in {one['name'] for one in self.get('/v1/gateways')['gateways']}
        revision = self.get(f'/v1/gateways/{self.roof}')['revision']
        assert self.tell('PATCH', f'/v1/gateways/{self.roof}', 200, {'revision': revision, 'site': 'West'})['site'] == 'West'
