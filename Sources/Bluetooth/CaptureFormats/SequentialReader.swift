/// Reads records that follow each other without marks between them. After a length that cannot be,
/// it goes on at the next place that leaves no doubt: a plausible header, at whose packet's end
/// stands another one or the end of the file.
struct SequentialReader<Layout: RecordLayout>: Sendable {
  private let layout: Layout
  private var searching = false
  private var lastTime: Int64?

  init(layout: Layout) { self.layout = layout }

  @inline(__always)
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
      guard available >= layout.headerCount else {
        return cutOff(available, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
      }
      let included = layout.includedCount(bytes, at: start)
      let original = layout.originalCount(bytes, at: start)
      if included > original || original > CaptureReader.plausiblePacketCount {
        // Some programs write less than the packet into the original length, and some packets are
        // very long: they are believed where another header follows.
        guard let follows = headerFollows(bytes, start, isEnd: isEnd) else { return .more }
        guard follows else {
          diagnostics.note(.wrongLength, at: cursor.offset)
          searching = true
          continue
        }
      }
      let count = layout.headerCount &+ Int(truncatingIfNeeded: included)
      guard available >= count else {
        return cutOff(available, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
      }
      let time = layout.time(bytes, at: start)
      lastTime = time
      let record = CaptureRecord(
        offset: cursor.offset, time: Timestamp(microseconds: time),
        packet: layout.packet(bytes, from: start, to: start &+ count))
      cursor.advance(count)
      return .record(record)
    }
  }

  /// There are fewer bytes than the record has.
  private func cutOff(
    _ available: Int, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> CaptureStep {
    guard isEnd else { return .more }
    if available > 0 { diagnostics.note(.truncated, at: cursor.offset) }
    cursor.advance(available)
    return .end
  }

  /// Moves to the next record.
  ///
  /// - Returns: false when there is none in `bytes`; the cursor is where the search has to go on.
  private mutating func resume(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> Bool {
    let from = cursor.offset
    defer { diagnostics.skippedBytes &+= cursor.offset &- from }
    while cursor.position < bytes.count {
      guard let found = isRecord(bytes, cursor.position, isEnd: isEnd) else { return false }
      if found {
        searching = false
        return true
      }
      cursor.advance(1)
    }
    return false
  }

  /// Whether a record stands at `start`, beyond doubt; nil when the bytes do not reach far enough.
  private func isRecord(_ bytes: Span<UInt8>, _ start: Int, isEnd: Bool) -> Bool? {
    guard bytes.count &- start >= layout.headerCount else { return isEnd ? false : nil }
    guard isHeader(bytes, start) else { return false }
    return headerFollows(bytes, start, isEnd: isEnd)
  }

  /// Whether a header, or the end of the file, stands behind the record at `start`; nil when the
  /// bytes do not reach far enough.
  private func headerFollows(_ bytes: Span<UInt8>, _ start: Int, isEnd: Bool) -> Bool? {
    let included = layout.includedCount(bytes, at: start)
    guard included <= CaptureReader.maximumPacketCount else { return false }
    let end = start &+ layout.headerCount &+ Int(truncatingIfNeeded: included)
    guard bytes.count &- end >= layout.headerCount else {
      return isEnd ? end == bytes.count : nil
    }
    return isHeader(bytes, end)
  }

  private func isHeader(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    let included = layout.includedCount(bytes, at: start)
    let original = layout.originalCount(bytes, at: start)
    return included <= CaptureReader.plausiblePacketCount
      && original <= CaptureReader.plausiblePacketCount
      && CaptureReader.isPlausible(time: layout.time(bytes, at: start), after: lastTime)
      && layout.isPlausible(bytes, at: start)
  }
}
