package import Bluetooth
package import PeripheralHost

/// Links, and the events that a controller sends about them.
package final class LinkScript {
  package static let peer = GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random)

  package var links: HCILinks
  package var now = Duration.zero

  package init(
    extended: Bool = false, acceptsPeers: Bool = false, size: Int = 27, count: Int = 2
  ) {
    links = HCILinks(
      settings: HCILinks.Settings(
        isExtended: extended, acceptsPeers: acceptsPeers,
        buffers: ACLBuffers(size: size, count: count)))
  }

  /// Feeds an event from its code on.
  package func event(_ bytes: [UInt8]) -> [HCILinks.Action] {
    links.receive(event: bytes.span, at: now)
  }

  /// LE Connection Complete: subevent, status, handle 2, role, address type and 6, interval 2,
  /// latency 2, time-out 2, clock accuracy.
  package static func complete(
    _ handle: UInt16, status: UInt8 = 0, central: Bool = true, peer: GATTPeer = peer
  ) -> [UInt8] {
    [0x3E, 0x13, 0x01, status] + handle.octets + [central ? 0 : 1, peer.addressType.rawValue]
      + peer.address.littleEndianBytes + [24, 0, 0, 0, 0x90, 0x01, 0]
  }

  /// LE Enhanced Connection Complete: with two more addresses.
  package static func enhanced(_ handle: UInt16, central: Bool = true) -> [UInt8] {
    [0x3E, 0x1F, 0x0A, 0] + handle.octets + [central ? 0 : 1, 1]
      + peer.address.littleEndianBytes + [UInt8](repeating: 0, count: 12)
      + [24, 0, 0, 0, 0x90, 0x01, 0]
  }

  /// Disconnection Complete: status, handle 2, reason.
  package static func gone(_ handle: UInt16, _ reason: UInt8, status: UInt8 = 0) -> [UInt8] {
    [0x05, 0x04, status] + handle.octets + [reason]
  }

  /// Number Of Completed Packets of one link.
  package static func sent(_ handle: UInt16, _ count: UInt16) -> [UInt8] {
    [0x13, 0x05, 1] + handle.octets + count.octets
  }

  /// The answer to a command.
  package func answer(_ command: HCICommand, _ status: UInt8 = 0) -> [HCILinks.Action] {
    let event: [UInt8] =
      HCIOpcode.isAnsweredByStatus(command.opcode)
      ? [0x0F, 0x04, status, 1] + command.opcode.octets
      : [0x0E, 0x04, 1] + command.opcode.octets + [status]
    return links.replied(to: command, HCICommandReply(event: event.span), at: now)
  }

  /// Asks for a link to the peer and gets it.
  package func connect(_ handle: UInt16 = 0x40) -> LinkID? {
    let asked = links.connect(to: LinkScript.peer, until: now + .seconds(5))
    guard case .command(let command)? = asked.first, answer(command) == [] else { return nil }
    return event(LinkScript.complete(handle)).connectedAlone
  }

  /// Feeds a frame that the peer sent, in one packet.
  package func frame(_ handle: UInt16, _ channel: UInt16, _ payload: [UInt8]) -> [HCILinks.Action] {
    links.receive(
      HCIACLPacket(
        handle: handle, boundary: 2,
        data: UInt16(payload.count).octets + channel.octets + payload))
  }
}

extension [HCILinks.Action] {
  /// The link, when this tells of a link that was asked for and of nothing else.
  package var connectedAlone: LinkID? {
    guard count == 1, case .connected(let id)? = first else { return nil }
    return id
  }

  /// The link, when this tells of a link that a peer has made and of nothing else.
  package var acceptedAlone: LinkID? {
    guard count == 1, case .accepted(let id)? = first else { return nil }
    return id
  }
}
