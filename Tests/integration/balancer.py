"""HAProxy as the example `udev/haproxy.cfg` has it, before two backends on this machine."""

import os
import re
import subprocess

from backends import PATIENCE, Backend
from bench import ROOT, NotRun, free_port, wait_for

PROGRAM = '/usr/sbin/haproxy'


def needs_balancer():
    if not os.path.exists(PROGRAM):
        raise NotRun('haproxy is not installed: apt-get install haproxy')


class Balancer(Backend):
    """Asked as a backend is. With `balance` it chooses by that, not by the token."""

    def __init__(self, backends, balance=None):
        super().__init__(store=backends[0].store)
        self.tokens = backends[0].tokens
        self.backends, self.balance = backends, balance

    def start(self):
        self.port = free_port()
        with open(os.path.join(ROOT, 'udev', 'haproxy.cfg')) as example:
            text = example.read()
        changes = {
            r'^  (user|group) haproxy\n': '',
            r'^  bind \[::\]:443 .*\n': '',
            r'^  bind :443 .*': f'  bind 127.0.0.1:{self.port}',
            r'^  server one \S+': f'  server one 127.0.0.1:{self.backends[0].port}',
            r'^  server two \S+': f'  server two 127.0.0.1:{self.backends[1].port}',
        }
        if self.balance:
            changes[r'^  balance .*'] = '  balance ' + self.balance
        for pattern, new in changes.items():
            text, count = re.subn(pattern, new, text, flags=re.MULTILINE)
            assert count, f'udev/haproxy.cfg has no {pattern}'
        path = os.path.join(self.directory, 'haproxy.cfg')
        with open(path, 'w') as settings:
            settings.write(text)
        self.log_path = os.path.join(self.directory, 'log')
        with open(self.log_path, 'wb') as log:
            self.process = subprocess.Popen(
                [PROGRAM, '-db', '-f', path], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def serves():
            assert self.process.poll() is None, open(self.log_path).read()
            try:
                return self.call('GET', '/readyz', check=False).status == 200
            except OSError:
                return False

        wait_for(serves, PATIENCE, 'the balancer to serve')
        return self
