"""All that a backend can be asked for, once: so each kind of statement comes to its database."""

import os
import re
import subprocess

import filled
from backends import LUNA, PATIENCE, event, package, soon, today
from group_accounts import PASSWORD, Accounts, Browser, code
from group_issuer import device, form, refresh, tokens
from streams import Stream

# What another server has to be there for, or a terminal for its link.
ELSEWHERE = {'startForeignSignIn', 'foreignSignIn', 'getTile', 'checkUplink', 'setUp'}
NEW = 'correct battery horse'


class Asked(filled.Filled):
    """Whoever asks, and what was answered with success."""

    def __init__(self, backend):
        self.operations, check = set(), backend.check

        def noted(method, path, answer):
            check(method, path, answer)
            if answer.status < 400:
                self.operations.add(self.operation(method, path))

        backend.check = noted
        try:
            super().__init__(backend)
            self.ask()
        finally:
            backend.check = check

    def known(self):
        """The names of all operations by method and path."""
        return {(method.upper(), template): operation['operationId']
                for template, operations in self.backend.document['paths'].items()
                for method, operation in operations.items() if 'operationId' in operation}

    def operation(self, method, path):
        """The one whose path has no parameter goes before."""
        for (verb, template), name in sorted(self.known().items(), key=lambda known: known[0][1].count('{')):
            if verb == method and re.fullmatch(re.sub(r'\{\w+\}', '[^/]+', template), path.split('?')[0]):
                return name
        return None

    def left(self):
        """The operations that were not asked for."""
        return set(self.known().values()) - self.operations - ELSEWHERE

    def ask(self):
        self.ask_for_the_service()
        self.ask_for_gateways()
        self.ask_for_events()
        self.ask_for_people()
        self.ask_for_the_console()
        self.ask_for_programs()

    def ask_for_the_service(self):
        for path in ('/healthz', '/readyz', '/openapi.json'):
            assert self.backend.call('GET', path).status == 200, path
        for path in ('/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'):
            assert self.backend.call('GET', path).status == 200, path
        assert self.backend.call('GET', '/metrics', role='admin').status == 200
        self.get('/v1/tiles')

    def ask_for_gateways(self):
        backend, heard = self.backend, self.heard['id']
        enrolled = backend.call('POST', '/v1/gateways', {'code': backend.command('enroll', 'attic')[0]['code']})
        assert enrolled.status == 201, enrolled.body
        assert self.get('/v1/gateways?q=' + 'site:South&sort=name&limit=1')['gateways']
        for search in ('key:' + filled.GATEWAY, 'near:52.5,13.25,50', 'verdict:ok', 'tag:x', 'roof'):
            self.get('/v1/gateways?q=' + search)
        self.get('/v1/gateways/map')
        self.tell('POST', f'/v1/gateways/{self.roof}/enrol', 200, {})
        lines = [{'name': f'Line {number}'} for number in range(3)]
        ids = self.tell('POST', '/v1/gateways/import', 201, {'lines': lines})['ids']
        self.tell('POST', '/v1/gateways/bulk', 200, {'ids': ids, 'set': {'site': 'East'}})
        change = self.tell('POST', '/v1/gateways/bulk', 200, {'ids': ids, 'remove': True})['change']
        self.tell('POST', f'/v1/changes/{change}/undo', 200)
        self.tell('DELETE', f'/v1/gateways/{ids[0]}', 200)
        self.tell('POST', f'/v1/gateways/{ids[0]}/purge', 200)
        (device,) = self.get(f'/v1/gateways/{heard}/devices')['devices']
        path = f'/v1/gateways/{heard}/devices/{device["ref"]}'
        self.get('/v1/devices/' + device['ref'])
        token = backend.command('token', 'create', 'admin', 'painter', '--role', 'operator')[0]['token']
        rights = {'Authorization': 'Bearer ' + token, 'Content-Type': 'image/png'}
        assert backend.call('PUT', path + '/picture', filled.PICTURE, headers=rights).status == 200
        self.tell('DELETE', path + '/picture', 200)
        self.tell('POST', path + '/forget', 200)
        self.tell('DELETE', f'/v1/gateways/{self.roof}/picture', 200)
        done = subprocess.run([LUNA, 'finder', 'label', '--state', os.path.join(backend.directory, 'labelled'), '--name', 'Labelled'],
                              stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
        label = re.search(r'LUNAG1:[0-9A-Z]+', done.stdout)[0]
        self.tell('POST', '/v1/payloads/decode', 200, {'text': label})
        made = self.tell('POST', '/v1/gateways', 201, {'payload': label, 'name': 'Labelled', 'allowNoPosition': True})['gateway']['id']
        assert self.ada.call('POST', '/v1/payloads/label', {'id': made}).status == 200
        for step in ('5m', '1h', '1d'):
            self.get(f'/v1/gateways/{heard}/samples?step={step}')

    def ask_for_events(self):
        backend = self.backend
        heard = [event(day=today(-number)) for number in range(3)]
        body = {'controlPackages': [package(heard[0]['heid'])], 'expiresAt': soon()}
        made = backend.call('POST', '/v1/commands', body, 'owner').json['requestId']
        assert [offer['requestId'] for offer in backend.upload(heard).json['commandRequests']] == [made]
        assert len(backend.query([one['heid'] for one in heard]).json['events']) == len(heard)
        said = {'requestId': made, 'heid': heard[0]['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
        assert backend.call('POST', '/remote-control-request/confirm', said, 'gateway').status == 204
        assert backend.call('GET', '/v1/commands', role='owner').status == 200
        called_off = backend.call('POST', '/v1/commands', body, 'owner').json['requestId']
        assert backend.call('DELETE', '/v1/commands/' + called_off, role='owner').status == 200

    def ask_for_people(self):
        backend = self.backend
        self.tell('POST', '/v1/accounts', 201, {'name': 'bob', 'role': 'viewer'})
        self.tell('PATCH', '/v1/accounts/bob', 200, {'role': 'operator'})
        self.tell('DELETE', '/v1/accounts/bob', 204)
        bob = Accounts().person(backend, 'bob', 'viewer')
        assert bob.call('PUT', '/v1/me/password', {'old': PASSWORD, 'new': NEW}).status == 200
        secret = bob.call('POST', '/v1/me/totp').json['secret']
        recovery = bob.call('PUT', '/v1/me/totp', {'code': code(secret, -30)}).json['recoveryCodes']
        again = Browser(backend, '127.0.9.10')
        assert again.sign_in('bob', 'x' * 12, 401).status == 401
        again.sign_in('bob', NEW)
        assert again.call('POST', '/v1/session/totp', {'code': recovery[0]}).status == 200
        assert again.call('GET', '/v1/session').json['totp'] is True
        sessions = again.call('GET', '/v1/sessions').json['sessions']
        assert again.call('DELETE', '/v1/sessions/' + next(one['id'] for one in sessions if not one['current'])).status == 204
        assert again.call('DELETE', '/v1/sessions').status in (200, 204)
        assert again.call('DELETE', '/v1/me/totp', {'password': NEW}).status == 204
        assert again.call('DELETE', '/v1/session').status == 204
        (identity,) = self.get('/v1/identities')['identities']
        self.get('/v1/identities/' + identity['id'])
        self.tell('PUT', '/v1/identities/' + identity['id'], 200, {'account': 'ada'})
        self.tell('DELETE', '/v1/identities/' + identity['id'], 204)
        made = self.tell('POST', '/v1/tokens', 201, {'kind': 'owner', 'name': 'short'})
        self.get('/v1/tokens')
        self.tell('DELETE', '/v1/tokens/' + made['id'], 204)
        backend.command('token', 'list')

    def ask_for_the_console(self):
        listener = Stream(self.backend, '?topics=gateway,state,dashboard', {'Cookie': f'{self.ada.name}={self.ada.cookie}'})
        try:
            assert listener.status == 200, listener.problem
            self.tell('PATCH', f'/v1/gateways/{self.roof}', 200,
                      {'revision': self.get(f'/v1/gateways/{self.roof}')['revision'], 'note': 'heard'})
            listener.wait(lambda: [one for one in listener.events if one.topic == 'gateway'])
            self.operations.add('streamChanges')
        finally:
            listener.close()
        self.get('/v1/dashboard/data')
        for path, body in (('layout', {'columns': 2, 'widgets': [{'name': 'gateways', 'size': 'small', 'row': 0, 'column': 1}]}),
                           ('filters', {'filters': [{'name': 'Bad ones', 'q': 'verdict:bad'}]}), ('theme', {'theme': 'dark'})):
            assert self.ada.call('PUT', '/v1/me/' + path, body).status in (200, 204), path
            self.get('/v1/me/' + path)
        self.get('/v1/settings')
        for limits in (self.get('/v1/settings').get('healthLimitsNow'), None):
            self.tell('PATCH', '/v1/settings', 200, {'healthLimits': limits})

    def ask_for_programs(self):
        backend = self.backend
        waiting = device(backend)
        self.get('/v1/sign-ins/' + waiting['user_code'])
        self.tell('POST', '/v1/sign-ins/' + waiting['user_code'], 200, {'approve': False})
        given = tokens(backend, 'cellar')
        assert backend.call('POST', '/trackerEvent', [event()], headers={'Authorization': 'Bearer ' + given['access_token']}).status == 200
        renewed = refresh(backend, given['refresh_token'])
        assert renewed.status == 200, renewed.body
        assert form(backend, '/oauth/revoke', client_id='luna', token=renewed.json['refresh_token']).status == 200
