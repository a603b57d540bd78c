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

  /// Limits; the defaults suit a tracker in sight.
  public init(
    wait: Duration = .seconds(120), connect: Duration = .seconds(20),
    operation: Duration = .seconds(10), answer: Duration = .seconds(10),
    resolution: Duration = .seconds(150), settling: Duration = .seconds(2)
  ) {
    self.wait = wait
    self.connect = connect
    self.operation = operation
    self.answer = answer
    self.resolution = resolution
    self.settling = settling
  }
}
