/// How often something took how long.
struct Histogram: Sendable {
  /// Upper ends of the classes, s.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private(set) var counts = [Int](repeating: 0, count: bounds.count)
  private(set) var total = 0
  private(set) var sum = 0.0

  mutating func add(_ seconds: Double) {
    total += 1
    sum += seconds
    for index in Histogram.bounds.indices where seconds <= Histogram.bounds[index] {
      counts[index] += 1
    }
  }
}
