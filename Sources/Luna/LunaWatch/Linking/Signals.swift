/// Eight signal strengths, of which the median is asked.
struct Signals: Sendable {
  private var values = SIMD8<Int8>(repeating: 0)
  private var next: UInt8 = 0
  private(set) var count: UInt8 = 0

  /// Notes one, in the place of the oldest.
  @inline(__always)
  mutating func insert(_ value: Int8) {
    values[Int(next)] = value
    next = (next + 1) & 7
    if count < 8 { count += 1 }
  }

  /// The median; nil of none.
  var median: Int? {
    guard count > 0 else { return nil }
    var sorted: [Int8] = []
    for index in 0..<Int(count) { sorted.append(values[index]) }
    sorted.sort()
    return Int(sorted[sorted.count / 2])
  }
}
