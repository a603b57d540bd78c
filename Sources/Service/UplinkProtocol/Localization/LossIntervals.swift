/// How the losses of two flows go along with each other in intervals of one length, as the original compares them
/// (UPLINK.md, 9).
enum LossIntervals {
  /// So many round trips an interval lasts.
  private static let roundTrips = 10...50
  /// So many intervals have to fit.
  private static let least = 30
  /// With fewer packets a share says nothing.
  private static let packets = 10

  /// The lengths of intervals, s, to the ms.
  ///
  /// - Parameters:
  ///   - roundTrip: the larger one of the least round trips of both flows, s.
  ///   - duration: how long the shorter one lasted, s.
  static func lengths(roundTrip: Double, duration: Double) -> [Double] {
    guard roundTrip > 0 else { return [] }
    return roundTrips.compactMap { count in
      let length = roundTrip * Double(count)
      guard duration / length >= Double(least) else { return nil }
      return (length * 1000).rounded() / 1000
    }
  }

  /// The shares that were lost, of both flows: those of each interval in which both sent enough. Several in a row
  /// without any loss are one.
  ///
  /// - Parameter shift: by how many ticks the second one is moved, fewer than there are.
  static func shares(
    _ first: LossSeries, _ second: LossSeries, ticks: Int, shift: Int = 0
  ) -> (first: [Double], second: [Double]) {
    var shares: (first: [Double], second: [Double]) = ([], [])
    var wasClean = false
    for start in stride(from: 0, through: min(first.count, second.count) - ticks, by: ticks) {
      let one = first.interval(from: start, ticks)
      let other = second.interval(from: start + shift, ticks)
      guard one.packets > packets, other.packets > packets, one.sent > 0, other.sent > 0 else {
        continue
      }
      let isClean = one.lost == 0 && other.lost == 0
      if !isClean || !wasClean {
        shares.first.append(Double(one.lost) / Double(one.sent))
        shares.second.append(Double(other.lost) / Double(other.sent))
      }
      wasClean = isClean
    }
    return shares
  }

  /// How they go along with each other; nil where that cannot be said.
  static func correlation(
    _ first: LossSeries, _ second: LossSeries, ticks: Int, shift: Int = 0
  ) -> Spearman? {
    let shares = shares(first, second, ticks: ticks, shift: shift)
    return try? Spearman(shares.first, shares.second, .greater)
  }
}
