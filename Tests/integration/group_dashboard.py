"""What dashboards show (`GET /v1/dashboard/data`), and what everybody has set for the console (`/v1/me/…`), with each role."""

import json

from group_accounts import Accounts
from group_stream import add, call, report

IN_VM = False
ROLES = ['viewer', 'operator', 'admin']
PREFERENCES = [
    ('/v1/me/layout', {'columns': 2, 'widgets': [{'name': 'gateways', 'size': 'small', 'row': 0, 'column': 1}]}),
    ('/v1/me/filters', {'filters': [{'name': 'Bad ones', 'q': 'verdict:bad'}]}),
    ('/v1/me/theme', {'theme': 'dark'}),
]
# What a layout must not be. Those that are no JSON of a layout at all are refused, too, and nothing falls over.
HOSTILE = [
    [], 3, 'x', None, {}, {'columns': 2}, {'columns': 2, 'widgets': {}}, {'columns': 3, 'widgets': []}, {'columns': 2 ** 70, 'widgets': []},
    {'columns': '2', 'widgets': []}, {'columns': 2, 'widgets': [1]}, {'columns': 2, 'widgets': [[]]}, {'columns': -2, 'widgets': []},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'huge', 'row': 0, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'medium', 'row': 0, 'column': 1}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'small', 'row': 8, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'small', 'row': 0, 'column': 3}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'small', 'row': -1, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': '', 'size': 'small', 'row': 0, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': 'a' * 200, 'size': 'small', 'row': 0, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'small', 'row': 0, 'column': 0}, {'name': 'a', 'size': 'small', 'row': 1, 'column': 0}]},
    {'columns': 2, 'widgets': [{'name': 'a', 'size': 'small', 'row': 0, 'column': 0}, {'name': 'b', 'size': 'medium', 'row': 0, 'column': 0}]},
    {'columns': 4, 'widgets': [{'name': str(n), 'size': 'small', 'row': n // 4 % 8, 'column': n % 4} for n in range(33)]},
    {'columns': 2, 'widgets': [], 'lastUsed': {'row': 0, 'column': 2}}, {'columns': 2, 'widgets': [], 'lastUsed': 7},
    {'layouts': [{'columns': 2, 'widgets': []}] * 2}, {'layouts': [{'layouts': []}]}, {'layouts': 1},
]


class Bench(Accounts):
    def server(self, *options):
        backend = self.backend('--requests-per-second', '0', '--events-per-second', '0', *options)
        for role in ROLES:
            backend.tokens['admin', role] = backend.command('token', 'create', 'admin', role, '--role', role)[0]['token']
        return backend


def prepare(mode):
    return Bench()


def data(backend, query='', who='viewer'):
    answer = backend.call('GET', '/v1/dashboard/data' + query, role='admin', name=who)
    assert answer.status == 200, answer.body
    return answer.json['widgets']


def test_who_may_see_and_set_what(bench):
    backend = bench.server()
    paths = ['/v1/dashboard/data'] + [path for path, _ in PREFERENCES]
    for path in paths:
        assert backend.call('GET', path).status == 401
        for role in ['gateway', 'owner']:
            assert backend.call('GET', path, role=role).status == 403, (role, path)
    for path, body in PREFERENCES:
        assert backend.call('PUT', path, body).status == 401
        assert backend.call('PUT', path, body, 'gateway').status == 403
        for who in ROLES:
            first = backend.call('GET', path, role='admin', name=who).json
            kept = backend.call('PUT', path, body, 'admin', who)
            assert kept.status == 200 and kept.json != first, (path, kept.body)
            assert backend.call('GET', path, role='admin', name=who).json == kept.json
    person, other = bench.person(backend, 'vera', 'viewer'), bench.person(backend, 'olga', 'operator')
    for path, body in PREFERENCES:
        assert person.call('PUT', path, body, csrf=False).status == 403, 'no page of another site sets it'
        assert person.call('PUT', path, body).status == 200
        assert other.call('GET', path).json != person.call('GET', path).json, 'each has their own'
    # Failed sign-ins are for admins.
    assert backend.call('GET', '/v1/dashboard/data?widgets=gateways,failedSignIns', role='admin', name='operator').status == 403
    assert 'failedSignIns' not in data(backend, who='operator')
    assert 'failedSignIns' in data(backend, who='admin')


def test_layouts_are_kept_by_their_columns_and_hostile_ones_refused(bench):
    backend = bench.server()

    def put(body, **how):
        return backend.call('PUT', '/v1/me/layout', body, 'admin', 'viewer', **how)

    wide = {'columns': 4, 'widgets': [{'name': 'key:luna.a', 'size': 'medium', 'row': 7, 'column': 2}], 'lastUsed': {'row': 7, 'column': 2}}
    narrow = {'columns': 2, 'widgets': [], 'lastUsed': {'row': 0, 'column': 0}}
    assert put(wide).json == {'layouts': [wide]}
    assert put(narrow).json == {'layouts': [narrow, wide]}
    for body in HOSTILE:
        answer = put(json.dumps(body).encode())
        assert answer.status == 422 and answer.code == 'layout', (body, answer.status, answer.body)
    deep = b'{"columns":2,"widgets":' + b'[' * 30000 + b']' * 30000 + b'}'
    for raw, status in [(b'{', 400), (b'\xff\xfe', 400), (b'{"columns":2,"columns":4,"widgets":[]}', 400), (deep, 400),
                        (b'{"columns":2,"widgets":[' + b'1,' * 2000 + b'1]}', 400), (b' ' * (65 << 10), 413)]:
        assert put(raw).status == status, (raw[:60], status)
    assert put(b'x', headers={'Content-Type': 'text/plain'}).status == 415
    assert backend.call('GET', '/v1/me/layout', role='admin', name='viewer').json == {'layouts': [narrow, wide]}
    assert put({'layouts': [wide]}).json == {'layouts': [narrow, wide]}
    assert backend.alive()


def test_filters_are_shared_by_operators(bench):
    backend = bench.server()

    def put(who, *filters):
        return backend.call('PUT', '/v1/me/filters', {'filters': list(filters)}, 'admin', who)

    assert put('viewer', {'name': 'a', 'q': 'x', 'shared': True}).status == 403
    assert put('operator', {'name': 'Bad ones', 'q': 'verdict:bad', 'shared': True}, {'name': 'Mine', 'q': 'site:x'}).status == 200
    put('viewer', {'name': 'Bad ones', 'q': 'state:offline'})
    seen = backend.call('GET', '/v1/me/filters', role='admin', name='viewer').json['filters']
    assert seen == [{'name': 'Bad ones', 'q': 'state:offline', 'shared': False},
                    {'name': 'Bad ones', 'q': 'verdict:bad', 'shared': True, 'owner': 'admin:operator'}]
    # What one sees can be sent back: those of others stay theirs.
    assert put('viewer', *seen).json['filters'] == seen
    for bad in [{'name': 'a'}, {'name': '', 'q': 'a'}, {'name': 'a' * 81, 'q': 'a'}, {'name': 'a', 'q': 'nofield:1'}, {'name': 'a', 'q': 'x' * 300},
                {'name': 'a', 'q': 'a', 'shared': 'yes'}, 7, []]:
        assert put('operator', bad).status == 422, bad
    assert put('operator', *[{'name': str(n), 'q': 'a'} for n in range(101)]).status == 422
    # What is shared goes with the right to share.
    number = next(one['id'] for one in backend.call('GET', '/v1/tokens', role='admin', name='admin').json['tokens'] if one['name'] == 'operator')
    assert backend.call('DELETE', '/v1/tokens/' + number, role='admin', name='admin').status == 204
    assert backend.call('GET', '/v1/me/filters', role='admin', name='viewer').json['filters'] == seen[:1]
    for theme in ['blue', '', 3, None]:
        assert backend.call('PUT', '/v1/me/theme', {'theme': theme}, 'admin', 'viewer').status in (400, 422), theme


def test_the_widgets_say_what_gateways_told(bench):
    backend = bench.server()
    add(backend, 'Waiting', place={'latitude': 52.5, 'longitude': 13.4})
    report(backend, 'kitchen', advertisers=30, queueDepth=5, uplinkVerdict='fair', uplinkRatio=0.97, diskFreeMiB=5)
    report(backend, 'hall', advertisers=12, queueDepth=0, version='1.2.4')
    ids = {one['key']: one['id'] for one in call(backend, 'GET', '/v1/gateways')['gateways']}
    call(backend, 'PATCH', f"/v1/gateways/{ids['hall']}", {'revision': 1, 'place': {'latitude': 1, 'longitude': 2}})
    call(backend, 'PATCH', f"/v1/gateways/{ids['kitchen']}", {'revision': 1, 'tags': ['provider-north']})
    shown = data(backend)
    assert shown['gateways'] == {'value': 3, 'text': '2 online'}
    assert shown['devices']['value'] == 42 and shown['queue']['value'] == 5
    assert {one['name']: one['value'] for one in shown['availability']['parts']} == {'online': 2, 'late': 0, 'offline': 0, 'never': 1}
    assert {one['name']: one['value'] for one in shown['versions']['parts']} == {'1.2.3': 1, '1.2.4': 1, 'unknown': 1}
    assert {'name': 'fair', 'value': 1} in shown['uplink']['parts']
    [provider] = shown['providers']['rows']
    assert (provider['name'], provider['gateways'], provider['ratio'], provider['falseAlarms']) == ('north', 1, 0.97, 0.01), provider
    assert shown['attentionList']['items'][0]['id'] == ids['kitchen'] and shown['attentionList']['items'][0]['verdict'] == 'bad'
    assert len(shown['map']['places']) == 2 and shown['map']['total'] == 3
    for name in ['packets', 'queueAndOutage', 'sightings', 'recoveries']:
        for span, count in [('1h', 12), ('24h', 24), ('7d', 28), ('30d', 30)]:
            for line in data(backend, f'?widgets={name}&range={span}')[name]['series']:
                assert len(line['points']) == count, (name, span)


def test_failed_sign_ins_are_counted(bench):
    backend = bench.server()
    bench.person(backend, 'ada', 'admin')
    for number in range(3):
        bench.browser(backend).sign_in('nobody' if number else 'ada', 'wrong horse battery', status=401)
    points = data(backend, '?widgets=failedSignIns', 'admin')['failedSignIns']['series'][0]['points']
    assert sum(one.get('value', 0) for one in points) == 3
    # Nobody can ask for that by another name.
    for name in ['key:!failedSignIns', 'key:%21failedSignIns']:
        assert backend.call('GET', f'/v1/dashboard/data?widgets={name}', role='admin', name='viewer').status == 400


def test_what_is_malformed_is_said(bench):
    backend = bench.server()
    for query in ['?widgets=nothing', '?widgets=key:', '?widgets=key:' + 'a' * 300, '?range=2h', '?range=', '?widgets=a&widgets=b',
                  '?widgets=key:%00', '?widgets=key:%F0%9F%98%80', '?widgets=' + ','.join(f'key:a.{n}' for n in range(65))]:
        answer = backend.call('GET', '/v1/dashboard/data' + query, role='admin', name='viewer')
        assert answer.status == 400 and answer.code == 'query', (query, answer.status)
    assert data(backend, '?widgets=') == {}
