/// How long things may take. Trackers accept connections for 14 s of each 64 s, unless their button
/// was pressed (PROTOCOL.md, 5).
public struct OnboardingLimits: Hashable, Sendable {
  /// Until a tracker is found that accepts connections.
  public var wait: Duration
  /// One attempt to connect, with all retries below it.
  public var connect: Duration
  /// One read or write.
  public var operation: Duration
  /// An answer of the tracker.
  public var answer: Duration
  /// Until a tracker whose last answer was lost is heard again, and asked.
  public var resolution: Duration
  /// How long to look for a second tracker before one is chosen without a code.
  public var settling: Duration
  /// All of it; nil for as long as its parts may take. The answer to the last message is waited for all the same:
  /// it tells whether the tracker has taken the keys.
  public var total: Duration?

  /// Limits; the defaults suit a tracker in sight.
  public init(
    wait: Duration = .seconds(120), connect: Duration = .seconds(20),
    operation: Duration = .seconds(10), answer: Duration = .seconds(10),
    resolution: Duration = .seconds(150), settling: Duration = .seconds(2), total: Duration? = nil
  ) {
    self.wait = wait
    self.connect = connect
    self.operation = operation
    self.answer = answer
    self.resolution = resolution
    self.settling = settling
    self.total = total
  }

  /// When a search that began at zero ends.
  var searchEnd: Duration { total.map { min(wait, $0) } ?? wait }

  /// When a tracker whose last answer was lost at a time is given up for now.
  func resolutionEnd(after lostAt: Duration) -> Duration {
    let end = lostAt + resolution
    return total.map { min(end, $0) } ?? end
  }

  /// What of the limit of a part is left.
  func left(of limit: Duration, at elapsed: Duration) -> Duration {
    total.map { max(.zero, min(limit, $0 - elapsed)) } ?? limit
  }
}
