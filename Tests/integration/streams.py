"""Server-sent events as a client reads them."""

import http.client
import json
import threading
import time

from backends import PATIENCE


class Event:
    def __init__(self, fields):
        self.topic, self.id = fields.get('event'), fields.get('id')
        self.data = json.loads(fields['data'])

    def __repr__(self):
        return f'{self.topic} {self.id} {self.data}'


class Stream:
    """A stream of `GET /v1/stream`, read by a thread as it comes."""

    def __init__(self, backend, query='', headers=()):
        self.connection = http.client.HTTPConnection('127.0.0.1', backend.port, timeout=PATIENCE)
        self.connection.request('GET', '/v1/stream' + query, headers=dict(headers))
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.events, self.comments, self.last, self.has_ended = [], [], None, False
        self.changed = threading.Condition()
        if self.status != 200:
            self.problem = json.loads(self.response.read())
            self.connection.close()
            return
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        fields = {}
        try:
            for line in self.response:
                line = line.decode().rstrip('\n')
                with self.changed:
                    if line.startswith(':'):
                        self.comments.append(time.monotonic())
                    elif line:
                        name, _, value = line.partition(': ')
                        fields[name] = value
                    else:
                        self.last = fields.get('id', self.last)
                        if 'data' in fields:
                            self.events.append(Event(fields))
                        fields = {}
                    self.changed.notify_all()
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def wait(self, what, seconds=PATIENCE, text='the stream to tell'):
        """Waits until `what()` is true; gives what it gave."""
        with self.changed:
            assert self.changed.wait_for(what, seconds), (text, self.events[-5:])
            return what()

    def event(self, like, seconds=PATIENCE):
        """The first event that is like that."""
        return self.wait(lambda: next((one for one in self.events if like(one)), None), seconds)

    def ends(self, seconds=PATIENCE):
        self.wait(lambda: self.has_ended, seconds, 'the stream to end')

    def close(self):
        # Shut down first: the thread reads.
        if self.connection.sock:
            self.connection.sock.shutdown(2)
        self.ends()
        self.connection.close()
