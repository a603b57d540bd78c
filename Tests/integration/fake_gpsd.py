"""A gpsd that replays JSON lines (gpsd_json(5)): fake_gpsd.Gpsd(lines) or fake_gpsd.py PORT FILE.

`time` in a line may be "+SECONDS" or "-SECONDS": from now.
"""
import datetime
import json
import re
import socket
import sys
import threading
import time

VERSION = {'class': 'VERSION', 'release': '3.22', 'rev': '3.22', 'proto_major': 3, 'proto_minor': 14}


def at(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime('%Y-%m-%dT%H:%M:%S.%f')[:-3] + 'Z'


class Gpsd:
    def __init__(self, lines, port=0, pause=1.0, version=VERSION):
        self.lines, self.pause, self.version = lines, pause, version
        self.server = socket.create_server(('127.0.0.1', port))
        self.port = self.server.getsockname()[1]
        self.clients = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            self.clients.append(client)
            threading.Thread(target=self.talk, args=(client,), daemon=True).start()

    def talk(self, client):
        try:
            client.sendall(json.dumps(self.version).encode() + b'\r\n')
            if not client.recv(256).startswith(b'?WATCH={'):
                return client.close()
            while True:
                for line in self.lines() if callable(self.lines) else self.lines:
                    line = dict(line)
                    if re.fullmatch(r'[+-]\d+', str(line.get('time', ''))):
                        line['time'] = at(int(line['time']))
                    client.sendall(json.dumps(line).encode() + b'\r\n')
                time.sleep(self.pause)
        except OSError:
            client.close()

    def close(self):
        # A thread that waits in accept would keep the port.
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        for client in self.clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            client.close()


if __name__ == '__main__':
    gpsd = Gpsd([json.loads(line) for line in open(sys.argv[2])], int(sys.argv[1]))
    threading.Event().wait()
