import Bluetooth

/// The clocks of a recording, which are its reports.
struct RecordedClock: Sendable {
  /// How far behind another a report may be without the clock having been set: several adapters are no queue.
  static let disorder: Duration = .seconds(60)

  /// The moment of the last report.
  private(set) var moment: FinderMoment
  /// From when time that only goes on is counted.
  private var start: Timestamp

  /// A clock that begins with the first report.
  init(_ time: Timestamp) {
    moment = FinderMoment(elapsed: .zero, now: time)
    start = time
  }

  /// Another report comes.
  mutating func advance(to time: Timestamp) {
    var elapsed = Duration.microseconds(time.microseconds - start.microseconds)
    if moment.elapsed - elapsed > RecordedClock.disorder {
      // The clock was set back, and goes on from here.
      start = time.advanced(by: .zero - moment.elapsed)
      elapsed = moment.elapsed
    }
    moment = FinderMoment(elapsed: max(moment.elapsed, elapsed), now: time)
  }
}
