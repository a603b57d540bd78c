"""A private PostgreSQL server."""

import concurrent.futures
import contextlib
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from backends import PATIENCE, Backend
from bench import ROOT, wait_for

# The days that a backend makes by itself: 400 back, today, and 14 ahead.
DAYS = 415

# More messages than the server says in one request, with all that it says to new connections.
MOST_CUTS = 300

# It refuses to run as root.
SOMEBODY = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] if os.geteuid() == 0 else []


def programs():
    """Where those of the server are that scripts/lib/postgresql-server starts."""
    return os.path.dirname(max(glob.glob('/usr/lib/postgresql/*/bin/initdb'), key=lambda path: float(path.split('/')[4])))


class Server:
    """The server of scripts/lib/postgresql-server."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [os.path.join(ROOT, 'scripts', 'lib', 'postgresql-server'), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.settings = self.process.stdout.readline().strip()
        self.databases = 0

    def database(self):
        """An empty one."""
        self.databases += 1
        name = f'test{self.databases}'
        host = re.search(r'host=(\S+)', self.settings).group(1)
        subprocess.run(['createdb', '-h', host, '-U', 'luna', name], check=True)
        return 'postgres:' + self.settings.replace('dbname=postgres', 'dbname=' + name)

    def crash(self):
        """Ends it as a power cut would; it is back when this returns."""
        self.process.stdin.write('crash\n')
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == self.settings

    def connection(self, store):
        """How to reach a database: its words for psql and its like."""
        host, name = (re.search(key + r'=(\S+)', store).group(1) for key in ('host', 'dbname'))
        return ['-h', host, '-U', 'luna', '-d', name]

    def ask(self, store, sql):
        """The first column of what a statement gives."""
        done = subprocess.run(
            ['psql', '-qAtX', '-v', 'ON_ERROR_STOP=1', *self.connection(store), '-c', sql],
            stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.split()

    @contextlib.contextmanager
    def reading(self, store, sql):
        """A transaction that has read something, and goes on."""
        reader = subprocess.Popen(
            ['psql', '-qAtX', *self.connection(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            reader.stdin.write(f'BEGIN;\n{sql};\n')
            reader.stdin.flush()
            assert reader.stdout.readline()
            yield
        finally:
            reader.stdin.close()
            reader.wait(PATIENCE)
            reader.stdout.close()

    @contextlib.contextmanager
    def pooled(self, store, mode):
        """The same database behind PgBouncer, in a pooling mode."""
        folder = tempfile.mkdtemp(prefix='luna-pgbouncer.')
        try:
            host, name = (re.search(key + r'=(\S+)', store).group(1) for key in ('host', 'dbname'))
            with open(folder + '/ini', 'w') as settings:
                settings.write(
                    f'[databases]\n{name} = host={host} dbname={name} user=luna\n[pgbouncer]\npool_mode = {mode}\n'
                    f'listen_addr =\nunix_socket_dir = {folder}\nauth_type = any\n')
            if SOMEBODY:
                subprocess.run(['chown', '-R', 'nobody:nogroup', folder], check=True)
            process = subprocess.Popen(
                [*SOMEBODY, '/usr/sbin/pgbouncer', folder + '/ini'],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_for(lambda: os.path.exists(folder + '/.s.PGSQL.6432'), PATIENCE, 'the pooler to listen')
                yield f'postgres:host={folder} port=6432 user=luna dbname={name}'
            finally:
                process.kill()
                process.wait()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def dumping(self, store):
        """A dump that has begun, and does not get on: nobody takes what it says."""
        dump = subprocess.Popen(['pg_dump', *self.connection(store)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            held = (
                'SELECT count(DISTINCT relation) FROM pg_locks JOIN pg_stat_activity USING (pid) '
                "WHERE application_name = 'pg_dump' AND granted")
            wait_for(lambda: int(self.ask(store, held)[0]) > DAYS, PATIENCE, 'the dump to have all tables')
            yield
            assert dump.poll() is None, 'the dump is over'
        finally:
            dump.kill()
            dump.wait(PATIENCE)
            dump.stdout.close()

    def dump(self, store):
        """All that is in a database, as text."""
        return subprocess.run(
            ['pg_dump', *self.connection(store)], stdout=subprocess.PIPE, text=True, check=True).stdout

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Backends:
    """What the runner needs: backends that go with their test."""

    def __init__(self):
        self.backends = []

    def make(self, *options, store):
        """One more, not started."""
        self.backends.append(Backend(*options, store=store))
        return self.backends[-1]

    def serve(self, *options, store):
        """One more."""
        return self.make(*options, store=store).start()

    @contextlib.contextmanager
    def on(self, cluster):
        """A cluster of servers for as long as it is needed."""
        try:
            yield cluster
        finally:
            self.end(cluster)

    def end(self, cluster):
        """Ends the backends before what they stand on."""
        Backends.tidy(self)
        cluster.close()

    def tidy(self):
        while self.backends:
            self.backends.pop().close()

    def close(self):
        self.tidy()


class Bench(Backends):
    """The same, with a server for their databases."""

    def __init__(self, *options):
        super().__init__()
        self.server = Server(*options)
        assert self.server.settings, self.server.process.stderr.read()

    def two(self):
        """Two backends on one new database, with the same tokens."""
        store = self.server.database()
        made = [Backend('--events-per-second', '0', store=store) for _ in range(2)]
        self.backends += made
        made[1].tokens = made[0].tokens
        return [backend.start() for backend in made]

    def wait_for_days(self, store):
        """Until the backend has made all days."""
        made = "SELECT count(*) FROM pg_class WHERE relname ~ '^events_[0-9]+$' AND relkind = 'r'"
        wait_for(lambda: self.server.ask(store, made) == [str(DAYS)], PATIENCE, 'all days to be made')

    def close(self):
        self.tidy()
        self.server.close()


# Brings a database back to version 12 of the schema, whose keys were bytes, with all that is in it.
BEFORE = """
    BEGIN;
    ALTER TABLE luna.events RENAME TO events_new;
    CREATE TABLE luna.events(
      heid bytea NOT NULL, day int4 NOT NULL, event_id bytea NOT NULL, version int4 NOT NULL,
      location bytea NOT NULL, esf int4 NOT NULL, received int8 NOT NULL, debug text,
      PRIMARY KEY(heid, day, event_id)) PARTITION BY RANGE (day);
    DO $$ DECLARE day int4; BEGIN
      FOR day IN SELECT substr(relname, 8)::int4 FROM pg_class WHERE relkind = 'r' AND relname ~ '^events_[0-9]+$' LOOP
        EXECUTE format('ALTER TABLE luna.events_%1$s RENAME TO events_new_%1$s', day);
        EXECUTE format('CREATE TABLE luna.events_%1$s PARTITION OF luna.events FOR VALUES FROM (%1$s) TO (%2$s)', day, day + 1);
      END LOOP;
    END $$;
    INSERT INTO luna.events
      SELECT uuid_send(heid), day, uuid_send(event_id), version, location, esf, received, debug FROM luna.events_new;
    DROP TABLE luna.events_new;
    ALTER TABLE luna.busy ALTER heid TYPE bytea USING uuid_send(heid);
    DROP FUNCTION luna.shard;
    ALTER TABLE luna.commands DROP COLUMN seq;
    ALTER TABLE luna.schema DROP CONSTRAINT schema_pkey;
    UPDATE luna.schema SET version = 12;
    COMMIT;
