/// A generator whose numbers depend on the seed alone (SplitMix64), so that a failure can be run again.
public struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  /// The same numbers for the same seed everywhere.
  public init(_ seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Bytes of the next numbers.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Bytes of the next numbers, in a value of that size.
  public mutating func inline<let count: Int>() -> InlineArray<count, UInt8> {
    InlineArray { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
