"""What others try on servers of uplink checks: words that are not theirs, more than they may have, very many connections, and
reading slowly. Not one byte goes to who did not ask by TCP, none beyond its limit, and others are served meanwhile."""

import contextlib
import json
import os
import resource
import signal
import socket
import threading
import time

import late_writes
from bench import Bench, Luna, free_port, never, wait_for
from uplink_client import UplinkClient
from uplink_rig import certify

IN_VM = False
MANY = 10_000
# More than one with so many connections may hold, and a program that listens.
FILES = 2 * MANY
TOKENS = 200


def prepare(mode):
    bench = Bench()
    bench.folder = os.path.join(bench.directory, 'server')
    os.mkdir(bench.folder)
    bench.certificate, bench.key = certify(bench.folder, ['DNS:localhost', 'IP:127.0.0.1'])
    return bench


def token(number):
    return f'token-{number}-of-somebody'


def serve(bench, prefix=(), options=()):
    """A server of ours, and a client of it."""
    path = os.path.join(bench.folder, 'tokens')
    with open(path, 'w') as file:
        file.write(''.join(token(number) + '\n' for number in range(TOKENS)))
    port = free_port()
    words = ['--listen', f'127.0.0.1:{port}', '--tls-cert', bench.certificate, '--tls-key', bench.key, '--token-file', path]
    server = Luna(bench, 'uplink', 'serve', *words, *options, prefix=prefix)
    wait_for(lambda: 'checks can be made at' in server.stderr(), 20, lambda: f'the server: {server.stderr()}')
    return server, UplinkClient(port, bench.certificate)


def address(number):
    """Another one of this machine."""
    return f'127.1.{number // 250}.{number % 250 + 1}'


def memory(server):
    """KiB that it has in memory."""
    with open(f'/proc/{server.process.pid}/status') as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS'))


def others_are_served(bench, client, number):
    """A whole check of somebody else."""
    home, path = os.path.join(bench.directory, f'other-{number}'), os.path.join(bench.folder, f'token-{number}')
    with open(path, 'w') as file:
        file.write(token(number) + '\n')
    Luna(bench, 'uplink', 'consent', '--accept', '--state', home).ends(0)
    words = ['--server', f'https://localhost:{client.port}', '--ca-file', bench.certificate, '--token-file', path]
    run = Luna(bench, 'uplink', 'check', *words, '--budget', '10M', '--no-confirm', '--state', home, '--format', 'jsonl')
    run.process.wait(never(30))
    result = run.lines()[-1]
    assert result['type'] == 'uplink' and len(result['slots']) >= 20, (result, run.stderr())
    assert not any(slot['failed'] for slot in result['slots']), result


# With a server of ours


def test_nothing_is_written_to_a_connection_that_is_gone(bench):
    before, path = late_writes.watched(bench.folder)
    _, client = serve(bench, before)
    for _ in range(20):
        with client.open(token(0)) as side:
            assert side.status == 101 and side.enter()
            side.bye()
    wait_for(lambda: os.path.exists(path) and len(late_writes.read(path)) >= 20, 60, 'the connections to be freed')
    assert not any(late_writes.read(path)), late_writes.read(path)


