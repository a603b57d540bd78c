/// Whether a source of entropy has broken down (NIST SP 800-90B, 4.4): the repetition count test and the adaptive
/// proportion test over bytes in which at least 4 bits are random. A sound source fails once in a million times.
enum EntropyCheck {
  /// 1 + 20 / 4: so many equal bytes in a row.
  static let repetitionCutoff = 6
  /// The bytes of a window.
  static let window = 512
  /// So many bytes of a window that equal its first: for them a chance of 1/16 each makes it 2^-20.
  static let proportionCutoff = 62

  /// Whether nothing tells against the bytes of a source, which fill a window at least.
  static func passes(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= window else { return false }
    return !isStuck(bytes) && !isBiased(bytes)
  }

  private static func isStuck(_ bytes: Span<UInt8>) -> Bool {
    var run = 0
    var last: UInt8?
    for index in bytes.indices {
      run = bytes[index] == last ? run + 1 : 1
      last = bytes[index]
      if run >= repetitionCutoff { return true }
    }
    return false
  }

  private static func isBiased(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start + window <= bytes.count {
      var count = 0
      for index in start..<start + window where bytes[index] == bytes[start] { count += 1 }
      if count >= proportionCutoff { return true }
      start += window
    }
    return false
  }
}
