"""`GET /v1/stream`: changes as they happen, what was missed, whose rights end, who does not read, many at once."""

import contextlib
import json
import resource
import selectors
import socket
import sqlite3
import time

import pace
from backends import PATIENCE, Backend, memory
from bench import wait_for
from group_accounts import Accounts
from streams import Stream

IN_VM = False
NOTE = 'n' * 2000


class Bench(Accounts):
    def __init__(self):
        super().__init__()
        self.streams = []

    def server(self, *options):
        backend = self.backend('--requests-per-second', '0', '--events-per-second', '0', *options)
        for role in ('viewer', 'operator', 'admin'):
            backend.tokens['admin', role] = backend.command('token', 'create', 'admin', role, '--role', role)[0]['token']
        return backend

    def stream(self, backend, query='', last=None, who='viewer', headers=None):
        headers = dict(headers or {'Authorization': 'Bearer ' + backend.tokens['admin', who]})
        if last is not None:
            headers['Last-Event-ID'] = str(last)
        self.streams.append(Stream(backend, query, headers))
        return self.streams[-1]

    def tidy(self):
        for stream in self.streams:
            if stream.status == 200:
                stream.close()
        self.streams = []
        super().tidy()


def prepare(mode):
    return Bench()


def call(backend, method, path, body=None, status=200):
    answer = backend.call(method, path, body, 'admin', 'operator')
    assert answer.status == status, answer.body
    return answer.json


def add(backend, name, **fields):
    return call(backend, 'POST', '/v1/gateways', {'name': name, 'allowNoPosition': True, **fields}, 201)['gateway']['id']


def import_many(backend, count, **fields):
    lines = [{'name': f'Gateway {number}', **fields} for number in range(count)]
    return call(backend, 'POST', '/v1/gateways/import', {'lines': lines}, 201)['ids']


def numbers_of(backend):
    """The numbers of the changes of the fleet; those of tokens stand between them."""
    return [one['change'] for one in call(backend, 'GET', '/v1/changes')['changes']]


def report(backend, name, **health):
    """A health report of a gateway."""
    answer = backend.call('POST', '/v1/telemetry', {'product': 'test', 'health': {'version': '1.2.3', **health}, 'items': []}, 'gateway', name)
    assert answer.status == 200, answer.body


