import Synchronization

/// Where the lines of a `LineTable` are, for as long as that is there.
///
/// Pointers alone: several threads look into one table, and to count their references to it would cost each of
/// them more than the look.
struct LineSlots {
  static let count = 1 << 14
  static let textCapacity = 4 << 20

  /// The keys of the lines. What lies in an empty slot means nothing.
  let keys: UnsafeMutablePointer<InlineArray<8, UInt64>>
  /// The `LinePlace` of each. Written when the key and the text are there: who sees it sees them.
  let places: UnsafeMutablePointer<Atomic<UInt64>>
  let text: UnsafeMutablePointer<UInt8>

  /// The slot of a key, or the empty one that it would have.
  @inline(__always)
  func slot(for key: borrowing LineCache.Key) -> (index: Int, place: LinePlace) {
    var index = Int(truncatingIfNeeded: key.hash) & (LineSlots.count - 1)
    while true {
      let place = LinePlace(word: places[index].load(ordering: .acquiring))
      // No `||`: a borrowed key goes into no closure.
      if place.isEmpty { return (index, place) }
      if LineSlots.equal(keys[index], key.words) { return (index, place) }
      index = (index + 1) & (LineSlots.count - 1)
    }
  }

  @inline(__always)
  private static func equal(_ a: InlineArray<8, UInt64>, _ b: InlineArray<8, UInt64>) -> Bool {
    var difference: UInt64 = 0
    for index in 0..<8 { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
