"""A network that looks at the first bytes of a connection: it passes on what goes through it at a rate that depends on them."""

import socket
import threading
import time

from listener import Listener

CHUNK = 16 << 10


class Middlebox(Listener):
    def __init__(self, port, rate, word, rate_of_word):
        """Passes on to `port` of this machine, so many bytes a second to it; with `word` in what comes first, others, or none."""
        self.target, self.rate, self.word, self.rate_of_word = port, rate, word.encode(), rate_of_word
        # From which connection on the word matters: the first ones are side channels.
        self.spared = 0
        self.seen, self.matched = 0, 0
        # How many bytes were passed on to clients.
        self.told = 0
        super().__init__()

    def serve(self, client):
        first = client.recv(CHUNK)
        self.seen += 1
        rate = self.rate
        if self.word in first and self.seen > self.spared:
            self.matched += 1
            rate = self.rate_of_word
        if not first or rate is None:
            return
        with socket.create_connection(('127.0.0.1', self.target)) as server:
            # A network holds nothing back until there is more of it.
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server.sendall(first)
            threading.Thread(target=self.back, args=(server, client), daemon=True).start()
            self.forth(client, server, rate)

    @staticmethod
    def forth(client, server, rate):
        began, sent = time.monotonic(), 0
        while True:
            data = client.recv(CHUNK)
            if not data:
                return
            server.sendall(data)
            sent += len(data)
            early = sent / rate - (time.monotonic() - began)
            if early > 0.002:
                time.sleep(early)
            elif early < -0.1:
                # Nothing came for a while: that is not made up for.
                began, sent = time.monotonic(), 0

    def back(self, server, client):
        try:
            while data := server.recv(CHUNK):
                client.sendall(data)
                self.told += len(data)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Inspector:
    """A network that looks at all that a client says: at one address it offers what a server has at another, at the same
    ports, and passes on what is answered at a rate that depends on what was said before."""

    def __init__(self, address, target, ports, rate):
        """`rate` is asked with what a client has said when it is answered: so many bytes a second, or None to cut it off."""
        self.target, self.rate = target, rate
        for port in ports:
            listener = socket.create_server((address, port))
            threading.Thread(target=self.accept, args=(listener, port), daemon=True).start()

    def accept(self, listener, port):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self.serve, args=(client, port), daemon=True).start()

    def serve(self, client, port):
        try:
            with client, socket.create_connection((self.target, port)) as server:
                said = bytearray()
                threading.Thread(target=self.forth, args=(client, server, said), daemon=True).start()
                data = server.recv(4096)
                rate = self.rate(bytes(said))
                began, sent = time.monotonic(), 0
                while data and rate:
                    client.sendall(data)
                    sent += len(data)
                    time.sleep(max(0, sent / rate - (time.monotonic() - began)))
                    data = server.recv(4096)
        except OSError:
            pass

    @staticmethod
    def forth(client, server, said):
        try:
            while data := client.recv(4096):
                said += data
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            pass
