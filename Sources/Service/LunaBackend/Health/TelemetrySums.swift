import Bluetooth

/// The numbers of a key in an hour.
struct TelemetrySums: Hashable, Sendable {
  /// How many buckets there are: of values below 1, below 2, below 4 and so on.
  static let buckets = 32

  var count: Int64 = 0
  var sum = 0.0
  var low: Double?
  var high: Double?
  var counts = [Int64](repeating: 0, count: TelemetrySums.buckets)

  /// A value came so often. What is no number is counted only.
  mutating func add(_ value: String, count: Int64) {
    self.count = self.count.saturatingAdding(count)
    guard let number = TelemetrySums.number(value) else { return }
    sum += number * Double(count)
    low = min(low ?? number, number)
    high = max(high ?? number, number)
    let bucket = TelemetrySums.bucket(number)
    counts[bucket] = counts[bucket].saturatingAdding(count)
  }

  mutating func merge(_ other: TelemetrySums) {
    count = count.saturatingAdding(other.count)
    sum += other.sum
    low = [low, other.low].compactMap(\.self).min()
    high = [high, other.high].compactMap(\.self).max()
    for index in counts.indices {
      counts[index] = counts[index].saturatingAdding(other.counts[index])
    }
  }

  /// A number in decimal, as telemetry has it.
  static func number(_ text: String) -> Double? {
    guard
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite, number.magnitude < 1e15
    else { return nil }
    return number
  }

  static func bucket(_ number: Double) -> Int {
    guard number >= 1 else { return 0 }
    return min(buckets - 1, Int(number.exponent) + 1)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for count in counts { SampleCodec.append(count, to: &bytes) }
    return bytes
  }

  static func counts(_ bytes: [UInt8]) -> [Int64] {
    var rest = bytes[...]
    return (0..<buckets).map { _ in SampleCodec.read(&rest) ?? 0 }
  }
}
