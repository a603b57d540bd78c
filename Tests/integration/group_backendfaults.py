"""`luna backend` on PostgreSQL where not all is as it should be: a role that may not change tables, a program of the version
before; and what several backends know of each other: who is signed in, events of one tracker, and commands.
"""

import datetime
import os
import re
import subprocess
import sys
import time
import urllib.parse

from backends import LUNA, PATIENCE, Backend, event, package, soon, today
from bench import wait_for
from figures import tell
from postgres import DAYS, Bench, Server, absent

IN_VM = False
# How many events of one tracker are taken in an hour, and how many are sent in a second.
PER_TRACKER, A_SECOND = 200, 10


def prepare(mode):
    return Bench()


def test_who_may_not_change_tables_serves_and_makes_no_days(bench):
    store = bench.server.database()
    one = bench.serve('--events-per-second', '0', store=store)
    bench.wait_for_days(store)
    [one.token(role) for role in ('gateway', 'owner')]
    bench.server.ask(store, """
        CREATE ROLE serves LOGIN;
        GRANT USAGE ON SCHEMA luna TO serves;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA luna TO serves;
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA luna TO serves""")
    assert one.stop() == 0
    two = bench.serve('--events-per-second', '0', store=store.replace('user=luna', 'user=serves'))
    two.tokens = one.tokens
    late, heard = event(day=today(-30)), event()
    missing = (datetime.date.fromisoformat(late['day']) - datetime.date(1970, 1, 1)).days
    bench.server.ask(store, f'DROP TABLE luna.events_{missing}')
    results = two.upload([late, heard]).json['results']
    assert [result['status'] for result in results] == ['rejected', 'accepted'], results
    assert (results[0]['code'], results[0]['permanent']) == ('storageUnavailable', False), results
    denied = lambda: [line for line in two.log() if line.get('kind') == 'denied']
    wait_for(denied, PATIENCE, 'it to say what it may not do')
    assert len(denied()) == 1, denied()
    # It does all else.
    body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
    made = two.call('POST', '/v1/commands', body, 'owner').json['requestId']
    assert [offer['requestId'] for offer in two.upload([heard]).json['commandRequests']] == [made]
    assert two.call('GET', '/readyz').status == 200
    made = "SELECT count(*) FROM pg_class WHERE relname ~ '^events_[0-9]+$' AND relkind = 'r'"
    assert bench.server.ask(store, made) == [str(DAYS - 1)]
    one.start()
    bench.wait_for_days(store)
    taken = lambda: two.upload([late]).json['results'][0]['status'] == 'accepted'
    wait_for(taken, PATIENCE, 'the late event to be taken')


