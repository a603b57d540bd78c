/// Samsung SmartTag: service data of 0xFD5A.
///
/// Layout: Yu, Henderson, Tiu, Haines, "Privacy Analysis of Samsung's Crowd-Sourced Bluetooth
/// Location Tracking System" (arXiv 2210.14702); github.com/seemoo-lab/AirGuard (SamsungTracker).
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | bits 4–7 version (1), bit 3 advertising type, bits 0–2 state |
/// | 1 | 3 | aging counter, quarters of an hour, little-endian |
/// | 4 | 8 | privacy identifier |
/// | 12 | 1 | bits 4–7 region, bit 3 encryption, bit 2 UWB, bits 0–1 battery |
/// | 13 | 3 | reserved |
/// | 16 | 4 | signature |
public struct SmartTag: BeaconFrame {
  /// ``BeaconFamily/smartTag``.
  public static var family: BeaconFamily { .smartTag }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [
      .number("version"), .word("state"), .number("agingCounter"), .hex("privacyIdentifier"),
      .number("region"), .boolean("encrypted"), .boolean("uwb"), .word("battery"),
      .hex("signature"),
    ]
  }

  /// How it stands with the owner.
  public enum State: UInt8, CaseIterable, Sendable {
    /// Without a connection for less than a quarter of an hour.
    case prematureOffline = 1
    /// Without a connection.
    case offline = 2
    /// Without a connection for more than 24 hours.
    case overmatureOffline = 3
    /// Connected to one device, which is paired.
    case connectedToPaired = 4
    /// Connected to one device.
    case connectedToOne = 5
    /// Connected to two devices.
    case connectedToTwo = 6

    /// The word for it.
    public var name: StaticString {
      switch self {
      case .prematureOffline: "premature-offline"
      case .offline: "offline"
      case .overmatureOffline: "overmature-offline"
      case .connectedToPaired: "connected-to-paired"
      case .connectedToOne: "connected-to-one"
      case .connectedToTwo: "connected-to-two"
      }
    }
  }

  /// How full the battery is.
  public enum Battery: UInt8, CaseIterable, Sendable {
    /// Nearly empty.
    case critical = 0
    /// Low.
    case low = 1
    /// Medium.
    case medium = 2
    /// Full.
    case full = 3

    /// The word for it.
    public var name: StaticString {
      switch self {
      case .critical: "critical"
      case .low: "low"
      case .medium: "medium"
      case .full: "full"
      }
    }
  }

  /// Version, advertising type and state.
  public let header: UInt8
  /// Quarters of an hour since 2020-07-02T00:00:00Z, by the tag's clock.
  public let agingCounter: UInt32
  /// What the owner recognises; changes every quarter of an hour, daily when long offline.
  public let privacyIdentifier: Octets<8>
  /// Region, encryption, UWB and battery.
  public let properties: UInt8
  /// The signature of the tag.
  public let signature: Octets<4>

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 20 else { return nil }
    header = data[0]
    agingCounter = UInt32(data[1]) | UInt32(data[2]) << 8 | UInt32(data[3]) << 16
    privacyIdentifier = Octets(data, at: 4)
    properties = data[12]
    signature = Octets(data, at: 16)
  }

  /// The version of the format.
  public var version: UInt8 { header >> 4 }
  /// How it stands with the owner; nil for values without a known meaning.
  public var state: State? { State(rawValue: header & 7) }
  /// Where it was sold, by Samsung's number.
  public var region: UInt8 { properties >> 4 }
  /// Whether the locations that others report are encrypted for the owner.
  public var isEncrypted: Bool { properties & 0x08 != 0 }
  /// Whether it has ultra-wideband.
  public var hasUWB: Bool { properties & 0x04 != 0 }
  /// How full the battery is.
  public var battery: Battery { Battery(rawValue: properties & 3) ?? .critical }

  /// With its state.
  public var title: String {
    switch state {
    case .prematureOffline?, .offline?: "SmartTag (offline)"
    case .overmatureOffline?: "SmartTag (separated)"
    case .connectedToPaired?, .connectedToOne?, .connectedToTwo?: "SmartTag (connected)"
    case nil: "SmartTag"
    }
  }

  /// version, state, agingCounter, privacyIdentifier, region, encrypted, uwb, battery, signature.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.integer("version", Int(version))
    if let state { writer.word("state", state.name) }
    writer.integer("agingCounter", Int(agingCounter))
    writer.hex("privacyIdentifier", privacyIdentifier)
    writer.integer("region", Int(region))
    writer.boolean("encrypted", isEncrypted)
    writer.boolean("uwb", hasUWB)
    writer.word("battery", battery.name)
    writer.hex("signature", signature)
  }
}
