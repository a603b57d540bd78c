"""`luna backend` with PostgreSQL: two of them on one database, kills of both and of the server.

Without PostgreSQL itself there are no tests here, and the reason is said.
"""

import datetime
import itertools
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time

import filled
import ties
from asked import Asked
from backends import LUNA, PATIENCE, Backend, event, package, soon, today, together, until_limited
from balancer import Balancer, needs_balancer
from bench import ROOT, NotRun, needs_root, never, wait_for
from dates import dated
from figures import tell
from killing import survives_kills
from postgres import BEFORE, Bench, CommitCutter, Cutter, Server, Standby, absent
from streams import Stream
from uplink_client import UplinkClient

IN_VM = False
KILLS = int(os.environ.get('LUNA_KILLS', '60'))


def prepare(mode):
    return Bench()


def test_a_stream_of_one_hears_what_the_other_one_changes(bench):
    one, two = bench.two()
    token = one.command('token', 'create', 'admin', 'op', '--role', 'operator')[0]['token']
    headers = {'Authorization': 'Bearer ' + token}

    def call(backend, method, path, body=None):
        answer = backend.call(method, path, body, headers=headers)
        assert answer.status in (200, 201), answer.body
        return answer.json

    streams = [Stream(backend, '?topics=gateway,state', headers) for backend in (one, two)]
    try:
        for stream in streams:
            stream.wait(lambda stream=stream: stream.last)
        gateway = call(two, 'POST', '/v1/gateways', {'name': 'Roof', 'allowNoPosition': True})['gateway']['id']
        for stream in streams:
            assert stream.event(lambda one: one.topic == 'gateway').data['name'] == 'Roof'
        call(one, 'PATCH', f'/v1/gateways/{gateway}', {'revision': 1, 'site': 'North'})
        call(one, 'DELETE', f'/v1/gateways/{gateway}')
        for stream in streams:
            stream.event(lambda one: 'removedAt' in one.data)
            numbers = [int(one.id) for one in stream.events if one.topic == 'gateway']
            assert [number - numbers[0] for number in numbers] == [0, 1, 2], stream.events
        # How gateways are, too, whichever they tell.
        health = {'product': 'test', 'health': {'diskFreeMiB': 5000}, 'items': []}
        assert one.call('POST', '/v1/telemetry', health, 'gateway').status == 200
        streams[1].event(lambda one: one.data.get('key') == 'test')
        health['health']['diskFreeMiB'] = 5
        assert one.call('POST', '/v1/telemetry', health, 'gateway').status == 200
        for stream in streams:
            stream.event(lambda one: one.topic == 'state' and one.data['verdict'] == 'bad')
        # The database server goes, and is back: so are the streams, at the latest with the next change.
        bench.server.crash()

        def added(count=[0]):
            count[0] += 1
            name = f'Shed {count[0]}'
            answer = two.call('POST', '/v1/gateways', {'name': name, 'allowNoPosition': True}, headers=headers, check=False)
            return answer.status == 201 and name

        name = wait_for(added, PATIENCE, 'the database to be back')
        for stream in streams:
            stream.event(lambda one: one.data.get('name') == name)
    finally:
        for stream in streams:
            stream.close()


test_a_stream_of_one_hears_what_the_other_one_changes.seconds = 240


def test_either_takes_and_gives(bench):
    one, two = bench.two()
    events = [event() for _ in range(50)]
    one.token('gateway')
    # The same batch through both, on eight connections at once.
    answers = together([lambda i=i: (one, two)[i % 2].upload(events).json['results'] for i in range(8)])
    for index in range(50):
        assert sorted(a[index]['status'] for a in answers) == ['accepted'] + ['duplicate'] * 7
    for backend in (one, two):
        assert sorted(e['heid'] for e in backend.stored([e['heid'] for e in events])) == sorted(e['heid'] for e in events)
        assert backend.call('GET', '/readyz').status == 200
    # What one revokes, the other one knows.
    token = one.command('token', 'create', 'gateway', 'leaving')[0]
    status = lambda backend: backend.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + token['token']}).status
    assert (status(one), status(two)) == (200, 200)
    two.command('token', 'revoke', token['id'])
    assert (status(one), status(two)) == (401, 401)


def test_nothing_ties_an_event_to_its_gateway(bench):
    one, two = bench.two()
    name, key = 'canary-of-the-gateway', 'luna.event.of-the-canary'
    events = ties.sends(one, name, key) + ties.sends(two, name, key)
    for backend in (one, two):
        ties.are_none(backend, name, events, [key], ties.postgres_rows(bench.server, backend.store))


def test_a_filled_database_of_a_version_before(bench):
    """All that is in it is there afterwards, and is as good: of the version before, and of one that is longer ago."""
    before = 'ALTER TABLE luna.commands DROP COLUMN seq; UPDATE luna.schema SET version = version - 1;'
    long_before = BEFORE + """
        DROP TABLE luna.busy, luna.holders, luna.outcomes, luna.failures;
        ALTER TABLE luna.commands DROP COLUMN cancelled, DROP COLUMN first_heid;
        UPDATE luna.schema SET version = 8;
    """
    for back in (before, long_before):
        store = bench.server.database()
        one = bench.serve('--events-per-second', '0', '--requests-per-second', '0', store=store)
        some = filled.Filled(one)
        assert one.stop() == 0
        version = bench.server.ask(store, 'SELECT version FROM luna.schema')
        bench.server.ask(store, back)
        assert bench.server.ask(store, 'SELECT version FROM luna.schema') != version
        one.start()
        assert bench.server.ask(store, 'SELECT version FROM luna.schema') == version
        some.is_all_there()


test_a_filled_database_of_a_version_before.seconds = 240


