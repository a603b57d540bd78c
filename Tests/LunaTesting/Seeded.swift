import Glibc

/// A generator whose numbers depend on the seed alone (SplitMix64), so that a failure can be run again.
public struct Seeded: RandomNumberGenerator {
  /// That of this process.
  private static let seed: UInt64 =
    getenv("LUNA_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0 ... .max)

  private var state: UInt64

  /// The same numbers for the same seed everywhere.
  public init(_ seed: UInt64) { state = seed }

  /// Other numbers in each run. Their seed is told on standard error, which is there however the process ends;
  /// `LUNA_SEED` gives it again, and scripts/test says which it was when the test fails.
  public static func drawn(in file: String = #fileID, for test: String = #function) -> Seeded {
    let line = "seed \(seed) of \(file)/\(test)\n"
    line.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
    return Seeded(seed)
  }

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
