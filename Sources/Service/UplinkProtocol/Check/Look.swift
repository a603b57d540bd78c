/// A moment of a check at which it may end.
public struct Look: Hashable, Sendable {
  /// After so many pairs.
  public let pairs: Int
  /// From which probability on a difference is one.
  public let alpha: Double
  /// The level of the interval that says that there is none.
  public let gamma: Double

  /// A look.
  public init(pairs: Int, alpha: Double, gamma: Double) {
    self.pairs = pairs
    self.alpha = alpha
    self.gamma = gamma
  }
}
