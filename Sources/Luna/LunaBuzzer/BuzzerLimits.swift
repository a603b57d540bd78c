/// How long things may take before the buzzer gives up.
public struct BuzzerLimits: Hashable, Sendable {
  /// From the start to the answer of the tracker. A LunaTracker accepts connections once in 64 s
  /// (PROTOCOL.md, 5): the default is two such times, and a little.
  public var total: Duration
  /// How long nothing may be heard of it.
  public var silence: Duration
  /// One attempt to connect; then the next frame is waited for, since the address may have changed.
  public var connect: Duration
  /// One read, write or subscription.
  public var operation: Duration
  /// From a command to the answer.
  public var answer: Duration

  /// Limits; the defaults suit a tracker in sight.
  public init(
    total: Duration = .seconds(150), silence: Duration = .seconds(60),
    connect: Duration = .seconds(8),
    operation: Duration = .seconds(10), answer: Duration = .seconds(10)
  ) {
    self.total = total
    self.silence = silence
    self.connect = connect
    self.operation = operation
    self.answer = answer
  }

  /// The usual ones, within the time that is left for all of it; nil for the usual time.
  package init(within rest: Duration?) {
    self.init()
    guard let rest else { return }
    total = max(.zero, rest)
    silence = min(silence, total)
  }
}
