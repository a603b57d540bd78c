package import Bluetooth

/// What time it is where the reports come from, be that a recording: the time of the newest report,
/// and what has passed since it came.
package struct ReportClock: Sendable {
  private var newest = Timestamp.unknown
  private var newestAt = ContinuousClock.now
  private var isRunning: Bool

  /// - Parameter isFile: Whether reports come as fast as they can be read, so that only their own
  ///   times count.
  package init(isFile: Bool) { isRunning = !isFile }

  /// Takes the time of a report.
  package mutating func hear(_ time: Timestamp) {
    guard time != .unknown, newest == .unknown || time > newest else { return }
    newest = time
    newestAt = .now
  }

  /// From now on no time passes.
  package mutating func stop() {
    let end = now
    isRunning = false
    newest = end
  }

  package var now: Timestamp {
    guard isRunning, newest != .unknown else { return newest }
    return newest.advanced(by: newestAt.duration(to: .now))
  }
}
