/// Sums of numbers with random signs. Each is kept with the sum of its signs, so that the numbers can
/// be shifted afterwards and the same flips are seen again.
struct RandomFlips: Sendable {
  private struct Flip: Sendable {
    let sum: Double
    let signs: Double
  }

  private let flips: [Flip]

  init(of numbers: [Double], count: Int, seed: UInt64) {
    let tables = RandomFlips.tables(numbers)
    // The bits of numbers that are not there are not drawn.
    let last = UInt64.max >> UInt64((64 - numbers.count % 64) % 64)
    var generator = SplitMix64(seed: seed)
    flips = (0..<count).map { _ in
      var (sum, positive, first) = (0.0, 0, 0)
      while first < tables.count {
        let end = min(first + 8 * RandomFlips.size, tables.count)
        var word = generator.next()
        if end == tables.count { word &= last }
        positive += word.nonzeroBitCount
        while first < end {
          sum += tables[first + Int(word & 0xFF)]
          word >>= 8
          first += RandomFlips.size
        }
      }
      return Flip(sum: sum, signs: Double(2 * positive - numbers.count))
    }
  }

  /// The signs of eight numbers.
  private static let size = 256

  /// For each eight numbers the sums of all their signs, one after the other: a bit that is set is a
  /// plus.
  private static func tables(_ numbers: [Double]) -> [Double] {
    stride(from: 0, to: numbers.count, by: 8).flatMap { first in
      let part = numbers[first..<min(first + 8, numbers.count)]
      return (0..<size).map { byte in
        part.enumerated().reduce(0.0) { sum, item in
          byte >> item.offset & 1 == 1 ? sum + item.element : sum - item.element
        }
      }
    }
  }

  /// The share of sums whose size is at least so much, the numbers themselves counted as one of them.
  func share(atLeast least: Double, shiftedBy shift: Double) -> Double {
    let count = flips.count { abs($0.sum - shift * $0.signs) >= least }
    return Double(count + 1) / Double(flips.count + 1)
  }
}
