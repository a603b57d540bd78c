import Bluetooth

/// What time it is at the database, by the monotonic clock of this process: the date of this machine plays no part,
/// and all processes on one database reckon alike (SCALE.md, 3.2).
struct DatabaseTime: Sendable {
  /// How often the database is asked.
  static let pace = Duration.seconds(60)
  /// For how long an answer is good.
  static let patience = Duration.seconds(180)
  /// How far two answers may be apart, and how long one may take to come.
  static let tolerance = Duration.seconds(5)

  private var known: (time: Timestamp, at: ContinuousClock.Instant)?
  /// When it was found to have been set.
  private var moved: ContinuousClock.Instant?

  /// The time at a moment; nil before the first answer.
  func time(at moment: ContinuousClock.Instant) -> Timestamp? {
    known.map { $0.time.advanced(by: $0.at.duration(to: moment)) }
  }

  /// Whether the database is to be asked.
  func isDue(at moment: ContinuousClock.Instant) -> Bool {
    known.map { $0.at.duration(to: moment) >= DatabaseTime.pace } ?? true
  }

  /// Takes note of what the database has said.
  ///
  /// - Parameters:
  ///   - sent: when it was asked.
  ///   - received: when the answer was here.
  mutating func note(
    _ time: Timestamp, sent: ContinuousClock.Instant, received: ContinuousClock.Instant
  ) {
    let wait = sent.duration(to: received)
    // It may have been of any time between these.
    guard known == nil || wait <= DatabaseTime.tolerance else { return }
    let middle = sent.advanced(by: wait / 2)
    if let expected = self.time(at: middle) {
      let way = (time.microseconds &- expected.microseconds).magnitude
      if Duration.microseconds(Int64(clamping: way)) > DatabaseTime.tolerance { moved = middle }
    }
    known = (time, middle)
  }

  /// Why nothing should be decided by it now; nil when it is good.
  func problem(at moment: ContinuousClock.Instant) -> String? {
    guard let known else { return "the time of the database is not known yet" }
    // As another server has one that took over. So long, other processes may go by the old one.
    if let moved, moved.duration(to: moment) < DatabaseTime.pace {
      return "the clock of the database was set a moment ago"
    }
    guard known.at.duration(to: moment) <= DatabaseTime.patience else {
      return "the database has not told its time for long"
    }
    return nil
  }
}
