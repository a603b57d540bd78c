"""byte_relay.py PORT TARGET FILE: passes on what comes to PORT to TARGET of this machine, and notes it: a line for what one of the two
said without a break, in JSON, with the number of the connection."""

import json
import socket
import sys
import threading

LOCK = threading.Lock()


def carry(file, number, who, source, target):
    while True:
        try:
            data = source.recv(1 << 16)
        except OSError:
            data = b''
        with LOCK:
            file.write(json.dumps([number, who, data.decode('latin-1')]) + '\n')
            file.flush()
        try:
            target.sendall(data) if data else target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        if not data:
            return


def main():
    port, target = int(sys.argv[1]), int(sys.argv[2])
    listener, number = socket.create_server(('0.0.0.0', port)), 0
    with open(sys.argv[3], 'w') as file:
        print('ready', flush=True)
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(('127.0.0.1', target))
            for who, *ends in (('C', client, server), ('S', server, client)):
                threading.Thread(target=carry, args=(file, number, who, *ends), daemon=True).start()
            number += 1


def read(path):
    """What was said over each connection: its turns, each with who spoke and what."""
    connections = {}
    with open(path) as file:
        for number, who, text in map(json.loads, file):
            turns = connections.setdefault(number, [])
            if turns and turns[-1][0] == who:
                turns[-1][1] += text
            elif text:
                turns.append([who, text])
    return [connections[number] for number in sorted(connections)]


if __name__ == '__main__':
    main()
