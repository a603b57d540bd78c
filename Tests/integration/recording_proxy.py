"""A proxy that a browser sends everything through, and that notes whom it wants: also what a page cannot tell of itself,
as what is fetched before anybody asks."""

import mimetypes
import os
import select
import socket
import threading

from listener import Listener

HEAD = 64 << 10


class RecordingProxy(Listener):
    """Passes on what is for `host`, and nothing else. Where there is a folder, the files of the pages come from it, not
    from the backend: who changes them need not build to see them."""

    def __init__(self, host, pages=None):
        self.host, self.pages = host, pages
        # Whom somebody wanted, with what.
        self.wanted, self.lock = [], threading.Lock()
        super().__init__()

    @staticmethod
    def listen():
        return socket.create_server(('127.0.0.1', 0), backlog=64)

    def serve(self, client):
        head = b''
        while b'\r\n\r\n' not in head:
            more = client.recv(HEAD)
            if not more or len(head) > HEAD:
                return
            head += more
        line, _, rest = head.partition(b'\r\n')
        method, address, version = line.decode('latin-1').split(' ')
        host, _, path = address.removeprefix('http://').partition('/')
        with self.lock:
            self.wanted.append((host, method, '/' + path))
        file = self.file(path.partition('?')[0])
        if host != self.host or method == 'CONNECT':
            client.sendall(b'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        elif file:
            with open(file, 'rb') as opened:
                data = opened.read()
            kind = 'text/javascript' if file.endswith('.js') else mimetypes.guess_type(file)[0]
            client.sendall(f'HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n'.encode() + data)
        else:
            fields = [one for one in rest.split(b'\r\n') if not one.lower().startswith((b'proxy-connection:', b'connection:'))]
            self.pass_on(client, f'{method} /{path} {version}\r\nConnection: close\r\n'.encode() + b'\r\n'.join(fields))

    def file(self, path):
        """Where a file of the pages is; none of those that come from elsewhere is there."""
        file = os.path.join(self.pages or '', path.removeprefix('ui/assets/'))
        return file if self.pages and path.startswith('ui/assets/') and '..' not in path and os.path.isfile(file) else None

    def pass_on(self, client, sent):
        name, _, port = self.host.rpartition(':')
        try:
            server = socket.create_connection((name, int(port)))
        except OSError:
            # As a browser says of a server that is away: the connection breaks.
            return
        with server:
            server.sendall(sent)
            ways = {client: server, server: client}
            while True:
                for one in select.select(list(ways), [], [])[0]:
                    data = one.recv(HEAD)
                    if not data:
                        return
                    ways[one].sendall(data)
