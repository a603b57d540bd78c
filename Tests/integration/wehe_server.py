"""A server of Wehe's, as UPLINK.md 5 tells of it, plain and on loopback: each replay at a rate of its own."""

import json
import socket
import threading
import time
import urllib.parse

# What the data goes out in, so that a client sees a steady rate.
TICK = 0.002


class WeheServer:
    def __init__(self, rates, answer, address='127.0.0.1', like=None):
        """`rates`: bytes a second of the original and the control; `answer`: how many bytes a request is answered with; `like`: a
        server whose ports it has, at another address."""
        self.rates, self.answer = rates, answer
        # What permissions are given in the place of the usual one, the first one first.
        self.permissions = []
        # What each session said over the side channel, and what was asked of the results.
        self.sessions, self.questions, self.asked = [], [], []
        # What the question for a result is answered with; None closes without an answer.
        self.result = None
        # What other questions are answered with, by their commands; None closes without an answer.
        self.answers = {}
        self.address = address
        self.current, self.listeners, self.facts = 'original', [], None
        self.side = self.serve(self.session, like and like.side)
        self.data = self.serve(self.flow, like and like.data)
        self.results = self.serve(self.question, like and like.results)

    def close(self):
        for listener in self.listeners:
            # Closing alone would leave it to who waits for a connection.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def serve(self, talk, port=None):
        listener = socket.create_server((self.address, port or 0))
        self.listeners.append(listener)

        def accept():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=self.guarded, args=(talk, connection), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()[1]

    @staticmethod
    def guarded(talk, connection):
        with connection:
            try:
                talk(connection)
            except (OSError, ValueError):
                pass

    def words(self):
        """The options for a client."""
        unused = 1
        ports = f'{self.side},{unused},{self.results},{unused}'
        return ['--server', 'wehe:127.0.0.1', '--plain', '--ports', ports]

    def recording(self, name, payload=b'hello', port=None):
        """What the client reads of a replay."""
        pair = f'127.000.000.001.40000-127.000.000.001.{port or self.data:05}'
        packet = {'c_s_pair': pair, 'timestamp': 0, 'payload': payload.hex(), 'response_len': self.answer, 'response_hash': None}
        return json.dumps([[packet], [], [pair], name])

    # What it says.

    @staticmethod
    def receive(connection, count):
        data = b''
        while len(data) < count:
            more = connection.recv(count - len(data))
            if not more:
                raise OSError('the client has closed')
            data += more
        return data

    def message(self, connection):
        return self.receive(connection, int(self.receive(connection, 10))).decode()

    @staticmethod
    def say(connection, text):
        connection.sendall(f'{len(text):010}'.encode() + text.encode())

    def session(self, connection):
        said = [self.message(connection)]
        self.sessions.append(said)
        self.current = 'control' if said[0].split(';')[1] == '1' else 'original'
        said.append(self.message(connection))
        permission = self.permissions.pop(0) if self.permissions else '1;127.0.0.1;100'
        self.say(connection, permission)
        if not permission.startswith('1'):
            return
        said += [self.message(connection), self.message(connection)]
        if said[-1] == 'WillSendMobileStats':
            self.facts = json.loads(self.message(connection))
        self.say(connection, json.dumps({'tcp': {'127.000.000.001': {f'{self.data:05}': ['', self.data]}}, 'udp': {}}))
        self.say(connection, '0')
        said.append(self.message(connection))
        if said[-1] in ('timeout', 'ipFlip'):
            return
        said.append(self.message(connection))
        self.say(connection, 'OK')
        said.append(self.message(connection))
        self.say(connection, 'OK')

    def flow(self, connection):
        if self.receive(connection, 4) == b'GET ':
            while b'\r\n\r\n' not in connection.recv(4096):
                pass
            connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n127.0.0.1')
            return
        rate, left, began = self.rates[self.current], self.answer, time.monotonic()
        while left > 0:
            time.sleep(TICK)
            due = min(left, int((time.monotonic() - began) * rate) - (self.answer - left))
            if due > 0:
                connection.sendall(bytes(due))
                left -= due
        # The client closes.
        connection.recv(1)

    def question(self, connection):
        head = b''
        while b'\r\n\r\n' not in head:
            head += connection.recv(4096)
        head, rest = head.split(b'\r\n\r\n', 1)
        # Whoever closes before all is read may take back the answer.
        lengths = [line.split(b':')[1] for line in head.split(b'\r\n') if line.lower().startswith(b'content-length:')]
        rest += self.receive(connection, int(lengths[0]) - len(rest) if lengths else 0)
        self.questions.append(head.split(b' ', 2)[:2])
        words = rest if head.startswith(b'POST') else head.split(b' ', 2)[1].partition(b'?')[2]
        fields = {name: values[0] for name, values in urllib.parse.parse_qs(words.decode()).items()}
        self.asked.append(fields)
        if fields.get('command') in self.answers:
            body = self.answers[fields['command']]
            body = body(fields) if callable(body) else body
        else:
            body = json.dumps({'success': True}) if head.startswith(b'POST') else self.result
        if body is not None:
            connection.sendall(f'HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}'.encode())
