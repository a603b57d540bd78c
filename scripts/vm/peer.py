"""A peer for the GATT conformance suite (Tests/conformance): a GATT server of Bumble's that does
everything the protocol allows a peer to do, and some of what it does not.

Its address never changes, and it advertises whenever nobody is connected. The characteristics of
its service, by the last two octets of their UUIDs (C04F0000-6C75-6E61-7465-73740000xxxx):

  0001 short     read: "luna"
  0002 long      read: 512 octets, n & 255 each
  0003 store     read, write, write without response: keeps what was written, up to 512 octets
  0004 notify    notifies
  0005 indicate  indicates
  0006 both      notifies and indicates, read: "read"; before it answers a read it sends "sent" to
                 those who subscribed
  0007 deaf      write only; also counts what is written without response: its length in `state`
  0008 refusing  read: error 0x80; write: error 0x81
  0009 secret    read: encryption is needed, and pairing is refused
  000A silent    read: never answered
  000B late      read: answered after 1.5 s
  000C garbage   read: answered by an octet string that is no answer
  000D dropping  read: the connection is ended instead of an answer
  000E state     read: the client configurations of notify, indicate and both (an octet each), the
                 number of connections so far (2), the length of the last value of deaf (2), the
                 largest MTU (2), little-endian
  000F control   write: see `controlled`

A second service, 0x1804, has the characteristic 0x2A07 with one octet, 4.
"""

import asyncio
import struct

from bumble import att, hci, ll
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from radio import Radio

ADDRESS = hci.Address('E7:1A:00:00:00:01', hci.Address.RANDOM_DEVICE_ADDRESS)
CLIENT_CONFIGURATION = UUID.from_16_bits(0x2902)


def uuid(number):
    return UUID(f'C04F0000-6C75-6E61-7465-73740000{number:04X}')


class RefusingDelegate(PairingDelegate):
    async def accept(self):
        return False


