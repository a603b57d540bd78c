import LunaProtocol

/// A set of identifiers in so much memory and no more (a Bloom filter): what was put in is found again, and hardly anything
/// else.
struct HeidFilter: Sendable {
  /// How many places each identifier has.
  private static let placesOfEach: UInt64 = 4

  private let size: UInt64
  // None before something is put in.
  private var words: [UInt64] = []
  /// How many were put in, about: of those that share all their places the first.
  private(set) var count = 0

  /// - Parameter size: in bits, a power of two from 64 on. 16 MiB are usual.
  init(size: UInt64 = 1 << 27) { self.size = size }

  /// Whether there are so many in it that it finds one in four hundred others as well, and soon all.
  var isFull: Bool { count >= size / 16 }

  mutating func insert(_ heid: HEID) {
    if words.isEmpty { words = [UInt64](repeating: 0, count: Int(size / 64)) }
    var isNew = false
    for number in 0..<HeidFilter.placesOfEach {
      let (word, bit) = place(number, of: heid)
      isNew = isNew || words[word] & bit == 0
      words[word] |= bit
    }
    if isNew { count += 1 }
  }

  func contains(_ heid: HEID) -> Bool {
    guard count > 0 else { return false }
    return (0..<HeidFilter.placesOfEach).allSatisfy { number in
      let (word, bit) = place(number, of: heid)
      return words[word] & bit != 0
    }
  }

  /// Identifiers are as good as random numbers: their halves say where they are.
  private func place(_ number: UInt64, of heid: HEID) -> (word: Int, bit: UInt64) {
    let place = (heid.high &+ number &* (heid.low | 1)) & (size - 1)
    return (Int(place / 64), UInt64(1) << (place % 64))
  }
}
