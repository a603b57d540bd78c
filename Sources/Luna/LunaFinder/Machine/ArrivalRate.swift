/// How many identifiers were new within the last minute.
struct ArrivalRate: Hashable, Sendable {
  private static let span = 60

  private var counts = [Int](repeating: 0, count: span)
  private var second: Int64 = 0
  /// The number of the last minute.
  private(set) var perMinute = 0

  /// Lets time pass; it does not go back.
  mutating func advance(to elapsed: Duration) {
    let now = elapsed.components.seconds
    guard now > second else { return }
    let steps = min(now - second, Int64(ArrivalRate.span))
    for step in 0..<steps {
      let index = Int((now - step) % Int64(ArrivalRate.span))
      perMinute -= counts[index]
      counts[index] = 0
    }
    second = now
  }

  /// Counts one.
  mutating func add(at elapsed: Duration) {
    advance(to: elapsed)
    counts[Int(second % Int64(ArrivalRate.span))] += 1
    perMinute += 1
  }
}
