"""Somebody with Bumble and lunaprotocol.py, who shares no code with luna: the owner, a finder, or
a stranger of the trackers that `luna tracker run` serves."""

import json
import os
import queue
import subprocess
import threading
import time

import lunaprotocol as luna
import pace
from bench import CACHE, never, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))


class Refusal(Exception):
    """The central could not do what it was told."""

    def __init__(self, answer):
        super().__init__(answer['error'])
        self.code = answer.get('code')


class Central:
    """bumblecentral.py on the controller at a Unix socket."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [os.path.join(CACHE, 'venv', 'bin', 'python'), os.path.join(HERE, 'bumblecentral.py'), path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answers = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.answers.get(timeout=never(30))

    def listen(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))

    def do(self, what, **words):
        self.process.stdin.write(json.dumps({'do': what, 'limit': never(50)} | words) + '\n')
        self.process.stdin.flush()
        answer = self.answers.get(timeout=never(60))
        if 'error' in answer:
            raise Refusal(answer)
        return answer

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    # What is in the air

    def frames(self, seconds=1.2):
        """The Luna frames of the next moment: (address, frame)."""
        found = []
        for heard in self.do('hear', seconds=seconds)['advertisements']:
            try:
                frame = luna.parse_frame(bytes.fromhex(heard['data']))
            except luna.Refused:
                continue
            found.append((heard['address'], frame | {'pduConnectable': heard['connectable']}))
        return found

    def find(self, wanted, seconds=30):
        """Waits for a frame that can be connected to now: (address, frame)."""

        def look():
            return next((f for f in reversed(self.frames()) if f[1]['pduConnectable'] and wanted(f[1])), None)

        return wait_for(look, seconds, 'a frame that accepts connections')

    # A connection

    def connect(self, address, mtu=247, seconds=20):
        """The MTU of a connection that is made within so many seconds of an idle machine."""
        agreed = self.do('connect', address=address, mtu=mtu, seconds=seconds * pace.slower())['mtu']
        self.services = self.do('services')['services']
        return agreed

    def disconnect(self):
        self.do('disconnect')

    def read(self, uuid):
        return bytes.fromhex(self.do('read', uuid=uuid)['value'])

    def write(self, uuid, value):
        self.do('write', uuid=uuid, value=value.hex())

    def subscribe(self, *uuids):
        for uuid in uuids:
            self.do('subscribe', uuid=uuid)

    def indicated(self, uuid, seconds=5):
        """The next indication, within so many seconds of an idle machine."""
        value = self.do('next', uuid=uuid, seconds=seconds * pace.slower())['value']
        assert value is not None, f'no indication within {seconds} s'
        return bytes.fromhex(value)

    def ends(self, seconds):
        """The reason for which the connection ends; None when it does not within so many seconds of an idle machine."""
        return self.do('wait', seconds=seconds * pace.slower())['reason']

    # The protocol

    def message(self, mtu):
        """A message of Onboard: the indication, or the value where the indication had no room for it."""
        value = self.indicated(luna.ONBOARD)
        return self.read(luna.ONBOARD) if len(value) == mtu - 3 else value

    def onboard(self, code, mtu, now=None):
        """The exchange of section 14 on the connection that is up; returns (uuid, Keys, timestamp)."""
        self.subscribe(luna.ONBOARD)
        app = luna.App(code)
        self.write(luna.ONBOARD, app.request(self.read(luna.INFO)))
        finish = app.finish(self.message(mtu), now)
        self.write(luna.ONBOARD, finish)
        return app.uuid, luna.Keys(app.done(self.message(mtu))), app.timestamp

    def command(self, keys, name, argument=0, counter=None, package=None):
        """A command over Control: (status, time, package); without a package an interactive one."""
        if package is None:
            challenge = self.read(luna.CHALLENGE)
            package = luna.interactive(keys, challenge, name, argument, counter or int(time.time()))
        self.write(luna.CONTROL, package)
        receipt = self.indicated(luna.CONTROL)
        if len(receipt) == 5:
            return receipt[0], None, package
        return *luna.open_receipt(keys, package, receipt), package