def test_changes_come_as_they_happen_in_their_order(bench):
    backend = bench.server()
    stream = bench.stream(backend, '?topics=gateway')
    assert stream.status == 200 and stream.response.headers['Content-Type'] == 'text/event-stream'
    gateway = add(backend, 'Roof')
    first = stream.event(lambda one: one.data['id'] == gateway)
    assert first.data['name'] == 'Roof'
    call(backend, 'PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'site': 'North'})
    assert stream.event(lambda one: one.data.get('site') == 'North').data['revision'] == 2
    change = call(backend, 'DELETE', f'/v1/gateways/{gateway}')['change']
    assert stream.event(lambda one: 'removedAt' in one.data).id == str(change)
    call(backend, 'POST', f'/v1/changes/{change}/undo')
    stream.event(lambda one: int(one.id) > change and 'removedAt' not in one.data)
    assert [int(one.id) - int(first.id) for one in stream.events] == [0, 1, 2, 3], stream.events
    # The record is what a list has.
    (listed,) = call(backend, 'GET', '/v1/gateways')['gateways']
    assert stream.events[-1].data == listed


def test_goes_on_where_it_was(bench):
    backend = bench.server()
    gateway = add(backend, 'Roof')
    (start,) = numbers_of(backend)
    first = bench.stream(backend)
    wait_for(lambda: first.last, PATIENCE, 'the beginning')
    assert first.last == str(start)
    first.close()
    # More than are read at once, and than may wait for one client.
    import_many(backend, 900, note=NOTE[:500])
    call(backend, 'PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'site': 'North'})
    for query, last in [('?topics=gateway', start), (f'?topics=gateway&since={start}', None)]:
        stream = bench.stream(backend, query, last=last)
        stream.event(lambda one: one.data.get('revision') == 2 and len(stream.events) > 900)
        numbers = [int(one.id) for one in stream.events]
        assert numbers == sorted(set(numbers)), 'each once, in order'
        assert len(numbers) >= 901 and {one.topic for one in stream.events} == {'gateway'}
        # And then what happens.
        add(backend, f'Shed {len(bench.streams)}')
        stream.event(lambda one: one.data.get('name', '').startswith('Shed'))


def test_begins_where_a_page_did(bench):
    """What is changed between the first request of a page and its stream is not lost."""
    backend = bench.server()
    person = bench.person(backend, 'vera', 'viewer')
    add(backend, 'Roof')
    change = person.call('GET', '/v1/session').json['change']
    add(backend, 'Barn')
    stream = bench.stream(backend, f'?topics=gateway&since={change}', headers={'Cookie': f'{person.name}={person.cookie}'})
    assert stream.event(lambda one: True).data['name'] == 'Barn'


def test_an_id_that_never_was_leads_to_a_reset(bench):
    backend = bench.server()
    add(backend, 'Roof')
    (start,) = numbers_of(backend)
    for last in ['99999', '-1', 'abc', '1.5', '9' * 30]:
        stream = bench.stream(backend, '?topics=gateway', last=last)
        assert stream.event(lambda one: True).topic == 'reset'
        assert stream.last == str(start)
    add(backend, 'Barn')
    assert stream.event(lambda one: one.topic == 'gateway').data['name'] == 'Barn'


def test_very_many_changes_at_once_are_a_reset(bench):
    backend = bench.server()
    stream = bench.stream(backend, '?topics=gateway')
    import_many(backend, 1000)
    assert stream.event(lambda one: one.topic == 'reset').id
    assert not stream.has_ended
    add(backend, 'Barn')
    stream.event(lambda one: one.data.get('name') == 'Barn')


def test_changes_that_are_gone_are_a_reset(bench):
    """As those are that a standby had not, which has taken over: their numbers come again."""
    backend = bench.server()
    gateway = add(backend, 'Roof')
    stream = bench.stream(backend, '?topics=gateway')
    (start,) = numbers_of(backend)
    lost = add(backend, 'Barn')
    stream.event(lambda one: one.data.get('name') == 'Barn')
    with contextlib.closing(sqlite3.connect(backend.store.removeprefix('sqlite:'), timeout=PATIENCE)) as database, database:
        database.execute('DELETE FROM fleet WHERE id = ?', (lost,))
        database.execute('DELETE FROM changes WHERE object = ?', (lost,))
    assert stream.event(lambda one: one.topic == 'reset').id == str(start)
    assert [one['id'] for one in call(backend, 'GET', '/v1/gateways')['gateways']] == [gateway]
    add(backend, 'Shed')
    assert stream.event(lambda one: one.data.get('name') == 'Shed').id == str(start + 1)


def test_topics_and_watched_gateways(bench):
    backend = bench.server()
    for query in ['?topics=gateway,nothing', '?topics=%00', '?watch=12', '?watch=' + ','.join(['0' * 16] * 201), '?topics=a&topics=b']:
        assert bench.stream(backend, query).problem['status'] == 400, query[:60]
    assert bench.stream(backend, '?watch=' + '%2C'.join(['0' * 16] * 200)).status == 200
    for name in ['kitchen', 'hall']:
        report(backend, name)
    gateways = {one['key']: one['id'] for one in call(backend, 'GET', '/v1/gateways')['gateways']}
    all_states = bench.stream(backend, '?topics=state')
    watching = bench.stream(backend, '?topics=health&watch=' + gateways['kitchen'])
    numbers = bench.stream(backend, '?topics=dashboard')
    numbers.event(lambda one: one.data['widgets']['gateways']['value'] == 2)
    for name in ['kitchen', 'hall']:
        report(backend, name, diskFreeMiB=5, advertisers=40)
    for key in gateways:
        # That it is in touch may be told before.
        told = all_states.event(lambda one, key=key: one.data['id'] == gateways[key] and one.data['verdict'] == 'bad')
        assert told.data['reasons'][0]['code'] == 'diskFull'
    watching.event(lambda one: one.data.get('health', {}).get('advertisers') == 40)
    assert {one.data['id'] for one in watching.events} == {gateways['kitchen']}
    assert {one.topic for one in all_states.events} == {'state'}
    numbers.event(lambda one: one.data['widgets']['devices']['value'] == 80 and one.data['widgets']['attention']['value'] == 2)


def test_who_may_listen(bench):
    backend = bench.server()
    assert bench.stream(backend, headers={'X': 'y'}).problem['status'] == 401
    for role in ['gateway', 'owner']:
        assert bench.stream(backend, headers={'Authorization': 'Bearer ' + backend.token(role)}).problem['status'] == 403
    person = bench.person(backend, 'vera', 'viewer')
    cookie = {'Cookie': f'{person.name}={person.cookie}'}
    streams = [bench.stream(backend, headers=cookie) for _ in range(3)]
    assert [one.status for one in streams] == [200] * 3
    refused = bench.stream(backend, headers=cookie)
    assert refused.status == 429 and refused.problem['code'] == 'tooManyStreams' and refused.response.headers['Retry-After']
    # One that a browser has left counts no more.
    streams[0].close()
    wait_for(lambda: bench.stream(backend, headers=cookie).status == 200, PATIENCE, 'room for another stream')


def test_a_stream_ends_with_the_rights(bench):
    backend = bench.server()
    admin = bench.person(backend, 'ada', 'admin')
    vera, olga = bench.person(backend, 'vera', 'viewer'), bench.person(backend, 'olga', 'operator')

    def listening(person):
        return bench.stream(backend, '?topics=session', headers={'Cookie': f'{person.name}={person.cookie}'})

    # Told and ended at once, not with the next comment: that one comes after 15 s.
    streams = [listening(one) for one in (admin, vera, olga)]
    assert admin.call('PATCH', '/v1/accounts/olga', {'role': 'viewer'}).status == 200
    assert streams[2].event(lambda one: one.topic == 'session').data == {'signedIn': False}
    streams[2].ends()
    assert not streams[2].comments
    assert vera.call('DELETE', '/v1/session').status == 204
    streams[1].ends()
    token = bench.stream(backend, '?topics=session', who='operator')
    # One that is stolen: another process takes it away.
    (record,) = [one for one in backend.command('token', 'list') if one['name'] == 'operator']
    backend.command('token', 'revoke', record['id'])
    token.ends()
    assert not streams[0].has_ended
    bench.account('sessions', 'ada', '--end', backend=backend)
    streams[0].ends()


def test_a_stream_ends_with_its_account(bench):
    backend = bench.server()
    admin = bench.person(backend, 'ada', 'admin')
    vera, olga, otto = (bench.person(backend, name, 'operator') for name in ('vera', 'olga', 'otto'))
    streams = {one: bench.stream(backend, '?topics=gateway,session', headers={'Cookie': f'{one.name}={one.cookie}'})
               for one in (admin, vera, olga, otto)}
    # By another account over the network, and by the command, which is another process.
    assert admin.call('DELETE', '/v1/accounts/vera').status == 204
    assert streams[vera].event(lambda one: one.topic == 'session').data == {'signedIn': False}
    streams[vera].ends()
    # At once, and not with the next comment, which comes after 15 s.
    assert not streams[vera].comments
    bench.account('remove', 'olga', backend=backend)
    streams[olga].ends()
    # What happens now, they do not hear; the others do.
    gateway = add(backend, 'Roof')
    for one in (admin, otto):
        streams[one].event(lambda event: event.data.get('id') == gateway)
    for one in (vera, olga):
        assert not [event for event in streams[one].events if event.topic == 'gateway']
        assert bench.stream(backend, headers={'Cookie': f'{one.name}={one.cookie}'}).status == 401
        assert one.call('GET', '/v1/gateways').status == 401


def test_a_silent_stream_shows_that_it_is_there(bench):
    backend = bench.server()
    began = time.monotonic()
    stream = bench.stream(backend, '?topics=gateway')
    stream.wait(lambda: len(stream.comments) == 2)
    # 15 s between them; a slow machine is not the server's fault.
    assert stream.comments[1] - stream.comments[0] < 16 + 10 * pace.slower() and stream.comments[1] - began > 14


def test_who_does_not_read_is_dropped_and_stops_nobody(bench):
    backend = bench.server()
    ids = import_many(backend, 25)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(('127.0.0.1', backend.port))
    slow.settimeout(PATIENCE)
    token = backend.tokens['admin', 'viewer']
    slow.sendall(f'GET /v1/stream?topics=gateway HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n'.encode())
    reader = bench.stream(backend, '?topics=gateway')
    before = memory(backend.process)
    # More than the buffers on both sides and the one of the server hold.
    for number in range(200):
        call(backend, 'POST', '/v1/gateways/bulk', {'ids': ids, 'set': {'note': f'{number} {NOTE[:1900]}'}})
        # One after the other: many at once are a reset for everybody.
        reader.wait(lambda: reader.events and reader.events[-1].data.get('note', '').startswith(f'{number} '))
    assert not [one for one in reader.events if one.topic == 'reset'], 'who reads is not dropped'
    received = b''
    while b'event: reset\ndata: {}\n\n' not in received[-4096:]:
        piece = slow.recv(1 << 16)
        assert piece, received[-200:]
        received += piece
    assert len(received) < 200 * 25 * 1900, len(received)
    # It ends with that, and what came before are whole events.
    while b'0\r\n\r\n' not in received[-4096:]:
        piece = slow.recv(1 << 16)
        assert piece, 'the end of the answer'
        received += piece
    slow.close()
    assert memory(backend.process) - before < 64, 'memory'


def test_500_streams_hear_of_a_change(bench):
    backend = bench.server()
    (soft, hard) = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2048)), hard))
    add(backend, 'Roof')
    token = backend.tokens['admin', 'viewer']
    before = memory(backend.process)
    chosen, open_ones = selectors.DefaultSelector(), []
    for number in range(500):
        link = socket.create_connection(('127.0.0.1', backend.port), timeout=PATIENCE)
        link.sendall(f'GET /v1/stream?topics=gateway HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n'.encode())
        chosen.register(link, selectors.EVENT_READ, [b''])
        open_ones.append(link)

    def hear(text):
        """Reads until all have a text; gives how long the last one took."""
        began, waiting = time.monotonic(), {link.fileno() for link in open_ones}
        while waiting:
            ready = chosen.select(PATIENCE)
            assert ready, f'{len(waiting)} streams hear nothing'
            for key, _ in ready:
                key.data[0] += key.fileobj.recv(1 << 16)
                if text in key.data[0]:
                    waiting.discard(key.fd)
        return time.monotonic() - began

    try:
        hear(b'retry: 1000\n\n')
        add(backend, 'Barn')
        spent = hear(b'"name":"Barn"')
        assert memory(backend.process) - before < 64, 'memory'
        return spent
    finally:
        for link in open_ones:
            link.close()


test_who_does_not_read_is_dropped_and_stops_nobody.seconds = 240
test_500_streams_hear_of_a_change.seconds = 240
test_a_silent_stream_shows_that_it_is_there.seconds = 120
test_a_stream_ends_with_the_rights.seconds = 200
