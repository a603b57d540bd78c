"""`luna backend` and its storage: kills, a full disk, backups, and what a tester makes of its document."""

import os
import random
import re
import signal
import subprocess
import threading
import time

from backends import VENV, APIBench, Backend, at_most, event, together
from bench import ROOT, wait_for

IN_VM = False
# How often the server is killed in one test; more with LUNA_KILLS.
KILLS = int(os.environ.get('LUNA_KILLS', '60'))


def prepare(mode):
    return APIBench()


class Uploader(threading.Thread):
    """A gateway that sends batches until each was answered, however often the server goes away."""

    def __init__(self, backend, batches, name):
        super().__init__(daemon=True)
        self.backend, self.batches, self.name_ = backend, batches, name
        backend.token('gateway', name)
        self.accepted = {}
        self.problem = None

    def run(self):
        try:
            for batch in self.batches:
                while True:
                    try:
                        answer = self.backend.upload(batch, self.name_, check=False, timeout=5)
                    except (OSError, __import__('http').client.HTTPException):
                        time.sleep(0.01)
                        continue
                    if answer.status == 503:
                        time.sleep(0.05)
                        continue
                    assert answer.status == 200, (answer.status, answer.body)
                    for result in answer.json['results']:
                        key = batch[result['index']]['encodedLocation']
                        assert result['status'] in ('accepted', 'duplicate'), result
                        if result['status'] == 'accepted':
                            self.accepted[key] = self.accepted.get(key, 0) + 1
                    break
        except Exception as error:
            self.problem = error


def survives_kills(backend, kills):
    batches = [[event() for _ in range(10)] for _ in range(kills * 12)]
    # Every batch goes through two gateways, so that they meet.
    uploaders = [Uploader(backend, batches[i % 4 :: 4] , f'g{i}') for i in range(8)]
    [u.start() for u in uploaders]
    chance = random.Random(5)
    killed = 0
    while killed < kills:
        time.sleep(chance.uniform(0.0, 0.12))
        if not any(u.is_alive() for u in uploaders):
            more = [[event() for _ in range(10)] for _ in range(400)]
            batches += more
            fresh = [Uploader(backend, more[i % 4 :: 4], f'g{i}') for i in range(8)]
            [u.start() for u in fresh]
            uploaders += fresh
        backend.kill(signal.SIGKILL)
        backend.process.wait()
        killed += 1
        backend.start()
    for uploader in uploaders:
        uploader.join(60)
        assert not uploader.is_alive() and uploader.problem is None, uploader.problem
    events = {e['encodedLocation']: e for batch in batches for e in batch}
    stored = backend.stored([e['heid'] for e in events.values()])
    assert len(stored) == len(events), f'{len(events)} events were answered for, {len(stored)} are stored'
    assert {e['encodedLocation'] for e in stored} == set(events)
    for key in events:
        assert sum(u.accepted.get(key, 0) for u in uploaders) <= 1, 'an event was accepted twice'
    return len(events)


def test_survives_kills(bench):
    survives_kills(bench.other('--events-per-second', '0').start(), KILLS)


test_survives_kills.seconds = 55 + KILLS


def test_full_disk(bench):
    folder = bench.backend.directory + '/small'
    os.mkdir(folder)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], check=True)
    try:
        backend = bench.other('--events-per-second', '0', store=f'sqlite:{folder}/backend.sqlite').start()
        backend.token('gateway'), backend.token('owner')
        kept, answer = [], None
        for _ in range(200):
            batch = [event() for _ in range(100)]
            answer = backend.upload(batch)
            if answer.status != 200:
                break
            kept += batch
        assert answer.status == 503 and answer.code == 'storageFull', (answer.status, answer.code, len(kept))
        assert len(kept) > 500
        assert backend.call('GET', '/readyz').status == 503 and backend.call('GET', '/healthz').status == 200
        # What was accepted is there, also for who asks now.
        assert len(backend.stored([e['heid'] for e in kept])) == len(kept)
        # A kill while it is full does not lose it either.
        backend.kill(signal.SIGKILL)
        backend.process.wait()
        subprocess.run(['mount', '-o', 'remount,size=40m', folder], check=True)
        backend.start()
        assert backend.upload([event() for _ in range(100)]).status == 200
        assert len(backend.stored([e['heid'] for e in kept])) == len(kept)
        wait_for(lambda: backend.call('GET', '/readyz').status == 200, 5)
        # Full, and room again, without a new start.
        with open(folder + '/other', 'wb') as other:
            while True:
                try:
                    other.write(bytes(65536))
                    other.flush()
                except OSError:
                    break
        statuses = {backend.upload([event() for _ in range(300)]).status for _ in range(30)}
        assert 503 in statuses, statuses
        os.unlink(folder + '/other')
        wait_for(lambda: backend.upload([event()]).status == 200, 10, 'the backend to go on')
        bench.tidy()
    finally:
        subprocess.run(['umount', '-l', folder], check=True)


