"""Recordings of advertisements that tests make up, as btsnoop files of an HCI."""

import struct

# From the year 0 to 1970, µs.
EPOCH = 0x00DCDDB30F2F8000
PUBLIC, RANDOM = 0, 1


def structure(kind, data):
    return bytes([len(data) + 1, kind]) + data


def ibeacon(number):
    return structure(0xFF, bytes.fromhex('4c000215') + bytes(15) + bytes([number]) + bytes.fromhex('00010002c5'))


def named(name):
    return structure(0x09, name.encode())


TILE = structure(0x03, bytes.fromhex('edfe')) + structure(0x16, bytes.fromhex('edfe0200'))
SMART_TAG = structure(0x16, bytes.fromhex('5afd') + bytes(20))
CHIPOLO = structure(0x03, bytes.fromhex('33fe'))
PEBBLEBEE = structure(0x03, bytes.fromhex('25fa'))
DULT = structure(0x16, bytes.fromhex('b2fc01') + bytes(20))
FIND_MY = structure(0xFF, bytes.fromhex('4c001219') + bytes(25))
EXPOSURE = structure(0x16, bytes.fromhex('6ffd') + bytes(20))


class Advertiser:
    """Who advertises: an address as people write it, what it sends in turn, and how loud it is."""

    def __init__(self, address, payloads, kind=RANDOM, rssi=-60):
        self.address, self.payloads, self.kind, self.rssi = address, payloads, kind, rssi

    def event(self, turn):
        data = self.payloads[turn % len(self.payloads)]
        address = bytes.fromhex(self.address.replace(':', ''))[::-1]
        body = bytes([0x02, 0x01, 0x03, self.kind]) + address + bytes([len(data)]) + data + struct.pack('b', self.rssi)
        return bytes([0x04, 0x3E, len(body)]) + body


def write(path, heard):
    """Writes who was heard when: pairs of a time in seconds since 1970 and an advertiser."""
    turns = {}
    with open(path, 'wb') as file:
        file.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))
        for time, advertiser in sorted(heard, key=lambda one: one[0]):
            turn = turns[advertiser.address] = turns.get(advertiser.address, -1) + 1
            event = advertiser.event(turn)
            file.write(struct.pack('>IIIIq', len(event), len(event), 3, 0, int(time * 1e6) + EPOCH) + event)
