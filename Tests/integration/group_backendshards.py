"""`luna backend` on a database whose events are spread over several servers (SCALE, part 7): a stand-in for Citus, which is in
no registry, made of PostgreSQL's own means.

LUNA_SHARD_KILLS is how often each of the three workers is killed, and the coordinator.
"""

import collections
import json
import os
import re
import signal
import socket
import sys
import threading
import time

from backends import PATIENCE, event, package, soon, together
from bench import never, wait_for
from figures import tell
from postgres import Backends, StandIn, absent
from tester import find_undocumented, together_or_first

IN_VM = False
KILLS = int(os.environ.get('LUNA_SHARD_KILLS', '5'))
RETENTION, AHEAD = 2, 14
# How many events of one tracker are taken in an hour: fewer than are sent of one that cannot be kept.
PER_TRACKER = 50


class Bench(Backends):
    """One backend and its cluster, for all tests."""

    def __init__(self):
        super().__init__()
        self.cluster = StandIn('log_line_prefix=%p|')
        try:
            self.backend = self.make(
                '--events-per-second', '0', '--requests-per-second', '0', '--retention', str(RETENTION),
                '--events-per-identifier', str(PER_TRACKER), '--store-connections', '8', store=self.cluster.store)
            self.backend.command('migrate')
            self.cluster.spread()
            self.backend.start()
            days = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'luna.events'::regclass"
            made = [str(RETENTION + 1 + AHEAD)]
            wait_for(lambda: self.cluster.coordinator.primary.ask(days) == made, 4 * PATIENCE, 'all days to be made')
            [self.backend.token(role) for role in ('gateway', 'owner', 'admin')]
        except BaseException:
            self.close()
            raise

    def tidy(self):
        pass

    def close(self):
        self.end(self.cluster)


def prepare(mode):
    return Bench()


def verdicts(answer):
    """What became of each event."""
    assert answer.status == 200, answer.body
    return [(result['status'], result.get('code'), result.get('permanent')) for result in answer.json['results']]


ACCEPTED, DUPLICATE = ('accepted', None, None), ('duplicate', None, None)
UNAVAILABLE = ('rejected', 'storageUnavailable', False)


