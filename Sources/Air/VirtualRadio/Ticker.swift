/// Time since a moment, by any clock.
package struct Ticker: Sendable {
  /// The time that has passed.
  package let elapsed: @Sendable () -> Duration
  /// Waits until that much time has passed; throws when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void

  /// Begins now.
  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
