/// Which slot of a pair comes first: a coin for each pair, so that the test by sign flips is exact
/// whatever the link does meanwhile.
public struct PairOrder: Sendable {
  private var generator: SplitMix64

  /// The coins of a seed.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Whether the original comes first in the next pair.
  public mutating func nextIsOriginalFirst() -> Bool { generator.next() >> 63 == 1 }
}
