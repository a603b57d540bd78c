import LunaJSON

/// Puts values together that come in the order of their times.
struct HistoryCollector {
  private let bucket: Int64?
  private let limit: Int
  private(set) var points: [HomePoint] = []
  /// How many numbers the last point is the mean of; 0 for what is no number.
  private var count = 0
  /// Where the span begins that the last point stands for.
  private var span: Int64?

  init(bucket: Int64?, limit: Int) {
    self.bucket = bucket.map { max(1, $0) }
    self.limit = limit
  }

  var isFull: Bool { points.count >= limit }

  mutating func add(_ time: Int64, _ value: JSONValue) {
    guard let bucket else { return points.append(HomePoint(time: time, value: value)) }
    let start = time - ((time % bucket) + bucket) % bucket
    let number = HistoryCollector.number(value)
    if span == start, let last = points.last {
      points.removeLast()
      if let number, count > 0, let mean = HistoryCollector.number(last.value) {
        count += 1
        let next = mean + (number - mean) / Double(count)
        return points.append(HomePoint(time: start, value: .real(next)))
      }
    }
    count = number == nil ? 0 : 1
    span = start
    // What is no mean was said at a time of its own.
    points.append(HomePoint(time: number == nil ? time : start, value: value))
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}
