#!/usr/bin/env python3
"""Deterministic generator of big BLE advertising captures in btsnoop format.

Standard library only. Same arguments + same seed => same bytes.

  generate_capture.py OUT [--events 1000000] [--devices 5000] [--seed 1]
                 [--datalink monitor|h4]   2001 (HCI monitor, what btmon -w writes) or 1002 (H4)
                 [--ext]                   LE Extended Advertising Report (subevent 0x0D) instead of 0x02
                 [--multi PCT]             PCT % of the events carry 2-4 reports (default 0)
                 [--junk PCT]              PCT % of the events are not adverts (command complete, disconnect, ...)
                 [--bad PCT]               PCT % of the events carry a malformed AD structure (length overruns)
                 [--rate HZ]               adverts per second of capture time (default 1000)
                 [--keys FILE]             write the identity keys of the Eddystone-EID devices and the
                                           expected totals per kind as JSON (ground truth)

The mix by device (see KINDS) and a Zipf-like popularity per device (a few near devices heard often, most rarely).
"""
import argparse, json, random, struct
from bisect import bisect

EPOCH_DELTA = 0x00DCDDB30F2F8000          # btsnoop's time zero (0 AD) to the Unix epoch, microseconds
T0 = 1760000000 * 1_000_000               # capture start, Unix microseconds (2025-10-09)

# kind -> share of devices, in percent
KINDS = [("ibeacon", 10), ("eddystone_uid", 6), ("eddystone_url", 4), ("eddystone_tlm", 4), ("eddystone_eid", 8),
         ("altbeacon", 4), ("findmy_separated", 10), ("findmy_nearby", 6), ("dult", 6), ("tile", 5),
         ("smarttag", 6), ("fmdn40", 4), ("fmdn41", 3), ("named", 8), ("svc1804", 4), ("svc1804_eid", 3),
         ("apple_nearby", 5), ("ms_swift", 4)]

# ---- a small AES-128 (encrypt one block), for the Eddystone-EID devices -------------------------------------------
def _sbox():
    p = q = 1; s = [0] * 256
    while True:
        p = p ^ ((p << 1) & 0xFF) ^ (0x1B if p & 0x80 else 0)
        q ^= q << 1; q ^= q << 2; q ^= q << 4; q &= 0xFF
        if q & 0x80: q ^= 0x09
        x = q ^ ((q << 1 | q >> 7) & 255) ^ ((q << 2 | q >> 6) & 255) ^ ((q << 3 | q >> 5) & 255) ^ ((q << 4 | q >> 4) & 255)
        s[p] = x ^ 0x63
        if p == 1: break
    s[0] = 0x63
    return s
SBOX = _sbox()
XT = [((x << 1) ^ (0x1B if x & 0x80 else 0)) & 0xFF for x in range(256)]