def test_words_that_do_not_hold_are_not_answered(bench):
    server, client = serve(bench)
    for wrong in ('', 'x', token(0) + '0', token(0).upper()):
        with client.open(wrong) as side:
            assert side.status == 401, (wrong, side.status)
    with client.open(token(0)) as side:
        assert side.status == 101 and side.enter()
        body = bytes(1_000)
        used, other_way, late = side.token(1_000), side.token(1_000), side.token(1_000)
        assert client.ask('POST', used, body).startswith(b'HTTP/1.1 204 ')
        # Used once more, for the other way, and what was never one.
        for method, word in (('POST', used), ('GET', used), ('GET', other_way), ('POST', other_way), ('POST', 'f' * 32), ('GET', '')):
            assert client.ask(method, word, body if method == 'POST' else b'') == b'', (method, word)
        # Stolen by who has another address: it holds once, for what was asked for, and no more.
        stolen = side.token(1_000, 'down')
        answer = client.ask('GET', stolen, source='127.0.0.3')
        head, _, data = answer.partition(b'\r\n\r\n')
        assert head.startswith(b'HTTP/1.1 200 ') and len(data) == 1_000, answer[:200]
        assert client.ask('GET', stolen) == b''
        # One for which nobody came is old after ten seconds.
        time.sleep(11)
        assert client.ask('POST', late, body) == b''
        left = side.token(1_000)
        side.bye()
    # It ends with its session.
    assert client.ask('POST', left, body) == b''
    # Also for who has shown it, and goes on asking when that is over.
    side = client.open(token(0))
    assert side.enter()
    with client.slot('GET', side.token(1_000, 'down'), length=1) as connection:
        # What is asked for behind it is answered when that was heard.
        used = side.token(1_000)
        assert client.ask('POST', used, body).startswith(b'HTTP/1.1 204 ')
        side.bye()
        # Another one begins when it is over.
        with client.open(token(0)) as side:
            assert side.enter()
            side.bye()
        with contextlib.suppress(OSError):
            connection.sendall(b'x')
            assert not connection.recv(1 << 16).startswith(b'HTTP/1.1 200 ')
    # More than was asked for is not taken, and a body without an end is cut off.
    with client.open(token(1)) as side:
        side.enter()
        answer = client.ask('POST', side.token(1_000), bytes(2_000))
        assert not answer.startswith(b'HTTP/1.1 2'), answer[:100]
        assert side.receipt()['bytes'] <= 1_000
        side.bye()
    assert server.process.poll() is None


def test_nobody_has_more_than_a_session_and_a_day_allow(bench):
    server, client = serve(bench)
    with client.open(token(0)) as side:
        granted = side.enter()
        assert granted['maxBytes'] == 200_000_000, granted
        # Where it was asked, and what its clock says.
        assert granted['port'] == 443 and time.strptime(granted['now'][:19], '%Y-%m-%dT%H:%M:%S'), granted
        side.order(200_000_001)
        assert side.hear() == {'type': 'refused', 'code': 'budget', 'retryAfter': 60} and side.hear() is None
    # What was asked for counts, whether or not anybody came for it.
    for _ in range(10):
        with client.open(token(1)) as side:
            side.enter()
            side.order(100_000_000, 'down')
            side.order(100_000_000, 'down')
            side.say('bye')
            while side.hear():
                pass
    with client.open(token(1)) as side:
        answer = side.hello()
        assert answer['type'] == 'refused' and answer['code'] == 'budget' and answer['retryAfter'] > 3_600, answer
    # Numbers that are none, and words that are none, end a session alone.
    for fields in ({'bytes': -1}, {'bytes': 1 << 60}, {'bytes': 1.5}, {'n': 7}, {'n': 0}, {'kind': '../'}, {'direction': 'x'}):
        with client.open(token(2)) as side:
            side.enter()
            side.say('slot', **{'n': 1, 'kind': 'original', 'direction': 'up', 'bytes': 1, **fields})
            answer = side.hear()
            assert answer is None or answer['type'] in ('closed', 'refused'), (fields, answer)
    for text in ('{', '[' * 10_000, '{"type":"hello"}', '{"type":"\x00"}', '9' * 20_000):
        with client.open(token(2)) as side, contextlib.suppress(OSError):
            side.frame(1, text.encode())
            assert side.hear() in (None, {'type': 'closed'}), text[:20]
    others_are_served(bench, client, 3)


