/// In which slots of two minutes something was heard.
struct Slots: Sendable {
  /// How long a slot is, s.
  static let length = 120

  /// 32 slots: those heard, and those of them in which the owner was said to be near.
  private struct Word {
    var base: UInt32
    var heard: UInt32
    var near: UInt32
  }

  private var current = Word(base: .max, heard: 0, near: 0)
  private var older: [Word] = []

  /// Notes a slot; slots come in the order of time.
  @inline(__always)
  mutating func insert(_ slot: UInt32, near: Bool) {
    let bit = UInt32(1) << (slot & 31)
    if slot >> 5 != current.base { turn(to: slot >> 5) }
    current.heard |= bit
    if near { current.near |= bit }
  }

  private mutating func turn(to base: UInt32) {
    if current.base != .max { older.append(current) }
    current = Word(base: base, heard: 0, near: 0)
  }

  /// Forgets what was before a slot.
  mutating func forget(before slot: UInt32) {
    if let first = older.first, first.base < slot >> 5 { older.removeAll { $0.base < slot >> 5 } }
  }

  /// How many words are kept beside the present one.
  var weight: Int { older.count }

  /// How many slots in all are noted, as far as they are kept.
  var count: Int {
    older.reduce(current.heard.nonzeroBitCount) { $0 + $1.heard.nonzeroBitCount }
  }

  /// How many of a range were heard, and with the owner near; and the last one of them.
  func count(in range: Range<UInt32>) -> (heard: Int, near: Int, last: UInt32?) {
    var result: (heard: Int, near: Int, last: UInt32?) = (0, 0, nil)
    guard !range.isEmpty else { return result }
    for word in older { Slots.add(word, range, &result) }
    Slots.add(current, range, &result)
    return result
  }

  /// Whether a slot was heard.
  func contains(_ slot: UInt32) -> Bool { count(in: slot..<slot + 1).heard > 0 }

  @inline(__always)
  private static func add(
    _ word: Word, _ range: Range<UInt32>, _ result: inout (heard: Int, near: Int, last: UInt32?)
  ) {
    guard word.base != .max else { return }
    let start = word.base << 5
    guard start < range.upperBound, start + 32 > range.lowerBound else { return }
    var mask = UInt32.max
    if range.lowerBound > start { mask &= .max << (range.lowerBound - start) }
    if range.upperBound < start + 32 { mask &= .max >> (start + 32 - range.upperBound) }
    let heard = word.heard & mask
    guard heard != 0 else { return }
    result.heard += heard.nonzeroBitCount
    result.near += (word.near & mask).nonzeroBitCount
    result.last = start + 31 - UInt32(heard.leadingZeroBitCount)
  }
}
