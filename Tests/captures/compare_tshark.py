#!/usr/bin/env python3
"""Compares the reports that luna reads from capture files with those that tshark and btmon read.

    compare_tshark.py LUNA [--no-variants] [FILE ...]

Without FILEs, all captures beside this script. For each file, report by report and in order:
address, address type, PDU, RSSI, data and time. Then the same for the file rewritten into every
other container and link type (both byte orders, microseconds and nanoseconds, several interfaces
and sections), and for files made of two captures at once. Rows of .tsv files go through
`luna decode`, packed into reports for tshark. Ends with `N passed, N failed`.

Where tshark gives up on a frame before its CRC, the CRC is computed here, and the frame is not
expected of luna when it is wrong.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace

HERE = os.path.dirname(os.path.abspath(__file__))
# A capture is rewritten this far.
VARIANT_PACKETS = 200
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000
ADVERTISING = 0x8E89BED6
FILTER = (
    "(bthci_evt.le_meta_subevent in {0x02,0x0d}) or (btle.access_address == 0x8e89bed6 and "
    "btle.advertising_header.pdu_type in {0,1,2,4,6,7} and !btle.crc.incorrect and "
    "!(nordic_ble.crcok == 0))"
)
LEGACY = {0: "ADV_IND", 1: "ADV_DIRECT_IND", 2: "ADV_SCAN_IND", 3: "ADV_NONCONN_IND", 4: "SCAN_RSP"}
LINK = {
    0: "ADV_IND", 1: "ADV_DIRECT_IND", 2: "ADV_NONCONN_IND", 4: "SCAN_RSP", 6: "ADV_SCAN_IND",
    7: "ADV_EXT_IND",
}
ADDRESS_TYPES = {
    0: "public", 1: "random", 2: "public-identity", 3: "random-identity", 0xFF: "anonymous",
}


# What both sides are brought to.

@dataclass(frozen=True)
class Report:
    frame: int = field(compare=False)
    time: int | None
    address: str | None
    address_type: str | None
    pdu: str | None
    rssi: int | None
    data: str


# tshark

def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def pairs(value):
    """All (name, value) pairs of a tshark JSON tree, in the order of the frame."""
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        for name, inner in value:
            yield name, inner
            yield from pairs(inner)


def crc_is_right(pdu, crc):
    state = 0xAAAAAA
    for byte in pdu:
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (0xDA6000 if state & 1 else 0)
    return crc == state.to_bytes(3, "little")


def microseconds(text):
    if not text:
        return None
    match = re.fullmatch(r"(-?)(\d+)\.(\d{6})\d*", text)
    seconds, fraction = int(match[2]), int(match[3])
    if match[1]:
        # tshark shows the seconds of times before 1970 as unsigned ones.
        return -((2**32 - seconds) * 1_000_000 + fraction)
    return seconds * 1_000_000 + fraction


def dissected(path):
    """The frames of a file, by tshark: their number, and what it says of them."""
    tree = run("tshark", "-n", "-r", path, "-Y", FILTER, "-T", "json", "-x")
    frames = []
    for frame in json.loads(tree.stdout or b"[]", object_pairs_hook=list):
        layers = dict(dict(frame)["_source"])["layers"]
        frames.append((int(dict(dict(layers)["frame"])["frame.number"]), layers))
    return frames


def dissected_together(files, scratch):
    """The frames of each of several files, each a path and its number of records.
    Wireshark's library reads each of them; tshark, whose start takes longer than all else, is asked
    once about all. None where they cannot be put together."""
    whole = os.path.join(scratch, "whole")
    merging = run("mergecap", "-a", "-w", whole, *(path for path, _ in files))
    if merging.returncode:
        return None
    frames, start, parts = dissected(whole), 0, []
    for _, count in files:
        parts.append([(n - start, layers) for n, layers in frames if start < n <= start + count])
        start += count
    return parts if sum(map(len, parts)) == len(frames) else None


class Tshark:
    """The reports of a file, by tshark."""

    def __init__(self, frames):
        self.undecided = 0
        self.reports = []
        for number, layers in frames:
            names = dict(layers)
            time = microseconds(dict(names["frame"]).get("frame.time_epoch"))
            read = self.link_layer if "btle_raw" in names else self.events
            self.reports += read(number, time, layers)
        self.reports = join(self.reports)

    def events(self, number, time, layers):
        found = []
        frame = bytes.fromhex(dict(layers)["frame_raw"][0])
        for name, value in pairs(layers):
            if not isinstance(value, list) or not value or not isinstance(value[0], str):
                continue
            raw, position = value[0], value[1]
            match name.removesuffix("_raw"):
                case "bthci_evt.le_advts_event_type":
                    found.append({"pdu": LEGACY.get(int(raw, 16))})
                case "bthci_evt.le_ext_advts_event_type":
                    bits = int.from_bytes(bytes.fromhex(raw), "little")
                    found.append({"pdu": extended_pdu(bits), "status": bits >> 5 & 3,
                                  "extended": not bits & 0x10, "response": bits >> 3 & 1})
                case "bthci_evt.le_peer_address_type":
                    found[-1]["type"] = int(raw, 16)
                case "bthci_evt.bd_addr":
                    found[-1]["address"] = address(raw)
                case "bthci_evt.rssi":
                    rssi = int.from_bytes(bytes.fromhex(raw), "little", signed=True)
                    found[-1]["rssi"] = None if rssi == 127 else rssi
                case "bthci_evt.data_length":
                    found[-1]["length"] = int(raw, 16)
                    found[-1]["end"] = position + 1 + int(raw, 16)
                case "btcommon.eir_ad.advertising_data":
                    found[-1]["data"] = raw
                case "bthci_evt.advertising_sid" | "bthci_evt.le_advertising_sid":
                    found[-1]["sid"] = int(raw, 16)
        whole = []
        for item in found:
            # A report that the event is too short for is not expected.
            data = item.get("data", "")
            if len(data) != 2 * item.get("length", -1):
                continue
            if "rssi" not in item:
                # Faulty AD structures made tshark give up before it came to the RSSI.
                if item["end"] >= len(frame):
                    continue
                item["rssi"] = int.from_bytes(frame[item["end"]:item["end"] + 1], signed=True)
            kind = item["type"]
            report = Report(number, time, None if kind == 0xFF else item["address"],
                            ADDRESS_TYPES.get(kind), item["pdu"], item["rssi"], data)
            whole.append((report, item))
        return whole

    def link_layer(self, number, time, layers):
        item = {}
        for name, value in pairs(layers):
            if not isinstance(value, list) or not value or not isinstance(value[0], str):
                continue
            key = name.removesuffix("_raw")
            item.setdefault(key, (value[0], value[1]))
        frame = bytes.fromhex(item["frame"][0])
        flags = item.get("btle_rf.flags")
        flags = int.from_bytes(bytes.fromhex(flags[0]), "little") if flags else 0
        # The positions are those of the frame but where a layer was given a part of it.
        header = item["btle.advertising_header"][1]
        length = frame[header + 1]
        payload = frame[header + 2:]
        checked = flags & 0x0400 or "nordic_ble.crcok" in item
        if not checked and not crc_is_right(frame[header:header + 2 + length],
                                            payload[length:length + 3]):
            self.undecided += 1
            return []
        if len(payload) < length:
            self.undecided += 1
            return []
        pdu = frame[header] & 15
        data = ""
        for key in ("btcommon.eir_ad.advertising_data", "btle.extended_advertising.had_fragment"):
            if key in item and pdu != 1:
                data = data or item[key][0]
        if pdu == 7 and "btle.extended_advertising_header.acad" in item:
            # The first advertising data are then those in the header.
            data = payload[1 + (payload[0] & 0x3F):length].hex()
        if "btle.extended_advertising.had_fragment" in item:
            data = item["btle.extended_advertising.had_fragment"][0]
        where = item.get("btle.advertising_address")
        random = frame[header] & 0x40
        rssi = None
        if "btle_rf.signal_dbm" in item:
            rssi = int.from_bytes(bytes.fromhex(item["btle_rf.signal_dbm"][0]), signed=True)
        if "nordic_ble.rssi" in item:
            rssi = -int(item["nordic_ble.rssi"][0], 16)
            rssi = rssi if rssi >= -128 else None
        report = Report(number, time, address(where[0]) if where else None,
                        ("random" if random else "public") if where else None, LINK[pdu], rssi, data)
        return [(report, {})]


def address(raw):
    return ":".join(f"{byte:02X}" for byte in reversed(bytes.fromhex(raw)))


def extended_pdu(bits):
    if not bits & 0x10:
        return "ADV_EXT_IND"
    if bits & 0x08:
        return "SCAN_RSP"
    if bits & 0x04:
        return "ADV_DIRECT_IND"
    if bits & 0x01:
        return "ADV_IND"
    return "ADV_SCAN_IND" if bits & 0x02 else "ADV_NONCONN_IND"


def join(found):
    """Puts the fragments of extended advertisements together."""
    reports, pending = [], {}
    for report, item in found:
        key = (report.address, report.address_type, item.get("sid"), item.get("response"))
        if item.get("extended"):
            data = pending.pop(key, "") + report.data
            if item["status"] == 1:
                pending[key] = data
                continue
            report = replace(report, data=data)
        reports.append(report)
    return reports


# luna

def luna_reports(luna, path, stdin=None):
    result = run(luna, "scan", "-r", path, "--format", "jsonl", text=True)
    reports = []
    for number, line in enumerate(result.stdout.splitlines()):
        item = json.loads(line)
        if item["type"] != "advertisement":
            continue
        time = None
        if "time" in item:
            time = int(run_time(item["time"]))
        reports.append(Report(number, time, item.get("address"), item.get("addressType"),
                              item.get("pdu"), item.get("rssi"), item["data"]))
    return reports, result


def run_time(text):
    from datetime import datetime, timezone
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    delta = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (delta.days * 86400 + delta.seconds) * 1_000_000 + delta.microseconds


# Reading captures, in order to write them otherwise

@dataclass
class Packet:
    time: int                   # nanoseconds since 1970
    hci: bytes | None = None    # with the H4 indicator
    received: bool = True
    adapter: int = 0
    link: bytes | None = None   # from the access address on
    rssi: int | None = None
    crc: bool | None = None
    channel: int = 37           # channel index
    phy: int = 0
    aux: int = 0


def rf_to_index(rf):
    return {0: 37, 12: 38, 39: 39}.get(rf, rf - 1 if rf < 12 else rf - 2)


def index_to_rf(index):
    return {37: 0, 38: 12, 39: 39}.get(index, index + 1 if index < 11 else index + 2)


def link_packet(link_type, data, time):
    if link_type == 256:
        rf, signal, _, _, _, flags = struct.unpack_from("<BbbBIH", data)
        return Packet(time, link=data[10:], rssi=signal if flags & 2 else None,
                      crc=bool(flags & 0x800) if flags & 0x400 else None, channel=rf_to_index(rf),
                      phy=flags >> 14, aux=flags >> 12 & 3)
    if link_type == 272:
        return Packet(time, link=data[17:], rssi=-data[10], crc=bool(data[8] & 1), channel=data[9],
                      phy=data[8] >> 4 & 7, aux=data[8] >> 1 & 3)
    raise ValueError(link_type)


def read_capture(path):
    data = open(path, "rb").read()
    if path.endswith(".h4"):
        return list(read_h4(data))
    if data.startswith(b"btsnoop\0"):
        return list(read_btsnoop(data))
    if data[:4] == b"\xd4\xc3\xb2\xa1":
        return list(read_pcap(data))
    return list(read_pcapng(data))


def read_h4(data):
    position, time = 0, 1_700_000_000_000_000_000
    while position < len(data):
        kind = data[position]
        header, size = {1: (4, 3), 2: (5, 3), 3: (4, 3), 4: (3, 2)}[kind]
        if kind == 2:
            count = 5 + struct.unpack_from("<H", data, position + 3)[0]
        else:
            count = header + data[position + size]
        yield Packet(time, hci=data[position:position + count], received=kind == 4)
        position += count
        time += 1_000_000


def read_btsnoop(data):
    datalink = struct.unpack_from(">I", data, 12)[0]
    position = 16
    while position < len(data):
        _, count, flags, _, time = struct.unpack_from(">IIIIq", data, position)
        packet = data[position + 24:position + 24 + count]
        position += 24 + count
        time = (time - BTSNOOP_EPOCH) * 1000
        if datalink == 1002:
            yield Packet(time, hci=packet, received=bool(flags & 1))
        elif datalink == 2001 and flags & 0xFFFF in (2, 3, 4, 5):
            kind = {2: 1, 3: 4, 4: 2, 5: 2}[flags & 0xFFFF]
            yield Packet(time, hci=bytes([kind]) + packet, received=flags & 1 == 1,
                         adapter=flags >> 16)


def read_pcap(data):
    link_type = struct.unpack_from("<I", data, 20)[0]
    position = 24
    while position < len(data):
        seconds, fraction, count, _ = struct.unpack_from("<IIII", data, position)
        yield link_packet(link_type, data[position + 16:position + 16 + count],
                          (seconds * 1_000_000 + fraction) * 1000)
        position += 16 + count


def read_pcapng(data):
    position, interfaces = 0, []
    while position < len(data):
        kind, total = struct.unpack_from("<II", data, position)
        body = data[position + 8:position + total - 4]
        position += total
        if kind == 1:
            link_type, resolution = struct.unpack_from("<H", body)[0], 6
            option = 8
            while option + 4 <= len(body):
                code, count = struct.unpack_from("<HH", body, option)
                if code == 9:
                    resolution = body[option + 4]
                if code == 0:
                    break
                option += 4 + (count + 3) // 4 * 4
            interfaces.append((link_type, resolution))
        elif kind == 6:
            index, high, low, count, _ = struct.unpack_from("<IIIII", body)
            link_type, resolution = interfaces[index]
            yield link_packet(link_type, body[20:20 + count],
                              (high << 32 | low) * 10 ** (9 - resolution))


# Writing them

def as_187(packet):
    return packet.hci


def as_201(packet):
    return struct.pack(">I", packet.received) + packet.hci


def opcode(packet):
    return {1: 2, 4: 3, 2: 5 if packet.received else 4, 3: 7 if packet.received else 6}[packet.hci[0]]


def as_254(packet):
    return struct.pack(">HH", packet.adapter, opcode(packet)) + packet.hci[1:]


def as_251(packet):
    return packet.link


def as_256(packet):
    flags = 1 | packet.phy << 14
    flags |= 0 if packet.rssi is None else 2
    flags |= 0 if packet.crc is None else 0x400 | packet.crc * 0x800
    return struct.pack("<BbbBIH", index_to_rf(packet.channel), packet.rssi or 0, -128, 0,
                       ADVERTISING, flags) + packet.link


def as_272(version):
    def write(packet):
        # The sniffer always tells of the CRC.
        crc = packet.crc
        if crc is None:
            header = 5 if packet.phy == 2 else 4
            end = header + 2 + packet.link[header + 1] if len(packet.link) > header + 1 else 0
            crc = end + 3 <= len(packet.link) and crc_is_right(
                packet.link[header:end], packet.link[end:end + 3])
        flags = crc | packet.phy << 4 | (packet.aux << 1 if packet.channel < 37 else 0)
        event = struct.pack("<BBBHI", flags, packet.channel, -min(0, packet.rssi or 0), 7, 150)
        if version == 0:
            return struct.pack("<HBHHB", 0xEFBE, 6, 1, 0, len(event + packet.link)) + event + packet.link
        payload = bytes([10]) + event + packet.link
        kind = 6
        if version == 1:
            return struct.pack("<BBBBHB", 7, 6, len(payload), 1, 1, kind) + payload
        if version >= 3:
            adverts = packet.link[:4] == struct.pack("<I", ADVERTISING)
            kind = 2 if adverts else 6
        return struct.pack("<BHBHB", 7, len(payload), version, 1, kind) + payload
    return write


def btsnoop(datalink, packets):
    out = b"btsnoop\0" + struct.pack(">II", 1, datalink)
    for packet in packets:
        if datalink == 1001:
            data = packet.hci[1:]
            flags = packet.received | (2 if packet.hci[0] in (1, 4) else 0)
        elif datalink == 1002:
            data, flags = packet.hci, packet.received | (2 if packet.hci[0] in (1, 4) else 0)
        else:
            data, flags = packet.hci[1:], packet.adapter << 16 | opcode(packet)
        out += struct.pack(">IIIIq", len(data), len(data), flags, 0,
                           packet.time // 1000 + BTSNOOP_EPOCH) + data
    return out


def pcap(link_type, packets, encode, order="<", magic=0xA1B2C3D4):
    out = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link_type)
    unit = 1 if magic == 0xA1B23C4D else 1000
    extra = b"\0" * 8 if magic == 0xA1B2CD34 else b""
    for packet in packets:
        data = encode(packet)
        out += struct.pack(order + "IIII", packet.time // 10**9, packet.time % 10**9 // unit,
                           len(data), len(data)) + extra + data
    return out


class Pcapng:
    def __init__(self, order="<"):
        self.order, self.out = order, b""
        self.section()

    def section(self, order=None):
        self.order, self.units = order or self.order, []
        self.block(0x0A0D0D0A, struct.pack(self.order + "IHHq", 0x1A2B3C4D, 1, 0, -1))

    def block(self, kind, body):
        body += b"\0" * (-len(body) % 4)
        total = struct.pack(self.order + "I", len(body) + 12)
        self.out += struct.pack(self.order + "I", kind) + total + body + total

    def interface(self, link_type, resolution=None, offset=None, snaplen=0):
        options = b""
        # a name in front, so that options have to be walked
        options += struct.pack(self.order + "HH", 2, 5) + b"hci0\0\0\0\0"
        if resolution is not None:
            options += struct.pack(self.order + "HHBxxx", 9, 1, resolution)
        if offset is not None:
            options += struct.pack(self.order + "HHq", 14, 8, offset)
        options += struct.pack(self.order + "HH", 0, 0)
        self.block(1, struct.pack(self.order + "HHI", link_type, 0, snaplen) + options)
        resolution = 6 if resolution is None else resolution
        units = 2 ** (resolution & 0x7F) if resolution & 0x80 else 10 ** resolution
        self.units.append((units, offset or 0))

    def packet(self, index, time, data, kind=6):
        units, offset = self.units[index]
        # rounded up, so that reading it cuts it to the same microsecond
        ticks = -(-(time - offset * 10**9) * units // 10**9)
        if kind == 3:
            self.block(3, struct.pack(self.order + "I", len(data)) + data)
            return
        head = struct.pack(self.order + ("I" if kind == 6 else "HH"), index, *([0] if kind == 2 else []))
        head += struct.pack(self.order + "IIII", ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(data))
        comment = struct.pack(self.order + "HH", 1, 3) + b"abc\0" + struct.pack(self.order + "HH", 0, 0)
        self.block(kind, head + data + b"\0" * (-len(data) % 4) + comment)


def pcapng(link_type, packets, encode, order="<", kind=6, **interface):
    file = Pcapng(order)
    file.interface(link_type, **interface)
    # statistics, names, a custom block, and one of a type that nobody knows
    file.block(5, struct.pack(order + "III", 0, 0, 0))
    file.block(0xBAD, struct.pack(order + "I", 32473) + b"any")
    file.block(0x7FFF, b"x" * 33)
    for packet in packets:
        file.packet(0, packet.time, encode(packet), kind)
    return file.out


@dataclass
class Variant:
    name: str
    content: bytes
    count: int              # of packets, and whatever else has a number
    joins: bool             # it can be read together with others


def variants(packets):
    if packets and packets[0].link is not None:
        encodings = [(251, as_251), (256, as_256), (272, as_272(0)), (272, as_272(1)),
                     (272, as_272(2)), (272, as_272(3))]
        # The first two versions have one byte for the length.
        short = [p for p in packets if len(p.link) + 10 < 256]
        crops = [packets, packets, short, short, packets, packets]
    else:
        encodings = [(187, as_187), (201, as_201), (254, as_254)]
        packets = [p for p in packets if p.hci[0] in (1, 2, 3, 4)]
        crops = [packets] * 3
        for datalink in (1001, 1002, 2001):
            yield Variant(f"btsnoop {datalink}", btsnoop(datalink, packets), len(packets), False)
    for (link, encode), packets in zip(encodings, crops):
        name = f"{link}" if link != 272 else f"272 ({as_name(encode, packets)})"

        def variant(kind, content, joins=True):
            before, _, after = kind.partition(" ")
            # Wireshark numbers the custom block too.
            count = len(packets) + (before == "pcapng")
            return Variant(f"{before} {name} {after}".strip(), content, count, joins)

        yield variant("pcap", pcap(link, packets, encode))
        yield variant("pcap big-endian", pcap(link, packets, encode, ">"))
        yield variant("pcap ns", pcap(link, packets, encode, magic=0xA1B23C4D))
        yield variant("pcap ns big-endian", pcap(link, packets, encode, ">", 0xA1B23C4D))
        yield variant("pcap modified", pcap(link, packets, encode, magic=0xA1B2CD34))
        yield variant("pcapng", pcapng(link, packets, encode))
        yield variant("pcapng big-endian ns", pcapng(link, packets, encode, ">", resolution=9))
        # mergecap cuts these times.
        yield variant("pcapng 2^-31 s", pcapng(link, packets, encode, resolution=0x9F), False)
        yield variant("pcapng ms, offset",
                      pcapng(link, packets, encode, resolution=3, offset=-1000000))
        yield variant("pcapng packet blocks", pcapng(link, packets, encode, kind=2))
        if link not in (201, 254):      # tshark 4.0 loses its place in these
            # These have no times, which every other file has.
            yield variant("pcapng simple blocks", pcapng(link, packets, encode, kind=3), False)


def interesting(packets):
    """Some packets from where the first advertisement is."""
    first = next((number for number, packet in enumerate(packets)
                  if packet.link or packet.hci[:2] == b"\x04\x3e"), 0)
    packets = packets[max(0, first - 20):][:VARIANT_PACKETS]
    if packets and packets[0].time < 0:
        # pcap has no times before 1970.
        packets = [replace(packet, time=packet.time + 2**60) for packet in packets]
    return packets


def as_name(encode, packets):
    data = encode(packets[0]) if packets else b"\0\0\0\0"
    return f"version {0 if data[:2] == bytes.fromhex('beef') else data[3]}"


def mixed(hci, link):
    """Two captures in one file: interfaces of several kinds, one of them not for luna, and two
    sections of different byte order."""
    file = Pcapng(">")
    everything = sorted(hci + link, key=lambda packet: packet.time)
    for half, order in ((everything[::2], ">"), (everything[1::2], "<")):
        if order == "<":
            file.section(order)
        file.interface(1)
        file.interface(254, resolution=9)
        file.interface(256)
        file.interface(272, resolution=0x94)
        file.interface(187)
        for number, packet in enumerate(half):
            if number % 10 == 0:
                file.packet(0, packet.time, bytes(60))
            if packet.hci:
                index, data = ((1, as_254(packet)), (4, packet.hci))[number % 2]
            else:
                index, data = ((2, as_256(packet)), (3, as_272(3)(packet)))[number % 2]
            file.packet(index, packet.time, data)
    return file.out


# Comparing

@dataclass
class Result:
    name: str
    problem: str | None
    note: str = ""


def difference(expected, got, what="tshark"):
    for number, (left, right) in enumerate(zip(expected, got), 1):
        if left != right:
            return f"report {number}\n  {what} {left}\n  luna   {right}"
    if len(expected) != len(got):
        return f"{what} has {len(expected)} reports, luna {len(got)}"
    return None


def compare(luna, path, name, frames=None):
    tshark = Tshark(dissected(path) if frames is None else frames)
    reports, result = luna_reports(luna, path)
    problem = difference(tshark.reports, reports)
    if not problem and result.returncode != 0:
        problem = f"luna ended with {result.returncode}: {result.stderr.strip()}"
    note = f": {len(reports)} reports"
    if tshark.undecided:
        note += f"; {tshark.undecided} with a wrong CRC that tshark gave up on"
    return Result(name, problem, note)


def compare_capture(luna, path, scratch):
    name = os.path.basename(path)
    results = [compare(luna, path, name)]
    if open(path, "rb").read(8) == b"btsnoop\0":
        results += compare_btmon(path, name, luna_reports(luna, path)[0])
    return results


def compare_variants(luna, name, family, scratch):
    files = []
    for number, variant in enumerate(family):
        file = os.path.join(scratch, f"variant{number}")
        open(file, "wb").write(variant.content)
        files.append((file, variant.count))
    parts = dissected_together(files, scratch) if len(files) > 1 else None
    # Where they cannot be read together, one after the other tells why.
    parts = parts or [None] * len(files)
    return [compare(luna, file, f"{name} as {variant.name}", frames)
            for (file, _), variant, frames in zip(files, family, parts)]


def compare_mixed(luna, name, content, scratch):
    file = os.path.join(scratch, "mixed")
    open(file, "wb").write(content)
    return [compare(luna, file, name)]


def btmon_reports(path):
    """Address type, address and RSSI of each report, as far as btmon comes, and whether it came to
    the end."""
    result = run("btmon", "-r", path)
    text = result.stdout.decode(errors="replace")
    found, current, inside = [], {}, False
    for line in text.splitlines():
        if re.match(r"[<>=@] ", line):
            inside = False
        if "Advertising Report (0x" in line:
            inside, current = True, {}
        if not inside:
            continue
        if match := re.match(r" +(?:LE )?[Aa]ddress type: .*\(0x(..)\)", line):
            current = {"type": int(match[1], 16)}
        elif (match := re.match(r" +(?:LE )?Address: ([0-9A-F:]{17})", line)) and "type" in current:
            current.setdefault("address", match[1])
        elif match := re.match(r" +RSSI: (-?\d+) dBm \(0x", line):
            found.append((current.get("type"), current.get("address"), int(match[1])))
        elif match := re.match(r" +RSSI: invalid \(0x(..)\)", line):
            # It takes very weak signals for invalid.
            rssi = int.from_bytes(bytes.fromhex(match[1]), signed=True)
            found.append((current.get("type"), current.get("address"),
                          None if rssi == 127 else rssi))
    return found, result.returncode == 0


def compare_btmon(path, name, reports):
    if not shutil.which("btmon"):
        return []
    found, complete = btmon_reports(path)
    got = [({v: k for k, v in ADDRESS_TYPES.items()}.get(r.address_type), r.address, r.rssi)
           for r in reports]
    problem = difference(found, got if complete else got[:len(found)], "btmon ")
    note = "" if complete else " (btmon stopped early)"
    return [Result(f"{name}, btmon", problem, f": {len(found)} reports{note}")]


def compare_rows(luna, path, scratch):
    rows, results = [], []
    for line in open(path):
        name, _, text = line.rstrip("\n").partition("\t")
        if not name.startswith("#"):
            rows.append((name, bytes.fromhex(text)))
    events = [(n, b) for n, b in rows if b[:2] == b"\x04\x3e"]
    data = [(n, b) for n, b in rows if b[:1] not in (b"\x04", b"\x41") and len(b) <= 229]
    for kind, chosen in (("events", events), ("advertising data", data)):
        if not chosen:
            continue
        packets, time = [], 1_700_000_000_000_000_000
        for _, row in chosen:
            if kind == "advertising data":
                row = bytes([4, 0x3E, 26 + len(row), 0x0D, 1, 0, 0, 1, 1, 2, 3, 4, 5, 6, 1, 1, 0, 127,
                             0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, len(row)]) + row
            packets.append(Packet(time, hci=row))
            time += 1_000_000
        file = os.path.join(scratch, "rows.pcap")
        open(file, "wb").write(pcap(187, packets, as_187))
        frames = dissected(file)
        results.append(compare(luna, file, f"{os.path.basename(path)}, {kind} in a pcap", frames))
        tshark = {}
        for report in Tshark(frames).reports:
            tshark.setdefault(report.frame, []).append(report)
        option = ["--hci"] if kind == "events" else []
        result = run(luna, "decode", *option, text=True,
                     input="".join(row.hex() + "\n" for _, row in chosen))
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        problem = None
        expected = [(n, r) for n, rs in sorted(tshark.items()) for r in rs]
        decoded = [line for line in lines if "data" in line and "error" not in line]
        if len(decoded) != len(expected):
            problem = f"tshark has {len(expected)} reports, luna decode {len(decoded)}"
        for (number, report), line in zip(expected, decoded):
            same = line["data"] == report.data
            if kind == "events":
                same = same and line.get("address") == report.address \
                    and line.get("addressType") == report.address_type \
                    and line.get("pdu") == report.pdu and line.get("rssi") == report.rssi
            if not same:
                problem = problem or f"{chosen[number - 1][0]}\n  tshark {report}\n  luna   {line}"
        results.append(Result(f"{os.path.basename(path)}, {kind} through decode", problem,
                              f": {len(expected)} rows"))
    return results


def job(work, *arguments):
    """In a process of its own, since most of the work is done in Python."""
    with tempfile.TemporaryDirectory() as scratch:
        return work(*arguments, scratch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("luna")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--no-variants", action="store_true")
    options = parser.parse_intermixed_args()
    if not shutil.which("tshark"):
        sys.exit("compare_tshark.py: tshark is not installed: apt-get install tshark")
    files = options.files or sorted(
        os.path.join(HERE, name) for name in os.listdir(HERE)
        if name.endswith((".btsnoop", ".cfa", ".pcap", ".pcapng", ".h4", ".tsv")))
    passed, failed, read = 0, 0, {}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for path in files:
            name = os.path.basename(path)
            if name.endswith(".tsv"):
                jobs.append(pool.submit(job, compare_rows, options.luna, path))
                continue
            if not name.endswith(".h4"):
                jobs.append(pool.submit(job, compare_capture, options.luna, path))
            if options.no_variants:
                continue
            read[name] = packets = interesting(read_capture(path))
            families = {}
            for variant in variants(packets):
                families.setdefault(variant.joins or variant.name, []).append(variant)
            for family in families.values():
                jobs.append(pool.submit(job, compare_variants, options.luna, name, family))
        hci = [p for p in read.values() if p and p[0].hci]
        link = [p for p in read.values() if p and p[0].link]
        for number in range(min(len(hci), len(link), 3)):
            name = f"two captures in one pcapng, {number + 1}"
            content = mixed(hci[number], link[number])
            jobs.append(pool.submit(job, compare_mixed, options.luna, name, content))
        for result in (result for done in jobs for result in done.result()):
            if result.problem:
                failed += 1
                print(f"FAIL {result.name}: {result.problem}")
            else:
                passed += 1
                print(f"ok   {result.name}{result.note}")
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
