#!/usr/bin/env python3
"""A central of Bumble's on a controller behind a Unix socket, told what to do line by line.

  bumblecentral.py PATH

Standard input takes JSON objects, one a line; each is answered by one JSON line: what it asks for,
or {"error": TEXT, "code": ATT ERROR CODE when there is one}. Bytes are hex.
  {"do": "hear", "seconds": S}              advertisements: [{address, data, connectable, rssi}]
  {"do": "connect", "address": A, "mtu": M, "seconds": S}   M null: no exchange. Answers {"mtu": M}
  {"do": "services"}                        {"services": [{uuid, characteristics: [{uuid, properties}]}]}
  {"do": "subscribe", "uuid": U}
  {"do": "read", "uuid": U}
  {"do": "write", "uuid": U, "value": HEX}  a long write where it has to be
  {"do": "send", "pdu": HEX, "seconds": S}  an ATT PDU as it is; answers {"pdu": HEX or null}
  {"do": "next", "uuid": U, "seconds": S}   the next indication, kept from the subscription on
  {"do": "wait", "seconds": S}              for the end of the connection: {"reason": N or null}
  {"do": "confirm", "on": BOOL}             whether indications are confirmed
  {"do": "disconnect"}
"""

import asyncio
import json
import sys

from bumble import att, hci
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.transport import open_transport


class Central:
    def __init__(self):
        self.connection = self.peer = None

    async def open(self, path):
        self.transport = await open_transport('unix:' + path)
        # Long enough to look like any other: the same for all runs is no matter here.
        address = hci.Address('F2:C0:FF:EE:00:01', hci.Address.RANDOM_DEVICE_ADDRESS)
        self.device = Device.with_hci('Central', address, self.transport.source, self.transport.sink)
        self.heard = []
        self.device.on('advertisement', self.hears)
        await self.device.power_on()

    def hears(self, advertisement):
        self.heard.append(
            {
                'address': advertisement.address.to_string(),  # a public one ends with /P
                'data': bytes(advertisement.data_bytes).hex(),
                'connectable': advertisement.is_connectable,
                'rssi': advertisement.rssi,
            }
        )

    async def hear(self, seconds):
        self.heard = []
        await self.device.start_scanning(active=False, filter_duplicates=False)
        await asyncio.sleep(seconds)
        await self.device.stop_scanning()
        return {'advertisements': self.heard}

    async def connect(self, address, mtu=None, seconds=20):
        peer = hci.Address(address, hci.Address.RANDOM_DEVICE_ADDRESS)
        self.values, self.ended = {}, asyncio.get_running_loop().create_future()
        self.connection = await self.device.connect(peer, timeout=seconds)
        self.connection.on('disconnection', self.ends)
        self.peer = Peer(self.connection)
        if mtu:
            await self.peer.request_mtu(mtu)
        return {'mtu': self.peer.gatt_client.mtu}

    def ends(self, reason):
        if not self.ended.done():
            self.ended.set_result(int(reason))

    async def services(self):
        await self.peer.discover_services()
        for service in self.peer.services:
            await service.discover_characteristics()
        return {
            'services': [
                {
                    'uuid': service.uuid.to_hex_str('-').upper(),
                    'characteristics': [
                        {'uuid': c.uuid.to_hex_str('-').upper(), 'properties': int(c.properties)}
                        for c in service.characteristics
                    ],
                }
                for service in self.peer.services
            ]
        }

    def characteristic(self, uuid):
        return self.peer.get_characteristics_by_uuid(UUID(uuid))[0]

    async def linked(self, work):
        """What comes of a request; once the connection has ended nothing does, and nobody waits for it."""
        work = asyncio.ensure_future(work)
        await asyncio.wait({work, self.ended}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
            raise ConnectionError('the connection has ended')
        return await work

    async def subscribe(self, uuid):
        queue = self.values.setdefault(uuid, asyncio.Queue())
        await self.linked(self.peer.subscribe(self.characteristic(uuid), queue.put_nowait, prefer_notify=False))

    async def read(self, uuid):
        return {'value': bytes(await self.linked(self.characteristic(uuid).read_value())).hex()}

    async def write(self, uuid, value):
        await self.linked(self.characteristic(uuid).write_value(bytes.fromhex(value), with_response=True))

    async def send(self, pdu, seconds=2):
        client, answer = self.peer.gatt_client, asyncio.get_running_loop().create_future()
        usual = client.on_gatt_pdu
        client.on_gatt_pdu = lambda got: answer.done() or answer.set_result(bytes(got).hex())
        try:
            client.send_gatt_pdu(bytes.fromhex(pdu))
            return {'pdu': await asyncio.wait_for(answer, seconds)}
        except asyncio.TimeoutError:
            return {'pdu': None}
        finally:
            client.on_gatt_pdu = usual

    async def next(self, uuid, seconds=5):
        try:
            return {'value': (await asyncio.wait_for(self.values[uuid].get(), seconds)).hex()}
        except asyncio.TimeoutError:
            return {'value': None}

    async def wait(self, seconds):
        try:
            return {'reason': await asyncio.wait_for(asyncio.shield(self.ended), seconds)}
        except asyncio.TimeoutError:
            return {'reason': None}

    async def confirm(self, on):
        client = self.peer.gatt_client
        client.send_confirmation = type(client).send_confirmation.__get__(client) if on else lambda *_: None

    async def disconnect(self):
        if self.connection and not self.ended.done():
            await self.connection.disconnect()


async def main():
    central = Central()
    await central.open(sys.argv[1])
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print(json.dumps({'ready': True}), flush=True)
    while line := (await reader.readline()).decode().strip():
        words = json.loads(line)
        # Whoever asks knows how slow this machine is.
        limit = words.pop('limit')
        try:
            answer = await asyncio.wait_for(getattr(central, words.pop('do'))(**words), limit) or {}
        except att.ATT_Error as error:
            answer = {'error': str(error), 'code': int(error.error_code)}
        except (Exception, asyncio.CancelledError) as error:  # a mistake in a test shall not end it
            answer = {'error': repr(error)}
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    asyncio.run(main())
