/// One packet of the monitor channel, as far as it tells who uses Bluetooth and what comes of it
/// (`net/bluetooth/hci_sock.c`, `include/net/bluetooth/hci_mon.h`).
enum MonitorNote: Hashable, Sendable {
  /// A program has a socket; told of those that are there when the channel is opened, too.
  case opened(cookie: UInt32, NeighbourSurvey.Program)
  /// It has it no more.
  case closed(cookie: UInt32)
  /// A management command ended with this status.
  case ended(opcode: UInt16, MgmtStatus, adapter: UInt16)
  /// So many advertising reports.
  case reports(Int, adapter: UInt16)

  private static let event: UInt16 = 3
  private static let controlOpen: UInt16 = 14
  private static let controlClose: UInt16 = 15
  private static let controlEvent: UInt16 = 17

  /// Reads a packet; nil for those that tell nothing of interest, or less than they should.
  init?(_ packet: Span<UInt8>) {
    // opcode 2, adapter 2, length 2
    guard packet.count >= 6 else { return nil }
    let adapter = MgmtPacket.number(packet, 2)
    let body = packet.extracting(droppingFirst: 6)
    switch MgmtPacket.number(packet, 0) {
    case MonitorNote.event: self.init(event: body, adapter)
    case MonitorNote.controlOpen: self.init(opening: body, adapter)
    case MonitorNote.controlClose:
      guard body.count >= 4 else { return nil }
      self = .closed(cookie: MgmtPacket.number32(body, 0))
    case MonitorNote.controlEvent: self.init(answer: body, adapter)
    default: return nil
    }
  }

  /// LE Meta: code, length, subevent, number of reports.
  private init?(event: Span<UInt8>, _ adapter: UInt16) {
    // Legacy, directed and extended reports.
    guard event.count >= 4, event[0] == 0x3E, [0x02, 0x0B, 0x0D].contains(event[2]) else {
      return nil
    }
    self = .reports(Int(event[3]), adapter: adapter)
  }

  /// Cookie 4, format 2, version 3, flags 4, length of the name 1, name.
  private init?(opening body: Span<UInt8>, _ adapter: UInt16) {
    guard body.count >= 14 else { return nil }
    let use: NeighbourSurvey.Program.Use
    switch MgmtPacket.number(body, 4) {
    case 0: use = .raw
    case 1: use = .exclusive
    case 2: use = .management
    default: return nil
    }
    let end = min(body.count, 14 + Int(body[13]))
    let name = (14..<end).map { body[$0] }.prefix { $0 != 0 }
    self = .opened(
      cookie: MgmtPacket.number32(body, 0),
      NeighbourSurvey.Program(
        name: String(decoding: name, as: UTF8.self), use: use,
        adapter: adapter == MgmtPacket.noIndex ? nil : adapter))
  }

  /// Cookie 4, event 2, and of Command Complete and Command Status: opcode 2, status 1.
  private init?(answer body: Span<UInt8>, _ adapter: UInt16) {
    guard body.count >= 9 else { return nil }
    let event = MgmtPacket.number(body, 4)
    guard event == MgmtEventCode.commandComplete || event == MgmtEventCode.commandStatus else {
      return nil
    }
    self = .ended(
      opcode: MgmtPacket.number(body, 6), MgmtStatus(rawValue: body[8]), adapter: adapter)
  }
}