"""


class Standby:
    """A synchronous standby of a server, in a folder of its own. It stops and comes back."""

    def __init__(self, server, store):
        self.server, self.store = server, store
        self.folder = tempfile.mkdtemp(prefix='luna-standby.')
        if SOMEBODY:
            subprocess.run(['chown', 'nobody:nogroup', self.folder], check=True)
        # The one that the server has.
        self.bin = programs()
        self.primary = server.connection(store)[1]
        self.process = None
        subprocess.run(
            [*SOMEBODY, self.bin + '/pg_basebackup', '-h', self.primary, '-U', 'luna', '-D', self.folder + '/data',
             '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
            cwd=self.folder, stdin=subprocess.DEVNULL, check=True)
        server.ask(store, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        server.ask(store, 'SELECT pg_reload_conf()')
        self.start()

    def start(self):
        with open(self.folder + '/log', 'ab') as log:
            self.process = subprocess.Popen(
                [*SOMEBODY, self.bin + '/postgres', '-D', self.folder + '/data', '-c', 'listen_addresses=',
                 '-c', 'unix_socket_directories=' + self.folder, '-c', 'max_connections=1000',
                 '-c', f'primary_conninfo=host={self.primary} user=luna application_name=standby'],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        follows = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        wait_for(lambda: self.server.ask(self.store, follows) == ['sync'], PATIENCE, self.trouble)

    def trouble(self):
        return 'the standby to follow: ' + open(self.folder + '/log').read()[-2000:]

    def stop(self):
        """Ends it as a power cut would."""
        if self.process:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(PATIENCE)
            self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Node:
    """A server with a socket of its own, which is primary or standby by turns."""

    def __init__(self, name, *settings):
        self.name, self.process = name, None
        self.folder = tempfile.mkdtemp(prefix='luna-node.')
        if SOMEBODY:
            subprocess.run(['chown', 'nobody:nogroup', self.folder], check=True)
        self.settings = [
            'listen_addresses=', 'unix_socket_directories=' + self.folder, 'unix_socket_permissions=0777',
            'wal_keep_size=512MB', *settings,
            # Killed, it would leave its pieces of memory in /dev/shm.
            'dynamic_shared_memory_type=mmap']

    def run(self, program, *words):
        return [*SOMEBODY, os.path.join(programs(), program), '-D', self.folder + '/data', *words]

    def make(self):
        subprocess.run(
            self.run('initdb', '-A', 'trust', '-U', 'luna', '-E', 'UTF8', '--no-locale', '--no-sync', '--wal-segsize=1'),
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        self.start()

    def follow_anew(self, primary):
        """With nothing but what the primary has."""
        shutil.rmtree(self.folder + '/data', ignore_errors=True)
        subprocess.run(
            self.run('pg_basebackup', '-d', self.way(primary), '--write-recovery-conf', '--checkpoint=fast', '--no-sync'),
            cwd=self.folder, stdin=subprocess.DEVNULL, check=True)
        self.start()

    def follow(self, primary):
        self.ask(f"ALTER SYSTEM SET primary_conninfo = '{self.way(primary)}'")
        self.ask('SELECT pg_reload_conf()')

    def way(self, primary):
        return f'host={primary.folder} user=luna application_name={self.name}'

    def start(self):
        words = [word for setting in self.settings for word in ('-c', setting)]
        with open(self.folder + '/log', 'ab') as log:
            self.process = subprocess.Popen(
                self.run('postgres', *words), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for(lambda: self.ask('SELECT 1', check=False) == ['1'], PATIENCE, self.trouble)

    def trouble(self):
        return f'{self.name}: ' + open(self.folder + '/log').read()[-2000:]

    def ask(self, sql, check=True):
        done = subprocess.run(
            ['psql', '-qAtX', '-v', 'ON_ERROR_STOP=1', '-h', self.folder, '-U', 'luna', '-d', 'postgres', '-c', sql],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=None if check else subprocess.DEVNULL, text=True, check=check)
        return done.stdout.split()

    def signal(self, number):
        """To all of its processes."""
        children = subprocess.run(
            ['ps', '-o', 'pid=', '--ppid', str(self.process.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        for process in [self.process.pid, *map(int, children)]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """Ends it as a power cut does. The piece of memory that it shares with nobody any more is given back."""
        if not self.process:
            return
        with open(self.folder + '/data/postmaster.pid') as file:
            memory = file.read().splitlines()[6].split()[-1]
        self.signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.process = None
        subprocess.run(['ipcrm', '-m', memory], stderr=subprocess.DEVNULL)

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Group:
    """A primary and two standbys, of which one has all that is acknowledged, or none need have."""

    def __init__(self, is_synchronous=True):
        self.count = '2' if is_synchronous else '0'
        names = ['one', 'two', 'three']
        standbys = f'ANY 1 ({", ".join(names)})' if is_synchronous else ''
        self.nodes = [Node(name, 'synchronous_standby_names=' + standbys) for name in names]
        self.primary = self.nodes[0]
        hosts = ','.join(node.folder for node in self.nodes)
        self.store = f'postgres:host={hosts} user=luna dbname=postgres target_session_attrs=read-write'
        try:
            self.primary.make()
            for node in self.standbys():
                node.follow_anew(self.primary)
            self.wait()
        except BaseException:
            self.close()
            raise

    def standbys(self):
        return [node for node in self.nodes if node is not self.primary]

    def wait(self):
        """Until both standbys follow."""
        follow = "SELECT count(*), count(*) FILTER (WHERE sync_state = 'quorum') FROM pg_stat_replication WHERE state = 'streaming'"
        wait_for(lambda: self.primary.ask(follow) == ['2|' + self.count], PATIENCE, self.primary.trouble)

    def fail_over(self):
        """The primary is gone. Of the others the one that has more is it from now on, and is followed."""
        self.primary.kill()
        standbys = [node for node in self.nodes if node.process]
        for node in standbys:
            node.signal(signal.SIGCONT)
        received = lambda node: int(node.ask("SELECT pg_last_wal_receive_lsn() - '0/0'")[0])
        self.primary = max(standbys, key=received)
        assert self.primary.ask('SELECT pg_promote()') == ['t'], self.primary.trouble()
        for node in self.standbys():
            if node.process:
                node.follow(self.primary)

    def restore(self):
        """A standby takes the place of the one that is gone, which never comes back by itself."""
        for node in self.standbys():
            if not node.process:
                node.follow_anew(self.primary)
        self.wait()

    def close(self):
        for node in self.nodes:
            node.close()


class Pair:
    """A primary and a standby that has all that is acknowledged. When the primary is gone, the standby is it from then on,
    alone until another one follows."""

    def __init__(self, name, *settings):
        self.nodes = [Node(name + letter, *settings) for letter in 'ab']
        self.primary = self.nodes[0]
        hosts = ','.join(node.folder for node in self.nodes)
        self.settings = f'host={hosts} user=luna dbname=postgres target_session_attrs=read-write connect_timeout=3'

    def make(self):
        self.primary.make()
        self.restore()

    def standby(self):
        return next(node for node in self.nodes if node is not self.primary)

    def waits_for(self, standby):
        self.primary.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.primary.ask('SELECT pg_reload_conf()')

    def promote(self):
        """The primary is gone."""
        self.primary = self.standby()
        self.waits_for('')
        assert self.primary.ask('SELECT pg_promote()') == ['t'], self.primary.trouble()

    def restore(self):
        """The one that is gone comes back as a standby, with nothing of its own."""
        self.standby().follow_anew(self.primary)
        self.waits_for(self.standby().name)
        follow = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        wait_for(lambda: self.primary.ask(follow) == ['sync'], PATIENCE, self.primary.trouble)

    def close(self):
        for node in self.nodes:
            node.close()


class StandIn:
    """What stands in for Citus: a coordinator and three workers, over which events are spread, each with a standby."""

    def __init__(self, *settings):
        self.coordinator = Pair('coordinator', *settings)
        self.workers = [Pair(f'worker{number}', *settings) for number in range(3)]
        self.store = 'postgres:' + self.coordinator.settings
        try:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                list(pool.map(Pair.make, self.pairs()))
        except BaseException:
            self.close()
            raise

    def pairs(self):
        return [self.coordinator, *self.workers]

    def spread(self):
        """When there is a schema, and no day yet."""
        node = self.coordinator.primary
        subprocess.run(
            ['psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-h', node.folder, '-U', 'luna', '-d', 'postgres', '-f',
             os.path.join(ROOT, 'scripts', 'lib', 'stand-in.sql')], stdin=subprocess.DEVNULL, check=True)
        settings = ', '.join(f"'{worker.settings}'" for worker in self.workers)
        node.ask(f"SELECT stand_in.begin(ARRAY[{settings}], array_fill('kept'::text, ARRAY[{len(self.workers)}]))")

    def kept(self, worker):
        """Of all events of a worker the identifiers, each as often as it is there."""
        days = worker.primary.ask("SELECT relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace AND relkind = 'r'")
        heids = worker.primary.ask(' UNION ALL '.join(f'SELECT heid FROM kept.{day}' for day in days))
        return [heid.replace('-', '') for heid in heids]

    def close(self):
        for pair in self.pairs():
            pair.close()


class Cutter:
    """A way to a database on which a connection can be cut, in the middle of what the server says."""

    def __init__(self, store):
        host, name = (re.search(key + r'=(\S+)', store).group(1) for key in ('host', 'dbname'))
        self.folder = tempfile.mkdtemp(prefix='luna-cutter.')
        self.target = host + '/.s.PGSQL.5432'
        self.store = f'postgres:host={self.folder} user=luna dbname={name}'
        self.lock = threading.Lock()
        self.left = None
        self.is_silent, self.open = False, []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.folder + '/.s.PGSQL.5432')
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def cut_after(self, count):
        """So many messages of the server come through; then one connection is cut, and all is as before.

        Returns whether one was cut since this was said last."""
        with self.lock:
            was_cut = self.left is None
            self.left = count
            return was_cut

    def each(self, prepare, attempt, check):
        """Cuts in the middle of each attempt, a message later each time, until one comes to its end.

        Returns how many there were."""
        for number in range(MOST_CUTS):
            given = prepare(number)
            self.cut_after(number)
            result = attempt(number, given)
            was_cut = self.cut_after(None)
            check(number, given, result)
            if not was_cut:
                return number + 1
        raise AssertionError(f'more than {MOST_CUTS} messages')

    def counts(self, kind, body):
        """Whether it may be cut instead of this message."""
        return True

    def silence(self):
        """All connections are cut; new ones hear nothing, as from a machine that hangs, until `speak` is said."""
        with self.lock:
            self.is_silent, ended, self.open = True, self.open, []
        self.end(*ended)

    def speak(self):
        with self.lock:
            self.is_silent, ended, self.open = False, self.open, []
        self.end(*ended)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.open.append(client)
                if self.is_silent:
                    continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            threading.Thread(target=self.ask, args=(client, server), daemon=True).start()
            threading.Thread(target=self.answer, args=(client, server), daemon=True).start()

    def ask(self, client, server):
        try:
            while piece := client.recv(65536):
                server.sendall(piece)
        except OSError:
            pass
        self.end(client, server)

    def answer(self, client, server):
        try:
            with server.makefile('rb') as said:
                # A message: its kind, and its length with that of the length.
                while len(head := said.read(5)) == 5:
                    body = said.read(int.from_bytes(head[1:], 'big') - 4)
                    if self.counts(head[:1], body):
                        with self.lock:
                            if self.left == 0:
                                self.left = None
                                break
                            if self.left is not None:
                                self.left -= 1
                    client.sendall(head + body)
        except OSError:
            pass
        self.end(client, server)

    def end(self, *both):
        for one in both:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class CommitCutter(Cutter):
    """The same, which cuts where the server says that a transaction is kept, and there alone."""

    def counts(self, kind, body):
        return kind == b'C' and body.startswith(b'COMMIT')


def absent():
    """Why there is nothing to test; None when there is."""
    if not glob.glob('/usr/lib/postgresql/*/bin/initdb'):
        return 'PostgreSQL is not installed (apt-get install postgresql)'
    return None
