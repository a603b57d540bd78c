import Bluetooth

/// What time it is where the reports come from, be that a recording: the time of the newest report,
/// and what has passed since it came.
struct ReportClock: Sendable {
  private var newest = Timestamp.unknown
  private var newestAt = ContinuousClock.now
  private var isRunning: Bool

  /// - Parameter isFile: Whether reports come as fast as they can be read, so that only their own
  ///   times count.
  init(isFile: Bool) { isRunning = !isFile }

  /// Takes the time of a report.
  mutating func hear(_ time: Timestamp) {
    guard time != .unknown, newest == .unknown || time > newest else { return }
    newest = time
    newestAt = .now
  }

  /// From now on no time passes.
  mutating func stop() {
    let end = now
    isRunning = false
    newest = end
  }

  var now: Timestamp {
    guard isRunning, newest != .unknown else { return newest }
    let (seconds, attoseconds) = newestAt.duration(to: .now).components
    return Timestamp(
      microseconds: newest.microseconds &+ seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
  }
}
