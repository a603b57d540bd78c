"""`luna backend` on loopback: what it answers to good and to hostile clients."""

import contextlib
import datetime
import gzip
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import threading
import time

import http_requests
import pace
from backends import LUNA, PATIENCE, APIBench, at_most, event, memory, package, soon, today, together, until_limited
from bench import NotRun, chance, wait_for

IN_VM = False
GET = b'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'


def prepare(mode):
    return APIBench()


# The API


def test_events_go_in_once_and_come_out(bench):
    backend, began = bench.backend, time.time()
    events = [event() for _ in range(25)]
    first = backend.upload(events[:20])
    assert [r['status'] for r in first.json['results']] == ['accepted'] * 20, first.json
    body = {'batchId': 'b1', 'gateway': {'version': '1', 'uptime': 5, 'queueDepth': 25}, 'events': events[10:]}
    second = backend.upload(body, compress=True)
    assert [r['status'] for r in second.json['results']] == ['duplicate'] * 10 + ['accepted'] * 5, second.json
    assert backend.upload([]).json == {'results': [], 'commandRequests': []}
    found = backend.query([e['heid'] for e in events] + ['0' * 32]).json
    assert 'cursor' not in found
    for stored in found['events']:
        received = datetime.datetime.fromisoformat(stored.pop('receivedAt').replace('Z', '+00:00'))
        # It is kept to the half minute.
        assert began - 30 <= received.timestamp() <= time.time(), (began, received)
    key = lambda e: e['encodedLocation']
    assert sorted(found['events'], key=key) == sorted(events, key=key)
    gateways = backend.call('GET', '/v1/gateways', role='admin').json['gateways']
    assert ('test', '1', 25) in [(g['name'], g['version'], g['queueDepth']) for g in gateways], gateways


def test_the_same_batch_on_eight_connections(bench):
    events = [event() for _ in range(40)]
    bench.backend.token('gateway')
    answers = together([lambda: bench.backend.upload(events).json['results'] for _ in range(8)])
    for index in range(len(events)):
        assert sorted(a[index]['status'] for a in answers) == ['accepted'] + ['duplicate'] * 7, index
    assert len(bench.backend.stored([e['heid'] for e in events])) == len(events)


def test_one_bad_event_never_fails_its_batch(bench):
    day = None
    # Once more when it was midnight meanwhile.
    while day != today():
        day = today()
        bad = {
            'unsupportedVersion': event(protocolVersion=2),
            'dayInFuture': event(day=today(2)),
            'dayExpired': event(day=today(-401)),
            'debugRefused': event(debug={'latitude': 1.0}),
            'malformed': event(heid='A' * 32),
        }
        more = [event(esf=None), event(encodedLocation='AQ=='), event(day='2026-02-30'), 5, None, [], 'x', {}]
        good = [event(), event(day=today(1)), event(day=today(-400)), event(unknown=[1, {}])]
        answer = bench.backend.upload([*good, *bad.values(), *more])
    results = answer.json['results']
    assert [r['index'] for r in results] == list(range(len(results)))
    assert [r['status'] for r in results[:4]] == ['accepted'] * 4, results
    assert [r['code'] for r in results[4:9]] == list(bad), results
    assert {r['code'] for r in results[9:]} == {'malformed'}, results
    assert all(r['permanent'] for r in results[4:]), results


def test_clear_fields_only_for_tests(bench):
    backend = bench.other('--testing').start()
    clear = event(debug={'latitude': 51.5, 'deviceName': 'x'})
    assert backend.upload([clear]).json['results'][0]['status'] == 'accepted'
    stored = backend.stored([clear['heid']])[0]
    assert stored['debug'] == clear['debug'], stored


def test_malformed_bodies(bench):
    backend = bench.backend
    call = lambda body, **how: backend.call('POST', '/trackerEvent', body, 'gateway', **how)
    for body in (b'', b'{', b'[1,]', b'\xff', b'[' * 100000, b'{"events":5}', b'{}', b'5', b'"x"', b'{"events":[],"gateway":5}'):
        answer = call(body)
        assert answer.status == 400, (body[:20], answer.status)
    assert call(b'[]', headers={'Content-Type': 'text/plain'}).status == 415
    assert call(b'[]', headers={'Content-Type': 'application/json; charset=utf-8'}).status == 200
    assert call(b'[]', headers={'Content-Encoding': 'br'}).status == 415
    assert call(b'[]', headers={'Content-Encoding': 'gzip'}).code == 'malformedGzip'
    whole = gzip.compress(json.dumps([event() for _ in range(10)]).encode())
    assert call(whole, headers={'Content-Encoding': 'x-gzip'}).status == 200
    for damaged in (whole[:-1], whole + b'x', whole[:40]):
        assert call(damaged, headers={'Content-Encoding': 'gzip'}).code == 'malformedGzip'
    assert call([event()] * 1001).code == 'tooManyEvents'
    assert backend.query(['0' * 32] * 1025).status == 400
    assert backend.query([], today(), today(-1)).status == 400
    assert backend.query([], cursor='x').status == 400


