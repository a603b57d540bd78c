"""Bluetooth LE controllers in software that share one air, for tests.

They are Bumble's, corrected where Bumble 0.0.236 would mislead a scanner:

* it claims extended advertising but not the extended scan commands, and mixes both kinds;
* it reports every PDU as ADV_IND and again as SCAN_RSP, RSSI -50, and never a non-connectable one;
* it sends ACL data from the random address, also for a link made with the public one;
* LE Create Connection Cancel leaves the connection pending, and Reset leaves everything as it was,
  links included;
* it sends LE Connection Complete also to hosts that asked for LE Enhanced Connection Complete: Linux
  then takes the attempt for one that nobody answered.

`Air` carries `Pdu`s to every `Radio`; a `Radio` turns what its host asked to hear into LE
(Extended) Advertising Reports. What went through the air, what each radio delivered and what each
host commanded is told to a journal (any callable that takes keyword arguments).
"""

import asyncio
import dataclasses
import os
import random
import struct

from bumble import controller as bumble_controller
from bumble import hci, link, ll
from bumble.transport.common import PacketParser

LEGACY = 0x10  # the bit in an extended event type that says "this was a legacy PDU"
LEGACY_PDUS = {  # name: (event type in a legacy report, event type in an extended report)
    'ADV_IND': (0, LEGACY | 0x03),
    'ADV_SCAN_IND': (2, LEGACY | 0x02),
    'ADV_NONCONN_IND': (3, LEGACY | 0x00),
    'SCAN_RSP': (4, LEGACY | 0x0B),
}
SCAN_RSP_TO_SCAN_IND = LEGACY | 0x0A
PHYS = {'1M': 1, '2M': 2, 'Coded': 3}
LONGEST_FRAGMENT = 229

LEGACY_COMMANDS = {0x2006, 0x2008, 0x2009, 0x200A, 0x200B, 0x200C, 0x200D}
EXTENDED_COMMANDS = set(range(0x2035, 0x2046))
ANSWERED_BY_STATUS = {0x200D, 0x2043}
COMMAND_DISALLOWED, UNKNOWN_COMMAND = 0x0C, 0x01
ENHANCED_CONNECTION_COMPLETE = 1 << 9  # of the LE event mask (Vol 4 Part E 7.8.1)


@dataclasses.dataclass
class Pdu(ll.AdvertisingPdu):
    """One advertisement as it leaves an antenna. `data` of an ADV_EXT_IND may be up to 1650 bytes."""

    pdu: str
    address: hci.Address
    data: bytes = b''
    rssi: int = dataclasses.field(default_factory=lambda: random.randint(-90, -40))
    scan_response: bytes = b''  # for those that ask (scannable legacy PDUs only)
    connectable: bool = False  # of an ADV_EXT_IND; the legacy names say it themselves
    scannable: bool = False
    primary_phy: str = '1M'
    secondary_phy: str = '1M'
    sid: int = 0
    tx_power: int = 127
    truncated: bool = False  # the controller loses the end of a long one, and says so
    answered: bool = dataclasses.field(default=False, repr=False)  # SCAN_RSP to an ADV_SCAN_IND

    @property
    def extended(self):
        return self.pdu == 'ADV_EXT_IND'

    @property
    def invites_connection(self):
        return self.connectable if self.extended else self.pdu == 'ADV_IND'

    def described(self):
        """The fields under the names that `luna scan` prints."""
        told = {
            'pdu': self.pdu,
            'address': self.address.to_string(False),
            'addressType': 'public' if self.address.is_public else 'random',
            'rssi': self.rssi,
            'data': self.data.hex(),
            'primaryPhy': self.primary_phy,
        }
        if self.extended:
            told |= {'secondaryPhy': self.secondary_phy, 'sid': self.sid}
            told |= {'dataStatus': 'truncated' if self.truncated else 'complete'}
            if self.tx_power != 127:
                told['txPower'] = self.tx_power
        return told


def legacy_report(pdu):
    """One report of an LE Advertising Report event, Core Specification 6.0 Vol 4 Part E 7.7.65.2."""
    return (
        struct.pack('<BB6sB', LEGACY_PDUS[pdu.pdu][0], pdu.address.address_type, bytes(pdu.address), len(pdu.data))
        + pdu.data
        + struct.pack('<b', pdu.rssi)
    )


