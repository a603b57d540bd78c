"""A server of uplink checks that keeps to the protocol but where it is told not to (UPLINK.md, 7.2)."""

import base64
import contextlib
import hashlib
import itertools
import json
import ssl
import struct

from bench import never
from listener import Listener

GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'


class HostileServer(Listener):
    """`opens`: takes the place of the answer to the opening of a side channel, `answers`: of the answer to a text, `takes`: of how
    the data of a slot is taken or sent, `counts`: of how many bytes a receipt says."""

    def __init__(self, certificate, key, opens=None, answers=None, takes=None, counts=None):
        self.opens, self.answers, self.takes, self.counts = opens, answers, takes, counts
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.set_alpn_protocols(['http/1.1'])
        self.numbers, self.orders, self.seen = itertools.count(1), {}, {}
        super().__init__()

    def serve(self, plain):
        # What a client does with such a server is not this one's matter.
        with contextlib.suppress(ValueError, KeyError), self.context.wrap_socket(plain, server_side=True) as connection:
            connection.settimeout(never(30))
            rest = b''
            while b'\r\n\r\n' not in rest:
                more = connection.recv(1 << 14)
                if not more:
                    return
                rest += more
            head, _, rest = rest.partition(b'\r\n\r\n')
            lines = head.decode('latin-1').split('\r\n')
            method, path, _ = lines[0].split(' ')
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(':') for line in lines[1:])}
            if path == '/v1/uplink/session':
                if self.opens:
                    self.opens(connection)
                    return
                accept = base64.b64encode(hashlib.sha1((fields['sec-websocket-key'] + GUID).encode()).digest()).decode()
                answer = ['HTTP/1.1 101 x', 'Upgrade: websocket', 'Connection: Upgrade', f'Sec-WebSocket-Accept: {accept}', '', '']
                connection.sendall('\r\n'.join(answer).encode())
                self.converse(connection, rest)
            else:
                self.slot(connection, method, path.rsplit('/', 1)[1], len(rest))

    # The side channel

    def converse(self, connection, rest):
        def take(count):
            nonlocal rest
            while len(rest) < count:
                more = connection.recv(1 << 14)
                if not more:
                    raise OSError('the client has closed')
                rest += more
            data, rest = rest[:count], rest[count:]
            return data

        while True:
            head = take(2)
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(take(2 if size == 126 else 8), 'big')
            mask, data = take(4), take(size)
            if head[0] & 15 != 1:
                if head[0] & 15 == 8:
                    return
                continue
            said = json.loads(bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))
            if self.answers and self.answers(connection, said):
                continue
            say(connection, self.answer(said))

    def answer(self, said):
        if said['type'] == 'hello':
            return {'type': 'granted', 'session': 's1', 'address': '127.0.0.0/24', 'maxBytes': 200_000_000}
        if said['type'] == 'slot':
            token = f't{next(self.numbers)}'
            self.orders[token] = (said['n'], said['bytes'])
            self.seen[said['n']] = 0
            return {'type': 'ready', 'n': said['n'], 'token': token}
        if said['type'] == 'sent':
            count = self.seen[said['n']]
            count = self.counts(count) if self.counts else count
            return {'type': 'received', 'n': said['n'], 'bytes': count, 'seconds': 1, 'samples': []}
        return {'type': 'closed'}

    # Slots

    def slot(self, connection, method, token, early):
        number, size = self.orders.pop(token)
        if self.takes:
            self.takes(connection, method, size)
            return
        if method == 'POST':
            self.seen[number] = early
            while self.seen[number] < size:
                more = connection.recv(1 << 16)
                if not more:
                    return
                self.seen[number] += len(more)
            connection.sendall(b'HTTP/1.1 204 x\r\nContent-Length: 0\r\n\r\n')
        else:
            connection.sendall(f'HTTP/1.1 200 x\r\nContent-Length: {size}\r\n\r\n'.encode())
            connection.sendall(bytes(size))
            self.seen[number] = size


def say(connection, text):
    """A text of a server."""
    connection.sendall(frame(1, json.dumps(text).encode()))


def frame(kind, data):
    size = len(data)
    length = bytes([size]) if size < 126 else struct.pack('!BH', 126, size) if size < 1 << 16 else struct.pack('!BQ', 127, size)
    return bytes([0x80 | kind]) + length + data
