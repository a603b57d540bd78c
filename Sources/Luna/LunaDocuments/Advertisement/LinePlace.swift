/// Where the text of a kept line is, and what it is of: one word, which is written at once.
struct LinePlace {
  /// 0 for none: a tail is never empty.
  let word: UInt64

  init(word: UInt64) { self.word = word }

  /// - Parameters:
  ///   - offset: Where the head begins; the tail follows.
  ///   - tailCount: At least 1.
  init(offset: Int, headCount: UInt16, tailCount: UInt16, recognised: Bool) {
    let mark: UInt64 = recognised ? 0x8000_0000 : 0
    let counts = UInt64(headCount) << 32 | UInt64(tailCount) << 48
    word = UInt64(offset) | mark | counts
  }

  var isEmpty: Bool { word == 0 }
  var offset: Int { Int(truncatingIfNeeded: word & 0x7FFF_FFFF) }
  var recognised: Bool { word >> 31 & 1 != 0 }
  var headCount: Int { Int(truncatingIfNeeded: word >> 32 & 0xFFFF) }
  var tailCount: Int { Int(truncatingIfNeeded: word >> 48) }
}
