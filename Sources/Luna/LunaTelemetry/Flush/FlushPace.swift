import LunaCore

/// When telemetry is sent next: at an interval that is never quite the same, and after a failure later and
/// later, with full jitter.
struct FlushPace: Sendable {
  /// How long an endpoint is left alone that a backend does not have.
  static let day = Duration.seconds(86_400)

  private var backOff = BackOff(base: .seconds(1), cap: .seconds(600))
  /// Whether the last attempt failed: then nothing hurries.
  private(set) var isFailing = false
  /// How many are sent at a time: fewer after others were refused without a reason.
  private(set) var size = TelemetryUpload.itemLimit

  /// How long to wait.
  ///
  /// - Parameter interval: how long between two attempts that succeed, more or less.
  mutating func pause(
    after end: FlushEnd, every interval: Duration, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    guard let error = end.error else {
      backOff.succeed()
      isFailing = false
      size = TelemetryUpload.itemLimit
      return max(.milliseconds(100), interval * Double.random(in: 0.8...1.2, using: &generator))
    }
    isFailing = true
    if case .refused(_, let count) = end { size = max(1, count / 2) }
    if error.status == 404 { return FlushPace.day }
    return max(.seconds(1), backOff.fail(retryAfter: error.retryAfter, using: &generator))
  }
}
