"""`luna backend` and its storage in SQLite: kills, a full disk, backups, retention."""

import os
import signal
import subprocess
import threading

from backends import PATIENCE, APIBench, event, today
from bench import wait_for
from killing import survives_kills

IN_VM = False
# How often the server is killed in one test.
KILLS = int(os.environ.get('LUNA_KILLS', '200'))


def prepare(mode):
    return APIBench()


def test_survives_kills(bench):
    survives_kills([bench.other('--events-per-second', '0').start()], KILLS)


test_survives_kills.seconds = 60 + KILLS


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
        wait_for(lambda: backend.call('GET', '/readyz').status == 200, PATIENCE)
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
        wait_for(lambda: backend.upload([event()]).status == 200, PATIENCE, 'the backend to go on')
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
    assert 'is there already' in backend.command('backup', path, code=2)
    copy = bench.other(store='sqlite:' + path)
    copy.start()
    assert len(copy.stored([e['heid'] for e in before])) == len(before)


def test_retention(bench):
    backend = bench.other()
    old, new = event(day=today(-20)), event(day=today(-5))
    backend.start()
    assert {r['status'] for r in backend.upload([old, new]).json['results']} == {'accepted'}
    backend.stop()
    backend.start('--retention', '10')
    wait_for(lambda: len(backend.stored([old['heid'], new['heid']])) == 1, PATIENCE, 'old events to go')
    assert backend.stored([new['heid']])
    assert backend.upload([old]).json['results'][0]['code'] == 'dayExpired'
