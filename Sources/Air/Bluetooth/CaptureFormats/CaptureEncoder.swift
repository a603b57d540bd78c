/// Writes advertising reports as a capture of the Linux monitor channel, which btmon and Wireshark
/// read: the bytes of the file, in pieces that each end with a whole record.
///
/// Before the first report of an adapter come the records that announce it, with what a monitor
/// would know of it left empty. Reports whose adapter is not known are put under hci0, since btmon
/// takes no others; those whose time is not known get the time of the one before.
public struct CaptureEncoder: Sendable {
  /// A format to write.
  public enum Format: Sendable {
    /// btsnoop, datalink 2001.
    case btsnoop
    /// pcapng, link type 254.
    case pcapng
  }

  private let format: Format
  private var announced: Set<UInt16> = []
  private var lastTime: Int64 = 0
  /// Whether the file has the interface of times before 1970.
  private var hasEarlyInterface = false

  /// An encoder for `format`.
  public init(_ format: Format) { self.format = format }

  /// What the file begins with, once: for pcapng the section and the interface.
  public var header: [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case .btsnoop:
      bytes.append(bigEndian: BTSnoopLayout.magic)
      bytes.append(bigEndian: UInt32(1))
      bytes.append(bigEndian: BTSnoopDatalink.monitor.rawValue)
    case .pcapng:
      var section: [UInt8] = []
      section.append(littleEndian: UInt32(0x1A2B_3C4D))
      section.append(littleEndian: UInt16(1))
      section.append(littleEndian: UInt16(0))
      section.append(littleEndian: UInt64.max)
      CaptureEncoder.append(block: PcapngBlockType.sectionHeader, section, to: &bytes)
      CaptureEncoder.append(block: PcapngBlockType.interface, CaptureEncoder.interface, to: &bytes)
    }
    return bytes
  }

  /// An interface of pcapng without a snapshot length and options: microseconds are the default.
  private static var interface: [UInt8] {
    var interface: [UInt8] = []
    interface.append(littleEndian: UInt32(LinkType.monitor.rawValue))
    interface.append(littleEndian: UInt32(0))
    return interface
  }

  /// Appends the records of `report` to `bytes`.
  public mutating func append(_ report: AdvertisingReport, to bytes: inout [UInt8]) {
    if report.time != .unknown { lastTime = report.time.microseconds }
    let adapter = report.adapter ?? 0
    if announced.insert(adapter).inserted { announce(adapter, to: &bytes) }
    for event in AdvertisingEventEncoder.events(for: report) {
      append(event, MonitorOpcode.event, adapter, to: &bytes)
    }
  }

  private mutating func announce(_ adapter: UInt16, to bytes: inout [UInt8]) {
    let address = [UInt8](repeating: 0, count: 6)
    let name = Array("hci\(adapter)".utf8)
    // type primary, bus virtual, address, name
    append(
      [0, 0] + address + name + Array(repeating: 0, count: 8 - name.count), MonitorOpcode.newIndex,
      adapter, to: &bytes)
    // address, manufacturer: the number that is no company's
    append(address + [0xFF, 0xFF], MonitorOpcode.indexInfo, adapter, to: &bytes)
  }

  private mutating func append(
    _ packet: [UInt8], _ opcode: UInt16, _ adapter: UInt16, to bytes: inout [UInt8]
  ) {
    switch format {
    case .btsnoop:
      bytes.append(bigEndian: UInt32(packet.count))
      bytes.append(bigEndian: UInt32(packet.count))
      bytes.append(bigEndian: UInt32(adapter) << 16 | UInt32(opcode))
      bytes.append(bigEndian: UInt32(0))
      bytes.append(bigEndian: lastTime &+ BTSnoopLayout.epoch)
      bytes += packet
    case .pcapng:
      // No time of the format is negative: those before 1970 are of an interface that counts from 1900.
      let start = Timestamp.plausible.lowerBound.microseconds
      let isEarly = lastTime < 0
      if isEarly, !hasEarlyInterface {
        hasEarlyInterface = true
        var interface = CaptureEncoder.interface
        // if_tsoffset, in seconds
        interface.append(littleEndian: UInt16(14))
        interface.append(littleEndian: UInt16(8))
        interface.append(littleEndian: start / 1_000_000)
        interface.append(littleEndian: UInt32(0))
        CaptureEncoder.append(block: PcapngBlockType.interface, interface, to: &bytes)
      }
      let time = UInt64(bitPattern: isEarly ? lastTime - start : lastTime)
      let count = UInt32(packet.count + 4)
      var block: [UInt8] = []
      block.append(littleEndian: UInt32(isEarly ? 1 : 0))
      block.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
      block.append(littleEndian: UInt32(truncatingIfNeeded: time))
      block.append(littleEndian: count)
      block.append(littleEndian: count)
      block.append(bigEndian: adapter)
      block.append(bigEndian: opcode)
      CaptureEncoder.append(block: PcapngBlockType.enhancedPacket, block + packet, to: &bytes)
    }
  }

  /// Appends a block: type, length, body filled up to a multiple of four, and the length again.
  private static func append(block type: UInt32, _ body: [UInt8], to bytes: inout [UInt8]) {
    let padding = (4 - body.count % 4) % 4
    let count = UInt32(body.count + padding + 12)
    bytes.append(littleEndian: type)
    bytes.append(littleEndian: count)
    bytes += body
    bytes += Array(repeating: 0, count: padding)
    bytes.append(littleEndian: count)
  }
}
