"""A network between a gateway and its backend that drops, delays, cuts off and doubles what it carries."""

import base64
import gzip
import json
import random
import re
import socket
import threading
import time

from bench import never

FAULTS = ['lost request', 'lost reply', 'cut request', 'cut reply', 'doubled', 'doubled late', 'delayed']


class Network:
    """Carries HTTP from a port of its own to another one of this machine."""

    def __init__(self, port, trouble=0.4, seed=0):
        self.to, self.trouble, self.chance = port, trouble, random.Random(seed)
        self.lock, self.flying, self.threads = threading.Lock(), threading.Event(), []  # threads that carry something
        # The events of all uploads that went through whole, and how often each fault was done.
        self.seen, self.faults = set(), dict.fromkeys(FAULTS, 0)
        self.server = socket.create_server(('127.0.0.1', 0), backlog=64)
        self.url = f'http://127.0.0.1:{self.server.getsockname()[1]}'
        threading.Thread(target=self.serve, daemon=True).start()

    def wait_for_upload(self, seconds):
        """Returns as soon as an upload begins."""
        self.flying.clear()
        return self.flying.wait(seconds)

    def serve(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            self.threads.append(threading.Thread(target=self.talk, args=(client,), daemon=True))
            self.threads[-1].start()

    def talk(self, client):
        with client:
            try:
                while True:
                    request = message(client)
                    self.note(request)
                    self.flying.set()
                    reply = self.carry(request)
                    if reply is None:
                        return
                    client.sendall(reply)
            except OSError:
                return

    def carry(self, request):
        """The reply, or a part of it; None for an end without one."""
        with self.lock:
            fault = self.chance.choice(FAULTS) if self.chance.random() < self.trouble else None
            share, pause = self.chance.random(), self.chance.uniform(0.01, 0.4)
            if fault:
                self.faults[fault] += 1
        if fault == 'lost request':
            return None
        if fault == 'cut request':
            with socket.create_connection(('127.0.0.1', self.to), never(10)) as link:
                link.sendall(request[: int(len(request) * share)])
            return None
        if fault == 'delayed':
            time.sleep(pause)
        reply = self.exchange(request)
        if fault == 'doubled':
            reply = self.exchange(request)
        if fault == 'doubled late':
            late = threading.Timer(pause, self.repeat, (request,))
            self.threads.append(late)
            late.start()
        if fault == 'lost reply':
            return None
        return reply[: int(len(reply) * share)] if fault == 'cut reply' else reply

    def exchange(self, request):
        with socket.create_connection(('127.0.0.1', self.to), never(10)) as link:
            link.settimeout(never(10))
            link.sendall(request)
            return message(link)

    def repeat(self, request):
        try:
            self.exchange(request)
        except OSError:
            pass

    def settle(self):
        """Returns when nothing is on its way any more of gateways that have ended."""
        for thread in self.threads:
            thread.join()

    def note(self, request):
        head, body = request.split(b'\r\n\r\n', 1)
        if not head.startswith(b'POST /trackerEvent'):
            return
        if re.search(rb'\r\nContent-Encoding: *gzip', head, re.I):
            body = gzip.decompress(body)
        with self.lock:
            for event in json.loads(body)['events']:
                self.seen.add((bytes.fromhex(event['heid']), base64.b64decode(event['encodedLocation'])))

    def close(self):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()


def message(link):
    """The next request or reply, whole."""
    data = b''
    while b'\r\n\r\n' not in data:
        data += piece(link)
    head, body = data.split(b'\r\n\r\n', 1)
    length = re.search(rb'\r\nContent-Length: *(\d+)', head, re.I)
    while length and len(body) < int(length.group(1)):
        body += piece(link)
    return head + b'\r\n\r\n' + body


def piece(link):
    data = link.recv(65536)
    if not data:
        raise ConnectionError('the end')
    return data


# What a portal, a proxy or a broken backend says in its place.
ANSWERS = [
    ('413 Payload Too Large', b'<html>too large</html>'),
    ('307 Temporary Redirect', b''),
    ('200 OK', b'<html>Log in</html>'),
    ('200 OK', b''),
    ('200 OK', b'{"results":[]}'),
    ('204 No Content', b''),
    ('404 Not Found', b'no such page'),
    ('500 Internal Server Error', b''),
    ('400 Bad Request', b'?'),
]


class Proxy(Network):
    """Answers in the place of the backend for some seconds from the first request on, then lets all through."""

    def __init__(self, port, status, body, seconds):
        self.status, self.body, self.seconds = status, body, seconds
        self.until, self.passed = None, 0
        # When what was refused, for a test that finds it too much.
        self.refused = []
        super().__init__(port, trouble=0)

    def carry(self, request):
        now = time.monotonic()
        self.until = self.until or now + self.seconds
        if now >= self.until:
            self.passed += 1
            return super().carry(request)
        self.refused.append((round(self.seconds - self.until + now, 2), request.split(b'\r\n', 1)[0].decode()))
        head = f'HTTP/1.1 {self.status}\r\nContent-Type: text/html\r\nContent-Length: {len(self.body)}\r\n'
        if self.status.startswith('3'):
            head += 'Location: http://127.0.0.1:1/\r\n'
        return head.encode() + b'\r\n' + self.body
