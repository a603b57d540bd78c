/// By how much one sighting lies outside the time in which an exact clock would have shown its
/// period: a lower bound of the clock error (PROTOCOL.md, 11.1).
public struct Drift: Hashable, Sendable {
  /// The time of that window that is nearest to the sighting, Unix ms.
  public let expectedAt: Int64
  /// The sighting less `expectedAt`, ms: 0 inside the window, positive when the tracker is late.
  public let milliseconds: Int64

  /// The drift of a period heard at a time.
  ///
  /// - Parameter receivedAt: the owner's time of reception, Unix ms.
  public init(period: UInt32, receivedAt: Int64, rotation: RotationSchedule = .luna) {
    expectedAt = min(
      max(receivedAt, rotation.start(of: period)),
      rotation.windowEnd(of: period).clampedSubtracting(1))
    milliseconds = receivedAt.clampedSubtracting(expectedAt)
  }

  /// The drift as interfaces give it, s.
  public var seconds: Double { Double(milliseconds) / 1000 }
}
