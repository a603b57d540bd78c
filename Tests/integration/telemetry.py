"""What the tests of telemetry work with: its queue, programs that add to it, and a way to a backend that loses
and repeats."""

import http.client
import http.server
import json
import os
import random
import sqlite3
import subprocess
import threading

from backends import LUNA, PATIENCE


class Queue:
    """A state directory, and what is in its queue."""

    def __init__(self, directory):
        self.directory = directory
        self.path = os.path.join(directory, 'telemetry.data')

    def luna(self, *words, code=0, **more):
        done = subprocess.run([LUNA, 'telemetry', *words, '--state', self.directory], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, **more)
        assert code is None or done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done

    def status(self):
        return json.loads(self.luna('status', '--format', 'jsonl').stdout)

    def rows(self):
        with sqlite3.connect(self.path, timeout=PATIENCE) as database:
            assert database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
            return database.execute('SELECT key, value, count, kind, sent FROM items ORDER BY number').fetchall()

    def flush(self, backend, role='gateway', name='test', url=None, code=0, environment=None, **more):
        token = os.path.join(backend.directory, f'{role}-{name}.token')
        with open(os.open(token, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w') as file:
            file.write(backend.token(role, name))
        url = url or f'http://127.0.0.1:{backend.port}'
        return self.luna('flush', '--backend', url, '--token-file', token, '--format', 'jsonl', code=code,
                         env=dict(os.environ, **(environment or {})), **more)


def stored(backend):
    """The items that a backend has: key -> how often."""
    with sqlite3.connect(backend.store.removeprefix('sqlite:'), timeout=PATIENCE) as database:
        counts = {}
        for key, count in database.execute("SELECT key, count FROM telemetry WHERE key <> ''"):
            counts[key] = counts.get(key, 0) + count
        return counts


class Lossy:
    """A proxy before a backend that loses requests, loses answers, and sends requests twice. It keeps what came."""

    def __init__(self, backend, seed=1, trouble=0.5):
        lossy, chance, lock = self, random.Random(seed), threading.Lock()
        self.trouble, self.seen, self.attempts = trouble, [], 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                with lock:
                    lossy.attempts += 1
                    lossy.seen.append((self.path, dict(self.headers), body))
                    kind = chance.choice(['request', 'answer', 'twice']) if chance.random() < lossy.trouble else None
                if kind == 'request':
                    return self.leave()
                for _ in range(2 if kind == 'twice' else 1):
                    try:
                        status, fields, data = self.ask(body)
                    except (OSError, http.client.HTTPException):
                        return self.leave()
                if kind == 'answer':
                    return self.leave()
                self.send_response(status)
                for name, value in fields:
                    if name.lower() in ('content-type', 'retry-after'):
                        self.send_header(name, value)
                self.send_header('Content-Length', str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST

            def ask(self, body):
                connection = http.client.HTTPConnection('127.0.0.1', backend.port, timeout=PATIENCE)
                try:
                    fields = {n: v for n, v in self.headers.items() if n.lower() not in ('host', 'connection')}
                    connection.request(self.command, self.path, body, fields)
                    answer = connection.getresponse()
                    return answer.status, answer.getheaders(), answer.read()
                finally:
                    connection.close()

            def leave(self):
                self.close_connection = True
                self.connection.close()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server.server_port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
