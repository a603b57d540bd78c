package import Bluetooth
package import LunaCore

/// A time zone: how far its clocks are ahead of UTC at each moment.
package protocol CivilZone: Sendable {
  /// What people call it, as in the head of a table.
  var name: String { get }

  /// How far the clocks of the zone are ahead of UTC, s.
  func offset(at moment: Timestamp) -> Int64
}

extension CivilZone {
  /// The date that a calendar there shows at a moment.
  package func day(of moment: Timestamp) -> Day {
    let (wall, overflows) = moment.microseconds.addingReportingOverflow(
      offset(at: moment) * 1_000_000)
    return Day(Timestamp(microseconds: overflows ? moment.microseconds : wall))
  }

  /// The moments at which the clocks show a time, given as µs since 1970 as they would be in UTC: none that
  /// they were put forward over, two that they were put back over.
  func moments(of wall: Int64) -> [Timestamp] {
    offsets(around: wall).map { Timestamp(microseconds: wall - $0 * 1_000_000) }
      .filter { offset(at: $0) * 1_000_000 == wall - $0.microseconds }
      .sorted { $0.microseconds < $1.microseconds }
  }

  /// When a day begins: where its midnight is skipped, when the clocks are put forward.
  func beginning(of midnight: Int64) -> Timestamp {
    if let first = moments(of: midnight).first { return first }
    let before = offsets(around: midnight).min() ?? 0
    return Timestamp(microseconds: midnight - before * 1_000_000)
  }

  /// The offsets that can hold when the clocks show `wall`: no zone is more than a day from UTC.
  private func offsets(around wall: Int64) -> Set<Int64> {
    let day: Int64 = 86_400_000_000
    return Set([-day, 0, day].map { offset(at: Timestamp(microseconds: wall + $0)) })
  }
}
