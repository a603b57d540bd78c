"""Who reads along between a client over TLS and a server, since it has the server's key: what both say, in clear, and which
names are asked for."""

import select
import socket
import ssl

from bench import never
from listener import Listener


class TLSRelay(Listener):
    def __init__(self, port, certificate, key, name='localhost'):
        """Passes on to `port` of this machine."""
        self.target, self.name = port, name
        # What each connection said to the server, and was told by it; and what was asked for before that.
        self.said, self.told, self.names = [], [], []
        self.shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.shown.load_cert_chain(certificate, key)
        self.shown.set_alpn_protocols(['http/1.1'])
        self.shown.sni_callback = lambda _, name, __: self.names.append(name)
        self.trust = ssl.create_default_context(cafile=certificate)
        self.trust.set_alpn_protocols(['http/1.1'])
        super().__init__()

    def serve(self, plain):
        with self.shown.wrap_socket(plain, server_side=True) as client:
            with socket.create_connection(('127.0.0.1', self.target)) as other:
                with self.trust.wrap_socket(other, server_hostname=self.name) as server:
                    self.carry(client, server)

    def carry(self, client, server):
        said, told = bytearray(), bytearray()
        self.said.append(said)
        self.told.append(told)
        ways = {client: (server, said), server: (client, told)}
        # What is passed on is not held back until there is more of it.
        for one in ways:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Not select, which knows a thousand files at most.
        poll, numbers = select.poll(), {one.fileno(): one for one in ways}
        for number in numbers:
            poll.register(number, select.POLLIN)
        while True:
            # One thread for both ways: a connection over TLS is not for two.
            ready = [one for one in ways if one.pending()] or [numbers[number] for number, _ in poll.poll(1000 * never(15))]
            if not ready:
                return
            for one in ready:
                one.settimeout(0)
                try:
                    data = one.recv(1 << 16)
                except ssl.SSLWantReadError:
                    continue
                if not data:
                    return
                other, heard = ways[one]
                heard += data
                other.settimeout(never(15))
                other.sendall(data)
