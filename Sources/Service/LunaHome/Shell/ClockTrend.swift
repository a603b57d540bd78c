/// Where a tracker's clock goes: how long it takes until it is 60 s off (HOME.md 4, `clockDaysLeft`).
struct ClockTrend: Sendable {
  private static let limit = 60.0
  /// A trend of fewer days is none.
  private static let leastDays = 3.0
  /// A larger step within a clock is no drift: it was set.
  private static let step = 10.0
  /// More days are not told apart.
  private static let most = 3650.0

  /// The days that are left, whole ones; nil where there is no trend yet.
  ///
  /// - Parameter points: when, µs since 1970, and how many seconds it was late, oldest first.
  static func daysLeft(_ points: [(time: Int64, drift: Double)]) -> Double? {
    var first = 0
    for index in points.indices.dropFirst()
    where abs(points[index].drift - points[index - 1].drift) > step {
      first = index
    }
    let points = points[first...]
    guard let begin = points.first, let last = points.last else { return nil }
    let days = points.map { Double($0.time - begin.time) / 86_400e6 }
    guard let span = days.last, span >= leastDays else { return nil }
    // The straight line that is nearest to all of them.
    let count = Double(points.count)
    let middle = days.reduce(0, +) / count
    let mean = points.reduce(0) { $0 + $1.drift } / count
    var (above, below) = (0.0, 0.0)
    for (day, point) in zip(days, points) {
      above += (day - middle) * (point.drift - mean)
      below += (day - middle) * (day - middle)
    }
    guard below > 0 else { return nil }
    let slope = above / below
    guard abs(last.drift) < limit else { return 0 }
    guard abs(slope) > 1e-6 else { return most }
    let left = ((slope > 0 ? limit : -limit) - last.drift) / slope
    return min(most, left).rounded(.down)
  }
}
