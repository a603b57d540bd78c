/// How somebody with whom a tracker is shared may ring it (SHARING.md, 1).
public struct RingRight: Hashable, Sendable {
  /// How many rings a period may have.
  public static let choices = [1, 2, 4, 8]

  /// How long it rings, 1 to 60 s.
  public let seconds: UInt16
  /// K, how many rings each period has: 1, 2, 4 or 8.
  public let perPeriod: Int

  /// A right.
  ///
  /// - Returns: nil for other numbers.
  public init?(seconds: Int, perPeriod: Int) {
    guard 1...60 ~= seconds, RingRight.choices.contains(perPeriod) else { return nil }
    self.seconds = UInt16(seconds)
    self.perPeriod = perPeriod
  }

  /// The time between two rings, s.
  public var spacing: UInt32 { 1024 / UInt32(perPeriod) }
}
