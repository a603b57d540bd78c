#!/usr/bin/env python3
"""A virtual air with beacons and a tag in it, and adapters that hear them.

  world.py ADAPTER [ADAPTER] [--mode legacy|extended] [--journal FILE] [--period S] [--tag-period S]
           [--peer] [--strangers]

ADAPTER is how a host reaches a controller of this world:
  vhci              the Linux kernel of this machine, through /dev/vhci: it becomes an hciN
  unix:PATH         H4 over a Unix socket that this program serves
  tcp:HOST:PORT     H4 over TCP (port 0: any; the answer to "where" tells it)

In the air, each with a new address and payload every --period seconds:
  an iBeacon (ADV_NONCONN_IND, non-resolvable address);
  a tag (ADV_IND with a scan response, service 0x1804, resolvable address after its first one);
  a crowd of three that arrive in one event (Eddystone UID, Eddystone TLM, a named public address);
  in extended mode also a 118-byte extended advertisement, a 500-byte one that takes three
  reports, and one on the Coded PHY, for hosts that scan there.
The tag serves GATT: writing 00 03 (Sound_Start) to its IETF DULT characteristic is answered by an
indication and notification 02 03 00 03 00 00 (Command_Response). --peer adds the peer of the GATT
conformance suite, --strangers trackers of other makers; see peer.py and strangers.py.

The journal has one JSON object a line: "air" (a PDU, under the names that `luna scan` prints, and
which adapters were told of it), "command" and "scan" (what a host did), "load" and, after each 1,000 of it, "loading",
"gatt", "peer", "plugged".

Standard input takes commands, one a line; each is answered by one JSON line:
  where                    how each adapter is reached: hciN, path, port
  load RATE COUNT [N]      COUNT reports to adapter N, RATE a second, each with its sequence number
  unplug N | plug N        the adapter goes, with its hciN; and returns
  name TEXT                the named address of the crowd has this name, which has no more than 28 bytes
  still | live             the beacons and the tag fall silent; and speak again
  deaf N [scan|reset]      the controller hears nothing although it scans; until its scan is switched
                           on anew, or until it is reset
  hear N                   it hears again
  mute N | speak N         the controller answers no command
  refuse N OPCODE STATUS [TIMES]   (hex) the command is refused
  lose N OPCODE [TIMES]    (hex) the command is not answered
  duplicates N ignore|address|data   what the controller's duplicate filter does
  garbage N                malformed and unknown events
  error N CODE             Hardware Error (hex)
  stranger NAME MOOD       a tracker of another maker changes its mood; see strangers.py
  peer show|hide|vanish    the conformance peer advertises; does not; loses its connection
  fleeting N up|mtu        its next N connections are lost as they come up; once the MTU is known
End of input ends the program.
"""

import argparse
import asyncio
import json
import logging
import os
import random
import struct
import sys
import time

from bumble import hci
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from peer import Peer
from radio import Air, H4Server, Pdu, Radio, VirtualAdapter
from strangers import strangers

DULT_SERVICE = UUID('15190001-12F4-C226-88ED-2AC5579F2A85')
DULT_CHARACTERISTIC = UUID('8E0C0001-1D68-FB92-BF61-48377421680E')


class Journal:
    """Writes what happened, in its order, a JSON object a line."""

    def __init__(self, path):
        self.file = open(path, 'w', buffering=1) if path else None

    def __call__(self, **fields):
        if self.file:
            self.file.write(json.dumps({'time': round(time.time(), 6)} | fields) + '\n')


def random_address(kind):
    octets = bytearray(os.urandom(6))  # least significant first: the kind is in the last one
    octets[5] = octets[5] & 0x3F | {'static': 0xC0, 'resolvable': 0x40, 'non-resolvable': 0}[kind]
    return hci.Address(bytes(octets), hci.Address.RANDOM_DEVICE_ADDRESS)


def manufacturer(company, data):
    return struct.pack('<BBH', len(data) + 3, 0xFF, company) + data


