/// Reads the records of a btsnoop file: a 16-byte file header, then records with a header of 24
/// bytes, all numbers big-endian (BlueZ `doc/btsnoop-protocol.rst`).
struct BTSnoopReader: Sendable {
  static let fileHeaderCount = 16
  static let recordHeaderCount = 24
  /// 1970-01-01 in microseconds of the format's time, which starts in the year 0.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  let datalink: BTSnoopDatalink
  /// Looking for a record after damage.
  private var searching = false
  private var lastTime: Int64?

  init(datalink: BTSnoopDatalink) { self.datalink = datalink }

  /// The next record of `bytes` from `position` on, which is `offset` bytes into the file.
  mutating func next(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> CaptureStep {
    while true {
      if searching, !resume(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics) {
        return isEnd ? .end : .more
      }
      let start = cursor.position
      let available = bytes.count &- start
      guard available >= BTSnoopReader.recordHeaderCount else {
        guard isEnd else { return .more }
        if available > 0 { diagnostics.note(.truncated, at: cursor.offset) }
        cursor.advance(available)
        return .end
      }
      let original = bytes.bigEndian(UInt32.self, at: start)
      let included = bytes.bigEndian(UInt32.self, at: start &+ 4)
      guard included <= original, included <= CaptureReader.maximumPacketCount else {
        diagnostics.note(.implausibleLength, at: cursor.offset)
        searching = true
        continue
      }
      let count = BTSnoopReader.recordHeaderCount &+ Int(truncatingIfNeeded: included)
      guard available >= count else {
        guard isEnd else { return .more }
        diagnostics.note(.truncated, at: cursor.offset)
        cursor.advance(available)
        return .end
      }
      let record = record(bytes, start, start &+ count, cursor.offset)
      cursor.advance(count)
      return .record(record)
    }
  }

  @inline(__always)
  private mutating func record(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ offset: UInt64
  ) -> CaptureRecord {
    let flags = bytes.bigEndian(UInt32.self, at: start &+ 8)
    let time = bytes.bigEndian(Int64.self, at: start &+ 16) &- BTSnoopReader.epoch
    lastTime = time
    var packet = start &+ BTSnoopReader.recordHeaderCount
    var adapter: UInt16?
    let isEvent: Bool
    switch datalink {
    case .monitor:
      let index = UInt16(truncatingIfNeeded: flags >> 16)
      adapter = index == MonitorOpcode.noAdapter ? nil : index
      isEvent = UInt16(truncatingIfNeeded: flags) == MonitorOpcode.event
    case .h4:
      // The indicator decides, not the direction in the flags: only a controller sends events.
      isEvent = packet < end && bytes[packet] == HCIPacketType.event.rawValue
      if isEvent { packet &+= 1 }
    case .hci:
      // bit 0: from the controller; bit 1: command or event
      isEvent = flags & 3 == 3
    }
    return CaptureRecord(
      offset: offset, time: Timestamp(microseconds: time), adapter: adapter,
      content: isEvent ? .event : .other, range: packet..<end)
  }

  /// Moves to the next record header that leaves no doubt.
  ///
  /// - Returns: false when there is none in `bytes`; the cursor is where the search has to go on.
  private mutating func resume(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> Bool {
    let from = cursor.position
    defer { diagnostics.skippedBytes &+= UInt64(cursor.position &- from) }
    while true {
      switch plausible(bytes, at: cursor.position, isEnd: isEnd) {
      case true?:
        searching = false
        return true
      case nil:
        return false
      case false?:
        guard cursor.position < bytes.count else { return false }
        cursor.advance(1)
      }
    }
  }

  /// Whether a record stands at `start` and is followed by another, or by the end of the file; nil
  /// when the bytes do not reach far enough to tell.
  private func plausible(_ bytes: Span<UInt8>, at start: Int, isEnd: Bool) -> Bool? {
    guard let count = plausibleCount(bytes, at: start) else {
      return isEnd || bytes.count &- start >= BTSnoopReader.recordHeaderCount ? false : nil
    }
    let end = start &+ count
    if plausibleCount(bytes, at: end) != nil { return true }
    guard bytes.count &- end < BTSnoopReader.recordHeaderCount else { return false }
    return isEnd ? end == bytes.count : nil
  }

  /// The size of the record whose header seems to stand at `start`; nil when none does.
  private func plausibleCount(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    guard bytes.count &- start >= BTSnoopReader.recordHeaderCount else { return nil }
    let original = bytes.bigEndian(UInt32.self, at: start)
    let included = bytes.bigEndian(UInt32.self, at: start &+ 4)
    guard included <= original, original <= CaptureReader.plausiblePacketCount else { return nil }
    let flags = bytes.bigEndian(UInt32.self, at: start &+ 8)
    let flagsArePlausible =
      datalink == .monitor
      ? UInt16(truncatingIfNeeded: flags) <= MonitorOpcode.plausibleMaximum
      : flags <= 3 && included > 0
    guard flagsArePlausible else { return nil }
    let time = bytes.bigEndian(Int64.self, at: start &+ 16) &- BTSnoopReader.epoch
    guard CaptureReader.isPlausible(time: time, after: lastTime) else { return nil }
    return BTSnoopReader.recordHeaderCount &+ Int(truncatingIfNeeded: included)
  }
}
