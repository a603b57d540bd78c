"""A client of a server of ours that makes uplink checks, in which every step can be left out or done wrong (UPLINK.md, 7.2)."""

import base64
import contextlib
import json
import os
import socket
import ssl
import struct

from bench import never


class UplinkClient:
    """Who may come to a server: from where, and with which certificate it shows itself. Without one it is on this machine,
    and all is in the clear."""

    def __init__(self, port, certificate=None, host='127.0.0.1', name='localhost'):
        self.host, self.port, self.name, self.trust = host, port, name, None
        if certificate:
            self.trust = ssl.create_default_context(cafile=certificate)
            self.trust.set_alpn_protocols(['http/1.1'])

    def connect(self, source='127.0.0.1', name=None):
        """A connection from an address; over TLS it asks for a name."""
        plain = socket.create_connection((self.host, self.port), never(15), (source, 0))
        if not self.trust:
            return plain
        try:
            return self.trust.wrap_socket(plain, server_hostname=name or self.name)
        except BaseException:
            plain.close()
            raise

    def open(self, token, source='127.0.0.1'):
        return SideChannel(self.connect(source), self.name, token)

    def ask(self, method, token, body=b'', source='127.0.0.1', length=None):
        """What is answered to the data of a slot, to its end."""
        with self.slot(method, token, source, len(body) if length is None else length) as connection:
            answer = b''
            # Who is not answered is cut off, perhaps before all is sent.
            with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
                connection.sendall(body)
                while more := connection.recv(1 << 16):
                    answer += more
            return answer

    def slot(self, method, token, source='127.0.0.1', length=0):
        """A connection on which the data of a slot begins."""
        connection = self.connect(source)
        lines = [f'{method} /v1/uplink/slot/{token} HTTP/1.1', f'Host: {self.name}', f'Content-Length: {length}', '', '']
        connection.sendall('\r\n'.join(lines).encode())
        return connection


def clear(said):
    """What a client said over a side channel: its head, and its texts, which went in masks."""
    head, _, rest = bytes(said).partition(b'\r\n\r\n')
    texts = [head]
    while len(rest) >= 6:
        size, start = rest[1] & 127, 2
        if size > 125:
            start += 2 if size == 126 else 8
            size = int.from_bytes(rest[2:start], 'big')
        mask, data = rest[start : start + 4], rest[start + 4 : start + 4 + size]
        texts.append(bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))
        rest = rest[start + 4 + size :]
    return b'\n'.join(texts)


class SideChannel:
    """A WebSocket of texts in JSON."""

    def __init__(self, connection, host, token):
        self.connection, self.rest, self.count = connection, b'', 0
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ['GET /v1/uplink/session HTTP/1.1', f'Host: {host}', f'Authorization: Bearer {token}', 'Connection: Upgrade']
        lines += ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', f'Sec-WebSocket-Key: {key}', '', '']
        connection.sendall('\r\n'.join(lines).encode())
        while b'\r\n\r\n' not in self.rest:
            if not self.read():
                break
        head, _, self.rest = self.rest.partition(b'\r\n\r\n')
        self.status = int(head[9:12] or 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def read(self):
        """Whether something came."""
        try:
            more = self.connection.recv(1 << 14)
        except (ConnectionError, ssl.SSLEOFError):
            more = b''
        self.rest += more
        return bool(more)

    def take(self, count):
        """So many bytes; None at the end."""
        while len(self.rest) < count:
            if not self.read():
                return None
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def frame(self, kind, data):
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else struct.pack('!BH', 0x80 | 126, size)
        mask = os.urandom(4)
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.connection.sendall(bytes([0x80 | kind]) + length + mask + body)

    def say(self, type, **fields):
        self.frame(1, json.dumps({'type': type, **fields}).encode())

    def hear(self):
        """The next text; None when the server has closed."""
        while True:
            head = self.take(2)
            if head is None:
                return None
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.take(2 if size == 126 else 8) or b'', 'big')
            data = self.take(size)
            if data is None or head[0] & 15 == 8:
                return None
            if head[0] & 15 == 9:
                self.frame(10, data)
            elif head[0] & 15 == 1:
                return json.loads(data)

    # What is usually said

    def hello(self, **changes):
        usual = {'version': 1, 'profile': 'luna-upload', 'direction': 'up', 'pairs': 16, 'slotBytes': 1_000_000, 'slotSeconds': 1.5}
        self.say('hello', **{**usual, **changes})
        return self.hear()

    def enter(self):
        """Waits until slots can be made."""
        answer = self.hello()
        while answer and answer['type'] == 'queued':
            answer = self.hear()
        assert answer and answer['type'] == 'granted', answer
        return answer

    def order(self, size, direction='up', kind='original'):
        """Asks for a slot."""
        self.count += 1
        self.say('slot', n=self.count, kind=kind, direction=direction, bytes=size)

    def token(self, size, direction='up', kind='original'):
        """The token of a slot."""
        self.order(size, direction, kind)
        answer = self.hear()
        assert answer and answer['type'] == 'ready' and answer['n'] == self.count, answer
        return answer['token']

    def receipt(self):
        """What the server saw of the last slot."""
        self.say('sent', n=self.count)
        answer = self.hear()
        assert answer and answer['type'] == 'received' and answer['n'] == self.count, answer
        return answer

    def bye(self):
        """Takes leave."""
        self.say('bye')
        answer = self.hear()
        assert answer == {'type': 'closed'}, answer
        self.connection.close()