class Beacons:
    """Those that only transmit."""

    INTERVAL = 0.25  # seconds between two transmissions of the same beacon

    def __init__(self, air, extended, period):
        self.air, self.extended, self.period, self.live = air, extended, period, True
        self.name = b'Luna'

    async def run(self):
        generation, since = 0, -self.period
        while True:
            now = asyncio.get_running_loop().time()
            if now - since >= self.period:
                since, generation = now, generation + 1
                alone, together = self.appear(generation)
            for group in [[pdu] for pdu in alone] + [together] if self.live else []:
                for pdu in group:
                    pdu.rssi = random.randint(-90, -40)
                self.air.transmit(*group)
            await asyncio.sleep(self.INTERVAL)

    def appear(self, generation):
        ibeacon = bytes.fromhex('0215e2c56db5dffb48d2b060d0f5a71096e0') + struct.pack('>HHb', 1, generation, -59)
        alone = [Pdu('ADV_NONCONN_IND', random_address('non-resolvable'), b'\x02\x01\x1a' + manufacturer(0x004C, ibeacon))]
        uid = bytes.fromhex('020106 0303aafe 1516aafe00e7') + b'luna-space' + struct.pack('>IH', generation, 1)
        tlm = bytes.fromhex('020106 0303aafe 1116aafe2000') + struct.pack('>HhII', 3000, 0x1580, generation, 600)
        named = hci.Address(bytes([generation & 255, 0, 0, 0x3E, 0x5C, 0x00]), hci.Address.PUBLIC_DEVICE_ADDRESS)
        together = [
            Pdu('ADV_NONCONN_IND', random_address('static'), uid),
            Pdu('ADV_NONCONN_IND', random_address('static'), tlm),
            Pdu('ADV_SCAN_IND', named, b'\x02\x01\x06', scan_response=bytes([len(self.name) + 1, 9]) + self.name),
        ]
        if self.extended:
            filler = bytes(i & 255 for i in range(generation, generation + 500))
            alone += [
                Pdu('ADV_EXT_IND', random_address('static'), manufacturer(0xFFFF, filler[:114]), sid=1, tx_power=-4),
                Pdu(
                    'ADV_EXT_IND',
                    random_address('static'),
                    manufacturer(0xFFFF, filler[:246]) + manufacturer(0xFFFF, filler[246:492]),
                    sid=2,
                    secondary_phy='2M',
                ),
                Pdu(
                    'ADV_EXT_IND',
                    random_address('static'),
                    manufacturer(0xFFFF, b'Coded' + filler[:10]),
                    primary_phy='Coded',
                    secondary_phy='Coded',
                ),
            ]
        return alone, together


class Tag:
    """A connectable tracker with a GATT server."""

    def __init__(self, air, period, journal):
        self.period, self.journal, self.live, self.connection = period, journal, True, None
        self.radio = Radio('tag', air, 'F0:F1:F2:F3:F4:02')
        self.device = Device(
            name='FakeTag', address=random_address('static'), host=Host(self.radio, AsyncPipeSink(self.radio))
        )
        properties = Characteristic.Properties
        self.characteristic = Characteristic(
            DULT_CHARACTERISTIC,
            properties.WRITE | properties.NOTIFY | properties.INDICATE,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=self.written),
        )
        power = Characteristic(UUID.from_16_bits(0x2A07), properties.READ, Characteristic.READABLE, bytes([4]))
        self.device.add_services(
            [Service(UUID.from_16_bits(0x1804), [power]), Service(DULT_SERVICE, [self.characteristic])]
        )
        self.device.on('connection', self.connected)

    def connected(self, connection):
        self.connection = connection
        self.journal(event='gatt', what='connected', peer=connection.peer_address.to_string(False))
        connection.on('disconnection', self.disconnected)

    def disconnected(self, reason):
        self.connection = None
        self.journal(event='gatt', what='disconnected', reason=int(reason))

    async def written(self, connection, value):
        self.journal(event='gatt', what='write', value=value.hex())
        if value[:2] == b'\x00\x03':
            answer = bytes.fromhex('020300030000')
            await self.device.notify_subscriber(connection, self.characteristic, answer)
            await self.device.indicate_subscriber(connection, self.characteristic, answer)

    async def run(self):
        await self.device.power_on()
        generation, since = 0, 0
        while True:
            now = asyncio.get_running_loop().time()
            due = generation == 0 or now - since >= self.period
            if self.device.is_advertising and (due or not self.live):
                await self.device.stop_advertising()
            if self.live and not self.connection and not self.device.is_advertising:
                if due:
                    since, generation = now, generation + 1
                    await self.appear(generation)
                await self.device.start_advertising(
                    advertising_data=self.data,
                    scan_response_data=b'\x08\x09FakeTag',
                    advertising_interval_min=200,
                    advertising_interval_max=200,
                )
            await asyncio.sleep(0.1)

    async def appear(self, generation):
        if generation > 1:
            self.device.random_address = random_address('resolvable')
            await self.device.host.send_sync_command(
                hci.HCI_LE_Set_Random_Address_Command(random_address=self.device.random_address)
            )
        self.data = bytes.fromhex('020106 03030418 07160418') + bytes([generation & 255]) + os.urandom(3)


