"""`luna backend` and its storage in SQLite: kills, a full disk, backups, retention."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

from backends import PATIENCE, APIBench, event, today
from bench import chance, needs_root, wait_for
import filled
from harms import CONFINED, HARMS, full, small_disk, tell
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
    needs_root('mount a small disk')
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
        with open(folder + '/other', 'wb', buffering=0) as other:
            while True:
                try:
                    other.write(bytes(65536))
                except OSError:
                    break
        statuses = {backend.upload([event() for _ in range(300)]).status for _ in range(30)}
        assert 503 in statuses, statuses
        os.unlink(folder + '/other')
        wait_for(lambda: backend.upload([event()]).status == 200, PATIENCE, 'the backend to go on')
        bench.tidy()
    finally:
        subprocess.run(['umount', '-l', folder], check=True)


def begins(bench, prefix=(), folder=None):
    """A backend whose storage has a directory of its own."""
    backend = bench.other('--events-per-second', '0', store=None)
    backend.prefix = prefix
    if not folder:
        folder = backend.directory + '/state'
        os.mkdir(folder)
    backend.store = f'sqlite:{folder}/backend.sqlite'
    backend.start()
    backend.token('gateway'), backend.token('owner')
    return backend, folder


def loses_its_files(bench, harm):
    """Uploads, does harm to the storage, and looks at what a backend then says."""
    backend, folder = begins(bench)
    kept = [event() for _ in range(50)]
    assert backend.upload(kept).status == 200 and backend.call('GET', '/readyz').status == 200
    time.sleep(1.1)
    before = len(backend.log())
    restore = harm(folder)
    for _ in range(20):
        answer = backend.upload([event()])
        assert (answer.status, answer.code) == (503, 'storageReplaced'), (answer.status, answer.body)
        assert int(answer.headers['retry-after']) > 0
        assert backend.call('GET', '/readyz').status == 503
        assert backend.query([e['heid'] for e in kept]).status == 503
        assert backend.call('GET', '/healthz').status == 200
    lines = [line for line in backend.log()[before:] if line['level'] != 'debug']
    assert len(lines) == 1 and lines[0]['kind'] == 'replaced' and lines[0]['level'] == 'error', lines
    assert folder in lines[0]['message'], lines
    # What is put back does not heal it: only a new start reads what is there.
    if restore:
        restore()
        assert backend.upload([event()]).status == 503
    backend.stop()
    if restore:
        backend.start()
        assert len(backend.stored([e['heid'] for e in kept])) == len(kept)
        assert backend.upload([event()]).status == 200


def test_a_deleted_file(bench):
    def harm(folder):
        os.unlink(folder + '/backend.sqlite')

    loses_its_files(bench, harm)


def test_a_moved_file(bench):
    def harm(folder):
        os.rename(folder + '/backend.sqlite', folder + '/moved')
        return lambda: os.rename(folder + '/moved', folder + '/backend.sqlite')

    loses_its_files(bench, harm)


def test_a_replaced_file(bench):
    def harm(folder):
        shutil.copy(folder + '/backend.sqlite', folder + '/copy')
        os.rename(folder + '/copy', folder + '/backend.sqlite')

    loses_its_files(bench, harm)


def test_a_token_that_is_revoked_in_the_file_that_took_its_place(bench):
    backend, folder = begins(bench)
    heid = event()['heid']
    assert backend.query([heid]).status == 200
    shutil.copy(folder + '/backend.sqlite', folder + '/copy')
    shutil.copy(folder + '/backend.sqlite-wal', folder + '/copy-wal')
    os.rename(folder + '/copy-wal', folder + '/backend.sqlite-wal')
    os.rename(folder + '/copy', folder + '/backend.sqlite')
    owner = next(token for token in backend.command('token', 'list') if token['kind'] == 'owner')
    backend.command('token', 'revoke', owner['id'])
    # It looks at most once a second, and nobody has to write before.
    wait_for(lambda: backend.query([heid]).status != 200, PATIENCE, 'the revoked token to read nothing')
    assert backend.query([heid]).status == 503


def test_a_deleted_log(bench):
    def harm(folder):
        os.unlink(folder + '/backend.sqlite-wal')

    loses_its_files(bench, harm)


def test_a_deleted_index_of_the_log(bench):
    def harm(folder):
        os.unlink(folder + '/backend.sqlite-shm')

    loses_its_files(bench, harm)


def test_a_deleted_directory(bench):
    def harm(folder):
        os.rename(folder, folder + '.moved')
        return lambda: os.rename(folder + '.moved', folder)

    loses_its_files(bench, harm)


def is_damaged(bench, name, harm):
    """Uploads, damages a file where it is, and looks at what the backend says, and has after a new start."""
    backend, folder = begins(bench)
    for _ in range(20):
        assert backend.upload([event() for _ in range(20)]).status == 200
    path = f'{folder}/backend.sqlite{name}'
    # It may look by itself before it is asked.
    before = len(backend.log())
    harm(path)
    for _ in range(5):
        answer = backend.upload([event()])
        assert answer.status == 503 and int(answer.headers['retry-after']) > 0, (answer.status, answer.body)
        assert backend.call('GET', '/readyz').status == 503
        assert backend.query(['A' * 22 + '==']).status == 503
        assert backend.call('GET', '/healthz').status == 200
    lines = [line for line in backend.log()[before:] if line['level'] != 'debug']
    assert len(lines) == 1 and lines[0]['level'] == 'error' and path in lines[0]['message'], lines
    assert backend.stop() == 0
    return backend


def test_a_log_that_is_cut(bench):
    backend = is_damaged(bench, '-wal', HARMS['cut in half'])
    # What comes before is there, what is missing is said, and what is taken from now on stays.
    backend.start()
    assert any(line['level'] == 'error' and '-wal was cut before the start' in line['message'] for line in backend.log())
    kept = [event() for _ in range(50)]
    assert backend.upload(kept).status == 200
    backend.stop(signal.SIGKILL)
    backend.start()
    assert len(backend.stored([e['heid'] for e in kept])) == len(kept)


def test_a_log_that_is_overwritten(bench):
    is_damaged(bench, '-wal', HARMS['noise in the middle'])


def test_a_file_that_is_overwritten(bench):
    is_damaged(bench, '', HARMS['noise at the beginning'])


def test_an_index_that_is_cut(bench):
    """SQLite has it in memory: no call fails, the memory is gone. One line, status 7, and nothing is lost."""
    backend = bench.other('--events-per-second', '0').start()
    backend.token('gateway'), backend.token('owner')
    kept = [event() for _ in range(50)]
    assert backend.upload(kept).status == 200
    before = len(open(backend.log_path).readlines())
    os.truncate(backend.directory + '/backend.sqlite-shm', 0)
    try:
        backend.upload([event()])
    except OSError:
        pass
    assert backend.process.wait(PATIENCE) == 7
    lines = open(backend.log_path).readlines()[before:]
    assert len(lines) == 1 and 'backend.sqlite-shm was cut while it was in use' in lines[0], lines
    os.truncate(backend.log_path, 0)
    backend.log_size = 0
    backend.start()
    assert len(backend.stored([e['heid'] for e in kept])) == len(kept)


def starts_anew(backend):
    os.truncate(backend.log_path, 0)
    backend.log_size = 0
    backend.start()


def may_not_start(backend):
    """It ends with 4; returns what it said."""
    try:
        starts_anew(backend)
    except AssertionError:
        said = open(backend.log_path).read()
        assert backend.process.returncode == 4 and 'backend.sqlite' in said, (backend.process.returncode, said)
        return said
    raise AssertionError('it has opened what it may not')


def harmed(bench, name, harm, folder=None):
    """What becomes of a backend: a line of the table. A folder that is given has room again before the new start."""
    mayStart, (backend, folder) = folder is not None, begins(bench, CONFINED, folder)
    before = [event() for _ in range(200)]
    for start in range(0, len(before), 20):
        assert backend.upload(before[start : start + 20]).status == 200
    size = os.path.getsize(backend.log_path)
    restore = harm(f'{folder}/backend.sqlite{name}')
    after, answers = [], []
    for _ in range(10):
        one = [event() for _ in range(5)]
        try:
            answers.append(backend.upload(one).status)
        except OSError:
            answers.append('gone')
            break
        after += one if answers[-1] == 200 else []
    try:
        ready = backend.call('GET', '/readyz').status if 'gone' not in answers else 'gone'
    except OSError:
        ready = 'gone'
    if ready == 'gone':
        status = backend.process.wait(PATIENCE)
        assert status == 7, f'ended with {status}'
    else:
        backend.stop(signal.SIGKILL)
    said = open(backend.log_path).read()[size:]
    # A server that says that it works has stored all that it took.
    assert (ready == 200) == (set(answers) == {200}), (answers, ready)
    if restore:
        said += '' if mayStart else may_not_start(backend)
        restore()
    try:
        starts_anew(backend)
    except AssertionError:
        kept = 'no start: ' + open(backend.log_path).read()[-200:].strip() + ', with'
        said += open(backend.log_path).read()
        assert backend.process.returncode > 0 and not after, (backend.process.returncode, len(after))
    else:
        said += open(backend.log_path).read()
        if backend.call('POST', '/v1/events/query', {'heids': [before[0]['heid']], 'from': today(), 'to': today()}, 'owner', check=False).status == 401:
            # A storage without tokens: a new one.
            kept = 0
            assert not after
        elif backend.call('GET', '/readyz').status == 200:
            stored = len(backend.stored([e['heid'] for e in after]))
            assert stored == len(after), f'of {len(after)} acknowledged afterwards {stored} are there'
            kept = len(backend.stored([e['heid'] for e in before]))
        else:
            kept = 'not ready'
            assert not after
        backend.stop()
    lines = [line for line in said.splitlines() if '"error"' in line or line.startswith('luna: ')]
    assert kept == len(before) or any('backend.sqlite' in line for line in lines), (kept, said)
    return f'{answers.count(200)} of {len(answers)} taken, then {answers[-1]}, /readyz {ready}; after a new start {kept} of {len(before)}'


def test_harms_to_its_files(bench):
    """Every harm to every file: what is acknowledged afterwards is there after a new start, what is lost is said, and
    nothing ends by a signal."""
    faults = []
    for name in ('', '-wal', '-shm'):
        for what, harm in HARMS.items():
            try:
                tell(f'backend.sqlite{name}', what, harmed(bench, name, harm))
            except (AssertionError, OSError) as error:
                status = bench.others[-1].process.poll()
                tell(f'backend.sqlite{name}', what, f'{error!r} (status {status})', isRight=False)
                faults.append((name, what, str(error)))
            bench.tidy()
    assert not faults, faults


test_harms_to_its_files.seconds = 180


def test_the_harm_of_a_full_disk(bench):
    """The line of the table that is about all files at once."""
    place = bench.backend.directory + '/full'
    with small_disk(place, '20m'):
        result = harmed(bench, '', full, place)
        tell('backend.sqlite*', 'full disk', result)
        assert result.startswith('0 of 10 taken, then 503, /readyz 503') and result.endswith('200 of 200'), result
        bench.tidy()


def test_files_that_may_not_be_opened_any_more(bench):
    """Who has them open goes on with all that it does, also what it was not asked for before."""
    for name in ('', '-wal', '-shm'):
        backend, folder = begins(bench, CONFINED)
        kept = [event() for _ in range(50)]
        assert backend.upload(kept).status == 200
        restore = HARMS['no permission'](f'{folder}/backend.sqlite{name}')
        # Each time another reader has its turn.
        for _ in range(6):
            assert len(backend.stored([e['heid'] for e in kept])) == len(kept), name
        assert backend.upload([event()]).status == 200 and backend.call('GET', '/readyz').status == 200, name
        restore()
        assert backend.stop() == 0
        bench.tidy()


def test_a_disk_that_becomes_read_only(bench):
    needs_root('mount a disk')
    folder = bench.backend.directory + '/readonly'
    os.mkdir(folder)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', folder], check=True)
    try:
        backend = bench.other('--events-per-second', '0', store=f'sqlite:{folder}/backend.sqlite').start()
        kept = [event() for _ in range(50)]
        assert backend.upload(kept).status == 200
        if subprocess.run(['mount', '-o', 'remount,ro', folder], stderr=subprocess.DEVNULL).returncode == 0:
            assert backend.upload([event()]).status == 503
        # A new start on it says so.
        backend.stop()
        subprocess.run(['mount', '-o', 'remount,ro', folder], check=True)
        said = backend.command('check-config', '--listen', '127.0.0.1:0', code=7)
        assert folder in said and said.count('\n') == 1, said
        subprocess.run(['mount', '-o', 'remount,rw', folder], check=True)
        backend.start()
        assert len(backend.stored([e['heid'] for e in kept])) == len(kept)
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
    assert 'exists already' in backend.command('backup', path, code=2)
    backend.command('backup', path, '--force')
    assert 'itself' in backend.command('backup', backend.store.removeprefix('sqlite:'), '--force', code=2)
    assert 'no such' in backend.command('backup', '/nowhere/at/all', code=7).lower()
    copy = bench.other(store='sqlite:' + path)
    copy.start()
    assert len(copy.stored([e['heid'] for e in before])) == len(before)


def test_a_backup_that_has_no_room_leaves_the_one_before(bench):
    backend, place = bench.other('--events-per-second', '0').start(), bench.backend.directory + '/copies'
    assert backend.upload([event() for _ in range(50)]).status == 200
    with small_disk(place, '4m'):
        path = place + '/copy.sqlite'
        backend.command('backup', path)
        before = open(path, 'rb').read()
        restore = full(path)
        assert path in backend.command('backup', path, '--force', code=7)
        assert open(path, 'rb').read() == before and sorted(os.listdir(place)) == ['ballast', 'copy.sqlite']
        restore()
        backend.command('backup', path, '--force')


def test_a_file_whose_owner_cannot_be_kept_stays(bench):
    """Who may not give a file to its owner replaces none; who may, keeps owner, group and mode."""
    needs_root('make a file of another user')
    backend, path = bench.other().start(), bench.backend.directory + '/theirs'
    with open(path, 'w') as file:
        file.write('theirs')
    os.chown(path, 12345, 12346)
    os.chmod(path, 0o640)
    for words in (['backup', path], ['token', 'create', 'owner', 'nobody', '--out', path]):
        words = ['setpriv', '--bounding-set=-chown', backend.luna, 'backend', *words, '--force', '--store', backend.store]
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 4 and path in done.stderr, (words, done)
        assert open(path).read() == 'theirs', words
    assert not [name for name in os.listdir(bench.backend.directory) if name.endswith('.new')]
    assert not [token for token in backend.command('token', 'list') if token['name'] == 'nobody']
    backend.command('backup', path, '--force')
    kept = os.stat(path)
    assert (kept.st_uid, kept.st_gid, kept.st_mode & 0o777) == (12345, 12346, 0o640), kept
    assert open(path, 'rb').read(6) == b'SQLite'


def test_a_backup_that_is_interrupted_leaves_the_one_before(bench):
    backend, place = bench.other('--events-per-second', '0').start(), bench.backend.directory + '/interrupted'
    os.mkdir(place)
    for _ in range(20):
        assert backend.upload([event() for _ in range(500)]).status == 200
    path = place + '/copy.sqlite'
    backend.command('backup', path)
    lots = chance()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        words = [backend.luna, 'backend', 'backup', path, '--force', '--store', backend.store]
        copy = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # As soon as the copy is being written, or a little later.
        wait_for(lambda: len(os.listdir(place)) > 1 or copy.poll() is not None, PATIENCE)
        time.sleep(lots.uniform(0, 0.02))
        copy.send_signal(number)
        copy.wait(PATIENCE)
        with contextlib.closing(sqlite3.connect(path)) as database:
            found = database.execute('PRAGMA quick_check').fetchone() + database.execute('SELECT count(*) FROM events').fetchone()
        assert found == ('ok', 10_000), (number, found)
        # Who is killed cannot clear up.
        left = sorted(os.listdir(place))
        assert left == ['copy.sqlite'] or number == signal.SIGKILL, (number, left)
    backend.command('backup', path, '--force')


def test_a_filled_database_of_a_version_before(bench):
    """All that is in it is there afterwards, and is as good: of the version before, and of one that is longer ago."""
    for back in (1, 3):
        backend = bench.other('--events-per-second', '0', '--requests-per-second', '0').start()
        some = filled.Filled(backend)
        assert backend.stop() == 0
        with contextlib.closing(sqlite3.connect(backend.store.removeprefix('sqlite:'), isolation_level=None)) as database:
            (version,) = database.execute('PRAGMA user_version').fetchone()
            database.executescript(''.join(filled.BACK[:back]))
            database.execute(f'PRAGMA user_version = {version - back}')
        backend.start()
        with sqlite3.connect(backend.store.removeprefix('sqlite:')) as database:
            assert database.execute('PRAGMA user_version').fetchone() == (version,)
        some.is_all_there()


test_a_filled_database_of_a_version_before.seconds = 150


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