def test_tokens(bench):
    backend = bench.backend
    gateway, owner = backend.token('gateway'), backend.token('owner')
    for header in (None, '', 'Bearer', 'Bearer ', 'Bearer x', 'Basic ' + gateway, gateway, 'Bearer ' + gateway[:-1], 'Bearer ' + gateway + '0'):
        fields = {} if header is None else {'Authorization': header}
        answer = backend.call('POST', '/trackerEvent', [], headers=fields)
        assert answer.status == 401 and 'www-authenticate' in answer.headers, (header, answer.status)
    wrong = 'luna-gateway-' + '0' * 64
    assert backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + wrong}).status == 401
    for role, method, path in (
        ('owner', 'POST', '/trackerEvent'),
        ('gateway', 'POST', '/v1/events/query'),
        ('admin', 'POST', '/v1/commands'),
        ('owner', 'GET', '/v1/gateways'),
        ('gateway', 'GET', '/metrics'),
    ):
        answer = backend.call(method, path, {} if method == 'POST' else None, role)
        assert answer.status == 403, (role, path, answer.status)
    # Two live ones while one is replaced; each change counts at once.
    first = backend.command('token', 'create', 'gateway', 'rotating')[0]
    second = backend.command('token', 'create', 'gateway', 'rotating')[0]
    assert 'revoke' in backend.command('token', 'create', 'gateway', 'rotating', code=1)
    status = lambda token: backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + token['token']}).status
    assert (status(first), status(second)) == (200, 200)
    backend.command('token', 'revoke', first['id'])
    assert (status(first), status(second)) == (401, 200)
    listed = {t['id']: t for t in backend.command('token', 'list')}
    assert 'revokedAt' in listed[first['id']] and 'revokedAt' not in listed[second['id']]
    text = open(backend.log_path).read() + json.dumps(list(listed.values()))
    for secret in (gateway, owner, first['token'], second['token']):
        assert secret.split('-')[-1] not in text
    assert secret.split('-')[-1].encode() not in open(backend.store.removeprefix('sqlite:'), 'rb').read()


def test_enrolment(bench):
    backend = bench.backend
    code = backend.command('enroll', 'attic')[0]['code']
    answers = together([lambda: backend.call('POST', '/v1/gateways', {'code': code}) for _ in range(8)])
    good = [a for a in answers if a.status == 201]
    assert len(good) == 1 and all(a.status == 403 for a in answers if a not in good), [a.status for a in answers]
    assert good[0].json['gateway'] == 'attic'
    backend.tokens['admin', 'chief'] = backend.command('token', 'create', 'admin', 'chief', '--role', 'admin')[0]['token']
    told = backend.call('GET', '/v1/changes?audit=1&actor=gateway:attic', None, 'admin', 'chief').json['changes']
    assert [(one['kind'], one['object'], one['action']) for one in told if one['kind'] == 'token'] == [('token', 'attic', 'add')], told
    fields = {'Authorization': 'Bearer ' + good[0].json['token']}
    assert backend.call('POST', '/trackerEvent', [], headers=fields).status == 200
    # Guessing soon costs time, but nobody else.
    guess = lambda: backend.call('POST', '/v1/gateways', {'code': '0' * 32}, source='127.0.1.1')
    statuses = until_limited(guess, 10, 1)
    assert set(statuses[:-1]) == {403}, statuses
    for number in range(12):
        code = backend.command('enroll', f'cellar{number}')[0]['code']
        assert backend.call('POST', '/v1/gateways', {'code': code}).status == 201


def test_commands(bench):
    backend = bench.backend
    heard, other = event(), event()
    body = {'controlPackages': [package(heard['heid']), package(other['heid'], 1660157)], 'expiresAt': soon()}
    made = backend.call('POST', '/v1/commands', body, 'owner')
    assert made.status == 201 and made.json['state'] == 'queued', made.json
    path = made.headers['location']
    state = lambda: backend.call('GET', path, role='owner').json['state']
    confirm = lambda name, **what: backend.call(
        'POST', '/remote-control-request/confirm', {'requestId': made.json['requestId'], 'heid': heard['heid'], **what}, 'gateway', name
    )
    done = {'outcome': 'done', 'receipt': 'AAAAAAAAAAAAAAAAAAAAAAA='}
    assert confirm('one', **done).status == 409
    # To one of two gateways that hear it at once; to that one again when its answer was lost.
    names = ['one', 'two']
    [backend.token('gateway', name) for name in names]
    offers = together([lambda name=name: backend.upload([heard], name).json['commandRequests'] for name in names])
    assert sorted(map(len, offers)) == [0, 1], offers
    winner = names[0] if offers[0] else names[1]
    request = max(offers, key=len)[0]
    assert request['controlPackages'] == [package(heard['heid'])] and request['requestId'] == made.json['requestId'], request
    assert backend.upload([heard], winner).json['commandRequests'] == [request]
    assert state() == 'offered'
    loser = names[1 - names.index(winner)]
    assert confirm(loser, **done).status == 409
    assert confirm(winner, outcome='done').status == 400
    assert confirm(winner, **{**done, 'receipt': 'AAAA'}).status == 400
    assert confirm(winner, outcome='notReached').status == 204 and state() == 'queued'
    assert len(backend.upload([heard], loser).json['commandRequests']) == 1
    for _ in range(2):
        assert confirm(loser, **done, detail='it rang').status == 204
    final = backend.call('GET', path, role='owner').json
    assert (final['state'], final['receipt'], final['detail']) == ('confirmed', done['receipt'], 'it rang'), final
    assert backend.upload([other], 'one').json['commandRequests'] == []
    assert backend.call('GET', path, role='owner', name='stranger').status == 404
    assert backend.call('DELETE', path, role='owner', name='stranger').status == 404
    # What is over is not touched; what is not is offered to nobody any more, and stays to be seen.
    assert backend.call('DELETE', path, role='owner').json == final == backend.call('GET', path, role='owner').json
    second = backend.call('POST', '/v1/commands', {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}, 'owner')
    over = backend.call('DELETE', second.headers['location'], role='owner')
    assert (over.status, over.json['state'], over.json['firstHeid']) == (200, 'cancelled', heard['heid']), over.json
    assert backend.upload([heard], 'one').json['commandRequests'] == []
    assert backend.call('DELETE', second.headers['location'], role='owner').json == over.json
    mine = [over.json['requestId'], final['requestId']]
    listed = backend.call('GET', '/v1/commands', role='owner').json['commands']
    assert [command for command in listed if command['requestId'] in mine] == [over.json, final], listed
    assert backend.call('GET', '/v1/commands', role='owner', name='stranger').json == {'commands': []}
    twisted = {**package(heard['heid']), 'argument': 11}
    for packages, end in (([twisted], soon()), ([], soon()), ([package(heard['heid'])], soon(-1)), ([package(heard['heid'])], 'x'), ([{}], soon())):
        assert backend.call('POST', '/v1/commands', {'controlPackages': packages, 'expiresAt': end}, 'owner').status == 400