def test_backup_while_it_runs(bench):
    backend = bench.other('--events-per-second', '0').start()
    before = [event() for _ in range(300)]
    assert backend.upload(before).status == 200
    stop = threading.Event()

    def upload():
        while not stop.is_set():
            assert backend.upload([event() for _ in range(20)], check=False).status == 200

    backend.token('gateway')
    thread = threading.Thread(target=upload)
    thread.start()
    path = backend.directory + '/copy.sqlite'
    backend.command('backup', path)
    stop.set()
    thread.join()
    assert 'does not exist' in backend.command('backup', path, code=4)
    copy = bench.other(store='sqlite:' + path)
    copy.tokens = dict(backend.tokens)
    copy.tokens['owner', 'test'] = backend.token('owner')
    # The token of the owner was made after the copy.
    copy.tokens.pop(('owner', 'test'))
    copy.start()
    assert len(copy.stored([e['heid'] for e in before])) == len(before)


def test_retention(bench):
    backend = bench.other()
    from backends import today

    old, new = event(day=today(-20)), event(day=today(-5))
    backend.start()
    assert {r['status'] for r in backend.upload([old, new]).json['results']} == {'accepted'}
    backend.stop()
    backend.start('--retention', '10')
    wait_for(lambda: len(backend.stored([old['heid'], new['heid']])) == 1, 20, 'old events to go')
    assert backend.stored([new['heid']])
    assert backend.upload([old]).json['results'][0]['code'] == 'dayExpired'


def tester(backend, role, *options):
    checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method'
    command = [os.path.join(VENV, 'bin', 'schemathesis'), 'run', f'http://127.0.0.1:{backend.port}/openapi.json']
    if role:
        command += ['-H', 'Authorization: Bearer ' + backend.token(role)]
    environment = dict(os.environ, HYPOTHESIS_STORAGE_DIRECTORY=backend.directory, COLUMNS='200')
    done = subprocess.run(
        command + ['--checks', checks, '--phases', 'examples,coverage,fuzzing', '--seed', '1', '--generation-database', 'none']
        + ['--suppress-health-check', 'all', '--no-color', '--continue-on-failure', *options],
        cwd=backend.directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, ' | '.join(done.stdout.splitlines()[-60:])
    return done.stdout


def test_a_tester_finds_no_undocumented_answer(bench):
    backend = bench.other('--events-per-second', '0').start()
    common = ['--max-examples', '25']
    together_with = [
        lambda: tester(backend, 'gateway', *common, '--include-path-regex', '^/(trackerEvent|remote)'),
        lambda: tester(backend, 'owner', *common, '--include-path-regex', '^/v1/(events|commands)'),
        lambda: tester(backend, 'admin', *common, '--exclude-path-regex', '^/(trackerEvent|remote|v1/(events|commands))'),
        lambda: tester(backend, None, '--max-examples', '3'),
    ]
    errors = []

    def run(work):
        try:
            work()
        except AssertionError as error:
            errors.append(str(error))

    together([lambda work=work: run(work) for work in together_with])
    assert not errors, errors[0]
    assert backend.alive()
    assert not [line for line in backend.log() if line['level'] == 'error'], backend.log()[-3:]


test_a_tester_finds_no_undocumented_answer.seconds = 170
