#!/usr/bin/env python3
"""A day at a gateway in a busy place, as a btsnoop file (datalink H4): frames of LunaTrackers that change
their identifiers every 1024 s, their iBeacon frames, and other advertisers. The same arguments give the
same bytes.

  generate_day.py OUT [--trackers 100] [--hours 24] [--interval 20] [--seed 1] [--start TIME]

--interval: seconds from one frame of a tracker to the next that is heard. --start: Unix time.
"""
import argparse, random, struct

EPOCH_DELTA = 0x00DCDDB30F2F8000
PERIOD = 1024


def event(address, data, rssi):
    report = bytes([3 if data[3] == 0x1A else 0, 1]) + address[::-1] + bytes([len(data)]) + data + bytes([rssi & 0xFF])
    parameters = bytes([0x02, 1]) + report
    return bytes([0x04, 0x3E, len(parameters)]) + parameters


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out")
    options.add_argument("--trackers", type=int, default=100)
    options.add_argument("--hours", type=float, default=24)
    options.add_argument("--interval", type=float, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--start", type=int, default=1_795_219_200, help="2026-11-21T00:00:00Z")
    options = options.parse_args()
    chance = random.Random(options.seed)
    regions = [bytes.fromhex(text) for text in (
        "45035880a27f5eb2965fde0bb7f471a6", "18569f3081a75874ae31172c33bff7c3", "4412aed323c450229405 64e8c0cd9ef1".replace(" ", ""))]
    identities = {}

    def identity(tracker, second):
        key = (tracker, (second + 37 * tracker) // PERIOD)
        if identities.get(tracker, (None,))[0] != key:
            identities[tracker] = (key, bytes([chance.randrange(192, 256)]) + chance.randbytes(5), chance.randbytes(15), chance.randbytes(3))
        return identities[tracker][1:]

    step = options.interval / (options.trackers * 2)
    with open(options.out, "wb") as out:
        out.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        count = int(options.hours * 3600 / step)
        for number in range(count):
            second = number * step
            tracker = number // 2 % options.trackers
            if number % 2:
                # Somebody else, with an address that nobody sees again.
                address, data = bytes([chance.randrange(64, 128)]) + chance.randbytes(5), bytes.fromhex("02011a0aff4c001005") + chance.randbytes(5)
            else:
                address, keys, esf = identity(tracker, int(second))
                if number // 2 % 8 == 7:
                    data = bytes.fromhex("0201061aff4c000215") + regions[int(second) // 64 % 3] + keys[:4] + b"\xc5"
                else:
                    data = bytes.fromhex("0201060303041817ffffff1100") + keys + esf
            packet = event(address, data, -50 - chance.randrange(40))
            out.write(struct.pack(">IIIIQ", len(packet), len(packet), 1, 0, int((options.start + second) * 1e6) + EPOCH_DELTA) + packet)
    print(f"{count} advertisements of {options.hours} h")


main()