def extended_reports(pdu):
    """The reports of an LE Extended Advertising Report event that tell one PDU (7.7.65.13)."""
    if pdu.extended:
        kind, phy, sid = pdu.connectable | pdu.scannable << 1, PHYS[pdu.secondary_phy], pdu.sid
    else:
        kind = SCAN_RSP_TO_SCAN_IND if pdu.answered else LEGACY_PDUS[pdu.pdu][1]
        phy, sid = 0, 0xFF
    pieces = [pdu.data[i : i + LONGEST_FRAGMENT] for i in range(0, len(pdu.data), LONGEST_FRAGMENT)] or [b'']
    reports = []
    for i, piece in enumerate(pieces):
        status = 1 if i + 1 < len(pieces) else 2 if pdu.truncated else 0
        reports.append(
            struct.pack('<HB6s', kind | status << 5, pdu.address.address_type, bytes(pdu.address))
            + struct.pack('<BBBbbHB6sB', PHYS[pdu.primary_phy], phy, sid, pdu.tx_power, pdu.rssi, 0, 0, bytes(6), len(piece))
            + piece
        )
    return reports


class LegacyAdvertiser(bumble_controller.LegacyAdvertiser):
    """Sends every legacy PDU type, at the interval that the host set (0.625 ms units)."""

    NAMES = {0: 'ADV_IND', 2: 'ADV_SCAN_IND', 3: 'ADV_NONCONN_IND'}

    def _on_timer_fired(self):
        self.send_advertising_data()
        interval = max(0.02, self.advertising_interval_min * 0.000625)
        self.timer_handle = asyncio.get_running_loop().call_later(interval, self._on_timer_fired)

    def send_advertising_data(self):
        if self.enabled and self.advertising_type in self.NAMES:
            name = self.NAMES[self.advertising_type]
            self.controller.send_advertising_pdu(
                Pdu(name, self.address, bytes(self.advertising_data), scan_response=bytes(self.scan_response_data))
            )


class AdvertisingSet(bumble_controller.AdvertisingSet):
    """Sends what the set's parameters say: a legacy PDU or an extended one, with its SID."""

    def send_extended_advertising_data(self):
        if not (self.parameters and self.address):
            return
        properties = int(self.parameters.advertising_event_properties)
        if properties & LEGACY:
            name = {0x13: 'ADV_IND', 0x12: 'ADV_SCAN_IND'}.get(properties & 0x13, 'ADV_NONCONN_IND')
            pdu = Pdu(name, self.address, bytes(self.data), scan_response=bytes(self.scan_response_data))
        else:
            pdu = Pdu(
                'ADV_EXT_IND',
                self.address,
                bytes(self.data),
                connectable=bool(properties & 1),
                scannable=bool(properties & 2),
                sid=self.parameters.advertising_sid,
            )
        self.controller.send_advertising_pdu(pdu)