def test_an_operator_says_how_much_there_is(bench):
    limits = ('--sessions', '1', '--waiting', '1', '--session-data', '3M', '--daily-data', '4M', '--rate', '50')
    server, client = serve(bench, options=limits)
    with client.open(token(0)) as side:
        granted = side.enter()
        assert granted['maxBytes'] == 3_000_000, granted
        with client.open(token(1), address(1)) as second:
            answer = second.hello()
            assert answer['type'] == 'queued' and answer['place'] == 1, answer
            with client.open(token(2), address(2)) as third:
                assert third.hear() == {'type': 'refused', 'code': 'busy', 'retryAfter': 60}
        side.order(3_000_001)
        assert side.hear() == {'type': 'refused', 'code': 'budget', 'retryAfter': 60} and side.hear() is None
    with client.open(token(0)) as side:
        side.enter()
        side.token(3_000_000)
        side.bye()
    # What is left of the day.
    with client.open(token(0)) as side:
        granted = side.enter()
        assert granted['maxBytes'] == 1_000_000, granted
        side.bye()
    words = ['--tls-cert', bench.certificate, '--tls-key', bench.key]
    own = [*words, '--token-file', os.path.join(bench.folder, 'tokens')]
    for wrong in (['--sessions', '0'], ['--sessions', '65'], ['--session-data', '1M'], ['--daily-data', '100M'], ['--rate', '9']):
        Luna(bench, 'uplink', 'serve', *own, *wrong).ends(2)
    Luna(bench, 'uplink', 'serve', *words, '--wehe', '--recordings', bench.folder, '--sessions', '2').ends(2)
    assert server.process.poll() is None


def test_a_server_that_ends_waits_for_no_session(bench):
    # Which of its threads comes first is chance.
    for _ in range(6):
        server, client = serve(bench)
        with client.open(token(0)) as side:
            side.enter()
            server.signal(signal.SIGTERM)
            server.ends(0, 9)


test_a_server_that_ends_waits_for_no_session.seconds = 120


def test_so_many_run_and_so_many_wait(bench):
    server, client = serve(bench)
    with contextlib.ExitStack() as all_of_them:
        answers = []
        for number in range(100):
            side = client.open(token(number), address(number))
            all_of_them.callback(side.connection.close)
            answer = side.hello() if side.status == 101 else {'type': 'refused'}
            answers.append((answer or {'type': 'refused'})['type'])
        assert answers == ['granted'] * 64 + ['queued'] * 16 + ['refused'] * 20, answers

    def has_room():
        with client.open(token(100), address(100)) as side:
            return side.status == 101 and (side.hello() or {}).get('type') == 'granted'

    # When they are gone there is room.
    wait_for(has_room, 60, 'room for one more')
    others_are_served(bench, client, 100)


def test_very_many_connections_keep_nobody_out(bench):
    server, client = serve(bench)
    before = memory(server)
    old = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, old[1]), old[1]))
    connections = []
    try:
        # From one address, then from very many.
        for number in range(MANY):
            source = '127.0.0.2' if number < MANY // 2 else address(number % 1_000)
            with contextlib.suppress(OSError):
                connections.append(socket.create_connection((client.host, client.port), never(15), (source, 0)))
        assert len(connections) > MANY * 0.9, len(connections)
        others_are_served(bench, client, 0)
        assert memory(server) - before < 512 << 10, (before, memory(server))
    finally:
        for connection in connections:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, old)
    others_are_served(bench, client, 1)


test_very_many_connections_keep_nobody_out.seconds = 300


def test_slow_readers_hold_nobody_up(bench):
    server, client = serve(bench)
    before = memory(server)
    with contextlib.ExitStack() as all_of_them:
        for number in range(40):
            side = client.open(token(number), address(number))
            all_of_them.callback(side.connection.close)
            side.enter()
            reader = client.slot('GET', side.token(50_000_000, 'down'), address(number))
            all_of_them.callback(reader.close)
            assert reader.recv(1)
        others_are_served(bench, client, 100)
        # What nobody reads is not made: it would be 2 GB.
        assert memory(server) - before < 256 << 10, (before, memory(server))


test_slow_readers_hold_nobody_up.seconds = 300


