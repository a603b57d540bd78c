"""Servers that send for ever, nothing, a byte a second, or lie about bytes: a check has an end, a reason, and takes no more than
it may."""

import contextlib
import json
import os
import resource
import socket
import struct
import time

import pace
from bench import Bench, Luna, never
from hostile_server import HostileServer, frame, say
from uplink_rig import certify
from wehe_server import WeheServer

IN_VM = False
# In a check no memory is needed for what a server sends (UPLINK.md, 14).
MEMORY = 128 << 10


def prepare(mode):
    bench = Bench()
    bench.certificate, bench.key = certify(bench.directory, ['DNS:localhost', 'IP:127.0.0.1'])
    bench.token = os.path.join(bench.directory, 'token')
    with open(bench.token, 'w') as file:
        file.write('a-token-of-somebody\n')
    bench.home = os.path.join(bench.directory, 'state')
    Luna(bench, 'uplink', 'consent', '--accept', '--state', bench.home).ends(0)
    return bench


def check(bench, server, *words, seconds=120):
    """What comes of a check with a server, the exit code, and how long it took, in seconds of an idle machine."""
    way = ['--server', f'https://localhost:{server.port}', '--ca-file', bench.certificate, '--token-file', bench.token]
    more = ['--state', bench.home, '--budget', '5M', '--monthly', '900G', '--metered', 'no', '--no-confirm', '--pairs', '10']
    began = time.monotonic()
    run = Luna(bench, 'uplink', 'check', *way, *more, '--format', 'jsonl', *words)
    try:
        code = run.process.wait(never(seconds))
    finally:
        server.close()
    line = run.lines()[-1]
    assert line['type'] in ('uplink', 'error'), line
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MEMORY, 'it has taken memory'
    return line, code, (time.monotonic() - began) / pace.slower()


def server(bench, **how):
    return HostileServer(bench.certificate, bench.key, **how)


def test_one_that_keeps_to_the_protocol(bench):
    for direction in ('up', 'down'):
        result, code, _ = check(bench, server(bench), '--direction', direction)
        assert code in (0, 1, 10) and 'serverProblem' not in result, result
        assert len(result['slots']) == 20 and not any(slot['failed'] for slot in result['slots']), result


