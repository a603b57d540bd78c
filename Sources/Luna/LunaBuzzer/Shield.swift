/// Keeps what has to be brought to its end from the cancellation of who began it.
enum Shield {
  /// Runs in a task of its own, which nobody cancels.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result {
    await Task { await body() }.value
  }
}