# With a server for clients of Wehe's


class Wehe:
    """A server of ours for clients of Wehe's, with a recording over TCP and one over UDP."""

    def __init__(self, bench, answer):
        self.answer = answer
        folder = os.path.join(bench.directory, f'recordings-{answer}')
        os.mkdir(folder)
        self.tcp, self.udp, *self.ports = [free_port() for _ in range(6)]
        packet = {'c_s_pair': self.pair(self.tcp), 'timestamp': 0, 'payload': b'hello'.hex(), 'response_len': answer, 'response_hash': None}
        self.write(folder, 'Film', 'client', [[packet], [], [self.pair(self.tcp)], 'Film-11252026'])
        packet = {'c_s_pair': self.pair(self.udp), 'timestamp': 0, 'payload': b'hello'.hex(), 'end': True}
        self.write(folder, 'Call', 'client', [[packet], ['40000'], [], 'Call-11252026'])
        said = [{'timestamp': 0, 'payload': '07' * 1_000}] * 20
        self.write(folder, 'Call', 'server', {'lunaRecording': 1, 'name': 'Call-11252026', 'tcp': {}, 'udp': {self.pair(self.udp): said}})
        words = ['--wehe', '--recordings', folder, '--listen', '127.0.0.1', '--tls-cert', bench.certificate, '--tls-key', bench.key]
        self.server = Luna(bench, 'uplink', 'serve', *words, '--ports', ','.join(map(str, self.ports)))
        wait_for(lambda: "clients of Wehe's are served" in self.server.stderr(), 20, lambda: self.server.stderr())

    @staticmethod
    def pair(port):
        return f'127.000.000.001.40000-127.000.000.001.{port:05}'

    @staticmethod
    def write(folder, name, side, document):
        with open(os.path.join(folder, f'{name}_11252026.pcap_{side}_all.json'), 'w') as file:
            json.dump(document, file)

    def proceed(self, side):
        """From the permission to the data."""
        side.say('NoIperf')
        side.say('NoMobileStats')
        assert json.loads(side.hear()), 'no map'
        side.hear()

    def side(self, replay, declared, source='127.0.0.1', user='abcdefghi1'):
        """A side channel of somebody who says that it is at an address; what it is permitted."""
        side = Side(self.ports[0], source)
        side.say(f'{user};0;{replay};x;3;False;{declared};1.0')
        side.say('[-1, null, null]')
        return side, side.hear()

    def begin(self, replay, declared, source='127.0.0.1'):
        """The same, as far as its data."""
        side, answer = self.side(replay, declared, source)
        assert answer == f'1;{source};100', answer
        self.proceed(side)
        return side

    def data(self, source, first=b'hello'):
        """How much is sent to who connects from an address. It does not wait for more than there is: the server would, too."""
        with socket.create_connection(('127.0.0.1', self.tcp), never(15), (source, 0)) as connection:
            connection.sendall(first)
            got = 0
            with contextlib.suppress(ConnectionError):
                while got < self.answer and (more := connection.recv(1 << 16)):
                    got += len(more)
            return got


class Side:
    """A side channel of Wehe's, plain."""

    def __init__(self, port, source):
        self.connection = socket.create_connection(('127.0.0.1', port), never(15), (source, 0))

    def say(self, text):
        self.connection.sendall(f'{len(text):010}{text}'.encode())

    def hear(self):
        """The next message; None at the end."""
        head = self.take(10)
        return head and self.take(int(head)).decode()

    def take(self, count):
        data = b''
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                return None
            data += more
        return data

    def close(self):
        self.connection.close()


