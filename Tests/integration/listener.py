"""Who listens on a port of this machine, with a thread for each connection."""

import contextlib
import socket
import threading


class Listener:
    """`serve` is given each connection; what goes wrong with one ends that alone."""

    def __init__(self):
        self.listener = self.listen()
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def listen():
        """Where `localhost` is, whichever address that has first."""
        try:
            listener = socket.socket(socket.AF_INET6)
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            listener.bind(('::', 0))
        except OSError:
            listener = socket.socket()
            listener.bind(('127.0.0.1', 0))
        # What waits here counts as arrived for who sends: little of it, or rates are those of this buffer.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 10)
        listener.listen(64)
        return listener

    def close(self):
        # Closing alone wakes nobody who waits for the next one.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.guarded, args=(client,), daemon=True).start()

    def guarded(self, client):
        with contextlib.suppress(OSError), client:
            self.serve(client)

    def serve(self, client):
        raise NotImplementedError
