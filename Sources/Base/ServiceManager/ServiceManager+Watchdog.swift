extension ServiceManager {
  /// Tells that the service works for as long as `proof` holds. It is asked three times within the limit; one
  /// that does not answer proves nothing.
  ///
  /// - Returns: what to cancel in the end; nil when nobody watches.
  public func feedWatchdog(
    by clock: some Clock<Duration> = ContinuousClock(), proof: @escaping @Sendable () async -> Bool
  ) -> Task<Void, Never>? {
    guard isThere, let watchdogLimit else { return nil }
    return Task {
      while !Task.isCancelled {
        if await proof() { tell(.alive) }
        try? await clock.sleep(for: watchdogLimit / 3)
      }
    }
  }
}