def aes128(key, block):
    w = [list(key[i:i + 4]) for i in range(0, 16, 4)]; rc = 1
    for i in range(4, 44):
        t = w[i - 1]
        if i % 4 == 0:
            t = [SBOX[t[1]] ^ rc, SBOX[t[2]], SBOX[t[3]], SBOX[t[0]]]; rc = XT[rc]
        w.append([a ^ b for a, b in zip(w[i - 4], t)])
    rk = [sum(w[4 * r:4 * r + 4], []) for r in range(11)]
    s = [a ^ b for a, b in zip(block, rk[0])]
    for r in range(1, 11):
        s = [SBOX[s[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if r < 10:
            o = []
            for c in range(0, 16, 4):
                a, b, d, e = s[c:c + 4]; t = a ^ b ^ d ^ e
                o += [a ^ t ^ XT[a ^ b], b ^ t ^ XT[b ^ d], d ^ t ^ XT[d ^ e], e ^ t ^ XT[e ^ a]]
            s = o
        s = [a ^ b for a, b in zip(s, rk[r])]
    return bytes(s)
assert aes128(bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"

def eddystone_eid(ik, k, ts):
    """The published two-block Eddystone-EID computation."""
    tk = aes128(ik, bytes(11) + b"\xff\0\0" + struct.pack(">H", (ts >> 16) & 0xFFFF))
    return aes128(tk, bytes(11) + bytes([k]) + struct.pack(">I", (ts >> k) << k & 0xFFFFFFFF))[:8]

def ad(t, body): return bytes([len(body) + 1, t]) + body
FLAGS = b"\x02\x01\x06"

class Device:
    __slots__ = ("kind", "addr", "atype", "evt", "base", "n", "ik", "k", "cur", "rssi", "scan")
    def __init__(self, r, kind):
        self.kind = kind; self.n = 0; self.cur = None; self.scan = None; self.evt = 3; self.atype = 1
        a = bytearray(r.randbytes(6)); a[5] |= 0xC0                     # static random (little endian on the wire)
        self.ik = None; self.k = 0; self.rssi = r.randint(-95, -45)
        if kind == "ibeacon":
            self.base = FLAGS + ad(0xFF, b"\x4c\0\x02\x15" + r.choice(UUIDS) + r.randbytes(4) + bytes([r.choice((0xC5, 0xBF, 0xC8))]))
        elif kind == "eddystone_uid":
            self.base = FLAGS + b"\x03\x03\xaa\xfe" + ad(0x16, b"\xaa\xfe\0\xee" + r.choice(NS) + r.randbytes(6) + b"\0\0")
        elif kind == "eddystone_url":
            u = bytes([r.choice((0, 1, 2, 3))]) + bytes(r.choice(b"abcdefghijklmnopqrstuvwxyz") for _ in range(r.randint(5, 14))) + bytes([r.choice((0, 1, 7))])
            self.base = FLAGS + b"\x03\x03\xaa\xfe" + ad(0x16, b"\xaa\xfe\x10\xee" + u)
        elif kind == "eddystone_tlm":
            self.base = r.randint(2400, 3100); self.cur = r.randint(0, 10 ** 6)
        elif kind == "eddystone_eid":
            self.ik = r.randbytes(16); self.k = 10; self.base = None
        elif kind == "altbeacon":
            self.base = FLAGS + ad(0xFF, b"\x18\x01\xbe\xac" + r.choice(UUIDS) + r.randbytes(4) + b"\xc5\0")
        elif kind == "findmy_separated":
            key = r.randbytes(28); a = bytearray(key[5::-1]); a[5] |= 0xC0
            self.base = ad(0xFF, b"\x4c\0\x12\x19" + bytes([r.choice((0x10, 0x50, 0x90))]) + key[6:28] + bytes([key[0] >> 6, r.randrange(256)])); self.evt = 0
        elif kind == "findmy_nearby":
            self.base = ad(0xFF, b"\x4c\0\x12\x02" + bytes([r.choice((0, 0x24, 0x64))]) + bytes([r.randrange(4)])); self.evt = 0
        elif kind == "dult":
            self.base = FLAGS + ad(0x16, b"\xb2\xfc" + bytes([r.choice((1, 2)), r.choice((0, 1))]) + r.randbytes(20)); self.evt = 0
        elif kind == "tile":
            self.base = FLAGS + b"\x03\x03\xed\xfe" + ad(0x16, b"\xed\xfe\x02\0" + r.randbytes(8)); self.evt = 0
        elif kind == "smarttag":
            self.base = b"\x02\x01\x04" + ad(0x16, b"\x5a\xfd" + bytes([0x13 + 8 * r.randrange(2)]) + r.randbytes(19)); self.evt = 0
        elif kind in ("fmdn40", "fmdn41"):
            self.base = FLAGS + ad(0x16, b"\xaa\xfe" + (b"\x40" if kind == "fmdn40" else b"\x41") + r.randbytes(20) + r.randbytes(1)); self.evt = 0
        elif kind == "named":
            nm = (r.choice(NAMES) + "-%04X" % r.randrange(65536)).encode()
            self.base = FLAGS + ad(0x03, b"\x0f\x18\x0a\x18"); self.scan = ad(0x09, nm) + b"\x02\x0a\x04"; self.evt = 0
            self.atype = 0; a = bytearray(r.randbytes(3) + r.choice((b"\x2c\x8c\xe8", b"\x50\x9f\xc0", b"\x07\x4c\xf4")))
        elif kind == "svc1804":
            self.base = FLAGS + b"\x03\x03\x04\x18" + ad(0x16, b"\x04\x18" + bytes([r.randrange(256)]))
        elif kind == "svc1804_eid":
            self.base = FLAGS + b"\x03\x03\x04\x18" + ad(0x16, b"\x04\x18" + bytes([r.randrange(256)]) + r.randbytes(16))
        elif kind == "apple_nearby":
            self.base = FLAGS + b"\x02\x0a\x0c" + ad(0xFF, b"\x4c\0\x10\x05" + r.randbytes(5)); a[5] = a[5] & 0x3F | 0x40; self.evt = 0
        else:
            self.base = ad(0xFF, b"\x06\0\x01\x09\x20\x02" + r.randbytes(23)); a[5] = a[5] & 0x3F | 0x40
        self.addr = bytes(a)

    def advert(self, r, t):
        """(event type, data) of this device's next advert at Unix second t."""
        self.n += 1
        if self.scan is not None and self.n & 1 == 0: return 4, self.scan
        if self.kind == "eddystone_tlm":
            self.cur += 1
            return 3, FLAGS + b"\x03\x03\xaa\xfe" + ad(0x16, b"\xaa\xfe\x20\0" + struct.pack(">HHII", self.base, 0x1480, self.cur & 0xFFFFFFFF, (t - T0 // 10 ** 6) * 10 & 0xFFFFFFFF))
        if self.kind == "eddystone_eid":
            c = t >> self.k
            if c != self.cur:
                self.cur = c
                self.base = FLAGS + b"\x03\x03\xaa\xfe" + ad(0x16, b"\xaa\xfe\x30\xee" + eddystone_eid(self.ik, self.k, t))
            return 3, self.base
        return self.evt, self.base

NAMES = ["Polar H10", "LYWSD03MMC", "Mi Band", "Charge 5", "JBL Flip", "WH-1000XM", "Govee_H", "Tesla"]

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out"); p.add_argument("--events", type=int, default=1_000_000)
    p.add_argument("--devices", type=int, default=5000); p.add_argument("--seed", type=int, default=1)
    p.add_argument("--datalink", choices=("monitor", "h4"), default="monitor"); p.add_argument("--ext", action="store_true")
    p.add_argument("--multi", type=float, default=0); p.add_argument("--junk", type=float, default=0)
    p.add_argument("--bad", type=float, default=0); p.add_argument("--rate", type=float, default=1000); p.add_argument("--keys")
    o = p.parse_args()
    r = random.Random(o.seed)
    global UUIDS, NS
    UUIDS = [r.randbytes(16) for _ in range(20)]; NS = [r.randbytes(10) for _ in range(5)]
    kinds, acc, cum = [], 0, []
    for k, w in KINDS: acc += w; kinds.append(k); cum.append(acc)
    devs = [Device(r, kinds[bisect(cum, r.random() * acc)] if i >= len(kinds) else kinds[i]) for i in range(o.devices)]
    # popularity: weight 1/(rank+20)
    rank = list(range(o.devices)); r.shuffle(rank)
    picks = r.choices(devs, weights=[1 / (x + 20) for x in rank], k=65536)
    mon = o.datalink == "monitor"
    fl = 3                                                     # monitor: opcode 3 (event), index 0; H4: received + event
    rec = struct.Struct(">IIIIq"); step = 1_000_000 / o.rate; count = dict.fromkeys(kinds, 0); reports = junk = bad = 0
    t = T0 + EPOCH_DELTA; h4 = b"" if mon else b"\x04"
    with open(o.out, "wb", buffering=1 << 20) as f:
        f.write(b"btsnoop\0" + struct.pack(">II", 1, 2001 if mon else 1002))
        if mon:
            ni = bytes([0, 1]) + bytes.fromhex("665544332211") + b"hci0\0\0\0\0"
            f.write(rec.pack(len(ni), len(ni), 0, 0, t) + ni)
            ii = bytes.fromhex("665544332211") + b"\x02\0"
            f.write(rec.pack(len(ii), len(ii), 10, 0, t) + ii)
        for i in range(o.events):
            t = T0 + EPOCH_DELTA + int(i * step); sec = (T0 + int(i * step)) // 1_000_000
            if o.junk and r.random() * 100 < o.junk:
                junk += 1; ev = b"\x0e\x04\x01\x0c\x20\0" if i & 1 else b"\x05\x04\0\x40\0\x13"
            else:
                n = r.randint(2, 4) if o.multi and r.random() * 100 < o.multi else 1
                body = b""
                for _ in range(n):
                    x = r.getrandbits(26); d = picks[x & 65535]; et, data = d.advert(r, sec)
                    if o.bad and r.random() * 100 < o.bad:
                        bad += 1; data = data[:-1] if len(data) > 3 else data; data = data[:len(data) - 2] + b"\xff\xff"
                    rssi = (d.rssi + (x >> 16) % 9 - 4) & 0xFF
                    count[d.kind] += 1; reports += 1
                    if o.ext:
                        body += struct.pack("<HB", {0: 0x13, 3: 0x10, 4: 0x1B}[et], d.atype) + d.addr + bytes((1, 0, 0xFF, 0x7F, rssi, 0, 0, 0)) + bytes(6) + bytes((len(data),)) + data
                    else:
                        body += bytes((et, d.atype)) + d.addr + bytes((len(data),)) + data + bytes((rssi,))
                    if len(body) > 200: break
                # the number of reports really packed
                if n > 1:
                    # recount: walk is cheap, but the loop variable is enough
                    n = _ + 1
                ev = bytes((0x3E, 2 + len(body), 0x0D if o.ext else 0x02, n)) + body
            pkt = h4 + ev
            f.write(rec.pack(len(pkt), len(pkt), fl, 0, t) + pkt)
    truth = {"events": o.events, "reports": reports, "junk": junk, "bad": bad, "per_kind": count}
    if o.keys:
        eid = [{"kind": "eddystone_eid", "addr": d.addr[::-1].hex(":"), "identity_key": d.ik.hex(), "k": d.k} for d in devs if d.ik]
        json.dump({**truth, "eid_devices": eid}, open(o.keys, "w"), indent=1)
    print(json.dumps(truth))

if __name__ == "__main__":
    main()
