/// The records of a btsnoop file: 24 bytes of header (original and included length, flags,
/// cumulative drops, 64-bit time), then the packet; all numbers big-endian
/// (BlueZ `doc/btsnoop-protocol.rst`).
struct BTSnoopLayout: RecordLayout {
  /// `btsnoop` and a zero byte.
  static let magic: UInt64 = 0x6274_736E_6F6F_7000
  /// Magic, version, datalink.
  static let fileHeaderCount = 16
  static let recordHeaderCount = 24
  /// 1970-01-01 in microseconds of the format's time, which starts in the year 0.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  let datalink: BTSnoopDatalink
  var headerCount: Int { BTSnoopLayout.recordHeaderCount }

  @inline(__always)
  func originalCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
    bytes.bigEndian(UInt32.self, at: start)
  }

  @inline(__always)
  func includedCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
    bytes.bigEndian(UInt32.self, at: start &+ 4)
  }

  @inline(__always)
  func flags(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
    bytes.bigEndian(UInt32.self, at: start &+ 8)
  }

  @inline(__always)
  func lostCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
    bytes.bigEndian(UInt32.self, at: start &+ 12)
  }

  @inline(__always)
  func time(_ bytes: Span<UInt8>, at start: Int) -> Int64 {
    bytes.bigEndian(Int64.self, at: start &+ 16) &- BTSnoopLayout.epoch
  }

  func isPlausible(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    let flags = flags(bytes, at: start)
    return datalink == .monitor
      ? UInt16(truncatingIfNeeded: flags) <= MonitorOpcode.plausibleMaximum
      : flags <= 3 && includedCount(bytes, at: start) > 0
  }

  @inline(__always)
  func packet(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> CapturePacket {
    let packet = start &+ BTSnoopLayout.recordHeaderCount
    switch datalink {
    case .monitor:
      return LinkType.monitorPacket(flags(bytes, at: start), from: packet, to: end)
    case .h4:
      return LinkType.h4Packet(bytes, from: packet, to: end)
    case .hci:
      // bit 0: from the controller; bit 1: command or event
      return CapturePacket(flags(bytes, at: start) & 3 == 3 ? .event : .other, packet, end)
    }
  }
}