def test_a_version_before_does_not_start(bench):
    store = bench.server.database()
    Backend(store=store).command('migrate')
    bench.server.ask(store, 'UPDATE luna.schema SET version = version + 1')
    for words in (['--listen', '127.0.0.1:0'], ['check-config', '--listen', '127.0.0.1:0'], ['migrate']):
        done = subprocess.run([LUNA, 'backend', *words, '--store', store],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 8 and 'newer version' in done.stderr, (words, done.returncode, done.stderr)
        assert done.stderr.count('\n') <= 2, done.stderr


def test_who_signs_in_at_one_is_known_to_the_other(bench):
    """Sessions, programs that wait to be approved, and what they get are rows: behind a balancer two are one."""
    store, url = bench.server.database(), 'https://luna.example'
    one, two = [bench.serve('--public-url', url, '--requests-per-second', '0', store=store) for _ in range(2)]
    site = {'Host': 'luna.example', 'Origin': url}
    done = subprocess.run(
        [LUNA, 'account', 'add', 'ada', '--role', 'operator', '--store', store, '--public-url', url],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    secret = re.search(r'/ui/invitation#([\w-]+)', done.stdout)[1]
    begun = one.call('POST', '/v1/invitation', {'name': 'ada', 'secret': secret, 'password': 'correct horse battery'}, headers=site)
    assert begun.status == 201, begun.body
    session = site | {'Cookie': begun.headers['set-cookie'].split(';')[0], 'Luna-CSRF': begun.json['csrf']}
    for backend in (one, two):
        assert backend.call('GET', '/v1/sessions', headers=session).status == 200

    def form(backend, path, **fields):
        headers = site | {'Content-Type': 'application/x-www-form-urlencoded'}
        answer = backend.call('POST', path, urllib.parse.urlencode({'client_id': 'luna', **fields}).encode(), headers=headers)
        assert answer.status == 200, answer.body
        return answer.json

    waiting = form(one, '/oauth/device_authorization', scope='gateway:kitchen')
    approved = two.call('POST', '/v1/sign-ins/' + waiting['user_code'], {'approve': True}, headers=session)
    assert approved.status == 200, approved.body
    tokens = form(one, '/oauth/token', grant_type='urn:ietf:params:oauth:grant-type:device_code', device_code=waiting['device_code'])
    upload = lambda backend: backend.call(
        'POST', '/trackerEvent', [event()], headers=site | {'Authorization': 'Bearer ' + tokens['access_token']}).status
    assert (upload(one), upload(two)) == (200, 200)
    tokens = form(two, '/oauth/token', grant_type='refresh_token', refresh_token=tokens['refresh_token'])
    assert (upload(one), upload(two)) == (200, 200)
    # What ends at one has ended at both.
    form(two, '/oauth/revoke', token=tokens['refresh_token'])
    assert (upload(one), upload(two)) == (401, 401)
    assert two.call('DELETE', '/v1/session', headers=session).status == 204
    for backend in (one, two):
        assert backend.call('GET', '/v1/sessions', headers=session).status == 401


def test_two_take_hardly_more_of_a_tracker_than_one(bench):
    """Ten events a second of one tracker, in turn to both: for as long as an hour lasts no more than one alone takes, a
    tenth, and what comes until they have told each other."""
    store = bench.server.database()
    options = ['--events-per-second', '0', '--events-per-identifier', str(PER_TRACKER)]
    both = [bench.serve(*options, store=store) for _ in range(2)]
    both[1].tokens = both[0].tokens
    both[0].token('gateway')
    hour = lambda: int(time.time()) // 3600

    def taken():
        """How many, until both have refused all for longer than they take to tell each other."""
        heid, began, first = event()['heid'], time.monotonic(), hour()
        count = number = refused = 0
        while refused < 15 * A_SECOND:
            time.sleep(max(0, began + number / A_SECOND - time.monotonic()))
            result = both[number % 2].upload([event(heid=heid)]).json['results'][0]
            number += 1
            if result['status'] == 'accepted':
                count, refused = count + 1, 0
            else:
                assert (result['code'], result['permanent']) == ('rateLimited', False), result
                refused += 1
        # They count anew with each hour.
        return hour() == first and count

    count = wait_for(taken, PATIENCE, 'an hour that lasts long enough')
    most = PER_TRACKER * 11 // 10 + 10 * A_SECOND
    tell(3, f'events of a tracker of which {PER_TRACKER} an hour are allowed, {A_SECOND} a second to both', count, 'events', at_most=most)
    assert PER_TRACKER <= count <= most, count


test_two_take_hardly_more_of_a_tracker_than_one.seconds = 240


def test_uploads_look_for_commands_only_where_some_wait(bench):
    server = Server('log_statement=all')
    try:
        store = server.database()
        log_path = os.path.join(server.connection(store)[1], 'log')
        one, two = [bench.serve('--events-per-second', '0', store=store) for _ in range(2)]
        two.tokens = one.tokens
        [one.token(role) for role in ('gateway', 'owner')]

        def looks(batch):
            """Whether an upload had the database look for commands."""
            start = os.path.getsize(log_path)
            assert one.upload(batch).status == 200
            with open(log_path) as log:
                log.seek(start)
                return 'p.data FROM luna.packages' in log.read()

        assert looks([event()])
        # It has to watch for a minute before it relies on what it sees.
        wait_for(lambda: not looks([event()]), PATIENCE, 'uploads to look for nothing')
        heard = event()
        body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
        made = two.call('POST', '/v1/commands', body, 'owner').json['requestId']
        offers = lambda: one.upload([heard, event()]).json['commandRequests']
        offered = wait_for(offers, PATIENCE, 'the one to hear of what the other one has taken')
        assert [offer['requestId'] for offer in offered] == [made]
        assert looks([heard]) and not looks([event()])
        # The one that takes it knows at once.
        heard = event()
        body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
        assert one.call('POST', '/v1/commands', body, 'owner').status == 201 and offers()
    finally:
        bench.tidy()
        server.close()


test_uploads_look_for_commands_only_where_some_wait.seconds = 240

REASON = absent()
if REASON:
    print(f'backendfaults is left out: {REASON}', file=sys.stderr)
    for name in [name for name in globals() if name.startswith('test_')]:
        del globals()[name]