class World:
    def __init__(self, options):
        self.journal = Journal(options.journal)
        self.air = Air(self.journal)
        self.beacons = Beacons(self.air, options.mode == 'extended', options.period)
        self.tag = Tag(self.air, options.tag_period or options.period, self.journal)
        self.conformance = Peer(self.air, self.journal) if options.peer else None
        self.strangers = strangers(self.air, self.journal) if options.strangers else {}
        self.specifications, self.radios, self.endpoints, self.places = options.adapter, [], [], []
        for index in range(len(self.specifications)):
            address = f'F0:F1:F2:F3:F4:{0x10 + index:02X}'
            self.radios.append(
                Radio(f'adapter{index}', self.air, address, options.mode == 'extended', self.journal, index)
            )

    @property
    def parts(self):
        return [part for part in (self.beacons, self.tag, self.conformance, *self.strangers.values()) if part]

    async def open(self):
        for index, (specification, radio) in enumerate(zip(self.specifications, self.radios)):
            kind, _, where = specification.partition(':')
            if kind == 'vhci':
                self.endpoints.append(VirtualAdapter(radio))
                self.places.append(None)
                await self.plug(index)
            elif kind == 'unix':
                server = await asyncio.get_running_loop().create_unix_server(lambda r=radio: H4Server(r), where)
                self.endpoints.append(server)
                self.places.append(where)
            elif kind == 'tcp':
                host, _, port = where.rpartition(':')
                server = await asyncio.get_running_loop().create_server(lambda r=radio: H4Server(r), host, int(port))
                self.endpoints.append(server)
                self.places.append('%s:%d' % server.sockets[0].getsockname()[:2])
            else:
                raise SystemExit(f'world: unknown kind of adapter "{specification}"; see --help')

    async def obey(self, line):
        verb, *words = line.split()
        return await getattr(self, verb)(*words) or {}

    async def where(self):
        return {'adapters': self.places, 'addresses': [r.public_address.to_string(False) for r in self.radios]}

    async def plug(self, index):
        number = await self.endpoints[int(index)].plug()
        self.places[int(index)] = f'hci{number}'
        self.journal(event='plugged', adapter=int(index), name=self.places[int(index)])
        return {'name': self.places[int(index)]}

    async def unplug(self, index):
        self.journal(event='unplugged', adapter=int(index), name=self.places[int(index)])
        await self.endpoints[int(index)].unplug()

    async def load(self, rate, count, index='0'):
        """Only what the adapter took gets a number, so that numbers missing at the end are losses."""
        radio, rate, count = self.radios[int(index)], float(rate), int(count)
        loop = asyncio.get_running_loop()
        start, delivered, refused, told = loop.time(), 0, 0, 0
        while delivered < count and refused < 10 * rate:
            for _ in range(min(count - delivered, int((loop.time() - start) * rate) - delivered - refused)):
                sender = hci.Address(bytes([delivered & 63, 0, 0, 0, 0, 0xC0]), hci.Address.RANDOM_DEVICE_ADDRESS)
                data = manufacturer(0xFFFF, b'LOAD' + struct.pack('>I', delivered))
                if radio.hear([Pdu('ADV_NONCONN_IND', sender, data)]):
                    delivered += 1
                else:
                    refused += 1
            if delivered // 1000 > told:
                told = delivered // 1000
                self.journal(event='loading', adapter=int(index), delivered=delivered)
            await asyncio.sleep(0.01)
        seconds = round(loop.time() - start, 3)
        self.journal(event='load', adapter=int(index), delivered=delivered, refused=refused, seconds=seconds)
        return {'delivered': delivered, 'refused': refused, 'seconds': seconds}

    async def name(self, *words):
        self.beacons.name = ' '.join(words).encode()

    async def still(self):
        self.beacons.live = self.tag.live = False

    async def live(self):
        self.beacons.live = self.tag.live = True

    async def deaf(self, index, until=None):
        self.radios[int(index)].deaf, self.radios[int(index)].deaf_until = True, until

    async def hear(self, index):
        self.radios[int(index)].deaf = False

    async def mute(self, index):
        self.radios[int(index)].mute = True

    async def speak(self, index):
        self.radios[int(index)].mute = False

    async def refuse(self, index, opcode, status, times='1'):
        self.radios[int(index)].refusals[int(opcode, 16)] = [int(status, 16), int(times)]

    async def lose(self, index, opcode, times='1'):
        self.radios[int(index)].losses[int(opcode, 16)] = int(times)

    async def duplicates(self, index, what):
        self.radios[int(index)].duplicates = what

    async def garbage(self, index):
        whole = bytes.fromhex('0300 010000000000c0 03 020106 c4'.replace(' ', ''))
        for parameters in (
            b'\x02\x00',  # no report at all
            b'\x02\x01' + whole[:-4],  # ends within the data
            b'\x02\x02' + whole,  # announces two reports, has one
            b'\x02\x01\x03\x00\x01\x00\x00\x00\x00\xc0\xff' + bytes(16),  # longer than its event
            b'\x0d\x01' + bytes(20),  # an extended report without its end
            b'\x02',
            b'\xfe' + bytes(8),  # a subevent that nobody knows
        ):
            self.radios[int(index)].send_le_meta(parameters)

    async def peer(self, what):
        self.conformance.visible = what == 'show'
        if what == 'vanish':
            self.conformance.vanish()

    async def fleeting(self, times, moment):
        self.conformance.fleeting[moment] = int(times)

    async def stranger(self, name, mood):
        self.strangers[name].mood = mood

    async def error(self, index, code):
        self.radios[int(index)].hci_sink.on_packet(bytes([4, 0x10, 1, int(code, 16)]))


