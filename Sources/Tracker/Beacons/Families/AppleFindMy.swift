import Bluetooth

/// A member of Apple's Find My network: a continuity message of type 0x12 in manufacturer data of
/// company 0x004C.
///
/// Layout: Heinrich, Stute, Kornhuber, Hollick, "Who Can Find My Devices?" (PoPETs 2021), section 6;
/// github.com/seemoo-lab/openhaystack (firmware); device type and battery as in
/// github.com/seemoo-lab/AirGuard.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | status: bit 2 maintained, bits 4–5 device type, bits 6–7 battery |
/// | 1 | 22 | public key, bytes 6–27 (only when separated) |
/// | 23 | 1 | bits 6–7 of the first byte of the key (offset 1 when nearby) |
/// | 24 | 1 | hint |
///
/// Bytes 0–5 of the key are the address, whose two top bits are always set.
public struct AppleFindMy: BeaconFrame {
  /// ``BeaconFamily/appleFindMy``.
  public static var family: BeaconFamily { .appleFindMy }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [
      .word("state"), .word("battery"), .word("deviceType"), .boolean("maintained"),
      .hex("publicKey"), .number("hint"),
    ]
  }

  /// The word for one that is far from its owner.
  @usableFromInline package static var separated: StaticString { "separated" }
  /// The word for one that is near its owner.
  @usableFromInline package static var nearby: StaticString { "nearby" }

  /// How full the battery is.
  public enum Battery: UInt8, CaseIterable, Sendable {
    /// Full.
    case full = 0
    /// Medium.
    case medium = 1
    /// Low.
    case low = 2
    /// Critical.
    case critical = 3

    /// The word for it.
    public var name: StaticString {
      switch self {
      case .full: "full"
      case .medium: "medium"
      case .low: "low"
      case .critical: "critical"
      }
    }
  }

  /// What kind of thing it is.
  public enum DeviceType: UInt8, CaseIterable, Sendable {
    /// A phone, tablet, watch or computer that is offline.
    case appleDevice = 0
    /// An AirTag.
    case airTag = 1
    /// An accessory of another maker.
    case accessory = 2
    /// AirPods.
    case airPods = 3

    /// The word for it.
    public var name: StaticString {
      switch self {
      case .appleDevice: "apple-device"
      case .airTag: "airtag"
      case .accessory: "accessory"
      case .airPods: "airpods"
      }
    }

    /// What it is, for people.
    public var title: String {
      switch self {
      case .appleDevice: "Apple device, Find My"
      case .airTag: "AirTag"
      case .accessory: "Find My accessory"
      case .airPods: "AirPods, Find My"
      }
    }
  }

  /// Whether it is away from its owner, and asks others to report it.
  public let isSeparated: Bool
  /// The first byte: bit 2 maintained, bits 4–5 device type, bits 6–7 battery.
  public let status: UInt8
  /// The x coordinate of the public key on P-224; nil when nearby, or when the address is not known.
  public let publicKey: Octets<28>?
  /// The last byte, as it came; nil when nearby.
  public let hint: UInt8?

  /// Reads the value of a continuity message of type 0x12.
  init?(_ data: Span<UInt8>, address: BluetoothAddress, addressType: AddressType) {
    switch data.count {
    case 2:
      isSeparated = false
      publicKey = nil
      hint = nil
    case 25:
      isSeparated = true
      hint = data[24]
      if addressType == .random {
        let high = data[23] << 6 | UInt8(truncatingIfNeeded: address.value >> 40) & 0x3F
        publicKey = Octets(
          InlineArray { index in
            switch index {
            case 0: high
            case 1...5: UInt8(truncatingIfNeeded: address.value >> UInt64(40 &- 8 &* index))
            default: data[index &- 5]
            }
          })
      } else {
        publicKey = nil
      }
    default: return nil
    }
    status = data[0]
  }

  /// How full the battery is.
  public var battery: Battery { Battery(rawValue: status >> 6) ?? .full }

  /// What kind of thing it is.
  public var deviceType: DeviceType { DeviceType(rawValue: status >> 4 & 3) ?? .appleDevice }

  /// Whether the owner was near within the present period of the key.
  public var isMaintained: Bool { status & 0x04 != 0 }

  /// The kind of thing, and whether it is away from its owner.
  public var title: String {
    deviceType.title + (isSeparated ? " (separated)" : " (nearby)")
  }

  /// state, battery, deviceType, maintained, publicKey, hint.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.word("state", isSeparated ? Self.separated : Self.nearby)
    writer.word("battery", battery.name)
    writer.word("deviceType", deviceType.name)
    writer.boolean("maintained", isMaintained)
    if let publicKey { writer.hex("publicKey", publicKey) }
    if let hint { writer.integer("hint", Int(hint)) }
  }
}
