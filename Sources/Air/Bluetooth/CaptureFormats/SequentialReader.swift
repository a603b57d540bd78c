/// Reads records that follow each other without marks between them. After a length that cannot be,
/// it goes on at the next place that leaves no doubt: a plausible header, at whose packet's end
/// stands another one or the end of the file.
struct SequentialReader<Layout: RecordLayout>: Sendable {
  private let layout: Layout
  private var searching = false
  private var lastTime: Int64?
  /// The packets that the recorder has lost up to the last record.
  private(set) var lostCount: UInt32 = 0

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
        return cursor.cutOff(available, isEnd: isEnd, diagnostics: &diagnostics)
      }
      let time = layout.time(bytes, at: start)
      var included = layout.includedCount(bytes, at: start)
      if !isOrdinary(bytes, start, time) {
        switch examine(bytes, start, isEnd: isEnd) {
        case .fine: break
        case .undecided: return .more
        case .original:
          diagnostics.note(.wrongLength, at: cursor.offset)
          included = layout.originalCount(bytes, at: start)
        case .neither:
          diagnostics.note(.wrongLength, at: cursor.offset)
          searching = true
          continue
        }
      }
      let count = layout.headerCount &+ Int(included)
      guard available >= count else {
        return cursor.cutOff(available, isEnd: isEnd, diagnostics: &diagnostics)
      }
      lastTime = time
      lostCount = layout.lostCount(bytes, at: start)
      let record = CaptureRecord(
        offset: cursor.offset, time: Timestamp(microseconds: time),
        packet: layout.packet(bytes, from: start, to: start &+ count))
      cursor.advance(count)
      return .record(record)
    }
  }

  /// Which of the two lengths of a record can be believed.
  private enum Length {
    case fine
    case original
    case neither
    /// The bytes do not reach far enough to tell.
    case undecided
  }

  /// Looks closer at a header that is not like most: clocks are set, some packets are very long, and
  /// some programs write less than the packet into the original length. A length is believed when
  /// another header, or the end of the file, stands where the packet then ends: a time that jumps says
  /// nothing of the length.
  private func examine(_ bytes: Span<UInt8>, _ start: Int, isEnd: Bool) -> Length {
    let included = layout.includedCount(bytes, at: start)
    let original = layout.originalCount(bytes, at: start)
    if original < included {
      guard let follows = headerFollows(bytes, start, original, isEnd: isEnd) else {
        return .undecided
      }
      if follows { return .original }
    }
    guard let follows = headerFollows(bytes, start, included, isEnd: isEnd) else {
      return .undecided
    }
    return follows ? .fine : .neither
  }

  /// Moves to the next record.
  ///
  /// - Returns: false when there is none in `bytes`; the cursor is where the search has to go on.
  private mutating func resume(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> Bool {
    searching = !cursor.search(in: bytes, diagnostics: &diagnostics) {
      isRecord(bytes, $0, isEnd: isEnd)
    }
    return !searching
  }

  /// Whether the header at `start` is like that of most records.
  @inline(__always)
  private func isOrdinary(_ bytes: Span<UInt8>, _ start: Int, _ time: Int64) -> Bool {
    let original = layout.originalCount(bytes, at: start)
    return layout.includedCount(bytes, at: start) <= original
      && original <= CaptureReader.plausiblePacketCount
      && CaptureReader.isNear(time, lastTime ?? time)
  }

  /// Whether a record stands at `start`, beyond doubt; nil when the bytes do not reach far enough.
  private func isRecord(_ bytes: Span<UInt8>, _ start: Int, isEnd: Bool) -> Bool? {
    guard bytes.count &- start >= layout.headerCount else { return isEnd ? false : nil }
    guard isHeader(bytes, start, near: lastTime) else { return false }
    return headerFollows(
      bytes, start, layout.includedCount(bytes, at: start), isEnd: isEnd, inSequence: false)
  }

  /// Whether a header, or the end of the file, stands behind the record at `start` if its packet has
  /// `included` bytes; nil when the bytes do not reach far enough.
  ///
  /// - Parameter inSequence: whether the record stands where one is expected.
  private func headerFollows(
    _ bytes: Span<UInt8>, _ start: Int, _ included: UInt32, isEnd: Bool, inSequence: Bool = true
  ) -> Bool? {
    guard included <= CaptureReader.maximumPacketCount else { return false }
    let end = start &+ layout.headerCount &+ Int(included)
    guard bytes.count &- end >= layout.headerCount else {
      return isEnd ? end == bytes.count : nil
    }
    let time = layout.time(bytes, at: start)
    if isHeader(bytes, end, near: time) { return true }
    guard inSequence, hasOwnLengths(bytes, end) else { return false }
    let next = layout.time(bytes, at: end)
    if isTime(next, after: time) { return true }
    // One whose time jumps, and one behind it without a time: the record behind both decides.
    let behind = end &+ layout.headerCount &+ Int(layout.includedCount(bytes, at: end))
    guard bytes.count &- behind >= layout.headerCount else {
      return isEnd ? behind == bytes.count : nil
    }
    return hasOwnLengths(bytes, behind) && isTime(layout.time(bytes, at: behind), after: next)
  }

  /// Whether a header stands at `start` that zeros, or any other bytes, would hardly look like, but for its time.
  private func hasOwnLengths(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    let included = layout.includedCount(bytes, at: start)
    let original = layout.originalCount(bytes, at: start)
    return included > 0 && included <= original && original <= CaptureReader.plausiblePacketCount
      && layout.isPlausible(bytes, at: start)
  }

  /// Whether a time may stand behind another: it may be missing in one record as in the one before.
  private func isTime(_ time: Int64, after previous: Int64) -> Bool {
    Timestamp.plausible.contains(Timestamp(microseconds: time))
      || CaptureReader.isNear(time, previous)
  }

  private func isHeader(_ bytes: Span<UInt8>, _ start: Int, near time: Int64?) -> Bool {
    let own = layout.time(bytes, at: start)
    return layout.includedCount(bytes, at: start) <= CaptureReader.plausiblePacketCount
      && layout.originalCount(bytes, at: start) <= CaptureReader.plausiblePacketCount
      && CaptureReader.isNear(own, time ?? own)
      && Timestamp.plausible.contains(Timestamp(microseconds: own))
      && layout.isPlausible(bytes, at: start)
  }
}
