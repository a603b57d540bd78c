"""Trackers of other makers, for luna buzz --any and luna identify, as GATT servers of Bumble's. They
are written from the IETF's draft and what is known of Apple's, and share no code with luna.

  dult     D0:17:00:00:00:01   draft-ietf-dult-accessory-protocol-00; network 2
  findmy   D0:17:00:00:00:02   Apple's Find My network: the same messages behind an octet 01
  airtag   D0:17:00:00:00:03   the AirTag's sound service: AF, and no answer

All advertise and accept connections while nobody is connected. What they do depends on their mood
(the command "stranger NAME MOOD" of the world):

  separated   they obey strangers
  near        their owner is near: Invalid_command to everything
  open        separated, and the button was held: the identifier is told
  silent      they take every write, and answer nothing
  babbling    they answer with messages that make no sense, and then as when separated
  leaving     they end the connection when they are told to sound
  gone        they do not advertise
"""

import asyncio

from bumble import hci
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, Service, CharacteristicValue
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from radio import Radio

SECONDS_OF_SOUND = 6

SERVICES = {
    'dult': ('15190001-12F4-C226-88ED-2AC5579F2A85', '8E0C0001-1D68-FB92-BF61-48377421680E'),
    'findmy': ('FD44', '4F860003-943B-49EF-BED4-2F730304427A'),
    'airtag': ('7DFC9000-7D1C-4951-86AA-8D9728F8D66C', '7DFC9001-7D1C-4951-86AA-8D9728F8D66C'),
}
HEADERS = {'dult': b'', 'findmy': b'\x01'}
SUCCESS, INVALID_STATE, INVALID_LENGTH, INVALID_COMMAND = 0, 1, 3, 0xFFFF

# What the getters answer.
INFORMATION = {
    0x0003: bytes.fromhex('0102030405060708'),
    0x0004: 'Björn & Söhne'.encode(),
    0x0005: b'Tag 1' + bytes(59),
    0x0006: bytes([158]) + bytes(7),
    0x0007: bytes([0, 0, 1, 0]),
    0x0008: bytes([0b1011, 0, 0, 0]),
    0x0009: bytes([2]),
    0x000A: bytes([3, 2, 1, 0]),
    0x000B: bytes([1]),
    0x000C: bytes([2]),
}
IDENTIFIER = bytes(range(0x20, 0x40))


class Stranger:
    def __init__(self, kind, number, air, journal):
        self.kind, self.journal, self.mood = kind, journal, 'separated'
        self.connection, self.sound, self.advertised = None, None, None
        service, characteristic = SERVICES[kind]
        address = hci.Address(f'D0:17:00:00:00:{number:02X}', hci.Address.RANDOM_DEVICE_ADDRESS)
        self.radio = Radio(kind, air, f'F0:F1:F2:F3:F5:{number:02X}')
        self.device = Device(name=kind, address=address, host=Host(self.radio, AsyncPipeSink(self.radio)))
        kinds = Characteristic.Properties
        properties = kinds.WRITE if kind == 'airtag' else kinds.WRITE | kinds.INDICATE
        self.control = Characteristic(
            UUID(characteristic), properties, Characteristic.Permissions.WRITEABLE, CharacteristicValue(write=self.written)
        )
        self.device.add_services([Service(UUID(service), [self.control])])
        self.device.on('connection', self.connected)

    def tell(self, what, **fields):
        self.journal(event='stranger', name=self.kind, what=what, **fields)

    def connected(self, connection):
        self.connection = connection
        connection.on('disconnection', self.disconnected)
        self.tell('connected')

    def disconnected(self, reason):
        self.connection = None
        self.tell('disconnected', reason=int(reason))

    async def written(self, connection, value):
        self.tell('written', value=value.hex())
        # The answer to the write goes out first.
        asyncio.get_running_loop().create_task(self.answer(connection, value))

    async def answer(self, connection, value):
        await asyncio.sleep(0.02)
        if self.mood == 'leaving':
            return await connection.disconnect()
        if self.mood == 'silent':
            return
        if self.kind == 'airtag':
            if value == b'\xaf' and self.mood != 'near':
                self.begin(connection)
            return
        header = HEADERS[self.kind]
        if not value.startswith(header) or len(value) < len(header) + 2:
            return await self.respond(connection, 0, INVALID_LENGTH)
        message = value[len(header) :]
        opcode = int.from_bytes(message[:2], 'little')
        if self.mood == 'babbling':
            for nonsense in ('', '02', '0203', '020300', '77880102', '0203ee030000', '0908'):
                await self.indicate(connection, bytes.fromhex(nonsense))
        if self.mood == 'near':
            await self.respond(connection, opcode, INVALID_COMMAND)
        elif len(message) > 2:
            await self.respond(connection, opcode, INVALID_LENGTH)
        elif opcode == 0x0300:
            if self.sound:
                return await self.respond(connection, opcode, INVALID_STATE)
            self.begin(connection)
            await self.respond(connection, opcode, SUCCESS)
        elif opcode == 0x0301:
            if not self.sound:
                return await self.respond(connection, opcode, INVALID_STATE)
            await self.respond(connection, opcode, SUCCESS)
            self.sound.cancel()
        elif self.kind == 'dult' and opcode in INFORMATION:
            await self.indicate(connection, (opcode | 0x0800).to_bytes(2, 'little') + INFORMATION[opcode])
        elif self.kind == 'dult' and opcode == 0x0404 and self.mood == 'open':
            await self.indicate(connection, b'\x05\x04' + IDENTIFIER)
        else:
            await self.respond(connection, opcode, INVALID_COMMAND)

    def begin(self, connection):
        self.tell('sound')
        self.sound = asyncio.get_running_loop().create_task(self.play(connection))

    async def play(self, connection):
        try:
            await asyncio.sleep(SECONDS_OF_SOUND)
        except asyncio.CancelledError:
            pass
        self.sound = None
        self.tell('silence')
        if self.kind != 'airtag' and self.connection is connection:
            try:
                await self.indicate(connection, b'\x03\x03')
            except TimeoutError:
                pass  # who has told it to be silent may be gone before

    async def respond(self, connection, opcode, status):
        await self.indicate(connection, b'\x02\x03' + opcode.to_bytes(2, 'little') + status.to_bytes(2, 'little'))

    async def indicate(self, connection, message):
        if self.connection is connection:
            await self.device.gatt_server.indicate_subscriber(connection, self.control, HEADERS[self.kind] + message)

    def advertisement(self):
        near = self.mood == 'near'
        if self.kind == 'dult':
            # Flags, and service data FCB2: network, near-owner bit, data of the network.
            return bytes.fromhex('020106 1816b2fc 02') + bytes([near]) + bytes(range(19))
        # Apple: offline finding, with the key when separated.
        return bytes.fromhex('07ff4c00120214 02' if near else '1eff4c001219 10') + (b'' if near else bytes(range(24)))

    async def run(self):
        await self.device.power_on()
        while True:
            wanted = None if self.connection or self.mood == 'gone' else self.advertisement()
            if self.device.is_advertising and wanted != self.advertised:
                await self.device.stop_advertising()
            elif wanted and not self.device.is_advertising:
                self.advertised = wanted
                await self.device.start_advertising(
                    advertising_data=wanted, advertising_interval_min=100, advertising_interval_max=100
                )
            await asyncio.sleep(0.05)


def strangers(air, journal):
    return {kind: Stranger(kind, number, air, journal) for number, kind in enumerate(SERVICES, 1)}
