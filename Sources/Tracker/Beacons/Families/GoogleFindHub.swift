/// Google Find Hub network: service data of 0xFEAA, frame types beyond Eddystone's.
///
/// Layout: "Find Hub Network Accessory Specification", Google, v1.3, "Advertised frames"
/// (developers.google.com/nearby/fast-pair/specifications/extensions/fmdn).
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | 0x40, or 0x41 in unwanted tracking protection mode |
/// | 1 | 20 or 32 | ephemeral identifier (of a curve of 160 or 256 bits) |
/// | behind it | 1 or 0 | hashed flags |
public struct GoogleFindHub: BeaconFrame {
  /// ``BeaconFamily/googleFindHub``.
  public static var family: BeaconFamily { .googleFindHub }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.hex("eid"), .boolean("unwantedTracking"), .number("hashedFlags")]
  }

  /// Whether the tracker is in unwanted tracking protection mode: it is away from its owner.
  public let unwantedTracking: Bool
  /// Battery state and that mode, hidden by a hash; nil when they were not sent.
  public let hashedFlags: UInt8?

  @usableFromInline let storage: Octets<32>
  @usableFromInline let isLong: Bool

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 21, data[0] == 0x40 || data[0] == 0x41 else { return nil }
    unwantedTracking = data[0] == 0x41
    let count = data.count >= 33 ? 32 : 20
    isLong = count == 32
    storage = Octets(InlineArray { $0 < count ? data[1 &+ $0] : 0 })
    hashedFlags = data.count > 1 &+ count ? data[1 &+ count] : nil
  }

  /// Lends the ephemeral identifier, 20 or 32 bytes.
  @inlinable
  public func withEID<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try body(storage.bytes.span.extracting(first: isLong ? 32 : 20))
  }

  /// With the mode, when it is on.
  @inlinable public var title: String {
    unwantedTracking ? "Google Find Hub (separated)" : "Google Find Hub"
  }

  /// eid, unwantedTracking, hashedFlags.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    withEID { writer.hex("eid", $0) }
    writer.boolean("unwantedTracking", unwantedTracking)
    if let hashedFlags { writer.integer("hashedFlags", Int(hashedFlags)) }
  }
}