class Radio(bumble_controller.Controller):
    """A controller with `extended` advertising and scanning, or with the legacy commands only."""

    def __init__(self, name, air, public_address, extended=False, journal=None, index=None):
        super().__init__(name, link=air, public_address=public_address)
        self.extended, self.journal, self.index = extended, journal, index
        self.le_legacy_advertiser = LegacyAdvertiser(self)
        optional = (LEGACY_COMMANDS | EXTENDED_COMMANDS) - {0x2044, 0x2045}
        unsupported = EXTENDED_COMMANDS if not extended else set()
        self.supported_commands = (set(self.supported_commands) | optional) - unsupported
        if not extended:
            self.le_features &= ~(
                hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
                | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING
                | hci.LeFeatureMask.LE_CODED_PHY
            )
        self.duplicates = 'ignore'  # what "filter duplicates" does: ignore | address | data
        self.deaf = self.mute = False
        self.deaf_until = None  # what ends it: None | scan | reset
        self.refusals = {}  # opcode: [status, how many times more]
        self.losses = {}  # opcode: how many times more it is not answered
        self.forget()

    def forget(self):
        """The state after HCI Reset."""
        self.le_scan_enable, self.filter_duplicates, self.le_scanning_filter_policy = False, False, 0
        self.scan_phys, self.scan_types, self.accept_list, self.already_heard = {1}, {1: 0}, set(), set()
        self.spoken = None  # 'legacy' or 'extended', once the host has used such a command
        self.pending_le_connection, self.le_event_mask = None, 0x1F
        self.drop_links()
        self.le_legacy_advertiser.stop()
        for advertising_set in self.advertising_sets.values():
            advertising_set.stop()
        self.advertising_sets.clear()

    def drop_links(self):
        """Ends the links without a word; the other ends notice it as they notice every silence."""
        for connection in list(self.le_connections.values()):
            if self.link.find_le_controller(connection.peer_address):
                connection.send_ll_control_pdu(ll.TerminateInd(hci.HCI_CONNECTION_TIMEOUT_ERROR))
        self.le_connections.clear()

    # Host to controller

    def on_packet(self, packet):
        if packet[0] != hci.HCI_COMMAND_PACKET:
            return super().on_packet(packet)
        opcode = struct.unpack_from('<H', packet, 1)[0]
        lost = self.losses.pop(opcode, 0)
        if lost > 1:
            self.losses[opcode] = lost - 1
        if self.mute or lost:
            self.note('command', opcode=f'{opcode:04X}', parameters=packet[4:].hex(), answered=False)
            return
        status = self.refusal(opcode)
        self.note('command', opcode=f'{opcode:04X}', parameters=packet[4:].hex(), status=status)
        if not status:
            super().on_packet(packet)
        elif opcode in ANSWERED_BY_STATUS:
            if isinstance(self.hci_sink, VirtualAdapter):
                # Linux 6.1 follows a null pointer when the status is an error; the error of a
                # completed attempt it survives.
                self._send_hci_command_status(0, opcode)
                at = 9 if opcode == 0x200D else 6
                self.send_connection_failed(status, hci.Address(packet[at + 1 : at + 7], packet[at]))
            else:
                self._send_hci_command_status(status, opcode)
        else:
            self.send_hci_packet(
                hci.HCI_Command_Complete_Event(
                    num_hci_command_packets=1,
                    command_opcode=opcode,
                    return_parameters=hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode(status)),
                )
            )

    def refusal(self, opcode):
        """The status to refuse a command with, 0 to accept it."""
        if opcode in self.refusals:
            status, left = self.refusals[opcode]
            if left <= 1:
                del self.refusals[opcode]
            else:
                self.refusals[opcode][1] -= 1
            return status
        if not self.extended and opcode in EXTENDED_COMMANDS:
            return UNKNOWN_COMMAND
        # A host that has used commands of one kind may not use the other (Vol 4 Part E 3.1.1).
        kind = 'legacy' if opcode in LEGACY_COMMANDS else 'extended' if opcode in EXTENDED_COMMANDS else None
        if kind and (self.spoken or kind) != kind:
            return COMMAND_DISALLOWED
        if self.le_scan_enable and opcode in (0x200B, 0x2041):
            return COMMAND_DISALLOWED
        if self.pending_le_connection and opcode in ANSWERED_BY_STATUS:
            return COMMAND_DISALLOWED
        self.spoken = self.spoken or kind
        return 0

    def on_hci_reset_command(self, command):
        self.forget()
        self.hear_again('scan', 'reset')
        self.note('scan', on=False)
        return super().on_hci_reset_command(command)

    def on_hci_le_set_scan_parameters_command(self, command):
        self.scan_phys, self.scan_types = {1}, {1: command.le_scan_type}
        self.scan_timing = [command.le_scan_interval, command.le_scan_window]
        return super().on_hci_le_set_scan_parameters_command(command)

    def on_hci_le_set_extended_scan_parameters_command(self, command):
        phys = [phy for phy in (1, 3) if command.scanning_phys & 1 << phy - 1]
        self.scan_phys, self.scan_types = set(phys), dict(zip(phys, command.scan_types))
        self.scan_timing = [command.scan_intervals[0], command.scan_windows[0]]
        return super().on_hci_le_set_extended_scan_parameters_command(command)

    def on_hci_le_set_scan_enable_command(self, command):
        return self.scan_switched(super().on_hci_le_set_scan_enable_command(command))

    def on_hci_le_set_extended_scan_enable_command(self, command):
        return self.scan_switched(super().on_hci_le_set_extended_scan_enable_command(command))

    def hear_again(self, *whatever):
        if self.deaf_until in whatever:
            self.deaf, self.deaf_until = False, None

    def scan_switched(self, answer):
        self.already_heard.clear()
        if self.le_scan_enable:
            self.hear_again('scan')
            interval, window = getattr(self, 'scan_timing', [0x10, 0x10])
            self.note(
                'scan',
                on=True,
                active=any(self.scan_types.values()),
                filterDuplicates=self.filter_duplicates,
                interval=interval,
                window=window,
                phys=sorted(self.scan_phys),
            )
        else:
            self.note('scan', on=False)
        return answer

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        self.accept_list.add((command.address_type, bytes(command.address)))
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.accept_list.discard((command.address_type, bytes(command.address)))
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accept_list.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        wanted, self.pending_le_connection = self.pending_le_connection, None
        if wanted:
            self.send_connection_failed(
                hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, wanted.peer_address
            )
        return super().on_hci_le_create_connection_cancel_command(command)

    def send_hci_packet(self, packet):
        complete = isinstance(packet, hci.HCI_LE_Connection_Complete_Event)
        if complete and self.le_event_mask & ENHANCED_CONNECTION_COMPLETE:
            packet = hci.HCI_LE_Enhanced_Connection_Complete_Event(
                status=packet.status,
                connection_handle=packet.connection_handle,
                role=packet.role,
                peer_address_type=packet.peer_address_type,
                peer_address=packet.peer_address,
                local_resolvable_private_address=hci.Address.ANY_RANDOM,
                peer_resolvable_private_address=hci.Address.ANY_RANDOM,
                connection_interval=packet.connection_interval,
                peripheral_latency=packet.peripheral_latency,
                supervision_timeout=packet.supervision_timeout,
                central_clock_accuracy=packet.central_clock_accuracy,
            )
        super().send_hci_packet(packet)

    def send_connection_failed(self, status, address):
        failed = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode(status),
            connection_handle=0,
            role=0,
            peer_address_type=address.address_type,
            peer_address=address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_soon(self.send_hci_packet, failed)

    def on_hci_le_set_advertising_set_random_address_command(self, command):
        self.advertising_sets.setdefault(command.advertising_handle, AdvertisingSet(self, command.advertising_handle))
        return super().on_hci_le_set_advertising_set_random_address_command(command)

    def on_hci_le_set_extended_advertising_parameters_command(self, command):
        self.advertising_sets.setdefault(command.advertising_handle, AdvertisingSet(self, command.advertising_handle))
        return super().on_hci_le_set_extended_advertising_parameters_command(command)

    # Air to host

    def on_ll_advertising_pdu(self, packet):
        if not isinstance(packet, Pdu):
            return super().on_ll_advertising_pdu(packet)
        wanted = self.pending_le_connection
        if wanted and packet.invites_connection and wanted.peer_address == packet.address:
            self.create_le_connection(packet.address)

    def hear(self, pdus):
        """Delivers, in one event, those of the PDUs that the host asked for; returns which."""
        wanted = [pdu for pdu in pdus if self.wants(pdu)]
        if self.extended:
            reports = [report for pdu in wanted for report in extended_reports(pdu)]
        else:
            reports = [legacy_report(pdu) for pdu in wanted]
        subevent, event = (0x0D if self.extended else 0x02), []
        for report in reports:
            if event and 2 + sum(map(len, event)) + len(report) > 255:
                self.send_le_meta(bytes([subevent, len(event)]) + b''.join(event))
                event = []
            event.append(report)
        if event and not self.send_le_meta(bytes([subevent, len(event)]) + b''.join(event)):
            return []
        return wanted

    def wants(self, pdu):
        if not self.le_scan_enable or self.deaf or (pdu.extended and not self.extended):
            return False
        if PHYS[pdu.primary_phy] not in self.scan_phys:
            return False
        sender = (pdu.address.address_type, bytes(pdu.address))
        if self.le_scanning_filter_policy & 1 and sender not in self.accept_list:
            return False
        if pdu.pdu == 'SCAN_RSP' and not self.scan_types[1]:
            return False
        if self.filter_duplicates and self.duplicates != 'ignore':
            known = (sender, pdu.pdu, pdu.sid, pdu.data if self.duplicates == 'data' else b'')
            if known in self.already_heard:
                return False
            self.already_heard.add(known)
        return True

    def send_le_meta(self, parameters):
        """Writes one LE Meta event at once; False when nobody takes it (the adapter is down)."""
        if not self.hci_sink:
            return False
        return self.hci_sink.on_packet(bytes([4, 0x3E, len(parameters)]) + parameters) is not False

    def note(self, event, **fields):
        if self.journal and self.index is not None:
            self.journal(event=event, adapter=self.index, **fields)


