/// Time since a moment, by any clock.
struct Ticker: Sendable {
  /// The time that has passed.
  let elapsed: @Sendable () -> Duration
  /// Waits until that much time has passed; throws when the task is cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  /// Begins now.
  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