def test_no_word_turns_it_on_others(bench):
    """An address in a message, and one in a datagram, is nobody's word."""
    wehe = Wehe(bench, 200_000)
    victim, own = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    with victim, own:
        victim.bind(('127.0.0.3', 0))
        own.bind(('127.0.0.1', 0))
        target = ('127.0.0.1', wehe.udp)

        def came(one, wanted=0):
            """How much comes. What has to is waited for, what may not for a while."""
            count = 0
            with contextlib.suppress(socket.timeout):
                while True:
                    one.settimeout(never(10) if count < wanted else never(0.5))
                    count += len(one.recv(65536))
            return count

        # Without a side channel nobody is sent anything.
        for one in (victim, own):
            one.sendto(b'hello', target)
            assert came(one) == 0
        assert wehe.data('127.0.0.1') == wehe.data('127.0.0.3') == 0
        # Who declares another one's address has its own alone, and the other one is sent nothing.
        side = wehe.begin('Call-11252026', '127.0.0.3')
        for _ in range(3):
            victim.sendto(b'hello', target)
        assert came(victim) == 0
        own.sendto(b'hello', target)
        assert side.hear() == f'STARTED;{own.getsockname()[1]}' and came(own, 20_000) == 20_000
        # Once.
        own.sendto(b'hello', target)
        assert came(own) == 0 and came(victim) == 0
        side.close()
        side = wehe.begin('Film-11252026', '127.0.0.3')
        assert wehe.data('127.0.0.3') == 0 and wehe.data('127.0.0.1') == 200_000 and wehe.data('127.0.0.1') == 0
        side.close()
        # Where the other one has asked for its own address, by TCP, it may come for the data itself: by TCP.
        assert wehe.data('127.0.0.3', b'GET /WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n') < 100
        side = wehe.begin('Call-11252026', '127.0.0.3')
        victim.sendto(b'hello', target)
        assert came(victim) == 0
        side.close()


test_no_word_turns_it_on_others.seconds = 240


def test_an_address_has_its_share_of_a_day(bench):
    size = 30_000_000
    wehe = Wehe(bench, size)

    def replay(source):
        side, answer = wehe.side('Film-11252026', source, source)
        if answer.startswith('0;3'):
            return 0
        wehe.proceed(side)
        got = wehe.data(source)
        side.close()
        return got

    got = [replay('127.0.0.1') for _ in range(6)]
    # What was asked counts as well.
    assert got[:3] == [size] * 3 and 98_000_000 < sum(got) <= 100_000_000, got
    # Others have their own.
    assert replay('127.0.0.4') == size


test_an_address_has_its_share_of_a_day.seconds = 120


def test_connections_that_say_nothing_keep_nobody_out(bench):
    wehe = Wehe(bench, 1_000)
    held = []
    try:
        # From one address, on all ports that are open.
        for port in (wehe.ports[0], wehe.ports[1], wehe.tcp) * 100:
            with contextlib.suppress(OSError):
                held.append(socket.create_connection(('127.0.0.1', port), never(15), ('127.0.0.5', 0)))
        side = wehe.begin('Film-11252026', '127.0.0.6', '127.0.0.6')
        assert wehe.data('127.0.0.6') == 1_000
        side.close()
    finally:
        for connection in held:
            connection.close()


def test_slow_readers_of_replays_hold_nobody_up(bench):
    wehe = Wehe(bench, 20_000_000)
    side = wehe.begin('Film-11252026', '127.0.0.7', '127.0.0.7')
    with socket.create_connection(('127.0.0.1', wehe.tcp), never(15), ('127.0.0.7', 0)) as slow:
        slow.sendall(b'hello')
        assert slow.recv(1)
        got = []
        # Two may run at once: one that does not read has one place.
        threads = [threading.Thread(target=lambda: got.append(other(wehe))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(never(30))
        assert got == [20_000_000] * 2, got
    side.close()


OTHERS, LOCK = iter(range(8, 200)), threading.Lock()


def other(wehe):
    """A replay of an address that nobody else has."""
    with LOCK:
        source = f'127.0.0.{next(OTHERS)}'
    side = wehe.begin('Film-11252026', source, source)
    got = wehe.data(source)
    side.close()
    return got


test_slow_readers_of_replays_hold_nobody_up.seconds = 240