class Air(link.LocalLink):
    """What all radios share. Every `Pdu` reaches every radio except its sender's."""

    def __init__(self, journal):
        super().__init__()
        self.journal = journal

    def transmit(self, *pdus, sender=None):
        """Puts PDUs on the air together: a radio that hears several tells them in one event."""
        answers = []
        for pdu in pdus:
            if pdu.pdu in ('ADV_IND', 'ADV_SCAN_IND'):
                answer = Pdu('SCAN_RSP', pdu.address, pdu.scan_response, pdu.rssi)
                answer.answered = pdu.pdu == 'ADV_SCAN_IND'
                answers.append(answer)
        self.propagate(pdus, sender)
        self.propagate(answers, sender)

    def propagate(self, pdus, sender):
        listeners = {id(pdu): [] for pdu in pdus}
        for radio in sorted((c for c in self.controllers if c is not sender), key=lambda c: c.name):
            for pdu in radio.hear(pdus) if radio.index is not None else []:
                listeners[id(pdu)].append(radio.index)
            for pdu in pdus:
                radio.on_ll_advertising_pdu(pdu)
        for pdu in pdus:
            if pdu.pdu != 'SCAN_RSP' or listeners[id(pdu)]:  # nobody answers when nobody asks
                self.journal(event='air', **pdu.described(), heard=listeners[id(pdu)])

    def send_advertising_pdu(self, sender_controller, packet):
        if isinstance(packet, Pdu):
            self.transmit(packet, sender=sender_controller)
        else:
            super().send_advertising_pdu(sender_controller, packet)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        own = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if own and receiver:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, own.self_address, transport, data)

    def find_le_controller(self, address):
        for radio in self.controllers:
            if any(c.self_address == address for c in radio.le_connections.values()):
                return radio
        for radio in self.controllers:
            own = [radio.random_address, radio.public_address]
            if address in own + [s.address for s in radio.advertising_sets.values()]:
                return radio
        return None


