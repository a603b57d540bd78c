/// When a source listens: always, never, or for a part of every cycle.
public struct ScanRhythm: Hashable, Sendable {
  /// Always.
  public static let steady = ScanRhythm(unchecked: .seconds(1), of: .seconds(1))
  /// Never: the scan is off until another rhythm is set.
  public static let paused = ScanRhythm(unchecked: .zero, of: .seconds(1))

  /// How long it listens at the beginning of each cycle; zero when it pauses.
  public let listening: Duration
  /// From one beginning to the next.
  public let cycle: Duration

  /// Listens for a part of every cycle. Nothing of it is ``paused``, all of it ``steady``.
  public init(listening: Duration, of cycle: Duration) {
    if listening <= .zero {
      self = .paused
    } else if listening >= cycle {
      self = .steady
    } else {
      self.init(unchecked: listening, of: cycle)
    }
  }

  private init(unchecked listening: Duration, of cycle: Duration) {
    self.listening = listening
    self.cycle = cycle
  }

  /// The part of the time in which it listens, 0 to 1.
  public var share: Double { listening / cycle }

  /// Whether it listens so long after it was begun.
  package func isListening(after elapsed: Duration) -> Bool {
    // Exact also for times that a Double rounds.
    elapsed.wholeMicroseconds % max(1, cycle.wholeMicroseconds) < listening.wholeMicroseconds
  }
}
