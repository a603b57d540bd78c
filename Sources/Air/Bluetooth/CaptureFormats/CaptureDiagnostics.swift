/// The damage found in a capture file: where it first was, and how often each kind occurred.
public struct CaptureDiagnostics: Hashable, Sendable {
  /// The kind of the first damage; nil when there is none.
  public private(set) var first: CaptureDamage?
  /// Where the record with the first damage starts, in bytes from the start of the file.
  public private(set) var firstOffset: UInt64 = 0
  /// Bytes passed over to find the next record.
  public internal(set) var skippedBytes: UInt64 = 0

  /// How often each kind occurred, in the order of `CaptureDamage.allCases`.
  private var counts: [UInt64] = []

  /// No damage.
  public init() {}

  /// How often `damage` occurred.
  public func count(of damage: CaptureDamage) -> UInt64 {
    counts.isEmpty ? 0 : counts[Int(damage.rawValue)]
  }

  /// How much damage there is in all.
  public var total: UInt64 { counts.reduce(0, &+) }

  mutating func note(_ damage: CaptureDamage, at offset: UInt64) {
    if first == nil {
      first = damage
      firstOffset = offset
      counts = Array(repeating: 0, count: CaptureDamage.allCases.count)
    }
    counts[Int(damage.rawValue)] &+= 1
  }
}