class VirtualAdapter:
    """Joins a radio to the kernel through /dev/vhci: while plugged, the kernel shows an hciN."""

    def __init__(self, radio):
        self.radio, self.descriptor = radio, None

    async def plug(self):
        """Returns N of hciN."""
        self.descriptor = os.open('/dev/vhci', os.O_RDWR | os.O_NONBLOCK)
        os.write(self.descriptor, b'\xff\x00')  # vendor packet: make a primary controller
        loop, named = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
        loop.add_reader(self.descriptor, self.read, named)
        self.radio.set_packet_sink(self)
        return await named

    async def unplug(self):
        descriptor, self.descriptor = self.descriptor, None
        loop = asyncio.get_running_loop()
        loop.remove_reader(descriptor)
        self.radio.forget()
        await loop.run_in_executor(None, os.close, descriptor)  # the kernel may wait for answers

    def read(self, named):
        try:
            packet = os.read(self.descriptor, 4096)
        except BlockingIOError:
            return
        if packet[0] == 0xFF:
            named.set_result(struct.unpack_from('<H', packet, 2)[0])
        else:
            self.radio.on_packet(packet)

    def on_packet(self, packet):
        try:
            os.write(self.descriptor, packet)
        except (OSError, TypeError):  # ENXIO while the adapter is down; None while unplugged
            return False
        return True


class H4Server(asyncio.Protocol):
    """Serves a radio as H4 over a stream socket, to one host at a time."""

    def __init__(self, radio):
        self.radio = radio

    def connection_made(self, transport):
        if self.radio.hci_sink:
            transport.abort()
            return
        self.transport, self.parser = transport, PacketParser(self.radio)
        self.radio.set_packet_sink(self)
        self.radio.note('connected')

    def data_received(self, data):
        self.parser.feed_data(data)

    def connection_lost(self, exception):
        if self.radio.hci_sink is self:
            self.radio.set_packet_sink(None)
            self.radio.forget()
            self.radio.note('disconnected')

    def on_packet(self, packet):
        self.transport.write(packet)
        return True
