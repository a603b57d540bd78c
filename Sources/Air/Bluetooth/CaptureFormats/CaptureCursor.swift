/// A place in the bytes at hand, which is also a place in the file.
struct CaptureCursor: Sendable {
  /// The offset in the bytes.
  var position: Int
  /// The offset in the file.
  var offset: UInt64

  @inline(__always)
  mutating func advance(_ count: Int) {
    position &+= count
    offset &+= UInt64(truncatingIfNeeded: count)
  }
}

extension CaptureCursor {
  /// There are fewer bytes than the record at the cursor has: `available`.
  mutating func cutOff(
    _ available: Int, isEnd: Bool, diagnostics: inout CaptureDiagnostics
  ) -> CaptureStep {
    guard isEnd else { return .more }
    if available > 0 { diagnostics.note(.truncated, at: offset) }
    advance(available)
    return .end
  }

  /// Moves to the next place where a record stands, behind damage at the cursor.
  ///
  /// - Parameter isRecord: whether one stands at an offset; nil when the bytes do not reach far
  ///   enough to tell.
  /// - Returns: false when there is none in `bytes`; the search has to go on at the cursor.
  mutating func search(
    in bytes: Span<UInt8>, diagnostics: inout CaptureDiagnostics, _ isRecord: (Int) -> Bool?
  ) -> Bool {
    let from = offset
    defer { diagnostics.skippedBytes &+= offset &- from }
    while position < bytes.count {
      guard let found = isRecord(position) else { return false }
      if found { return true }
      advance(1)
    }
    return false
  }
}
