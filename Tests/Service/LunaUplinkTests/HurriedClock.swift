/// A clock for whom all time is over at once.
struct HurriedClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Swift.Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
  }
}