def test_many_commands_come_one_after_the_other(bench):
    backend = bench.backend
    heard = event()
    ids = []
    for number in range(20):
        body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon(600 + number)}
        ids.append(backend.call('POST', '/v1/commands', body, 'owner').json['requestId'])
    done = {'heid': heard['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
    # Those that expire first; the others when they are done.
    for expected in (ids[:16], ids[16:]):
        offered = [r['requestId'] for r in backend.upload([heard]).json['commandRequests']]
        assert offered == expected, (offered, expected)
        for name in offered:
            assert backend.call('POST', '/remote-control-request/confirm', {'requestId': name, **done}, 'gateway').status == 204


def test_paging(bench):
    backend = bench.backend
    same = event()['heid']
    events = [event(heid=same, day=today(-(i % 3))) for i in range(1900)]
    for start in range(0, 1900, 500):
        assert backend.upload(events[start : start + 500]).status == 200
    pages, cursor = [], None
    while True:
        page = backend.query([same, event()['heid']], cursor=cursor).json
        pages.append(page['events'])
        cursor = page.get('cursor')
        if not cursor:
            break
    assert [len(p) for p in pages] == [1000, 900], [len(p) for p in pages]
    assert {e['encodedLocation'] for p in pages for e in p} == {e['encodedLocation'] for e in events}
    # None that is another one by now, as after midnight.
    day = events[1]['day']
    assert len(backend.query([same], day, day).json['events']) == len([e for e in events if e['day'] == day])


def test_rates(bench):
    backend = bench.other('--events-per-second', '10').start()
    statuses = until_limited(lambda: backend.upload([event() for _ in range(50)]), 4, 10 / 50)
    assert set(statuses[:-1]) == {200}, statuses
    assert backend.upload([event()], name='another').status == 200
    # Too many for one identifier: later, not never.
    same = event()['heid']
    results = [r for _ in range(3) for r in bench.backend.upload([event(heid=same) for _ in range(1000)]).json['results']]
    assert [r['status'] for r in results] == ['accepted'] * 2000 + ['rejected'] * 1000
    assert results[-1]['code'] == 'rateLimited' and not results[-1]['permanent'], results[-1]


def test_work_is_paid_for_before_it_is_done(bench):
    # Confirmations and owners' requests by number, uploads by their bytes before they are read.
    backend = bench.other('--events-per-second', '20', '--requests-per-second', '2').start()
    said = {'requestId': '0' * 32, 'heid': '0' * 32, 'outcome': 'failed'}
    confirm = lambda: backend.call('POST', '/remote-control-request/confirm', said, 'gateway')
    statuses = until_limited(confirm, 8, 2)
    assert set(statuses[:-1]) == {404}, statuses
    # What is no JSON costs as much.
    large = gzip.compress(b'[' + b' ' * ((4 << 20) - 10))
    statuses = [backend.upload(large, headers={'Content-Encoding': 'gzip'}).status for _ in range(5)]
    assert statuses == [400] + [429] * 4, statuses
    began = time.monotonic()
    many = b'[' + b'1,' * 500000 + b'1]'
    assert bench.backend.upload(many).code == 'tooManyEvents'
    assert bench.backend.upload([event()] * 1000).status == 200
    assert bench.backend.upload({'events': [event()] * 1001}).code == 'tooManyEvents'
    at_most(15, began)


def test_operation(bench):
    backend = bench.backend
    for path in ('/healthz', '/readyz'):
        assert backend.call('GET', path).json == {'status': 'ok'}
    text = backend.call('GET', '/metrics', role='admin').body.decode()
    names = set(re.findall(r'^# TYPE (\w+)', text, re.M))
    assert 'luna_events_total' in names and 'luna_http_request_duration_seconds' in names, names
    assert not re.search('[0-9a-f]{32}', text)
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) .*|\w+(\{[^{}]*\})? [-+.\de]+', line), line
    for method, path, status in (('PUT', '/trackerEvent', 405), ('GET', '/trackerEvent', 405), ('GET', '/x', 404), ('HEAD', '/healthz', 200), ('HEAD', '/trackerEvent', 405)):
        answer = backend.call(method, path, check=method != 'HEAD')
        assert answer.status == status, (method, path, answer.status)
    assert backend.call('GET', '/trackerEvent').headers['allow'] == 'POST'
    assert backend.call('PUT', '/healthz').headers['allow'] == 'GET, HEAD'
    # HEAD needs the rights of GET, and has its fields.
    assert backend.call('HEAD', '/v1/gateways', check=False).status == 401
    whole, head = (backend.call(method, '/metrics', role='admin', check=False) for method in ('GET', 'HEAD'))
    assert (head.status, head.body, head.headers['content-type']) == (200, b'', whole.headers['content-type'])
    for line in backend.log():
        assert {'time', 'level', 'message'} <= set(line), line
        assert '127.0.0.1' not in json.dumps({k: v for k, v in line.items() if k != 'address'}), line


# Hostile clients


def head(bench, extra=b'', line=b'POST /trackerEvent HTTP/1.1\r\nHost: x\r\n'):
    token = bench.backend.token('gateway').encode()
    return line + b'Authorization: Bearer ' + token + b'\r\nContent-Type: application/json\r\n' + extra + b'\r\n'


def test_smuggling_forms(bench):
    backend = bench.backend
    chunked = b'2\r\n[]\r\n0\r\n\r\n'
    forms = {
        'both lengths': (b'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', chunked),
        'both lengths, other order': (b'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n', chunked),
        'doubled length': (b'Content-Length: 2\r\nContent-Length: 2\r\n', b'[]'),
        'two lengths': (b'Content-Length: 2\r\nContent-Length: 40\r\n', b'[]'),
        'list of lengths': (b'Content-Length: 2, 2\r\n', b'[]'),
        'signed length': (b'Content-Length: +2\r\n', b'[]'),
        'blank before the colon': (b'Content-Length : 2\r\n', b'[]'),
        'blank before the colon, chunked': (b'Transfer-Encoding : chunked\r\n', chunked),
        'unknown coding': (b'Transfer-Encoding: xchunked\r\n', chunked),
        'two codings': (b'Transfer-Encoding: gzip, chunked\r\n', chunked),
        'doubled coding': (b'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunked),
        'vertical tab': (b'Transfer-Encoding: \x0bchunked\r\n', chunked),
        'folded coding': (b'Transfer-Encoding:\r\n chunked\r\n', chunked),
        'folded length': (b'X: a\r\n Content-Length: 40\r\nContent-Length: 2\r\n', b'[]'),
        'carriage return in a value': (b'X: a\rContent-Length: 40\r\nContent-Length: 2\r\n', b'[]'),
        'zero byte in a name': (b'Content-Length\0: 40\r\nContent-Length: 2\r\n', b'[]'),
        'two hosts': (b'Host: y\r\nContent-Length: 2\r\n', b'[]'),
        'hexadecimal chunk': (b'Transfer-Encoding: chunked\r\n', b'0x2\r\n[]\r\n0\r\n\r\n'),
        'signed chunk': (b'Transfer-Encoding: chunked\r\n', b'+2\r\n[]\r\n0\r\n\r\n'),
        'huge chunk': (b'Transfer-Encoding: chunked\r\n', b'fffffffffffffffff2\r\n[]\r\n0\r\n\r\n'),
        'chunk without its end': (b'Transfer-Encoding: chunked\r\n', b'2\r\n[]X\r\n0\r\n\r\n'),
    }
    for name, (extra, body) in forms.items():
        answer, end = backend.raw(head(bench, extra) + body + GET)
        assert end == 'closed', f'{name}: the connection stays open'
        # The request behind must not be taken for one.
        assert b'{"status":"ok"}' not in answer and b' 200 OK' not in answer, f'{name}: {answer[:200]}'
        assert re.match(rb'HTTP/1.1 (400|413|501) ', answer), f'{name}: {answer[:100]}'
    # Behind chunks, of which another reader may see the end elsewhere, there is no other request.
    for name, extra, body, count in (('length', b'Content-Length: 2\r\n', b'[]', 2), ('chunked', b'Transfer-Encoding: chunked\r\n', chunked, 1)):
        answer, _ = backend.raw(head(bench, extra) + body + GET)
        assert answer.count(b'HTTP/1.1 200 OK') == count, f'{name}: {answer[:300]}'
    tenth = head(bench, b'Transfer-Encoding: chunked\r\n', b'POST /trackerEvent HTTP/1.0\r\n')
    assert re.match(rb'HTTP/1.[01] 400 ', backend.raw(tenth + chunked)[0])


def test_each_request_has_one_answer(bench):
    backend = bench.backend
    wrong = []
    for name, data, expected in http_requests.requests(backend.token('gateway').encode()):
        received, end = backend.raw(data, half_close=True)
        try:
            found = http_requests.answers(received, is_head=data.startswith(b'HEAD'))
        except (AssertionError, KeyError) as error:
            wrong.append(f'{name}: {error!r}')
            continue
        if isinstance(expected, list):
            good = [status for status, _ in found] == expected
        elif expected == 0:
            good = not found
        else:
            good = found == [(abs(expected), http_requests.PROBLEM if expected > 0 else None)]
        if not good or end != 'closed':
            wrong.append(f'{name}: {found} {end}, not {expected}')
    assert not wrong, wrong
    # What is left to the library, the document says.
    responses = json.loads(backend.call('GET', '/openapi.json').body)['paths']['/trackerEvent']['post']['responses']
    for status in (400, 413, 414, 431, 505):
        assert 'text/html' in responses[str(status)]['content'], status
    assert backend.alive()


def test_a_head_in_pieces(bench):
    # Others come in between, and the length is wrong only in the last piece.
    backend = bench.backend
    links = [socket.create_connection(('127.0.0.1', backend.port), timeout=PATIENCE) for _ in range(40)]
    try:
        pieces = [b'POST /trackerEvent HTTP/1.1\r\n', b'Host: x\r\n', b'Content-Length: ', b'5x\r\n', b'\r\n']
        for piece in pieces:
            for link in links:
                link.sendall(piece)
            assert backend.alive()
        for link in links:
            data = b''
            while more := link.recv(65536):
                data += more
            assert http_requests.answers(data) == [(400, http_requests.PROBLEM)], data
    finally:
        [link.close() for link in links]


def test_duplicate_names(bench):
    backend = bench.backend
    one = json.dumps(event())
    twice = one[:-1] + ',"esf":"000000"}'
    for role, path, body in (
        ('gateway', '/trackerEvent', f'[{twice}]'),
        ('gateway', '/trackerEvent', f'{{"events":[],"events":[{one}]}}'),
        ('gateway', '/trackerEvent', '[{"a":{"b":1,"\\u0062":2}}]'),
        ('gateway', '/remote-control-request/confirm', '{"outcome":"done","outcome":"failed"}'),
        ('owner', '/v1/events/query', '{"heids":[],"heids":[],"from":"2026-01-01","to":"2026-01-01"}'),
        ('owner', '/v1/commands', '{"expiresAt":"x","expiresAt":"y"}'),
        (None, '/v1/gateways', '{"code":"x","code":"y"}'),
    ):
        answer = backend.call('POST', path, body.encode(), role)
        assert (answer.status, answer.code) == (400, 'duplicateName'), (path, answer.status, answer.code)


def test_strange_request_lines(bench):
    backend = bench.backend
    for line in (
        b'GET ftp://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        b'GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n',
        b'GET /healthz HTTP/1.1\r\n\r\n',
        b'GET /heal thz HTTP/1.1\r\nHost: x\r\n\r\n',
        b'GET\t/healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + b'a' * 200,
        b'GET /' + b'a' * 3000 + b' HTTP/1.1\r\nHost: x\r\n\r\n',
        b'GET /' + b'a' * 60000 + b' HTTP/1.1\r\nHost: x\r\n\r\n',
        b'GET / HTTP/1.1\r\nHost: x\r\nX: ' + b'a' * 60000 + b'\r\n\r\n',
        b'GET / HTTP/1.1\r\nHost: x\r\n' + b''.join(b'X%d: 1\r\n' % i for i in range(3000)) + b'\r\n',
        chance().randbytes(5000),
    ):
        answer, _ = backend.raw(line, 3, half_close=True)
        assert b' 200 OK' not in answer, (line[:60], answer[:100])
        assert backend.alive()


def test_large_and_endless_bodies(bench):
    backend = bench.backend
    # Announced: refused before it is read.
    answer, end = backend.raw(head(bench, b'Content-Length: 2000000\r\n'))
    assert b' 413 ' in answer and end == 'closed', answer[:200]
    answer, end = backend.raw(head(bench, b'Expect: 100-continue\r\nContent-Length: 2000000\r\n'))
    assert b' 413 ' in answer and b'100 Continue' not in answer, answer[:200]
    # Exactly as much as is taken.
    padding = (1 << 20) - len('{"events":[],"x":""}')
    fits = b'{"events":[],"x":"' + b'a' * padding + b'"}'
    assert len(fits) == 1 << 20 and backend.upload(fits).status == 200
    # Chunks without end.
    with socket.create_connection(('127.0.0.1', backend.port), timeout=PATIENCE) as link:
        link.sendall(head(bench, b'Transfer-Encoding: chunked\r\n'))
        sent = 0
        try:
            while sent < 64 << 20:
                link.sendall(b'10000\r\n' + b' ' * 65536 + b'\r\n')
                sent += 65536
        except OSError:
            pass
        assert sent < 32 << 20, 'an endless body was read'
    assert backend.alive()


def test_gzip_bombs(bench):
    backend = bench.other('--events-per-second', '0').start()
    bomb = gzip.compress(bytes(200 << 20))
    assert len(bomb) < 1 << 20
    fields = {'Content-Encoding': 'gzip'}
    backend.upload([])
    answers = together([lambda: backend.upload(bomb, headers=fields) for _ in range(4)])
    assert [a.code for a in answers] == ['bodyTooLarge'] * 4, [a.status for a in answers]
    assert memory(backend.process, 'VmHWM') < 200, memory(backend.process, 'VmHWM')
    # Just as much as is taken.
    padding = (4 << 20) - len('{"events":[],"x":""}')
    fits = b'{"events":[],"x":"' + b'a' * padding + b'"}'
    assert backend.upload(gzip.compress(fits), headers=fields).status == 200
    assert backend.upload(gzip.compress(fits + b' '), headers=fields).status == 413


def test_deep_and_wide_json(bench):
    backend = bench.backend
    began = time.monotonic()
    for body in (b'[' * 500000, b'{"a":' * 100000, b'[' + b'1,' * 500000 + b'1]', b'{' + b','.join(b'"%d":1' % i for i in range(80000)) + b'}'):
        assert backend.upload(body).status in (400, 413)
    assert backend.upload(b'"' + b'\\u0000' * 170000 + b'"').status == 400
    # Seconds are what work that grows with the square of the length would take.
    at_most(15, began)


def test_slow_clients(bench):
    backend = bench.backend
    began = time.monotonic()
    links = []
    for number in range(60):
        link = socket.create_connection(('127.0.0.1', backend.port), timeout=PATIENCE)
        # A third each: a slow head, a slow body, and nothing.
        start = (b'GET /healthz HT', head(bench, b'Content-Length: 5000\r\n'), b'')[number % 3]
        link.sendall(start)
        links.append(link)
    ended = {}
    while len(ended) < len(links) and time.monotonic() - began < 100 * pace.slower():
        for number, link in enumerate(links):
            if number in ended:
                continue
            try:
                link.sendall((b'T', b' ', b'')[number % 3])
                link.setblocking(False)
                if not link.recv(4096):
                    ended[number] = time.monotonic() - began
            except BlockingIOError:
                link.setblocking(True)
            except OSError:
                ended[number] = time.monotonic() - began
        assert backend.alive()
        time.sleep(0.5)
    [link.close() for link in links]
    assert len(ended) == len(links), f'{len(links) - len(ended)} slow clients were never sent away'
    # They have 20 and 30 seconds.
    assert max(ended.values()) < 75 * pace.slower() and min(ended.values()) > 10, (min(ended.values()), max(ended.values()))


def test_ten_thousand_connections(bench):
    backend = bench.other('--events-per-second', '0').start()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wanted = min(10000, hard - 200)
    links = []
    try:
        while len(links) < wanted:
            link = socket.socket()
            # From several addresses: one alone would run out of ports.
            link.bind((f'127.0.0.{2 + len(links) % 5}', 0))
            link.settimeout(PATIENCE)
            link.connect(('127.0.0.1', backend.port))
            links.append(link)
            if len(links) % 1000 == 0:
                began = time.monotonic()
                assert backend.upload([event()]).status == 200
                at_most(15, began)
        assert len(os.listdir(f'/proc/{backend.process.pid}/fd')) > wanted * 0.9
        assert memory(backend.process) < 600, memory(backend.process)
    finally:
        [link.close() for link in links]
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    wait_for(lambda: len(os.listdir(f'/proc/{backend.process.pid}/fd')) < 200, PATIENCE, 'the connections to be closed')
    assert backend.upload([event()]).status == 200


def test_many_from_one_address(bench):
    backend = bench.other('--connections-per-address', '50').start()
    links = []
    for _ in range(80):
        link = socket.socket()
        link.bind(('127.0.0.9', 0))
        link.settimeout(PATIENCE)
        link.connect(('127.0.0.1', backend.port))
        links.append(link)

    def is_closed(link):
        link.setblocking(False)
        try:
            return link.recv(1) == b''
        except BlockingIOError:
            return False
        except OSError:
            return True

    wait_for(lambda: sum(is_closed(link) for link in links) >= 30, PATIENCE, 'those too many to be closed')
    assert backend.alive()
    [link.close() for link in links]


# Operation


def test_https(bench):
    backend = bench.other()
    key, certificate = backend.directory + '/key.pem', backend.directory + '/cert.pem'
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
        + ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    backend.start('--tls-cert', certificate, '--tls-key', key)
    context = ssl.create_default_context(cafile=certificate)
    link = http.client.HTTPSConnection('localhost', backend.port, context=context, timeout=PATIENCE)
    assert backend.call_on(link, 'GET', '/healthz', check=False).status == 200
    assert backend.call_on(link, 'POST', '/trackerEvent', [event()], 'gateway', check=False).status == 200
    assert link.sock.version() == 'TLSv1.3', link.sock.version()
    # Also where the library would have an answer of its own.
    with context.wrap_socket(socket.create_connection(('localhost', backend.port), timeout=PATIENCE), server_hostname='localhost') as raw:
        raw.sendall(b'POST /trackerEvent HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n')
        data = b''
        try:
            while more := raw.recv(65536):
                data += more
        except ssl.SSLEOFError:
            pass
        assert http_requests.answers(data) == [(400, http_requests.PROBLEM)], data
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers('ALL:@SECLEVEL=0')
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    try:
        old.wrap_socket(socket.create_connection(('localhost', backend.port), timeout=PATIENCE))
        raise AssertionError('TLS 1.1 was spoken')
    except (ssl.SSLError, OSError):
        pass
    # Plain HTTP to the same port is no way in.
    assert b'200' not in backend.raw(GET)[0]
    assert backend.stop() == 0
    said = backend.command('check-config', '--tls-cert', key, '--tls-key', certificate, '--listen', '127.0.0.1:0', code=8)
    assert 'PEM' in said, said


def test_stops_gracefully(bench):
    backend = bench.other('--events-per-second', '0').start()
    events = [[event() for _ in range(100)] for _ in range(40)]
    answers, begun = [], threading.Event()

    def upload(batch):
        try:
            answers.append((batch, backend.upload(batch, check=False).status))
        except OSError:
            answers.append((batch, None))
        begun.set()

    backend.token('gateway')
    def end():
        assert begun.wait(PATIENCE), 'no upload was answered'
        began = time.monotonic()
        status = backend.stop()
        at_most(15, began)
        return status

    statuses = together([end] + [lambda batch=batch: upload(batch) for batch in events])
    assert statuses[0] == 0, statuses[0]
    assert any(line['message'] == 'stopped' and line['complete'] for line in backend.log())
    backend.start()
    for batch, status in answers:
        stored = backend.stored([e['heid'] for e in batch])
        assert len(stored) in ((100,) if status == 200 else (0, 100)), (status, len(stored))
    assert backend.stop(signal.SIGINT) == 130


def test_with_nothing_to_do_it_sleeps(bench):
    backend = bench.other().start()

    def switches():
        count = 0
        for task in os.listdir(f'/proc/{backend.process.pid}/task'):
            try:
                with open(f'/proc/{backend.process.pid}/task/{task}/status') as status:
                    count += int(re.search(r'^voluntary_ctxt_switches:\s+(\d+)', status.read(), re.M).group(1))
            except FileNotFoundError:
                pass
        return count

    assert backend.call('GET', '/healthz').status == 200
    def sleeps():
        before, began = switches(), time.monotonic()
        # Who looks ten times a second wakes five times as often, however long a second is here.
        for _ in range(100):
            time.sleep(0.1)
        return switches() - before <= 2 * (time.monotonic() - began)

    # The connection of that request is closed; threads of the runtime that have nothing to do end after 5 s.
    wait_for(sleeps, 30, 'the backend to sleep')
    assert backend.stop() == 0


def test_check_beside_a_running_backend(bench):
    backend = bench.other('--events-per-second', '0').start()
    backend.token('gateway')
    address = f'127.0.0.1:{backend.port}'
    run = lambda *words: subprocess.run(
        [LUNA, 'backend', 'check-config', '--listen', address, *words, '--store', backend.store],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE
    )
    # Also while it has much to write.
    done, *statuses = together([run] + [lambda: backend.upload([event() for _ in range(500)]).status for _ in range(20)])
    assert done.returncode == 0 and f'process {backend.process.pid})' in done.stderr, done
    assert statuses == [200] * 20 and backend.alive()
    assert run('--threads', '8', '--store-queue', '5000').returncode == 0
    # Somebody else's port is a fault.
    with socket.create_server(('127.0.0.1', 0)) as other:
        done = run('--listen', f'127.0.0.1:{other.getsockname()[1]}')
        assert done.returncode == 6 and 'ss -ltnp' in done.stderr, done
    for words, code in ((['--listen', '256.1.1.1:99999'], 2), (['--store', 'postgres://['], 2), (['--threads', 'x'], 2), (['--events-per-identifier', '-1'], 2)):
        done = subprocess.run([LUNA, 'backend', 'check-config', *words], stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == code, (words, done)


def test_what_cannot_be_told_is_taken_back(bench):
    backend = bench.other()
    token = lambda name: next(t for t in backend.command('token', 'list') if t['name'] == name)
    count = lambda table: sqlite3.connect(backend.store.removeprefix('sqlite:')).execute(f'SELECT count(*) FROM {table}').fetchone()[0]
    enrolments = lambda: count('enrolments')

    def into_full(*words):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([LUNA, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 7 and 'taken back' in done.stderr, (words, done)

    store = ('--store', backend.store)
    into_full('backend', 'token', 'create', 'owner', 'me', *store)
    assert 'revokedAt' in token('me')
    into_full('backend', 'enroll', 'attic', *store)
    assert enrolments() == 0
    # So are links: who was to be added is not there, and who is there has no link that nobody knows.
    into_full('account', 'add', 'ada', *store)
    assert (count('accounts'), count('links')) == (0, 0)
    subprocess.run([LUNA, 'account', 'add', 'ada', *store], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert (count('accounts'), count('links')) == (1, 1)
    into_full('account', 'edit', 'ada', '--invite', *store)
    assert (count('accounts'), count('links')) == (1, 0)
    # In a home, too.
    state = ('--state', backend.directory + '/home')
    home = lambda table: sqlite3.connect(state[1] + '/home.sqlite').execute(f'SELECT count(*) FROM {table}').fetchone()[0]
    into_full('home', 'account', 'token', 'add', 'ha', *state)
    into_full('home', 'account', 'add', 'ada', *state)
    assert (home('tokens'), home('accounts'), home('links')) == (0, 0, 0)
    subprocess.run([LUNA, 'home', 'account', 'add', 'ada', *state], check=True, stdout=subprocess.DEVNULL)
    into_full('home', 'account', 'reset', 'ada', *state)
    assert (home('accounts'), home('links')) == (1, 0)
    # Nor is there a code whose gateway cannot be kept.
    base = lambda sql: sqlite3.connect(backend.store.removeprefix('sqlite:'), isolation_level=None).execute(sql)
    base("CREATE TRIGGER broken BEFORE INSERT ON fleet BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END")
    backend.command('enroll', 'cellar', code=7)
    base('DROP TRIGGER broken')
    assert enrolments() == 0
    # A file keeps its token until there is another one.
    path = backend.directory + '/token'
    backend.command('token', 'create', 'owner', 'two', '--out', path)
    before = open(path).read()
    backend.command('token', 'create', 'owner', 'two')
    assert 'live tokens' in backend.command('token', 'create', 'owner', 'two', '--out', path, '--force', code=1)
    assert open(path).read() == before
    assert not [name for name in os.listdir(backend.directory) if name.endswith('.new')]


def test_a_token_file_of_somebody_else(bench):
    """To whom it cannot be given: nothing was made for it."""
    if os.geteuid():
        raise NotRun('only root can be two users')
    backend = bench.other()
    os.chmod(backend.directory, 0o777)
    # Where everybody may run it, whatever the modes of the folders above the checkout.
    luna = shutil.copy(LUNA, backend.directory + '/luna')
    other = backend.directory + '/others'
    os.mkdir(other, 0o777)
    os.chmod(other, 0o777)
    open(other + '/token', 'w').write('mine')
    state = other + '/state'
    done = subprocess.run(
        ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', luna, 'backend', 'token', 'create', 'owner', 'three',
         '--store', f'sqlite:{state}', '--out', other + '/token', '--force'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 4 and 'Operation not permitted' in done.stderr, done
    assert open(other + '/token').read() == 'mine'
    assert sqlite3.connect(state).execute('SELECT count(*) FROM tokens').fetchone() == (0,)
    assert not [name for name in os.listdir(other) if name.endswith('.new')]


def test_who_only_looks_changes_nothing(bench):
    backend = bench.other()
    old = event(day=today(-20))
    backend.start()
    assert backend.upload([old]).status == 200
    backend.stop()
    rows = lambda: sqlite3.connect(backend.store.removeprefix('sqlite:')).execute('SELECT count(*) FROM events').fetchone()
    backend.command('check-config', '--listen', '127.0.0.1:0', '--retention', '10')
    assert rows() == (1,)
    # Nor where there is nothing yet.
    folder = backend.directory + '/empty'
    os.mkdir(folder)
    state, copy = folder + '/state', backend.directory + '/copy'
    open(copy, 'w').write('a good backup')
    for place in (['--store', f'sqlite:{folder}/none'], ['--state', state]):
        for words, code in ((['token', 'list'], 8), (['backup', copy, '--force'], 8), (['check-config', '--listen', '127.0.0.1:0'], 0)):
            done = subprocess.run([LUNA, 'backend', *words, *place], stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
            assert done.returncode == code and folder in done.stderr, (words, done)
    assert os.listdir(folder) == [] and open(copy).read() == 'a good backup'


# What the first version of a storage held.
FIRST_VERSION = """
CREATE TABLE events(
  heid BLOB NOT NULL, day INTEGER NOT NULL, event_id BLOB NOT NULL, version INTEGER NOT NULL,
  location BLOB NOT NULL, esf INTEGER NOT NULL, received INTEGER NOT NULL, debug TEXT,
  PRIMARY KEY(heid, day, event_id)) STRICT, WITHOUT ROWID;
CREATE TABLE probe(id INTEGER PRIMARY KEY CHECK(id = 1), count INTEGER NOT NULL) STRICT;
INSERT INTO probe VALUES(1, 0);
PRAGMA application_id = 0x4C756E42;
PRAGMA user_version = 1;
"""


def test_an_address_that_cannot_be_had_leaves_the_storage_alone(bench):
    """Nothing is made, and nothing brought to this version, for a mistyped address."""
    backend = bench.other()
    folder, state = backend.directory + '/old', backend.directory + '/state'
    os.mkdir(folder)
    path = folder + '/backend.sqlite'
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(FIRST_VERSION)
    os.utime(path, (1_700_000_000,) * 2)
    found = lambda: (os.listdir(folder), os.stat(path).st_mtime, open(path, 'rb').read())
    before = found()
    with socket.create_server(('127.0.0.1', 0)) as taken:
        for address, code in ((f'127.0.0.1:{taken.getsockname()[1]}', 6), ('203.0.113.1:80', 2), ('nowhere', 2)):
            for place in (['--store', f'sqlite:{path}'], ['--store', f'sqlite:{folder}/none'], ['--state', state]):
                done = subprocess.run([LUNA, 'backend', '--listen', address, *place], stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
                assert done.returncode == code and address in done.stderr, (address, place, done)
                assert found() == before and not os.path.exists(state), (address, place, os.listdir(folder))
    # With a right one it is as old as it looks.
    backend.store = f'sqlite:{path}'
    backend.start()
    backend.stop()
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute('PRAGMA user_version').fetchone()[0] > 1


def test_command_line(bench):
    backend = bench.other()
    run = lambda *words: subprocess.run([LUNA, 'backend', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    free = ['--listen', '127.0.0.1:0']
    for words, code, what in (
        (['--listen', 'nowhere'], 2, 'HOST:PORT'),
        (['--listen', '203.0.113.1:80'], 2, '203.0.113.1'),
        (['--store', 'file:x'], 2, 'sqlite:'),
        (['--tls-cert', 'x'], 2, 'go together'),
        ([*free, '--store', 'sqlite:/nowhere/at/all'], 7, '/nowhere/at/all'),
        (['token', 'create', 'guest', 'x'], 2, 'gateway'),
        (['token', 'create', 'owner', 'a b'], 2, 'name'),
        (['token', 'revoke', '000000000000', '--store', backend.store], 1, 'list'),
        (['--listen', f'127.0.0.1:{bench.backend.port}', '--store', backend.store], 6, 'ss -ltnp'),
        ([*free, '--store', 'sqlite:/dev/null/x'], 7, ''),
        (['--threads', '0'], 2, '--threads'),
        ([*free, '--store', f'sqlite:{backend.directory}/other'], 8, 'another program'),
    ):
        if 'other' in words[-1]:
            sqlite3.connect(words[-1].removeprefix('sqlite:')).execute('CREATE TABLE t(a)')
        done = run(*words)
        assert done.returncode == code and what in done.stderr, (words, done.returncode, done.stderr)
        assert 'Fatal' not in done.stderr and done.stderr.count('\n') <= 2, done.stderr
    path = backend.directory + '/token'
    backend.command('token', 'create', 'owner', 'me', '--out', path)
    assert oct(os.stat(path).st_mode & 0o777) == '0o600' and open(path).read().startswith('luna-owner-')
    assert oct(os.stat(backend.store.removeprefix('sqlite:')).st_mode & 0o777) == '0o600'
    backend.command('check-config', '--listen', '127.0.0.1:0')
    backend.command('migrate')


test_large_and_endless_bodies.seconds = 120
test_smuggling_forms.seconds = 120
test_slow_clients.seconds = 130
test_stops_gracefully.seconds = 120
test_ten_thousand_connections.seconds = 180
