"""A service that locates servers of M-Lab's, and the machines that it names, over TLS: some of them give no access."""

import base64
import contextlib
import hashlib
import json
import ssl
import time

from bench import never
from hostile_server import GUID, frame
from listener import Listener

ACCESS = '/v0/envelope/access'


class LocateService(Listener):
    """`ways`: what each machine does, the best one first: `html` and `mute` give no access, `open` does and pings, `short` closes
    it after so long that a replay is under way. The server of machine 0 is wehe-machine0.test."""

    def __init__(self, certificate, key, ways):
        self.ways = ways
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        # Which were asked, how often it was answered to a ping, and until when the access was open.
        self.asked, self.pongs, self.closed = [], 0, None
        super().__init__()

    def words(self):
        return ['--server', 'mlab', '--locate-url', f'https://localhost:{self.port}/v2/nearest']

    def serve(self, plain):
        with self.context.wrap_socket(plain, server_side=True) as connection:
            connection.settimeout(never(60))
            head = b''
            while b'\r\n\r\n' not in head:
                more = connection.recv(1 << 14)
                if not more:
                    return
                head += more
            lines = head.decode('latin-1').split('\r\n')
            path = lines[0].split(' ')[1]
            if not path.startswith(ACCESS):
                self.locate(connection)
                return
            number = int(path.rpartition('=')[2])
            self.asked.append(self.ways[number])
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(':') for line in lines[1:])}
            getattr(self, self.ways[number])(connection, fields)

    def locate(self, connection):
        url = f'wss://localhost:{self.port}{ACCESS}?access_token='
        results = [
            {'machine': f'machine{number}.test', 'urls': {f'wss://:4443{ACCESS}': f'{url}{number}'}} for number in range(len(self.ways))
        ]
        body = json.dumps({'results': results}).encode()
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n' % len(body) + body)

    # Machines

    @staticmethod
    def html(connection, _):
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>' + b'x' * 10_000)

    @staticmethod
    def mute(connection, _):
        connection.recv(1)

    def open(self, connection, fields, seconds=None):
        accept = base64.b64encode(hashlib.sha1((fields['sec-websocket-key'] + GUID).encode()).digest()).decode()
        protocol = fields['sec-websocket-protocol']
        answer = ['HTTP/1.1 101 x', 'Upgrade: websocket', 'Connection: Upgrade', f'Sec-WebSocket-Accept: {accept}']
        connection.sendall('\r\n'.join([*answer, f'Sec-WebSocket-Protocol: {protocol}', '', '']).encode())
        began = time.monotonic()
        connection.settimeout(0.2)
        while seconds is None or time.monotonic() - began < seconds:
            connection.sendall(frame(9, b'there?'))
            with contextlib.suppress(TimeoutError):
                said = connection.recv(1 << 14)
                if not said or said[0] & 15 == 8:
                    break
                self.pongs += said[0] & 15 == 10
            time.sleep(0.05)
        self.closed = time.monotonic()

    def short(self, connection, fields):
        self.open(connection, fields, seconds=1)
