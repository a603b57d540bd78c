"""Gateways and a backend for the tests: luna finder, luna backend with its tokens, what they tell and keep."""

import json
import os
import signal
import sqlite3
import time

from bench import Luna, free_port, never, wait_for

PLACE = 'static:52.5,13.25,40'


class Server:
    """A luna backend with a token for a gateway and one for an owner."""

    def __init__(self, bench, name='backend'):
        self.bench, self.path = bench, os.path.join(bench.directory, name + '.db')
        self.tokens, self.port = {}, free_port()
        for role in ('gateway', 'owner'):
            path = os.path.join(bench.directory, f'{name}-{role}.token')
            Luna(bench, 'backend', 'token', 'create', role, name, '--store', 'sqlite:' + self.path, '--out', path).ends(0)
            self.tokens[role] = path
        self.start()

    def start(self):
        """Starts it, at the same address as before; returns when it listens."""
        self.process = Luna(
            self.bench, 'backend', '--store', 'sqlite:' + self.path, '--listen', f'127.0.0.1:{self.port}',
            '--events-per-second', '0')

        def address():
            assert self.process.process.poll() is None, self.process.stderr()
            lines = [line for line in self.process.stderr().splitlines() if '"listening"' in line]
            return lines and json.loads(lines[0])['address']

        self.port = int(wait_for(address, 60, 'the backend to listen').rsplit(':', 1)[1])
        self.url = f'http://127.0.0.1:{self.port}'
        return self

    def stop(self, number=signal.SIGTERM):
        self.process.signal(number)
        self.process.process.wait(never(15))
        self.bench.started.remove(self.process)

    def at(self, role):
        return ['--backend', self.url, '--token-file', self.tokens[role]]

    def events(self):
        """What it has stored: (heid, encoded location), each as often as it is there."""
        with sqlite3.connect(self.path) as database:
            assert database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
            return database.execute('SELECT heid, location FROM events').fetchall()


def finder(bench, state, *arguments, location=PLACE, **how):
    return Luna(
        bench, 'finder', *bench.radio, '--location', location, '--format', 'jsonl', '--state',
        os.path.join(bench.directory, state), *arguments, **how)


def of(process, kind):
    return [line for line in process.lines() if line['type'] == kind]


def wait_lines(process, kind, count=1, seconds=60):
    def enough():
        if process.process.poll() is not None and len(of(process, kind)) < count:
            raise AssertionError(f'luna ended with {process.process.returncode}: {process.stderr()}')
        return len(of(process, kind)) >= count

    wait_for(enough, seconds, f'{count} x {kind}; it said: {process.stderr()}')
    return of(process, kind)


def events(bench, owner, server, name, *arguments, since=7200):
    """luna owner events, ended."""
    run = Luna(bench, 'owner', 'events', name, '--state', owner, '--from', str(int(time.time()) - since),
               *server.at('owner'), *arguments)
    run.process.wait(never(15))
    return run


def status(bench, state):
    run = Luna(bench, 'finder', 'status', '--format', 'jsonl', '--state', os.path.join(bench.directory, state)).ends(0, 60)
    return run.lines()[0]


def waiting(bench, state):
    """How many events wait; none while there is no queue yet."""
    has_queue = os.path.exists(os.path.join(bench.directory, state, 'luna-finder-memory.data'))
    return status(bench, state)['waiting'] if has_queue else 0


def sealed(bench, state):
    """How many events a gateway has ever queued: its queue gives no number twice."""
    with sqlite3.connect(os.path.join(bench.directory, state, 'luna-finder-memory.data')) as database:
        assert database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
        return database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()[0]
