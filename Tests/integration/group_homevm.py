"""The whole of a home in a VM: a tracker in software on one adapter; luna home run on another one, over the kernel and
bluetoothd; a gateway that meets the tracker elsewhere, a real luna backend between them, and a mail server."""

import datetime
import email
import json
import os
import shutil
import signal
import socketserver
import threading
import time

from bench import Luna, wait_for
from buzzing import Owned
from gateways import Server, finder, wait_lines
from group_findervm import prepare  # noqa: F401  (two adapters, the second one the tracker's)

IN_VM = True
HOME, AWAY = (52.5, 13.25), (52.508, 13.25)


class Sink(socketserver.ThreadingTCPServer):
    """Takes mails, and says when each began to arrive."""

    daemon_threads = allow_reuse_address = True

    def __init__(self):
        self.mails = []
        super().__init__(('127.0.0.1', 0), Session)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Session(socketserver.StreamRequestHandler):
    """RFC 5321, as much as a client needs."""

    def handle(self):
        began = time.time()
        self.wfile.write(b'220 sink ESMTP\r\n')
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b'DATA':
                self.wfile.write(b'354 go on\r\n')
                mail = b''
                while (line := self.rfile.readline()) not in (b'.\r\n', b''):
                    mail += line
                self.server.mails.append((began, mail.decode()))
            if verb == b'QUIT':
                return self.wfile.write(b'221 bye\r\n')
            self.wfile.write(b'250 OK\r\n')


def static(place):
    return f'static:{place[0]},{place[1]}'


def gateway(machine, server, name, place, uploads=1):
    """A gateway that meets the tracker at a place until so many uploads with it are at the backend."""
    run = finder(machine, name, *server.at('gateway'), '--batch-time', '1s', '--interval', '5s', location=static(place))
    wait_lines(run, 'upload', uploads, 120)
    run.signal(signal.SIGTERM)
    run.ends(0, 60)


def moment(text):
    """A time as lines have it, Unix seconds."""
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def test_leaves_mails_and_sounds(machine):
    keys, server, sink = Owned(machine), Server(machine), Sink()
    shutil.copy(server.tokens['owner'], os.path.join(keys.state, 'owner.token'))
    path = os.path.join(machine.directory, 'home.json')
    with open(path, 'w') as file:
        json.dump({
            'name': 'VM',
            # Where the box is it does not say: only others tell where the tracker is.
            'box': {'radio': 'auto', 'adapters': {}},
            'server': {'listen': '127.0.0.1:0'},
            'service': {'fetchEvery': '1m', 'endpoints': {'Field.Europe': {'url': server.url}}},
            'trackers': [{'id': 'keys', 'name': 'Keys', 'device': keys.name}],
            'places': [{'id': 'home', 'name': 'Home', 'latitude': HOME[0], 'longitude': HOME[1], 'radius': 300, 'leaveAfter': '0s'}],
            'contacts': [{'id': 'me', 'email': 'me@example.org'}],
            'notifications': {'channels': [
                {'id': 'mail', 'type': 'email', 'host': '127.0.0.1', 'port': sink.server_address[1], 'security': 'none', 'from': 'home@example.org'}]},
            'rules': [{'id': 'left', 'name': 'Left home', 'when': [{'exit': {'who': 'keys', 'place': 'home'}}],
                       'then': [{'notify': {'to': 'me'}}, {'buzz': {'seconds': 3}}]}],
        }, file)
    gateway(machine, server, 'near', HOME)
    home = Luna(machine, 'home', 'run', path, '--state', keys.state, '--format', 'jsonl')

    def changes(name):
        return [line for line in home.lines() if line['type'] == name]

    def values(name):
        return [line['value'] for line in changes('value') if line['property'] == name]

    try:
        wait_for(lambda: any(c['name'] == 'radio' and c['link']['state'] == 'works' for c in changes('link')), 90, lambda: home.stderr())
        wait_for(lambda: 'home' in values('zone'), 90, lambda: f'the tracker to be at home: {home.stderr()} {home.lines()[-5:]}')
        wait_for(lambda: 'yes' in values('present'), 90, 'the tracker to be heard')
        assert not changes('firing'), changes('firing')
        # One report alone may be wrong: another one has to agree.
        gateway(machine, server, 'far', AWAY, uploads=3)
        pressed = [0]

        def sounded():
            # So that it accepts connections all the time, however long this takes.
            if time.monotonic() - pressed[0] > 40:
                keys.press()
                pressed[0] = time.monotonic()
            return keys.sounds()

        wait_for(sounded, 240, lambda: f'the tracker to sound: {home.stderr()} {changes("firing")} {changes("outcome")} {values("zone")} {changes("link")[-3:]}')
        assert set(keys.sounds()) == {3}, keys.sounds()
        rung = min(moment(line['time']) for line in keys.tracker.told('sound'))
        wait_for(lambda: sink.mails, 90, 'the mail')
        [(mailed, mail)] = sink.mails
        mail = email.message_from_string(mail)
        text = mail.get_payload(decode=True).decode()
        assert 'me@example.org' in mail['To'] and 'Keys left Home' in text, (mail.items(), text)
        wait_for(lambda: any(c['action'] == 'buzz' and c['state'] == 'done' for c in changes('outcome')), 60, lambda: f'the receipt: {changes("outcome")}')
        [fired] = changes('firing')
        firing = fired['firing']
        print(f'# reaction: the mail began to arrive {mailed - moment(fired["time"]):.2f} s, and the ring to be carried out '
              f'{rung - moment(fired["time"]):.2f} s after the home knew that the tracker had left', flush=True)
        assert (firing['rule'], firing['cause']['trigger'], firing['cause']['tracker']) == ('left', 'exit', 'keys'), firing
        why = Luna(machine, 'rule', 'why', 'left', '--state', keys.state, '--format', 'jsonl').ends(0)
        said = why.lines()[0]
        assert said['type'] == 'firing' and said['rule'] == 'left' and said['cause']['detail'] == 'home', said
        assert [one['action'] for one in said['outcomes']] == ['notify', 'buzz'], said
    finally:
        home.signal(signal.SIGTERM)
    home.ends(0, 60)
    keys.stop()
    sink.shutdown()


test_leaves_mails_and_sounds.seconds = 500
