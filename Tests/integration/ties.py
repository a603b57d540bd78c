"""Whether anything that a backend keeps or says ties an event to the gateway that sent it: each row of each table, the log,
the metrics."""

import base64
import hashlib
import json
import re
import sqlite3
import subprocess

from backends import PATIENCE, event, soon


def forms(text):
    """How a text may stand in a row: as it is, without what divides it, and as the bytes of it."""
    text = text.lower()
    return {text, text.replace('-', '').replace(':', ''), text.encode().hex()}


def of_gateway(backend, name):
    """What names a gateway: the name of its tokens, its record, its token, and what is kept of that."""
    record = next(one['id'] for one in backend.call('GET', '/v1/gateways', role='admin').json['gateways'] if one['key'] == name)
    token = backend.token('gateway', name)
    return {'name': name, 'record': record, 'token': token, 'digest': hashlib.sha256(token.encode()).hexdigest()[:12]}


def items(name, key):
    """What a gateway records of itself; the same for the same names."""
    return [{'id': hashlib.md5(f'{name} {number}'.encode()).hexdigest(), 'time': soon(-60), 'key': key, 'value': '1', 'count': 1}
            for number in range(3)]


def sends(backend, name, key):
    """Has a gateway upload, tell how it is and what it hears, and record something under a key; gives its events."""
    events = [event() for _ in range(4)]
    for some in (events[:2], events[2:]):
        body = {'batchId': 'b1', 'gateway': {'version': '1', 'uptime': 5, 'queueDepth': 1}, 'events': some}
        assert backend.upload(body, name=name).status == 200
    health = {'version': '1.2', 'uptime': 600, 'diskFreeMiB': 5000, 'families': {'tile': 3}}
    device = {'ref': '00112233aabbccdd', 'family': 'ibeacon', 'first': soon(0)[:14] + '00:00Z', 'last': soon(0)[:14] + '00:00Z',
              'hours': 1, 'band': 'near'}
    body = {'product': 'test', 'health': health, 'samples': [{'time': soon(-60), 'health': health}], 'devices': [device], 'items': items(name, key)}
    assert backend.call('POST', '/v1/telemetry', body, 'gateway', name).status == 200
    return events


def of_events(events):
    """What tells an event from others."""
    return {form for one in events for form in (one['heid'], base64.b64decode(one['encodedLocation']).hex())}


def sqlite_rows(store):
    """All rows of all tables: the name of the table, and a text of all that is in the row."""
    with sqlite3.connect(store.removeprefix('sqlite:'), timeout=PATIENCE) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert {'events', 'telemetry', 'gateways', 'fleet', 'tokens', 'health'} <= set(tables), tables
        return [(table, ' '.join(v.hex() if isinstance(v, bytes) else str(v) for v in row).lower())
                for table in tables for row in database.execute(f'SELECT * FROM "{table}"')]


def postgres_rows(server, store):
    """The same; days of events are tables, too."""
    names = ("SELECT relname FROM pg_class WHERE relnamespace = 'luna'::regnamespace AND relkind IN ('r', 'p')"
             " AND relname !~ '^events_[0-9]+$'")
    rows, tables = [], server.ask(store, names)
    assert {'events', 'telemetry', 'gateways', 'fleet', 'tokens', 'health', 'busy', 'holders'} <= set(tables), tables
    for table in tables:
        done = subprocess.run(
            ['psql', '-qAtX', '-v', 'ON_ERROR_STOP=1', *server.connection(store), '-c', f'SELECT row_to_json(t)::text FROM luna."{table}" t'],
            stdout=subprocess.PIPE, text=True, check=True)
        # An identifier as PostgreSQL writes it has hyphens.
        rows += [(table, re.sub(r'\b(\w{8})-(\w{4})-(\w{4})-(\w{4})-(\w{12})\b', r'\1\2\3\4\5', line.lower())) for line in done.stdout.splitlines()]
    return rows


def are_none(backend, name, events, keys, rows):
    """Fails for a row with anything of an event and anything of its gateway. Keys are those of what the gateway recorded
    of itself: that is no more anybody's than an event is."""
    gateway, marks = of_gateway(backend, name), of_events(events) | set(keys)
    has = lambda text, mark: any(form in text for form in forms(mark))
    tied = [(table, text) for table, text in rows if any(has(text, mark) for mark in marks)]
    named = [(table, text) for table, text in rows if any(has(text, mark) for mark in gateway.values())]
    # That one would be found: all events are somewhere, and so is all that names the gateway but the token itself.
    for mark in marks:
        assert any(has(text, mark) for _, text in tied), mark
    for what, mark in gateway.items():
        assert any(has(text, mark) for _, text in named) == (what != 'token'), what
    both = [row for row in tied if row in named]
    assert not both, both[:3]
    # A time to the microsecond would tell it, too: one that both have is no chance. A full half minute is everybody's.
    moments = lambda some: {(moment, table) for table, text in some for moment in re.findall(r'\b\d{16}\b', text)
                            if int(moment) % 30_000_000}
    same = {moment for moment, _ in moments(tied)} & {moment for moment, _ in moments(named)}
    assert not same, [one for one in moments(tied) | moments(named) if one[0] in same][:4]
    log = open(backend.log_path).read()
    for line in log.lower().splitlines():
        assert not any(has(line, mark) for mark in marks), line
    assert not has(log.lower(), gateway['token'])
    metrics = backend.call('GET', '/metrics', role='admin', check=False)
    assert metrics.status == 200
    for mark in [*marks, *gateway.values()]:
        assert not has(metrics.body.decode().lower(), mark), mark
