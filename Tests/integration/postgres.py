"""A private PostgreSQL server."""

import contextlib
import glob
import os
import re
import shutil
import subprocess
import tempfile

from backends import PATIENCE
from bench import ROOT, wait_for


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
            somebody = []
            # It refuses to run as root.
            if os.geteuid() == 0:
                subprocess.run(['chown', '-R', 'nobody:nogroup', folder], check=True)
                somebody = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups']
            process = subprocess.Popen(
                [*somebody, '/usr/sbin/pgbouncer', folder + '/ini'],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_for(lambda: os.path.exists(folder + '/.s.PGSQL.6432'), PATIENCE, 'the pooler to listen')
                yield f'postgres:host={folder} port=6432 user=luna dbname={name}'
            finally:
                process.kill()
                process.wait()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def absent():
    """Why there is nothing to test; None when there is."""
    if not glob.glob('/usr/lib/postgresql/*/bin/initdb'):
        return 'PostgreSQL is not installed (apt-get install postgresql)'
    return None
