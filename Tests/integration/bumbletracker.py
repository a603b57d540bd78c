#!/usr/bin/env python3
"""A tracker made of Bumble and lunaprotocol.py on a controller behind a Unix socket: it shares no
code with luna. Its address is new for each connection, and it accepts connections always.

  bumbletracker.py PATH CODE [--shows CODE] [--mtu N]

CODE is 32 hex digits; --shows: the code whose hint it shows, for a tracker that lies. --mtu: the
largest PDU that it takes.

Standard input takes JSON objects, one a line; each is answered by one JSON line:
  {"do": "press"}          its button
  {"do": "tell"}           {state, failures, uuid, masterKey, log}: what there is to know; log has
                           what happened since this was asked last
  {"do": "fault", "at": WHAT, "how": HOW}   once, at a message: WHAT is "request", "response",
                           "finish", "done" or "receipt"; HOW is "vanish" (the connection ends
                           instead), "silence" (it never comes), "late" (2 s), or bytes in hex that
                           come instead
  {"do": "drop"}           the connection ends
  {"do": "reset"}          factory state
End of input ends the program.
"""

import argparse
import asyncio
import json
import os
import sys

import lunaprotocol as luna
from bumble import hci
from bumble.core import UUID
from bumble.device import AdvertisingType, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.transport import open_transport

WRITABLE = (luna.ONBOARD, luna.CONTROL, luna.SOUND)


def new_address():
    octets = bytearray(os.urandom(6))
    octets[5] |= 0xC0
    return hci.Address(bytes(octets), hci.Address.RANDOM_DEVICE_ADDRESS)


class Tracker:
    def __init__(self, options):
        self.options, self.log, self.faults, self.connection = options, [], {}, None
        self.peer = luna.TrackerPeer(bytes.fromhex(options.code), log=self.note)
        self.shown = luna.TrackerPeer(bytes.fromhex(options.shows or options.code))
        self.shown.aliases = self.peer.aliases

    def note(self, what, **fields):
        self.log.append({'what': what} | fields)

    async def open(self):
        self.transport = await open_transport('unix:' + self.options.path)
        self.device = Device.with_hci('Luna', new_address(), self.transport.source, self.transport.sink)
        # Nothing that would tell one tracker from another.
        self.device.gatt_server.max_mtu = self.options.mtu
        properties = Characteristic.Properties
        self.values = {}

        def made(uuid):
            kinds = properties(0)
            if uuid not in (luna.CONTROL, luna.SOUND):
                kinds |= properties.READ
            if uuid in WRITABLE:
                kinds |= properties.WRITE | properties.INDICATE
            self.values[uuid] = Characteristic(
                UUID(uuid),
                kinds,
                Characteristic.READABLE | Characteristic.WRITEABLE,
                CharacteristicValue(
                    read=lambda connection, uuid=uuid: self.peer.read(uuid),
                    write=lambda connection, value, uuid=uuid: self.written(uuid, bytes(value)),
                ),
            )
            return self.values[uuid]

        for service, uuids in (
            (luna.TX_POWER_SERVICE, [luna.TX_POWER_LEVEL]),
            (luna.LUNA_SERVICE, [luna.INFO, luna.ONBOARD, luna.CHALLENGE, luna.CONTROL]),
            (luna.SOUND_SERVICE, [luna.SOUND]),
        ):
            self.device.add_service(Service(UUID(service), [made(uuid) for uuid in uuids]))
        self.device.on('connection', self.connected)
        await self.device.power_on()
        await self.advertise()

    async def advertise(self):
        self.device.random_address = new_address()
        await self.device.send_command(hci.HCI_LE_Set_Random_Address_Command(random_address=self.device.random_address))
        frame = self.peer.frame() if self.peer.keys else self.shown.frame()
        if self.peer.state == luna.LOCKED:
            self.shown.failures = 5
            frame = self.shown.frame()
        await self.device.start_advertising(
            advertising_type=AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE,
            advertising_data=frame,
            scan_response_data=b'\x05\x09Luna',
            advertising_interval_min=100,
            advertising_interval_max=100,
        )

    def connected(self, connection):
        self.connection = connection
        self.note('connected')
        self.peer.connected()
        connection.on('disconnection', self.disconnected)

    def disconnected(self, reason):
        self.connection = None
        self.note('disconnected', reason=int(reason))
        self.peer.disconnected()
        asyncio.get_running_loop().create_task(self.advertise())

    def fault(self, what):
        return self.faults.pop(what, None)

    async def written(self, uuid, value):
        if uuid == luna.ONBOARD and value[:1] in (b'\x01', b'\x03'):
            name = 'request' if value[0] == 1 else 'finish'
            if how := self.fault(name):
                self.note('fault', at=name)
                if how == 'vanish':
                    await self.vanish()
                elif how == 'silence':
                    await asyncio.sleep(3600)
        answers = self.peer.write(uuid, value)
        for answer in answers:
            # The response to the write goes first.
            asyncio.get_running_loop().create_task(self.indicate(uuid, answer))

    async def indicate(self, uuid, answer):
        await asyncio.sleep(0.02)
        connection = self.connection
        if not connection:
            return
        name = {2: 'response', 4: 'done'}.get(answer[0]) if uuid == luna.ONBOARD else 'receipt'
        if how := self.fault(name):
            self.note('fault', at=name)
            if how == 'vanish':
                return await self.vanish()
            if how == 'silence':
                return
            if how == 'late':
                await asyncio.sleep(2)
            else:
                answer = bytes.fromhex(how)
                self.peer.onboard_value = answer
        await self.device.indicate_subscriber(connection, self.values[uuid], answer)
        if self.peer.wants_to_disconnect and self.connection:
            await self.vanish()

    async def vanish(self):
        if self.connection:
            await self.connection.disconnect()

    async def press(self):
        self.peer.press()
        self.shown.failures = 0
        if not self.connection:
            await self.device.stop_advertising()
            await self.advertise()

    async def do(self, order):
        what = order['do']
        if what == 'press':
            await self.press()
        elif what == 'tell':
            keys = self.peer.keys
            told = {
                'state': self.peer.state,
                'failures': self.peer.failures,
                'uuid': self.peer.uuid and str(self.peer.uuid),
                'masterKey': keys and keys.master_key.hex(),
                'log': self.log,
            }
            self.log = []
            return told
        elif what == 'fault':
            self.faults[order['at']] = order['how']
        elif what == 'drop':
            await self.vanish()
        elif what == 'reset':
            self.peer.keys, self.peer.failures = None, 0
            await self.press()
        else:
            raise ValueError(f'no such order: {what}')
        return {}


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('path')
    parser.add_argument('code')
    parser.add_argument('--shows')
    parser.add_argument('--mtu', type=int, default=247)
    tracker = Tracker(parser.parse_args())
    await tracker.open()
    print('{}', flush=True)
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        try:
            answer = await tracker.do(json.loads(line))
        except Exception as error:
            answer = {'error': f'{type(error).__name__}: {error}'}
        print(json.dumps(answer), flush=True)


asyncio.run(main())
