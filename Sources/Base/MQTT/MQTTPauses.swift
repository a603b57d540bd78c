/// The waits between attempts to connect. A value: it is told how long a connection lasted.
///
/// A broker that lets a client in and throws it out again and again is not asked every second for ever: two clients of
/// one name do that to each other, and all that is retained is sent after every connect.
struct MQTTPauses: Sendable {
  private let range: ClosedRange<Duration>
  private var pause: Duration

  /// - Parameter range: the first wait, and the longest.
  init(_ range: ClosedRange<Duration>) {
    self.range = range
    pause = range.lowerBound
  }

  /// What to wait now: twice as long as before, unless a connection has lasted as long as the longest wait.
  ///
  /// - Parameter connection: how long it lasted; nil where there was none.
  mutating func next(after connection: Duration?) -> Duration {
    if let connection, connection >= range.upperBound { pause = range.lowerBound }
    defer { pause = min(pause * 2, range.upperBound) }
    return pause
  }
}
