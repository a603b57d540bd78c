/// The damage found in a capture file: where it first was, and how often each kind occurred.
public struct CaptureDiagnostics: Hashable, Sendable {
  /// The kind of the first damage; nil when there is none.
  public private(set) var first: CaptureDamage?
  /// Where the first damage is, in bytes from the start of the file.
  public private(set) var firstOffset: UInt64 = 0
  /// Bytes that were passed over to find the next record.
  public internal(set) var skippedBytes: UInt64 = 0

  private var counts = InlineArray<16, UInt64>(repeating: 0)

  /// No damage.
  public init() {}

  /// How often `damage` occurred.
  public func count(of damage: CaptureDamage) -> UInt64 { counts[Int(damage.rawValue)] }

  /// How much damage there is in all.
  public var total: UInt64 {
    CaptureDamage.allCases.reduce(0) { $0 &+ count(of: $1) }
  }

  mutating func note(_ damage: CaptureDamage, at offset: UInt64) {
    if first == nil {
      first = damage
      firstOffset = offset
    }
    counts[Int(damage.rawValue)] &+= 1
  }

  /// Compares everything.
  public static func == (left: CaptureDiagnostics, right: CaptureDiagnostics) -> Bool {
    left.first == right.first && left.firstOffset == right.firstOffset
      && left.skippedBytes == right.skippedBytes
      && CaptureDamage.allCases.allSatisfy { left.count(of: $0) == right.count(of: $0) }
  }

  /// Feeds the first position and the total.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(firstOffset)
    hasher.combine(total)
  }
}