def test_one_that_lies_about_bytes(bench):
    for counts in (lambda count: count // 2, lambda count: 0, lambda count: 1 << 39):
        result, code, _ = check(bench, server(bench, counts=counts))
        assert result['type'] == 'uplink' and result['serverProblem'] == 'serverDisagrees', (code, result)
    for counts in (lambda count: -1, lambda count: 1 << 70, lambda count: 'many', lambda count: 1e400):
        error, code, _ = check(bench, server(bench, counts=counts))
        assert code == 9 and error['error'] == 'malformed' and error['weheCode'] == 26, (code, error)


def test_one_that_sends_for_ever(bench):
    def takes(connection, method, size):
        connection.sendall(b'HTTP/1.1 200 x\r\nContent-Length: 1\r\n\r\n')
        while True:
            connection.sendall(bytes(1 << 16))

    result, code, _ = check(bench, server(bench, takes=takes), '--direction', 'down')
    # No more than was asked for, and what came with the last of it.
    assert result['type'] == 'uplink' and result['bytes'] <= 5_000_000 + 22 * (64 << 10), (code, result['bytes'])


def test_one_that_says_nothing(bench):
    def takes(connection, method, size):
        with contextlib.suppress(OSError):
            time.sleep(60)

    for direction in ('up', 'down'):
        result, code, seconds = check(bench, server(bench, takes=takes), '--direction', direction, seconds=200)
        assert result['type'] == 'uplink' and seconds < 200, (code, seconds, result)
        # Small data that goes up is acknowledged by the system of a server that does not read it; its own count is another one.
        assert (code, result.get('reason')) == (10, 'failed') or result.get('serverProblem') == 'serverDisagrees', (code, result)
        assert direction == 'up' or code == 10, (code, result)


test_one_that_says_nothing.seconds = 500


def test_one_that_sends_a_byte_a_second(bench):
    def takes(connection, method, size):
        connection.sendall(f'HTTP/1.1 200 x\r\nContent-Length: {size}\r\n\r\n'.encode())
        while True:
            time.sleep(1)
            connection.sendall(b'x')

    result, code, seconds = check(bench, server(bench, takes=takes), '--direction', 'down')
    assert result['type'] == 'uplink' and seconds < 120, (code, seconds)
    assert all(slot['seconds'] < 5 * pace.slower() for slot in result['slots']), result


test_one_that_sends_a_byte_a_second.seconds = 240


def test_one_that_breaks_off(bench):
    def takes(connection, method, size):
        return None

    result, code, _ = check(bench, server(bench, takes=takes))
    assert code == 10 and result['reason'] == 'failed', (code, result)


def test_side_channels_that_are_none(bench):
    def flood(connection):
        while True:
            connection.sendall(b'HTTP/1.1 101 x\r\n' + b'X: y\r\n' * 1_000)

    for opens in (
        lambda connection: connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
        lambda connection: connection.sendall(b'<html>' * 10_000),
        lambda connection: connection.sendall(b'HTTP/1.1 302 x\r\nLocation: https://127.0.0.1/\r\n\r\n'),
        lambda connection: connection.sendall(b'HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n'),
        lambda connection: None,
        flood,
    ):
        error, code, seconds = check(bench, server(bench, opens=opens))
        assert code in (7, 9) and error['type'] == 'error' and seconds < 60, (code, error)


def test_texts_that_are_none(bench):
    """Whatever is said instead of the right thing: the check ends, at once or when it has waited long enough."""
    def instead(kind, data):
        """An answer to one kind of text with other bytes."""
        def answers(connection, said):
            if said['type'] != kind:
                return False
            connection.sendall(data)
            return True
        return answers

    text = lambda words: frame(1, words.encode())
    wrong = [
        text('{'), text('[' * 10_000), text('"' + 'x' * 20_000 + '"'), text('{"type":"granted"}'), text('{"type":"ready","n":2,"token":"x"}'),
        text('{"type":"ready","n":1,"token":"../../x\\u0000"}'), text('{"type":"received","n":9999999999}'), text('{"type":"closed"}'),
        frame(2, b'binary'), frame(8, b''), frame(1, b'\xff\xfe'), b'\x81\x7f' + struct.pack('!Q', 1 << 62), b'\xff' * 64,
        b'\x81\xff' + bytes(12),
    ]
    for kind in ('hello', 'slot', 'sent'):
        for data in wrong:
            error, code, seconds = check(bench, server(bench, answers=instead(kind, data)))
            assert code in (7, 9) and error['type'] == 'error' and seconds < 60, (kind, data[:40], code, error)
    for refusal, code in (('busy', 6), ('rate', 6), ('budget', 9), ('version', 9), ('token', 9)):
        said = {'type': 'refused', 'code': refusal, 'retryAfter': 60}

        def refuses(connection, _, said=said):
            say(connection, said)
            return True

        error, got, _ = check(bench, server(bench, answers=refuses))
        assert got == code and error['type'] == 'error', (refusal, got, error)


test_texts_that_are_none.seconds = 400


def test_one_that_asks_without_end(bench):
    def answers(connection, said):
        while True:
            connection.sendall(frame(9, b'are you there?') * 1_000)

    error, code, seconds = check(bench, server(bench, answers=answers))
    assert code in (7, 9) and seconds < 60, (code, error)


def test_one_that_talks_without_end(bench):
    """What comes is no answer, and never stops: then nothing is waited for, and neither time nor data are taken without end."""
    def talks(data):
        def answers(connection, said):
            while True:
                connection.sendall(data)
        return answers

    queued = frame(1, json.dumps({'type': 'queued', 'place': 1, 'seconds': 60}).encode())
    for data in (frame(10, b'') * 10_000, queued * 1_000, queued):
        error, code, _ = check(bench, server(bench, answers=talks(data)))
        assert code == 9 and error['error'] == 'malformed', (data[:20], code, error)


class HostileWehe(WeheServer):
    """A server of Wehe's that does something else at one place."""

    def __init__(self, takes=None, tells=None, instead=None):
        """`takes` gets the connection of the data, `tells` that on which somebody asks for their address; `instead` are the bytes
        in the place of the permission."""
        self.takes, self.tells, self.instead = takes, tells, instead
        super().__init__({'original': 1_000_000, 'control': 1_000_000}, 1_000_000)

    def flow(self, connection):
        isData = connection.recv(4, socket.MSG_PEEK) != b'GET '
        other = self.takes if isData else self.tells
        if other is None:
            return super().flow(connection)
        connection.recv(4096)
        return other(connection)

    def say(self, connection, text):
        if self.instead is None:
            return WeheServer.say(connection, text)
        return connection.sendall(self.instead)


def replay(bench, wehe, seconds=120):
    """The same of a recording with a server of Wehe's."""
    path = os.path.join(bench.directory, 'Hostile_11252026.pcap_client_all.json')
    with open(path, 'w') as file:
        file.write(wehe.recording('Hostile-11252026'))
    more = ['--state', bench.home, '--budget', '5M', '--monthly', '900G', '--metered', 'no', '--no-confirm', '--format', 'jsonl']
    began = time.monotonic()
    run = Luna(bench, 'uplink', 'check', path, *wehe.words(), *more)
    try:
        code = run.process.wait(never(seconds))
    finally:
        wehe.close()
    line = run.lines()[-1]
    assert line['type'] in ('uplink', 'error'), line
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MEMORY, 'it has taken memory'
    return line, code, (time.monotonic() - began) / pace.slower()


def test_one_of_wehe_that_sends_for_ever(bench):
    def takes(connection):
        while True:
            connection.sendall(bytes(1 << 16))

    result, code, _ = replay(bench, HostileWehe(takes))
    # No more than the recording has is taken.
    assert result['type'] == 'uplink' and result['bytes'] == 2 * 1_000_005, (code, result)

    def tells(connection):
        connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n')
        takes(connection)

    # Who does not say which address this machine has is not asked for ever.
    result, code, seconds = replay(bench, HostileWehe(tells=tells))
    assert code in (0, 1, 10) and seconds < 120, (code, result)


def test_one_of_wehe_that_says_nothing(bench):
    def takes(connection):
        with contextlib.suppress(OSError):
            time.sleep(never(60))

    error, code, seconds = replay(bench, HostileWehe(takes), seconds=200)
    assert code == 7 and error['error'] == 'lost' and seconds < 120, (code, error)


test_one_of_wehe_that_says_nothing.seconds = 300


def test_one_of_wehe_that_sends_a_byte_a_second(bench):
    def takes(connection):
        while True:
            time.sleep(1)
            connection.sendall(b'x')

    # Both replays end at the limit, with what came; the rule of Wehe's programs makes of it what it does.
    result, code, seconds = replay(bench, HostileWehe(takes), seconds=300)
    assert result['type'] == 'uplink' and code in (0, 1, 10) and seconds < 200, (code, seconds, result)
    assert result['bytes'] < 1_000 and all(slot['truncated'] for slot in result['slots']), result


test_one_of_wehe_that_sends_a_byte_a_second.seconds = 500


def test_lengths_of_wehe_that_are_none(bench):
    for instead in (
        b'9999999999' + b'x' * 1_000, b'-000000005hello', b'          hello', b'0000300000' + b'[' * 300_000, b'0000000009[[[[[[[[[',
        b'0000000000', b'\xff' * 64,
    ):
        error, code, seconds = replay(bench, HostileWehe(instead=instead))
        assert code in (7, 9) and error['type'] == 'error' and seconds < 60, (instead[:20], code, error)
