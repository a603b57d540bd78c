"""Somebody makes identifiers of LunaTrackers up, among ten real ones: as a recording, and as an HCI controller."""

import random
import socket
import struct
import threading
import time

import lunaprotocol

EPOCH_DELTA = 0x00DCDDB30F2F8000
TRACKERS = 10


def report(chance, keys, rssi, esf=b'abc', address=None):
    """An HCI event with the frame of one tracker (PROTOCOL.md, 7)."""
    address = address or bytes([chance.randrange(192, 256)]) + chance.randbytes(5)
    data = bytes.fromhex('0201060303041817ffffff1100') + keys + esf
    body = bytes([3, 1]) + address[::-1] + bytes([len(data)]) + data + bytes([rssi & 0xFF])
    return bytes([0x04, 0x3E, len(body) + 2, 0x02, 1]) + body


class Crowd:
    """Ten trackers that come one after the other and stay, each heard once a second; and the flood."""

    def __init__(self, rate, seconds, seed=1):
        self.chance, self.rate, self.seconds = random.Random(seed), rate, seconds
        self.trackers = [
            (self.chance.randbytes(15), bytes([200]) + self.chance.randbytes(5), -50 - 4 * number)
            for number in range(TRACKERS)
        ]
        self.heids = [lunaprotocol.heid(keys[:8], keys[8:]).hex() for keys, _, _ in self.trackers]

    def second(self, number):
        """What is heard in a second, in order."""
        packets = [report(self.chance, self.chance.randbytes(15), -60) for _ in range(self.rate)]
        for index, (keys, address, rssi) in enumerate(self.trackers):
            if number * (TRACKERS + 2) >= index * self.seconds:
                packets.append(report(self.chance, keys, rssi, address=address))
        self.chance.shuffle(packets)
        return packets


def flood(path, rate, seconds):
    """Writes a recording (btsnoop, H4); returns its path and what the real trackers are filed under."""
    crowd = Crowd(rate, seconds)
    start = time.time() - seconds
    with open(path, 'wb') as out:
        out.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))
        for second in range(seconds):
            packets = crowd.second(second)
            for index, packet in enumerate(packets):
                moment = int((start + second + index / len(packets)) * 1e6) + EPOCH_DELTA
                out.write(struct.pack('>IIIIQ', len(packet), len(packet), 1, 0, moment) + packet)
    return path, crowd.heids


class Air:
    """A controller on a TCP port that says yes to everything, and hears a flood once it scans."""

    def __init__(self, rate, seconds=30):
        self.crowd, self.sent, self.scanning = Crowd(rate, seconds), 0, threading.Event()
        self.heids = self.crowd.heids
        self.server = socket.create_server(('127.0.0.1', 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        try:
            link, _ = self.server.accept()
        except OSError:
            return
        threading.Thread(target=self.send, args=(link,), daemon=True).start()
        data = b''
        while True:
            try:
                piece = link.recv(4096)
            except OSError:
                return
            if not piece:
                return
            data += piece
            while len(data) >= 4 and len(data) >= 4 + data[3]:
                command, data = data[: 4 + data[3]], data[4 + data[3] :]
                self.answer(link, command)

    def answer(self, link, command):
        opcode = struct.unpack('<H', command[1:3])[0]
        values = {
            0x1001: bytes([9, 0, 0, 9, 0xFF, 0xFF, 0, 0]),
            0x1009: bytes([6, 5, 4, 3, 2, 1]),
            0x2002: bytes([251, 0, 8]),
        }.get(opcode, bytes(64))
        link.sendall(bytes([0x04, 0x0E, 4 + len(values), 1]) + command[1:3] + b'\0' + values)
        if opcode == 0x200C:
            (self.scanning.set if command[4] else self.scanning.clear)()

    def send(self, link):
        self.scanning.wait()
        second = 0
        while self.scanning.is_set():
            due = time.monotonic() + 1
            packets = self.crowd.second(second)
            try:
                for start in range(0, len(packets), 20):
                    link.sendall(b''.join(packets[start : start + 20]))
                    time.sleep(max(0, due - 1 + start / len(packets) - time.monotonic()))
            except OSError:
                return
            self.sent += len(packets)
            time.sleep(max(0, due - time.monotonic()))
            second += 1

    def close(self):
        self.scanning.set()
        self.server.close()