def test_wrong_passwords_count_at_both(bench):
    one, two = bench.two()
    password = 'correct horse battery'

    def ask(backend, path, status, **body):
        headers = {'Origin': f'http://127.0.0.1:{backend.port}'}
        answer = backend.call('POST', path, {'name': 'ada', **body}, headers=headers)
        assert answer.status == status, answer.body

    done = subprocess.run([LUNA, 'account', 'add', 'ada', '--role', 'viewer', '--store', one.store, '--public-url', f'http://127.0.0.1:{one.port}'],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    secret = re.search(r'/ui/invitation#([\w-]+)', done.stdout)[1]
    ask(one, '/v1/invitation', 201, secret=secret, password=password)
    for number in range(5):
        ask((one, two)[number % 2], '/v1/session', 401, password='x' * 12)
    began = time.monotonic()
    ask(two, '/v1/session', 200, password=password)
    assert time.monotonic() - began >= 2, 'wrong ones of the other one count, too'


def test_a_command_goes_through_one(bench):
    one, two = bench.two()
    for number in range(10):
        heard = event()
        body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
        made = one.call('POST', '/v1/commands', body, 'owner').json
        [one.token('gateway', name) for name in ('one', 'two')]
        offers = together([lambda b=b, n=n: b.upload([heard], n).json['commandRequests'] for b, n in ((one, 'one'), (two, 'two'))])
        assert sorted(map(len, offers)) == [0, 1], offers
        winner = 'one' if offers[0] else 'two'
        said = {'requestId': made['requestId'], 'heid': heard['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
        # To the other backend than the one that offered it.
        other = two if offers[0] else one
        assert other.call('POST', '/remote-control-request/confirm', said, 'gateway', winner).status == 204
        assert one.call('GET', '/v1/commands/' + made['requestId'], role='owner').json['state'] == 'confirmed'


def test_the_date_of_a_machine_plays_no_part(bench):
    """One of two has a date of its own: no command is leased twice at once, and both take the same days."""
    store = bench.server.database()
    options = ['--events-per-second', '0', '--requests-per-second', '0']
    one = Backend(*options, store=store)
    bench.backends.append(one.start())
    days = "SELECT count(*) FROM pg_class WHERE relname ~ '^events_[0-9]' AND relkind = 'r'"
    wait_for(lambda: bench.server.ask(store, days) == ['415'], PATIENCE, 'all days to be made')
    [one.token('gateway', name) for name in ('test', 'one', 'two')]
    one.token('owner')
    offers = lambda backend, name, heard: len(backend.upload([heard], name).json['commandRequests'])
    for ahead in (200, -200, 86400, -86400):
        two = Backend(*options, store=store)
        bench.backends.append(two)
        two.tokens = one.tokens
        two.prefix = ['env', 'LD_PRELOAD=' + dated(two.directory, ahead)]
        two.start()
        said = datetime.datetime.fromisoformat(two.log()[-1]['time'].replace('Z', '+00:00')).timestamp()
        assert abs(said - time.time() - ahead) < 100, 'it has another date'
        for backend in (one, two):
            wait_for(lambda: backend.call('GET', '/readyz').status == 200, PATIENCE, 'both to be ready')
        for number in range(15):
            heard = event()
            body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
            (one, two)[number % 2].call('POST', '/v1/commands', body, 'owner')
            first = together([lambda: offers(one, 'one', heard), lambda: offers(two, 'two', heard)])
            assert sorted(first) == [0, 1], (ahead, first)

            def is_same_at_the_other():
                then = [offers(two, 'one', heard), offers(one, 'two', heard)]
                assert then in (first, [0, 0]), (ahead, first, then)
                return then == first

            wait_for(is_same_at_the_other, PATIENCE, 'the other backend to hear of the command')

        def verdicts(backend):
            results = backend.upload([event(day=today(number)) for number in (-402, -399, 0, 1, 2, 3)]).json['results']
            return [(result['status'], result.get('code')) for result in results]

        def on_one_date():
            date = today()
            told = verdicts(one), verdicts(two)
            return today() == date and told

        told = wait_for(on_one_date, PATIENCE, 'both to judge on one date')
        wanted = [('rejected', 'dayExpired')] + [('accepted', None)] * 3 + [('rejected', 'dayInFuture')] * 2
        assert told == (wanted, wanted), (ahead, told)
        assert two.stop() == 0
    tell(4, 'clocks ± 200 s, ± 1 day: of 60 commands leased to two at once', 0, 'commands', at_most=0)


test_the_date_of_a_machine_plays_no_part.seconds = 240


def refused_at_a_terminal(store, *words):
    """Says no to what `luna backend` asks before it does something; returns the question."""
    master, slave = pty.openpty()
    try:
        process = subprocess.Popen(
            [LUNA, 'backend', *words, '--store', store], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        said = ''
        while '[y/N]' not in said:
            said += os.read(master, 4096).decode()
        os.write(master, b'n\n')
        assert process.wait(PATIENCE) == 1
        return said
    finally:
        os.close(master)


def test_statements_would_hold_on_many_servers(bench):
    """Every statement that the server gets, but for those of who looks after the days, against SCALE, 3.2."""
    server = Server('log_statement=all', 'log_line_prefix=%p|')
    try:
        store = server.database()
        log_path = os.path.join(server.connection(store)[1], 'log')
        one = Backend('--requests-per-second', '0', store=store)
        bench.backends.append(one)
        one.command('migrate')
        start = os.path.getsize(log_path)
        one.start()
        days = "SELECT count(*) FROM pg_class WHERE relname ~ '^events_[0-9]' AND relkind = 'r'"
        wait_for(lambda: server.ask(store, days) == ['415'], PATIENCE, 'all days to be made')
        events = [event(day=today(-number)) for number in range(20)]
        for _ in range(2):
            assert one.upload(events).status == 200
        assert len(one.stored([each['heid'] for each in events])) == len(events)
        made = one.call(
            'POST', '/v1/commands', {'controlPackages': [package(events[0]['heid'])], 'expiresAt': soon()}, 'owner').json['requestId']
        assert [offer['requestId'] for offer in one.upload(events[:1]).json['commandRequests']] == [made]
        said = {'requestId': made, 'heid': events[0]['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
        assert one.call('POST', '/remote-control-request/confirm', said, 'gateway').status == 204
        assert one.call('GET', '/v1/commands/' + made, role='owner').json['state'] == 'confirmed'
        assert one.call('DELETE', '/v1/commands/' + made, role='owner').status in (200, 409)
        left = Asked(one).left()
        assert not left, left
        assert one.upload([event(day=today(-40)) for _ in range(3)]).status == 200
        asked = refused_at_a_terminal(store, 'settings', 'retention=30')
        assert 'Drop 3 events that are older than 30 days?' in asked, asked
        assert one.stop() == 0
        with open(log_path) as log:
            log.seek(start)
            found = re.findall(r'^(\d+)\|LOG:  (?:statement|execute \S+): (.*(?:\n\t.*)*)', log.read(), re.MULTILINE)
        statements = [(process, ' '.join(text.split())) for process, text in found]
        keepers = {process for process, text in statements if 'SET lock_timeout' in text}
        # That there is something to see.
        assert [text for process, text in statements if process in keepers and 'ATTACH PARTITION' in text]
        others = [text for process, text in statements if process not in keepers]
        # In quotes it is a question to the catalogue.
        events_too = [text for text in others if re.search(r"\bluna\.events\b(?!')", text)]
        assert {text.split()[0] for text in events_too} == {'INSERT', 'SELECT'}, events_too
        for text in others:
            assert not re.match(r'(CREATE|ALTER|DROP|TRUNCATE|GRANT|LOCK|VACUUM|REINDEX|CLUSTER)\b', text), text
            assert not re.match(r'SET (?!client_min_messages)', text), text
            assert 'advisory' not in text, text
        tables = server.ask(store, """
            SELECT relname FROM pg_class WHERE relnamespace = 'luna'::regnamespace AND relkind IN ('r', 'p')
            AND relname !~ '^events_[0-9]'""")
        # That there is everything to see; the two others are for who signs in elsewhere, and for what is hardly ever so much.
        unseen = {table for table in tables if not [text for text in others if re.search(rf'\bluna\.{table}\b', text)]}
        assert unseen <= {'attempts', 'busy'}, unseen
        for text in events_too:
            wanted = ['ON CONFLICT(heid, day, event_id)'] if text.startswith('INSERT') else ['heid = ANY($1)', 'heid >= $2']
            assert any(key in text for key in wanted), text
        without_key = """
            SELECT relname FROM pg_class c WHERE relnamespace = 'luna'::regnamespace AND relkind IN ('r', 'p')
            AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)"""
        assert not server.ask(store, without_key)
        to_events = "SELECT conname FROM pg_constraint WHERE contype = 'f' AND confrelid = 'luna.events'::regclass"
        assert not server.ask(store, to_events)
        tell(11, f'of {len(statements)} statements against the rules', 0, 'statements', at_most=0)
    finally:
        bench.tidy()
        server.close()


test_statements_would_hold_on_many_servers.seconds = 180


def test_the_load_of_a_cluster_is_measured(bench):
    """That of somebody who has one, which need not be one of Citus."""
    words = ['cluster', '--luna', LUNA, '--store', bench.server.database(), '--seconds', '1']
    done = subprocess.run([os.path.join(ROOT, 'scripts', 'load'), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and 'acknowledged and not there, or twice' in done.stdout, done.stdout + done.stderr


test_the_load_of_a_cluster_is_measured.seconds = 120


def test_all_keep_events_as_long(bench):
    store = bench.server.database()
    one = Backend(store=store)
    bench.backends.append(one.start())
    old = [event(day=today(-number)) for number in (20, 40, 100)]
    # Its days are made after it has begun.
    taken = lambda: {result['status'] for result in one.upload(old).json['results']} <= {'accepted', 'duplicate'}
    wait_for(taken, PATIENCE, 'the old days to be made')
    # Another one that was given something else begins with nothing, and check-config says so before.
    for words in ([], ['check-config']):
        done = subprocess.run([LUNA, 'backend', *words, '--listen', '127.0.0.1:0', '--retention', '30', '--store', store],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 8 and 'retention 400' in done.stderr and '30' in done.stderr, done.stderr
    assert len(one.stored([e['heid'] for e in old])) == 3
    tell(5, 'events that are gone after one with another retention was refused', 0, 'events', at_most=0)
    shown = {line['setting']: line['value'] for line in one.command('settings')}
    assert shown['retention'] == 400 and len(shown) == 5, shown
    # One that was given nothing follows.
    two = Backend(store=store)
    bench.backends.append(two.start())
    two.tokens = one.tokens
    verdict = lambda backend, days: backend.upload([event(day=today(days))]).json['results'][0]
    wait_for(lambda: verdict(two, -399)['status'] == 'accepted', PATIENCE, 'the oldest day to be made')
    # A shorter one asks first: here is nobody to be asked.
    one.command('settings', 'retention=30', code=2)
    one.command('settings', 'retention=30', '--yes')
    followed = lambda: verdict(two, -40).get('code') == 'dayExpired'
    wait_for(followed, 2 * PATIENCE + 60, 'the other one to follow')
    three = Backend('--retention', '30', store=store)
    bench.backends.append(three.start())
    days = "SELECT min(substr(relname, 8)::int) FROM pg_class WHERE relname ~ '^events_[0-9]' AND relkind = 'r'"
    first = (datetime.date.fromisoformat(today(-30)) - datetime.date(1970, 1, 1)).days
    wait_for(lambda: int(bench.server.ask(store, days)[0]) >= first, PATIENCE, 'the old days to be dropped')
    assert len(one.stored([e['heid'] for e in old])) == 1


test_all_keep_events_as_long.seconds = 240


def test_what_is_cut_off_is_done_once(bench):
    """The connection to the database is cut after each of its messages in turn, until one is long enough for all of
    them: who repeats a request with its key gets what the first one has made."""
    store = bench.server.database()
    plain = Backend(store=store)
    plain.command('migrate')
    way = Cutter(store)
    try:
        one = bench.serve('--requests-per-second', '0', store=way.store)
        one.tokens = plain.tokens
        [plain.token('owner'), plain.token('gateway'), plain.token('gateway', 'other')]
        # Then hardly anybody else talks to the server.
        bench.wait_for_days(store)

        def until(status, method, path, body=None, number=None, **how):
            """The answer when it is not 503 any more."""
            headers = {'Idempotency-Key': f'key {number}'} if number is not None else {}

            def ask():
                answer = one.call(method, path, body, headers=headers, **how)
                assert answer.status in (status, 503), answer.body
                return answer.status == status and answer

            return wait_for(ask, PATIENCE, 'the request to be done')

        def command(number=None):
            return {'controlPackages': [package(event()['heid'])], 'expiresAt': soon()}

        def submit(number, body):
            return until(201, 'POST', '/v1/commands', body, number, role='owner').json['requestId']

        def is_the_same(number, body, name):
            assert submit(number, body) == name

        cuts = submitted = way.each(command, submit, is_the_same)
        assert bench.server.ask(store, 'SELECT count(*) FROM luna.commands') == [str(submitted)]

        tokens = []

        def is_good(number, code, answer):
            tokens.append(answer.json['token'])
            assert one.call('POST', '/trackerEvent', [], headers={'Authorization': 'Bearer ' + tokens[-1]}).status == 200

        cuts += way.each(
            lambda number: plain.command('enroll', f'gateway-{number}')[0]['code'],
            lambda number, code: until(201, 'POST', '/v1/gateways', {'code': code}, number), is_good)
        live = "SELECT count(*) FROM luna.tokens WHERE name LIKE 'gateway-%' AND revoked IS NULL"
        assert bench.server.ask(store, live) == [str(len(tokens))]
        everything = bench.server.dump(store)
        assert not [token for token in tokens if token in everything or token.split('-')[-1] in everything]

        def made(body):
            return until(201, 'POST', '/v1/commands', body, role='owner').json['requestId']

        def wanted(number):
            """A command, and events with one of the tracker that it is for."""
            body = command()
            return made(body), [event(heid=body['controlPackages'][0]['heid']), event(), event()]

        def upload(number, given):
            name, batch = given
            # The events are kept when the rest fails: then the command comes with the next upload.
            offers = lambda: until(200, 'POST', '/trackerEvent', batch, role='gateway').json['commandRequests']
            offered = wait_for(offers, PATIENCE, 'the command to be offered')
            assert [each['requestId'] for each in offered] == [name]

        def is_kept_once(number, given, _):
            others = until(200, 'POST', '/trackerEvent', given[1], role='gateway', name='other').json['commandRequests']
            assert not others, 'it is leased twice'
            assert bench.server.ask(store, 'SELECT count(*) FROM luna.events') == [str(3 * number + 3)]

        cuts += way.each(wanted, upload, is_kept_once)

        def offered(number):
            given = wanted(number)
            upload(number, given)
            heid = given[1][0]['heid']
            return {'requestId': given[0], 'heid': heid, 'outcome': 'done', 'receipt': 'A' * 23 + '='}

        state = lambda name: until(200, 'GET', '/v1/commands/' + name, role='owner').json['state']

        def is_confirmed(number, said, _):
            assert state(said['requestId']) == 'confirmed'

        cuts += way.each(
            offered, lambda number, said: until(204, 'POST', '/remote-control-request/confirm', said, role='gateway'), is_confirmed)

        def is_cancelled(number, name, _):
            assert state(name) == 'cancelled'

        cuts += way.each(
            lambda number: made(command()),
            lambda number, name: until(200, 'DELETE', '/v1/commands/' + name, role='owner'), is_cancelled)
        tell(6, 'cuts after each message of five requests: what was done twice, or got lost', 0, 'requests', at_most=0)
        tell(6, 'of these, cuts', cuts)
    finally:
        way.close()
        plain.close()


test_what_is_cut_off_is_done_once.seconds = 400


def test_a_commit_that_is_cut_off_is_looked_up(bench):
    """The connection to the database is cut where it says that something is kept, at each such moment of a request in turn.
    Nothing names these requests: each is answered all the same, once, with what was kept."""
    store = bench.server.database()
    plain = Backend(store=store)
    plain.command('migrate')
    way = CommitCutter(store)
    try:
        site = 'https://luna.example'
        one = bench.serve('--requests-per-second', '0', '--public-url', site, '--trust-proxy', '127.0.0.1', store=way.store)
        one.tokens = plain.tokens
        plain.token('gateway')
        admin = {'Authorization': 'Bearer ' + plain.command('token', 'create', 'admin', 'op', '--role', 'admin')[0]['token']}
        count = lambda what: int(bench.server.ask(store, 'SELECT count(*) FROM luna.' + what)[0])

        def once(number, found):
            assert found == 1, (number, found)

        # Then hardly anybody else talks to the server.
        bench.wait_for_days(store)
        addresses = itertools.count(1)

        def visit(path, body):
            """From an address of its own, as there is a limit for each."""
            number = next(addresses)
            sent = {'Host': 'luna.example', 'Origin': site, 'X-Forwarded-For': f'198.51.{number // 250}.{number % 250 + 1}'}
            return one.call('POST', path, body, headers=sent)

        def invite(number, name, at):
            """What an account is added for: the link of its invitation."""
            done = subprocess.run(
                [LUNA, 'account', 'add', name, '--role', 'operator', '--store', at, '--public-url', site],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode == 0, (number, done.stderr)
            secret = re.search(r'/ui/invitation#([\w-]+)', done.stdout)[1]
            return {'name': name, 'secret': secret, 'password': 'correct horse battery'}

        def accept(number, body):
            answer = visit('/v1/invitation', body)
            assert answer.status == 201, (number, answer.body)

        sessions = lambda body: count(f"sessions WHERE account = '{body['name']}'")

        def sign_in(number, body):
            answer = visit('/v1/session', body)
            assert answer.status == 200, (number, answer.body)

        ada = invite(0, 'ada', store)
        accept(0, ada)
        del ada['secret']

        cuts = way.each(
            lambda number: invite(number, f'bob{number}', store), accept,
            lambda number, body, _: once(number, sessions(body)))
        cuts += way.each(
            lambda number: sessions(ada), lambda number, _: sign_in(number, ada),
            lambda number, before, _: once(number, sessions(ada) - before))
        cuts += way.each(
            lambda number: f'eve{number}', lambda number, name: invite(number, name, way.store),
            lambda number, _, body: accept(number, body))

        def add(number, name):
            answer = one.call('POST', '/v1/gateways', {'name': name, 'allowNoPosition': True}, headers=admin)
            assert answer.status == 201, (number, answer.body)
            return answer.json['code']

        def is_good(number, name, code):
            once(number, count(f"fleet WHERE folded = '{name}'"))
            assert one.call('POST', '/v1/gateways', {'code': code}).status == 201

        cuts += way.each(lambda number: f'roof {number}', add, is_good)

        def record(number, _):
            telemetry = {
                'product': 'test', 'health': {'diskFreeMiB': 5000}, 'items': ties.items(f'cut {number}', 'luna.event.test')[:1]}
            answer = one.call('POST', '/v1/telemetry', telemetry, 'gateway')
            assert [each['status'] for each in answer.json['results']] == ['accepted'], (number, answer.body)

        recorded = lambda: int(bench.server.ask(store, 'SELECT coalesce(sum(count), 0)::int8 FROM luna.telemetry_sums')[0])
        cuts += way.each(
            lambda number: recorded(), record, lambda number, before, _: once(number, recorded() - before))

        cut_off = Backend(store=way.store)
        cuts += way.each(
            lambda number: f'cellar-{number}', lambda number, name: cut_off.command('token', 'create', 'gateway', name),
            lambda number, name, _: once(number, count(f"tokens WHERE name = '{name}'")))
        cut_off.close()
        tell(6, 'commits cut off, of six requests: what was done twice, or got lost', 0, 'requests', at_most=0)
        tell(6, 'of these, cuts', cuts)
    finally:
        way.close()
        plain.close()


test_a_commit_that_is_cut_off_is_looked_up.seconds = 200


def test_survives_kills_of_both(bench):
    survives_kills(bench.two(), KILLS)


def test_survives_crashes_of_the_server(bench):
    one, two = bench.two()
    stop = threading.Event()
    answered, problems = [], []
    [b.token('gateway') for b in (one, two)]

    def upload(backend):
        while not stop.is_set():
            batch = [event() for _ in range(10)]
            while not stop.is_set():
                answer = backend.upload(batch)
                if answer.status == 200:
                    answered.extend(batch)
                    break
                if answer.status != 503:
                    problems.append((answer.status, answer.body))
                    return
                time.sleep(0.05)

    threads = [threading.Thread(target=upload, args=(b,)) for b in (one, two, one, two)]
    [thread.start() for thread in threads]
    for _ in range(3):
        before = len(answered)
        bench.server.crash()
        wait_for(lambda: problems or len(answered) > before + 100, PATIENCE, 'uploads to go on')
    stop.set()
    [thread.join() for thread in threads]
    assert not problems, (problems[0], [line for b in (one, two) for line in open(b.log_path) if '"kind":"failed"' in line][:3])
    assert len(one.stored([e['heid'] for e in answered])) == len(answered)


def test_a_restart_is_two_lines(bench):
    one, two = bench.two()
    batch = [event() for _ in range(5)]
    one.token('gateway')
    together([lambda b=b: b.upload(batch) for b in (one, two) for _ in range(8)])
    before = [len(b.log()) for b in (one, two)]
    stop = threading.Event()

    def upload(backend):
        while not stop.is_set():
            assert backend.upload(batch, check=False).status in (200, 503)
            backend.call('GET', '/readyz', check=False)

    threads = [threading.Thread(target=upload, args=(b,)) for b in (one, two) for _ in range(4)]
    [thread.start() for thread in threads]
    bench.server.crash()
    works = lambda b: any('works again' in line['message'] for line in b.log())
    wait_for(lambda: works(one) and works(two), PATIENCE, 'the storage to work again')
    stop.set()
    [thread.join() for thread in threads]
    for backend, start in zip((one, two), before):
        # Every line is JSON (or reading the log fails), and there are two.
        lines = [line for line in backend.log()[start:] if line['level'] != 'debug']
        assert [line.get('kind') for line in lines] == ['unavailable', None], lines
        assert 'PostgreSQL' in lines[0]['message'] and 'works again' in lines[1]['message'], lines


def test_notices_are_lines_of_the_log(bench):
    one, _ = bench.two()
    host, name = (re.search(key + r'=(\S+)', one.store).group(1) for key in ('host', 'dbname'))
    sql = """
      CREATE FUNCTION luna.warn() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE WARNING E'look "here"\\nand there'; RETURN NEW; END $$;
      CREATE TRIGGER warn BEFORE INSERT ON luna.events FOR EACH ROW EXECUTE FUNCTION luna.warn();
    """
    subprocess.run(['psql', '-q', '-h', host, '-U', 'luna', '-d', name, '-c', sql], check=True)
    assert one.upload([event()]).status == 200
    said = [line for line in one.log() if 'look' in line['message']]
    assert len(said) == 1 and said[0]['message'] == 'PostgreSQL says: look "here" and there', said


def test_what_no_standby_has_is_not_acknowledged(bench):
    """While the synchronous standby is gone, all hear in time that nothing is kept, whatever they repeat, though the
    server itself has it, and whoever breaks off its waits; once it is back they are acknowledged."""
    # The setting is one of the whole server, which keeps what the standby will ask for.
    server = Server('wal_keep_size=256MB')
    standby = None
    try:
        store = server.database()
        one = Backend('--events-per-second', '0', store=store)
        bench.backends.append(one.start())
        days = "SELECT count(*) FROM pg_class WHERE relname ~ '^events_[0-9]' AND relkind = 'r'"
        wait_for(lambda: server.ask(store, days) == ['415'], PATIENCE, 'all days to be made')
        heard = event()
        body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
        made = one.call('POST', '/v1/commands', body, 'owner').json['requestId']
        assert [offer['requestId'] for offer in one.upload([heard]).json['commandRequests']] == [made]
        said = {'requestId': made, 'heid': heard['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
        confirm = lambda: one.call('POST', '/remote-control-request/confirm', said, 'gateway')

        def warned():
            done = subprocess.run([LUNA, 'backend', 'check-config', '--listen', '127.0.0.1:0', '--store', store],
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
            assert done.returncode == 0, done.stderr
            return 'standby' in done.stderr

        assert warned()
        standby = Standby(server, store)
        assert not warned()
        assert one.upload([event()]).status == 200 and one.call('GET', '/readyz').status == 200

        standby.stop()
        batch, kept = [event() for _ in range(3)], 'SELECT count(*) FROM luna.events'
        waiting = lambda: server.ask(store, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") != ['0']

        def while_waits_are_broken_off(ask):
            """Somebody ends all waits, which the server itself takes for success."""
            answers = []
            asking = threading.Thread(target=lambda: answers.append(ask()))
            asking.start()
            while asking.is_alive():
                server.ask(store, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                asking.join(0.1)
            return answers[0]

        # It is there from the first time on.
        for ask in (lambda: one.upload(batch), lambda: one.upload(batch), confirm):
            told = while_waits_are_broken_off(ask)
            assert (told.status, told.code) == (503, 'storageUnavailable'), told.body
        assert server.ask(store, kept) == ['5']
        answers = []
        first = threading.Thread(target=lambda: answers.append(one.upload(batch)))
        first.start()
        wait_for(waiting, PATIENCE, 'the upload to wait for the standby')
        # Whoever asks whether it is ready does not wait for as long.
        wait_for(lambda: one.call('GET', '/readyz').status == 503, PATIENCE, 'the backend to say that it is not ready')
        assert not answers
        first.join()
        assert (answers[0].status, answers[0].code) == (503, 'storageUnavailable'), answers[0].body

        def refused():
            """More than there are connections: they wait for their turn, too."""
            told = together([lambda: one.upload(batch)] * 4 + [confirm] * 2)
            assert [answer.status for answer in told] == [503] * 6, [answer.body for answer in told]

        for _ in range(2):
            refused()
            # It is there, and nobody waits any more.
            wait_for(lambda: not waiting(), PATIENCE, 'the waits to be broken off')
            assert server.ask(store, kept) == ['5']
        server.crash()
        # The connections may be lost: that is 503 as well.
        refused()
        refused()
        assert server.ask(store, kept) == ['5']

        standby.start()
        taken = wait_for(lambda: (answer := one.upload(batch)).status == 200 and answer, PATIENCE, 'uploads to be taken')
        assert [result['status'] for result in taken.json['results']] == ['duplicate'] * 3
        wait_for(lambda: confirm().status == 204, PATIENCE, 'confirmations to be taken')
        wait_for(lambda: one.call('GET', '/readyz').status == 200, PATIENCE, 'the backend to be ready')
        replica = 'postgres:' + re.sub(r'host=\S+', 'host=' + standby.folder, store.removeprefix('postgres:'))
        wait_for(lambda: server.ask(replica, kept) == ['5'], PATIENCE, 'the standby to show it')
    finally:
        if standby:
            standby.close()
        server.close()


test_what_no_standby_has_is_not_acknowledged.seconds = 300


def test_servers_that_say_nothing_are_not_waited_for(bench):
    """However many are named: whoever asks hears in time that nothing is kept."""
    way = Cutter(bench.server.database())
    try:
        # The time for all of them is many times that for one request.
        one = Backend('--events-per-second', '0', store=way.store.replace(way.folder, ','.join([way.folder] * 20)))
        bench.backends.append(one.start())
        assert one.upload([event()]).status == 200
        way.silence()
        batch, slowest = [event() for _ in range(3)], {'upload': 0, 'readyz': 0}

        def timed(what, ask):
            began = time.monotonic()
            answer = ask()
            slowest[what] = max(slowest[what], time.monotonic() - began)
            return answer.status

        for _ in range(2):
            uploads = [lambda: timed('upload', lambda: one.upload(batch))] * 6
            asks = [lambda: timed('readyz', lambda: one.call('GET', '/readyz'))] * 2
            assert together(uploads + asks) == [503] * 8
        tell(8, 'until an upload is refused, where servers say nothing', slowest['upload'], 's', at_most=10)
        tell(8, 'until /readyz answers, where servers say nothing', slowest['readyz'], 's', at_most=2)
        assert slowest['upload'] < never(10) and slowest['readyz'] < never(2), slowest
        way.speak()
        wait_for(lambda: one.upload(batch).status == 200, PATIENCE, 'uploads to be taken')
        wait_for(lambda: one.call('GET', '/readyz').status == 200, PATIENCE, 'the backend to be ready')
    finally:
        way.close()


test_servers_that_say_nothing_are_not_waited_for.seconds = 240


def test_a_long_read_stops_no_upload(bench):
    """Days are made and dropped beside a read and a dump, which hold all of them."""
    store = bench.server.database()
    one = Backend('--events-per-second', '0', store=store)
    bench.backends.append(one.start())
    days = lambda: set(bench.server.ask(store, "SELECT relname FROM pg_class WHERE relname ~ '^events_[0-9]' AND relkind = 'r'"))
    # 400 days back, today, and 14 ahead.
    wait_for(lambda: len(days()) == 415, PATIENCE, 'all days to be made')
    one.token('gateway')

    def slowest(done):
        """Uploads until something is so: the longest that one took."""
        longest = 0
        while True:
            began = time.monotonic()
            answer = one.upload([event() for _ in range(10)], check=False)
            longest = max(longest, time.monotonic() - began)
            assert answer.status == 200, answer.body
            if done():
                return longest

    count = iter(range(50))
    usual = slowest(lambda: next(count, None) is None)
    # Ten times as slow on a busy machine, or 0.8 s: who waits for a lock waits for a second.
    late = event(day=today(-30))
    bench.server.ask(store, f'DROP TABLE luna.events_{(datetime.date.fromisoformat(late["day"]) - datetime.date(1970, 1, 1)).days}')
    with bench.server.reading(store, 'SELECT count(*) FROM luna.events'), bench.server.dumping(store):
        answer = one.upload([late, event()]).json['results']
        assert [result['status'] for result in answer] == ['rejected', 'accepted'], answer
        assert (answer[0]['code'], answer[0]['permanent']) == ('storageUnavailable', False), answer
        made = lambda: one.upload([late]).json['results'][0]['status'] == 'accepted'
        making = slowest(made)
        tell(2, 'the longest upload while a day is made under a read and a dump', making, 's', at_most=0.2)
        assert making < max(0.8, 10 * usual), (making, usual)
        # All are to keep events for a month only: what is older cannot leave while somebody reads it.
        one.command('settings', 'retention=30', '--yes')
        other = Backend(store=store)
        bench.backends.append(other.start())
        refused = lambda: [line for line in other.log() if line.get('kind') == 'unavailable']
        dropping = slowest(refused)
        tell(2, 'the longest upload while one is to be dropped under them', dropping, 's', at_most=1.2)
        assert dropping < max(1.2, 10 * usual), (dropping, usual)
        assert len(days()) == 415
    other.stop()
    bench.backends.append(Backend('--retention', '30', store=store).start())
    wait_for(lambda: len(days()) == 45, PATIENCE, 'old days to be dropped')
    assert one.upload([event()]).json['results'][0]['status'] == 'accepted'


test_a_long_read_stops_no_upload.seconds = 240


def test_what_people_look_for_stops_no_upload(bench):
    """More reads than there are connections wait for somebody who holds what they ask for."""
    store = bench.server.database()
    one = bench.serve('--events-per-second', '0', '--requests-per-second', '0', store=store)
    assert one.upload([event()]).status == 200
    gateway = one.call('GET', '/v1/gateways', role='admin').json['gateways'][0]['id']
    path, answers = f'/v1/gateways/{gateway}/samples?step=5m', []
    look = lambda: answers.append(one.call('GET', path, role='admin'))
    look()
    assert answers.pop().status == 200
    with bench.server.reading(store, 'LOCK TABLE luna.samples; SELECT 1'):
        threads = [threading.Thread(target=look) for _ in range(8)]
        [thread.start() for thread in threads]
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        wait_for(lambda: bench.server.ask(store, waiting) != ['0'], PATIENCE, 'a read to wait')
        for _ in range(5):
            assert one.upload([event()]).status == 200
        assert not answers, 'uploads wait for reads'
        [thread.join() for thread in threads]
    assert {(answer.status, answer.code) for answer in answers} == {(503, 'storageUnavailable')}, answers
    assert all(int(answer.headers['retry-after']) > 0 for answer in answers)
    look()
    assert answers[-1].status == 200


def test_a_pooler_is_refused(bench):
    store = bench.server.database()
    Backend(store=store).command('migrate')
    if not os.path.exists('/usr/sbin/pgbouncer'):
        raise NotRun('pgbouncer is not installed')
    for mode in ('transaction', 'session'):
        with bench.server.pooled(store, mode) as pooled:
            said = Backend(store=pooled).command('migrate', code=7)
            assert 'pooler' in said and said.count('\n') <= 2, said
    tell(15, 'poolers (transaction, session) that are not refused with a sentence', 0, 'poolers', at_most=0)


def balanced(bench, *options, balance=None):
    """HAProxy before two backends, of which a token may ask 5 times a second, and upload 2 events."""
    store = bench.server.database()
    made = [
        Backend('--trust-proxy', '127.0.0.1', '--requests-per-second', '5', '--events-per-second', '2', *options, store=store)
        for _ in range(2)
    ]
    bench.backends += made
    made[1].tokens = made[0].tokens
    front = Balancer([backend.start() for backend in made], balance)
    # Ends first.
    bench.backends.append(front)
    return front.start()


def each_limit_holds_once(front, parts=1):
    """However somebody asks, two backends allow what one would."""
    token = front.token('owner')
    letters = [(letter.lower(), letter.upper()) for letter in 'bearer']
    schemes = map(''.join, itertools.product(*letters))
    # A token has spaces before it, and blanks of both kinds around all of it.
    around = itertools.cycle(['', ' ', '\t', ' \t  ', '\t\t'])
    spell = lambda scheme, spaces: f'{next(around)}{scheme}{" " * spaces}{token}{next(around)}'
    spellings = itertools.cycle([spell(scheme, 1 + number % 24) for number, scheme in enumerate(schemes)])
    ask = lambda: front.call('GET', '/v1/commands', headers={'Authorization': next(spellings)})

    def holds(what, ask, wanted, allowed, a_second):
        began = time.monotonic()
        statuses = until_limited(ask, allowed, a_second, parts)
        assert set(statuses) == {wanted, 429}, statuses
        most = allowed + a_second * (time.monotonic() - began)
        way = 'by token' if parts == 1 else f'in {parts} parts, round robin'
        tell(3, f'{what}, {way}: as much as one alone allows', (len(statuses) - 1) / most, '×', at_most=1.1)

    holds('requests of an owner in 64 spellings', ask, 200, 20, 5)
    holds('events of a gateway', lambda: front.upload([event()]), 200, 40, 2)
    numbers = itertools.count(1)

    def guess():
        number = next(numbers)
        headers = {'Authorization': f'Bearer luna-gateway-{number:064x}', 'X-Forwarded-For': f'192.0.2.{number}'}
        return front.call('POST', '/v1/gateways', {'code': '0' * 32}, headers=headers)

    holds('codes with an Authorization of the choice of who tries them', guess, 403, 10, 1)
    # Another address is another client: where it is comes from the balancer.
    assert front.call('POST', '/v1/gateways', {'code': '0' * 32}, source='127.0.0.2').status == 403


def test_limits_hold_behind_a_balancer_by_token(bench):
    needs_balancer()
    front = balanced(bench)
    each_limit_holds_once(front)
    # Both have something to do, and either can do it alone.
    front.token('admin')
    tokens = [front.command('token', 'create', 'owner', f'owner-{number}')[0]['token'] for number in range(16)]
    asked = lambda: {front.call('GET', '/v1/commands', headers={'Authorization': 'Bearer ' + token}).status for token in tokens}
    assert asked() == {200}
    for backend in front.backends:
        assert 'listCommands' in backend.call('GET', '/metrics', role='admin').body.decode()
    front.backends[0].stop()
    # What it was asked in that moment is answered by the balancer, not as the document has it.
    status = lambda token: front.call('GET', '/v1/commands', headers={'Authorization': 'Bearer ' + token}, check=False).status
    for token in tokens:
        wait_for(lambda: status(token) in (200, 429), PATIENCE, 'the other one to answer')


test_limits_hold_behind_a_balancer_by_token.seconds = 240


def test_limits_hold_in_parts(bench):
    needs_balancer()
    each_limit_holds_once(balanced(bench, '--of', '2', balance='roundrobin'), parts=2)


test_limits_hold_in_parts.seconds = 240


def test_a_check_of_the_network_stays_where_it_began(bench):
    """Its session has a token and its data none: a backend knows of its own sessions alone."""
    needs_balancer()
    front = balanced(bench, '--uplink')
    client = UplinkClient(front.port)
    for number in range(8):
        # Each from an address of its own, so that both backends have some.
        source = f'127.0.0.{2 + number}'
        with client.open(front.token('gateway', f'gateway-{number}'), source) as side:
            assert side.status == 101 and side.enter()
            token = side.token(10_000)
            answer = front.call('POST', '/v1/uplink/slot/' + token, bytes(10_000), source=source, check=False)
            assert answer.status == 204, (number, answer.status)
            assert side.receipt()['bytes'] == 10_000
            side.bye()


test_a_check_of_the_network_stays_where_it_began.seconds = 120


def test_a_tracker_is_counted_at_both(bench):
    store = bench.server.database()
    made = [Backend('--events-per-second', '0', '--events-per-identifier', '20', store=store) for _ in range(2)]
    bench.backends += made
    one, two = [backend.start() for backend in made]
    two.tokens = one.tokens
    heids = [event()['heid'] for _ in range(200)]
    hour = lambda: int(time.time()) // 3600
    filled = None

    def fill():
        for backend, times in ((one, 18), (two, 3)):
            for _ in range(times):
                backend.upload([event(heid=heid) for heid in heids])

    asked = 0

    def refused():
        nonlocal filled, asked
        # They count anew with each hour.
        if filled != hour():
            filled, asked = hour(), 0
            fill()
        # Of another one each time, so that the count of this one alone is far from the limit.
        heid, asked = heids[asked % len(heids)], asked + 1
        result = two.upload([event(heid=heid)]).json['results'][0]
        return result['status'] == 'rejected' and result

    result = wait_for(refused, PATIENCE, 'one to hear what the other one took')
    assert (result['code'], result['permanent']) == ('rateLimited', False), result
    assert asked < 10 * len(heids), asked


test_a_tracker_is_counted_at_both.seconds = 240


def test_a_part_is_for_several(bench):
    def checked(store):
        done = subprocess.run([LUNA, 'backend', 'check-config', '--listen', '127.0.0.1:0', '--of', '2', '--store', store],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stderr

    several, alone = Backend(store=bench.server.database()), Backend()
    bench.backends += [several, alone]
    for backend in (several, alone):
        backend.command('migrate')
    assert '--of' not in checked(several.store) and 'one backend' in checked(alone.store)


def test_options_are_used(bench):
    store = bench.server.database()
    backend = Backend('--store-connections', '7', '--threads', '3', store=store)
    bench.backends.append(backend.start())
    backend.token('gateway')
    together([lambda: backend.upload([event()]) for _ in range(40)])
    host, name = (re.search(key + r'=(\S+)', store).group(1) for key in ('host', 'dbname'))
    sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'luna'"
    count = int(subprocess.run(['psql', '-At', '-h', host, '-U', 'luna', '-d', name, '-c', sql], check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert 4 < count <= 7, count
    backend.store = 'postgres:host=/nowhere user= = x'
    said = backend.command('migrate', code=2)
    assert 'x' not in said.split('settings')[0][-1:] and said.count('\n') == 1, said


def test_full_disk(bench):
    needs_root('mount a small disk')
    # A tablespace on a small disk of its own; the server's log and its catalogue stay where they are.
    folder = tempfile.mkdtemp(prefix='luna-small.')
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=12m,mode=0777', 'tmpfs', folder], check=True)
    try:
        os.mkdir(folder + '/space')
        subprocess.run(['chown', 'nobody:nogroup', folder + '/space'], check=True)
        os.chmod(folder, 0o755)
        store = bench.server.database()
        host, name = (re.search(key + r'=(\S+)', store).group(1) for key in ('host', 'dbname'))
        psql = lambda *words: subprocess.run(['psql', '-q', '-h', host, '-U', 'luna', *words], check=True)
        psql('-d', 'postgres', '-c', f"CREATE TABLESPACE small LOCATION '{folder}/space'")
        # The room for sorting stays where it is.
        psql('-d', 'postgres', '-c', f'ALTER DATABASE {name} SET default_tablespace = small')
        backend = Backend('--events-per-second', '0', store=store)
        bench.backends.append(backend.start())
        kept, answer = [], None
        backend.token('owner')
        for _ in range(300):
            batch = [event() for _ in range(200)]
            answer = backend.upload(batch)
            if answer.status != 200:
                break
            kept += batch
        assert answer.status == 503 and answer.code == 'storageFull', (answer.status, answer.code, len(kept))
        assert len(kept) > 500 and int(answer.headers['retry-after']) > 0
        assert backend.call('GET', '/readyz').status == 503
        assert len(backend.stored([e['heid'] for e in kept])) == len(kept)
        for _ in range(10):
            backend.upload(batch)
        lines = [line for line in backend.log() if line.get('kind') == 'full']
        assert len(lines) == 1, lines
        subprocess.run(['mount', '-o', 'remount,size=100m', folder], check=True)
        wait_for(lambda: backend.upload(batch).status == 200, PATIENCE, 'the backend to go on')
        assert len(backend.stored([e['heid'] for e in kept + batch])) == len(kept) + len(batch)
        backend.close()
        subprocess.run(['dropdb', '-h', host, '-U', 'luna', '--force', name], check=True)
        psql('-d', 'postgres', '-c', 'DROP TABLESPACE small')
    finally:
        subprocess.run(['umount', '-l', folder], check=True)
        os.rmdir(folder)


for slow in (test_a_restart_is_two_lines, test_full_disk, test_what_people_look_for_stops_no_upload, test_either_takes_and_gives, test_a_command_goes_through_one):
    slow.seconds = 120
for slow in (test_survives_kills_of_both, test_survives_crashes_of_the_server):
    slow.seconds = 180

REASON = absent()
if REASON:
    print(f'backendpostgres is left out: {REASON}', file=sys.stderr)
    for name in [name for name in globals() if name.startswith('test_')]:
        del globals()[name]