class Peer:
    def __init__(self, air, journal):
        self.journal, self.visible, self.connection, self.connections = journal, True, None, 0
        self.stored, self.deaf_length, self.away_until = b'', 0, 0
        self.obeyed = 0  # how many commands it has carried out
        # The last task that indicates something, until it is confirmed.
        self.indicating = None
        self.fleeting = {}  # how many connections are lost at which moment, see `reached`
        self.radio = Radio('peer', air, 'F0:F1:F2:F3:F4:03')
        self.device = Device(name='Peer', address=ADDRESS, host=Host(self.radio, AsyncPipeSink(self.radio)))
        self.device.pairing_config_factory = lambda connection: PairingConfig(delegate=RefusingDelegate())
        self.server = self.device.gatt_server
        kinds, can = Characteristic.Properties, Characteristic.Permissions
        read, write = can.READABLE, can.WRITEABLE

        # Bumble looks at none of the permissions but the need of encryption.
        def make(number, properties, permissions, value):
            return Characteristic(uuid(number), properties, permissions, value)

        def values(**how):
            return CharacteristicValue(**how)

        self.notify = make(0x0004, kinds.NOTIFY, 0, b'')
        self.indicate = make(0x0005, kinds.INDICATE, 0, b'')
        self.both = make(0x0006, kinds.READ | kinds.NOTIFY | kinds.INDICATE, read, values(read=self.read_both))
        service = Service(
            uuid(0),
            [
                make(0x0001, kinds.READ, read, values(read=lambda connection: b'luna', write=self.refuse(0x03))),
                make(0x0002, kinds.READ, read, bytes(n & 255 for n in range(512))),
                make(
                    0x0003,
                    kinds.READ | kinds.WRITE | kinds.WRITE_WITHOUT_RESPONSE,
                    read | write,
                    values(read=lambda connection: self.stored, write=self.store),
                ),
                self.notify,
                self.indicate,
                self.both,
                make(0x0007, kinds.WRITE | kinds.WRITE_WITHOUT_RESPONSE, write, values(read=self.refuse(0x02), write=self.write_deaf)),
                make(0x0008, kinds.READ | kinds.WRITE, read | write, values(read=self.refuse(0x80), write=self.refuse(0x81))),
                make(0x0009, kinds.READ, read | can.READ_REQUIRES_ENCRYPTION, b'secret'),
                make(0x000A, kinds.READ, read, values(read=self.silent)),
                make(0x000B, kinds.READ, read, values(read=self.after(1.5))),
                make(0x000C, kinds.READ, read, values(read=self.read_garbage)),
                make(0x000D, kinds.READ, read, values(read=self.read_dropping)),
                make(0x000E, kinds.READ, read, values(read=self.state)),
                make(0x000F, kinds.WRITE, write, values(write=self.controlled)),
            ],
        )
        power = Characteristic(UUID.from_16_bits(0x2A07), kinds.READ, read, bytes([4]))
        self.device.add_services([Service(UUID.from_16_bits(0x1804), [power]), service])
        self.device.on('connection', self.connected)

    # What the characteristics do

    def store(self, connection, value):
        self.stored = value

    def write_deaf(self, connection, value):
        self.deaf_length = len(value)

    def refuse(self, code):
        def refuse(connection, *value):
            raise att.ATT_Error(code)

        return refuse

    def after(self, seconds):
        async def read(connection):
            await asyncio.sleep(seconds)
            return b'late'

        return read

    async def silent(self, connection):
        self.journal(event='peer', what='silent')
        await asyncio.sleep(3600)

    async def read_both(self, connection):
        await self.server.notify_subscriber(connection, self.both, b'sent')
        # Not awaited: the confirmation may come after the answer.
        asyncio.get_running_loop().create_task(self.server.indicate_subscriber(connection, self.both, b'sent'))
        await asyncio.sleep(0)
        return b'read'

    async def read_garbage(self, connection):
        # An error response that ends after its first field.
        self.server.send_gatt_pdu(connection, b'\x01\x0a')
        await asyncio.sleep(3600)

    async def read_dropping(self, connection):
        await connection.disconnect()
        await asyncio.sleep(3600)

    def subscription(self, characteristic):
        for bearer in self.server.subscribers:
            if bearer is self.connection:
                value = self.server.subscribers[bearer].get(characteristic.handle, b'\0\0')
                return value[0]
        return 0

    def state(self, connection):
        configurations = [self.subscription(c) for c in (self.notify, self.indicate, self.both)]
        numbers = (self.connections, self.deaf_length, self.server.max_mtu, self.obeyed & 0xFFFF)
        return bytes(configurations) + struct.pack('<HHHH', *numbers)

    def controlled(self, connection, value):
        """Obeys after the write was answered.

        01 N        N notifications on notify, an octet each, counting from 0
        02 N        N indications on indicate, likewise
        03 T        ends the connection after T * 10 ms, and not before what was indicated is confirmed
        04 T S      is gone after T * 10 ms, without a word, for S seconds
        05 MTU      the largest MTU from the next connection on (2 octets)
        06          sends PDUs that nobody should send
        07 S        does not advertise for S seconds after this connection
        08 N        as 02, with values of N octets that count from 0, and one only
        """
        task = asyncio.get_running_loop().create_task(self.obey(connection, value))
        if value[:1] in (b'\x02', b'\x08'):
            self.indicating = task

    async def obey(self, connection, value):
        verb, words = value[0], value[1:]
        self.journal(event='peer', what='control', value=value.hex())
        # What is for later is noted at once: the connection may end as soon as the write is answered.
        if verb == 0x05:
            self.server.max_mtu = struct.unpack('<H', words)[0]
        elif verb == 0x07:
            self.away_until = float('inf')
            self.away_for = words[0]
        await asyncio.sleep(0.05)
        if verb == 0x01:
            for n in range(words[0]):
                await self.server.notify_subscriber(connection, self.notify, bytes([n]))
        elif verb == 0x02:
            for n in range(words[0]):
                await self.server.indicate_subscriber(connection, self.indicate, bytes([n]))
        elif verb == 0x03:
            await asyncio.sleep(words[0] / 100)
            if self.indicating:
                await asyncio.wait([self.indicating])
            await connection.disconnect()
        elif verb == 0x04:
            await asyncio.sleep(words[0] / 100)
            self.away_until = asyncio.get_running_loop().time() + words[1]
            self.vanish()
        elif verb == 0x06:
            for pdu in (b'\x1b', b'\x1b\x01', b'\x1d\xff\xff', b'\xff\x00\x00'):
                self.server.send_gatt_pdu(connection, pdu)
        elif verb == 0x08:
            await self.server.indicate_subscriber(connection, self.indicate, bytes(n & 255 for n in range(words[0])))
        self.obeyed += 1

    def vanish(self):
        """Both ends lose the link as if its supervision timeout had come."""
        for link in list(self.radio.le_connections.values()):
            timeout = hci.HCI_CONNECTION_TIMEOUT_ERROR
            link.send_ll_control_pdu(ll.TerminateInd(timeout))
            self.radio.on_le_disconnected(link, timeout)

    # Whether it can be found

    def connected(self, connection):
        self.connection, self.connections = connection, self.connections + 1
        self.journal(event='peer', what='connected', peer=connection.peer_address.to_string(False))
        connection.on('disconnection', self.disconnected)
        self.reached('up')
        connection.on('connection_att_mtu_update', lambda: self.reached('mtu'))

    def reached(self, moment):
        """A connection is up, or has its MTU: it is lost if it was said that it will be."""
        if self.fleeting.get(moment):
            self.fleeting[moment] -= 1
            # After the controllers have told their hosts of it.
            asyncio.get_running_loop().call_soon(self.vanish)

    def disconnected(self, reason):
        self.connection = None
        if self.away_until == float('inf'):
            self.away_until = asyncio.get_running_loop().time() + self.away_for
        self.journal(event='peer', what='disconnected', reason=int(reason))

    async def run(self):
        await self.device.power_on()
        while True:
            away = asyncio.get_running_loop().time() < self.away_until or not self.visible
            if self.device.is_advertising and (away or self.connection):
                await self.device.stop_advertising()
            elif not (away or self.connection or self.device.is_advertising):
                await self.device.start_advertising(
                    advertising_data=bytes.fromhex('020106 05ff ffff cafe'),
                    scan_response_data=b'\x05\x09Peer',
                    advertising_interval_min=100,
                    advertising_interval_max=100,
                )
            await asyncio.sleep(0.05)