def test_each_worker_is_asked_for_its_own(bench):
    """What the coordinator is asked is for one worker each time, and no worker hears of identifiers of another one."""
    cluster, one = bench.cluster, bench.backend
    assert [line for line in one.log() if '(stand-in)' in line['message']], 'it says how events are kept'

    def log(what):
        for pair in cluster.pairs():
            pair.primary.ask(f"ALTER SYSTEM SET log_statement = '{what}'")
            pair.primary.ask('SELECT pg_reload_conf()')
            wait_for(lambda: pair.primary.ask('SHOW log_statement') == [what], PATIENCE, 'statements to be logged')

    log('all')
    try:
        # Connections that are there may not have heard of it yet.
        one.upload([event() for _ in range(60)])
        starts = {pair: os.path.getsize(pair.primary.folder + '/log') for pair in cluster.pairs()}
        events = [event() for _ in range(150)]
        heids = {each['heid'] for each in events}
        for first in range(0, 150, 50):
            assert set(verdicts(one.upload(events[first : first + 50]))) == {ACCEPTED}
        assert {each['heid'] for each in one.stored(sorted(heids))} == heids
    finally:
        log('none')
    place = {heid: worker for worker in cluster.workers for heid in cluster.kept(worker) if heid in heids}
    assert set(place) == heids and len(set(place.values())) == len(cluster.workers)

    def asked(pair):
        """Statements since then, and the identifiers in them."""
        with open(pair.primary.folder + '/log') as file:
            file.seek(starts[pair])
            found = re.findall(
                r'^\d+\|LOG:  (?:statement|execute [^:]+): (.*(?:\n\t.*)*)(?:\n\d+\|DETAIL:  [Pp]arameters: (.*))?',
                file.read(), re.MULTILINE)
        for sql, parameters in found:
            named = {heid.replace('-', '') for heid in re.findall(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', sql + parameters)}
            yield ' '.join(sql.split()), named & heids

    kinds = collections.Counter()
    for sql, named in asked(cluster.coordinator):
        if named and re.match(r'(INSERT INTO|SELECT .* FROM) luna\.events\b', sql):
            assert len({place[heid] for heid in named}) == 1, sql
            kinds[sql.split()[0]] += 1
    assert kinds['INSERT'] and kinds['SELECT'], kinds
    for worker in cluster.workers:
        named = set().union(*(named for _, named in asked(worker)))
        assert named == {heid for heid in heids if place[heid] is worker}
    tell(9, 'identifiers of another worker in what a worker is sent', 0, 'identifiers', at_most=0)


def test_uploads_are_fast(bench):
    """So many events a second, in batches of ten and of a hundred."""
    one = bench.backend

    def rate(size, count):
        bodies = [json.dumps([event() for _ in range(size)]).encode() for _ in range(count // size)]
        head = (
            f'POST /trackerEvent HTTP/1.1\r\nHost: 127.0.0.1:{one.port}\r\nAuthorization: Bearer {one.token("gateway")}\r\n'
            'Content-Type: application/json\r\nContent-Length: ')
        rest, problems = iter([f'{head}{len(body)}\r\n\r\n'.encode() + body for body in bodies]), []

        def work():
            """Looks at no more of an answer than it has to: this client has the same two cores as all servers."""
            with socket.create_connection(('127.0.0.1', one.port), timeout=PATIENCE) as link, link.makefile('rb') as said:
                while (request := next(rest, None)) and not problems:
                    link.sendall(request)
                    status, length = said.readline(), 0
                    while (line := said.readline()) not in (b'\r\n', b''):
                        if line.lower().startswith(b'content-length:'):
                            length = int(line[15:])
                    answer = said.read(length)
                    if answer.count(b'"accepted"') != size:
                        problems.append((status, answer[:500]))

        def tried():
            try:
                work()
            except Exception as error:
                problems.append(error)

        began = time.monotonic()
        together([tried] * 16)
        took = time.monotonic() - began
        assert not problems, problems[0]
        return count / took

    rate(10, 500)
    small, large = rate(10, 10_000), rate(100, 30_000)
    tell(9, 'batches of 10', small, 'events/s', at_least=5000)
    tell(9, 'batches of 100', large, 'events/s', at_least=15_000)
    # A tenth of what it is on a machine with nothing else to do.
    assert small > 500 and large > 1500, (small, large)


def test_a_worker_that_is_gone_stops_no_other(bench):
    cluster, one = bench.cluster, bench.backend
    first = [event() for _ in range(60)]
    assert set(verdicts(one.upload(first))) == {ACCEPTED}
    worker = cluster.workers[1]
    lost = set(cluster.kept(worker)) & {each['heid'] for each in first}
    assert 0 < len(lost) < 60
    second = [event(heid=each['heid']) for each in first]
    worker.primary.kill()
    try:
        for each, verdict in zip(second, verdicts(one.upload(second))):
            assert verdict == (UNAVAILABLE if each['heid'] in lost else ACCEPTED), (each, verdict)
        # Also where nothing of a batch can be kept; and however often, that does not count.
        waiting = [each for each in second if each['heid'] in lost]
        for _ in range(PER_TRACKER + 10):
            assert set(verdicts(one.upload(waiting))) == {UNAVAILABLE}
        assert one.call('GET', '/readyz').status == 200
        assert one.query(sorted(lost)).status == 503
        others = sorted({each['heid'] for each in first} - lost)
        assert len(one.stored(others)) == 2 * len(others)
        metrics = one.call('GET', '/metrics', role='admin').body.decode()
        counted = re.search(r'luna_events_total\{outcome="storageUnavailable"\} (\d+)', metrics)
        assert int(counted[1]) >= len(waiting) * (PER_TRACKER + 10), counted
    finally:
        worker.promote()
        worker.restore()
    wait_for(lambda: UNAVAILABLE not in verdicts(one.upload(second)), PATIENCE, 'all to be kept')
    assert len(one.stored([each['heid'] for each in first])) == 120


def test_a_worker_that_hangs_is_not_waited_for(bench):
    cluster, one = bench.cluster, bench.backend
    first = [event() for _ in range(60)]
    assert set(verdicts(one.upload(first))) == {ACCEPTED}
    worker = cluster.workers[0]
    lost = set(cluster.kept(worker)) & {each['heid'] for each in first}
    second = [event(heid=each['heid']) for each in first]
    worker.primary.signal(signal.SIGSTOP)
    try:
        # Gateways send all of it again and again.
        for _ in range(2):
            for told in together([lambda: verdicts(one.upload(second))] * 6):
                for each, verdict in zip(second, told):
                    assert verdict in ([UNAVAILABLE] if each['heid'] in lost else [ACCEPTED, DUPLICATE]), (each, verdict)
        assert one.call('GET', '/readyz').status == 200
    finally:
        worker.primary.signal(signal.SIGCONT)
    wait_for(lambda: UNAVAILABLE not in verdicts(one.upload(second)), PATIENCE, 'all to be kept')
    assert len(one.stored([each['heid'] for each in first])) == 120


class Gateway(threading.Thread):
    """Sends new events all the time, and what is not taken for now again after a second."""

    def __init__(self, backend):
        super().__init__(daemon=True)
        self.backend, self.stop = backend, threading.Event()
        # Of new ones how many were answered and how many taken, all that were taken and how often, and those that wait.
        self.offered, self.kept, self.taken, self.waiting = 0, 0, collections.Counter(), {}
        self.problem = None
        self.start()

    def send(self, events):
        """Returns those that are taken."""
        while True:
            answer = self.backend.upload(events, check=False)
            if answer.status != 503:
                break
            time.sleep(0.05)
        results = verdicts(answer)
        assert set(results) <= {ACCEPTED, DUPLICATE, UNAVAILABLE}, results
        taken = [each for each, verdict in zip(events, results) if verdict != UNAVAILABLE]
        for each in taken:
            self.taken[each['heid']] += 1
            self.waiting.pop(each['heid'], None)
        return len(taken)

    def run(self):
        try:
            again = time.monotonic() + 1
            while not self.stop.is_set() or self.waiting:
                if not self.stop.is_set():
                    fresh = [event() for _ in range(10)]
                    self.waiting.update((each['heid'], each) for each in fresh)
                    self.kept += self.send(fresh)
                    self.offered += len(fresh)
                if time.monotonic() >= again or self.stop.is_set():
                    late = list(self.waiting.values())[:500]
                    if late:
                        self.send(late)
                    again = time.monotonic() + 1
                time.sleep(0.01)
        except Exception as error:
            self.problem = error


class Load:
    """Gateways that send all the time, while something is done to servers."""

    def __init__(self, backend):
        self.gateways = [Gateway(backend) for _ in range(2)]

    def total(self, name):
        return sum(getattr(gateway, name) for gateway in self.gateways)

    def until(self, condition, what):
        wait_for(lambda: condition() or any(gateway.problem for gateway in self.gateways), 4 * PATIENCE, what)
        problems = [gateway.problem for gateway in self.gateways if gateway.problem]
        assert not problems, problems[0]

    def offers(self, count, what):
        """Until so many more were sent and answered."""
        before = self.total('offered')
        self.until(lambda: self.total('offered') > before + count, what)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for gateway in self.gateways:
            gateway.stop.set()
        for gateway in self.gateways:
            gateway.join(PATIENCE)

    def is_kept_once(self, cluster):
        """Once it is over: all that was acknowledged."""
        self.until(lambda: not any(gateway.waiting for gateway in self.gateways), 'all to be kept')
        kept = collections.Counter(heid for worker in cluster.workers for heid in cluster.kept(worker))
        taken = {heid for gateway in self.gateways for heid in gateway.taken}
        lost, doubled = taken - set(kept), [heid for heid in taken if kept[heid] > 1]
        prepared = sum(int(pair.primary.ask('SELECT count(*) FROM pg_prepared_xacts')[0]) for pair in cluster.pairs())
        return len(taken), len(lost), len(doubled), prepared


def test_nothing_is_lost_with_a_worker(bench):
    """Each worker is killed again and again: what is of others goes on, and what is of it comes when its standby is there."""
    cluster = bench.cluster
    shares, delays = [], []
    with Load(bench.backend) as load:
        for _ in range(KILLS):
            for worker in cluster.workers:
                load.offers(100, 'uploads to go on')
                worker.primary.kill()
                offered, kept = load.total('offered'), load.total('kept')
                load.offers(300, 'uploads to go on without a worker')
                shares.append((load.total('kept') - kept) / (load.total('offered') - offered))
                waiting = [(gateway, heid) for gateway in load.gateways for heid in list(gateway.waiting)]
                worker.promote()
                began = time.monotonic()
                load.until(lambda: all(gateway.taken[heid] for gateway, heid in waiting), 'what waited to be kept')
                delays.append(time.monotonic() - began)
                worker.restore()
    count, lost, doubled, prepared = load.is_kept_once(cluster)
    tell(10, f'lost of {count} events, with {len(delays)} workers killed', lost, 'events', at_most=0)
    tell(10, 'doubled', doubled, 'events', at_most=0)
    tell(10, 'transactions that were prepared and not ended', prepared, 'transactions', at_most=0)
    tell(10, 'events that go on without a worker, at least', 100 * min(shares), '%', at_least=50)
    tell(10, 'until the rest is kept after a promotion, at most', max(delays), 's', at_most=5)
    assert not lost and not doubled and not prepared
    assert min(shares) >= 0.5, shares
    assert max(delays) <= never(5), delays


def test_nothing_is_lost_with_the_coordinator(bench):
    """While the coordinator is gone everything waits; when its standby is there everything goes on, and what is kept there
    alone is there as well."""
    cluster, one = bench.cluster, bench.backend
    heard = event()
    body = {'controlPackages': [package(heard['heid'])], 'expiresAt': soon()}
    made = one.call('POST', '/v1/commands', body, 'owner').json['requestId']
    gaps = []
    with Load(one) as load:
        for _ in range(KILLS):
            load.offers(100, 'uploads to go on')
            cluster.coordinator.primary.kill()
            refused = one.upload([event()])
            assert (refused.status, refused.code) == (503, 'storageUnavailable'), refused.body
            wait_for(lambda: one.call('GET', '/readyz').status == 503, PATIENCE, 'the backend to be not ready')
            assert one.call('GET', '/healthz').status == 200
            cluster.coordinator.promote()
            began = time.monotonic()
            load.offers(10, 'uploads to go on with the standby')
            gaps.append(time.monotonic() - began)
            wait_for(lambda: one.call('GET', '/readyz').status == 200, PATIENCE, 'the backend to be ready')
            cluster.coordinator.restore()
    count, lost, doubled, prepared = load.is_kept_once(cluster)
    tell(10, f'lost of {count} events, with {len(gaps)} coordinators killed', lost, 'events', at_most=0)
    tell(10, 'doubled with them', doubled, 'events', at_most=0)
    tell(10, 'until uploads go on after the promotion of a coordinator, at most', max(gaps), 's', at_most=5)
    assert not lost and not doubled and not prepared
    assert max(gaps) <= never(5), gaps
    offered = one.upload([heard]).json['commandRequests']
    assert [each['requestId'] for each in offered] == [made]
    said = {'requestId': made, 'heid': heard['heid'], 'outcome': 'done', 'receipt': 'A' * 23 + '='}
    assert one.call('POST', '/remote-control-request/confirm', said, 'gateway').status == 204


def test_a_tester_finds_no_undocumented_answer(bench):
    """As backendtester has it, for those who upload and fetch events: what is spread is told of as all else is."""
    one = bench.backend

    def tester(role):
        find_undocumented(
            one.port, '/v1/stream', '--max-examples', '5', token=one.token(role), left_out=['positive_data_acceptance'])

    before = len(one.log())
    together_or_first([lambda role=role: tester(role) for role in ('gateway', 'owner')])
    assert one.alive()
    assert not [line for line in one.log()[before:] if line['level'] == 'error'], one.log()[-3:]


test_each_worker_is_asked_for_its_own.seconds = 120
test_uploads_are_fast.seconds = 240
test_a_worker_that_is_gone_stops_no_other.seconds = 180
test_a_worker_that_hangs_is_not_waited_for.seconds = 180
test_nothing_is_lost_with_a_worker.seconds = 600
test_nothing_is_lost_with_the_coordinator.seconds = 300
test_a_tester_finds_no_undocumented_answer.seconds = 570

REASON = absent()
if REASON:
    print(f'backendshards is left out: {REASON}', file=sys.stderr)
    for name in [name for name in globals() if name.startswith('test_')]:
        del globals()[name]