async def main(options):
    world = World(options)
    await world.open()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running = [loop.create_task(part.run()) for part in world.parts]

    def answer(**fields):
        print(json.dumps(fields), flush=True)

    async def commands():
        answer(ready=True, **await world.where())
        while line := (await reader.readline()).decode().strip():
            try:
                answer(did=line, **await world.obey(line))
            except Exception as error:  # a mistake in a test shall not end the world
                answer(did=line, error=repr(error))

    done, _ = await asyncio.wait(
        running + [loop.create_task(commands())], return_when=asyncio.FIRST_COMPLETED
    )
    for task in done:
        task.result()
    # What is under way now ends with errors that nobody needs to see.
    logging.disable()


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('adapter', nargs='+')
    parser.add_argument('--mode', choices=('legacy', 'extended'), default='legacy')
    parser.add_argument('--journal', help='file for the journal')
    parser.add_argument('--period', type=float, default=4, help='seconds until a new address (default 4)')
    parser.add_argument('--tag-period', type=float, help="the same for the tag, if it's to be connected to")
    parser.add_argument('--peer', action='store_true', help='adds the peer of the GATT conformance suite')
    parser.add_argument('--strangers', action='store_true', help='adds trackers of other makers')
    logging.basicConfig(level=os.environ.get('WORLD_LOG', 'ERROR'))
    asyncio.run(main(parser.parse_args()))
