/// What a tracker of any maker tells somebody who does not own it
/// (draft-ietf-dult-accessory-protocol-00, "Accessory Information"). What it does not tell is nil.
public struct TrackerIdentity: Hashable, Sendable {
  /// Make and model, 8 bytes.
  public var productData: [UInt8]?
  /// The brand; hexadecimal digits where what it tells is not UTF-8.
  public var manufacturer: String?
  /// The maker's model; hexadecimal digits where what it tells is not UTF-8.
  public var model: String?
  /// What kind of thing it is; ``categoryName`` where it is known.
  public var category: UInt8?
  /// Which version of the protocol it speaks.
  public var protocolVersion: DULTVersion?
  /// What it can.
  public var capabilities: DULTCapabilities?
  /// The network that locates it; ``networkName`` where it is known.
  public var network: UInt8?
  /// Its firmware.
  public var firmware: DULTVersion?
  /// 0 powered, 1 not rechargeable, 2 rechargeable.
  public var batteryType: UInt8?
  /// 0 full, 1 medium, 2 low, 3 critically low.
  public var batteryLevel: UInt8?
  /// Which version of its network's specification it follows.
  public var networkVersion: DULTVersion?
  /// Its identifier, encrypted for its network; told only after the physical action.
  public var identifier: [UInt8]?

  /// Nothing is known.
  public init() {}

  /// Whether nothing at all was told.
  public var isEmpty: Bool { self == TrackerIdentity() }

  /// The words of a battery type; nil when it is reserved.
  public var batteryTypeName: String? {
    batteryType.flatMap {
      switch $0 {
      case 0: "powered"
      case 1: "non-rechargeable"
      case 2: "rechargeable"
      default: nil
      }
    }
  }

  /// The word of a battery level; nil when it is reserved.
  public var batteryLevelName: String? {
    batteryLevel.flatMap {
      switch $0 {
      case 0: "full"
      case 1: "medium"
      case 2: "low"
      case 3: "critical"
      default: nil
      }
    }
  }

  /// The network; nil when its number is not known. There is no registry yet: 1 and 2 are what
  /// Apple's and Google's accessories show (draft-ledvina-apple-google-unwanted-trackers-01).
  public var networkName: String? {
    network.flatMap {
      switch $0 {
      case 1: "Apple"
      case 2: "Google"
      default: nil
      }
    }
  }

  /// The category ("Accessory Category Value"); nil when it is reserved.
  public var categoryName: String? {
    category.flatMap { value in
      if value == 1 { return "location tracker" }
      let index = Int(value) - 128
      return TrackerIdentity.categories.indices.contains(index)
        ? TrackerIdentity.categories[index] : nil
    }
  }

  /// Categories 128 and up.
  private static let categories = [
    "other", "luggage", "backpack", "jacket", "coat", "shoes", "bike", "scooter", "stroller",
    "wheelchair", "boat", "helmet", "skateboard", "skis", "snowboard", "surfboard", "camera",
    "laptop", "watch", "flash drive", "drone", "headphones", "earphones", "inhaler", "sunglasses",
    "handbag", "wallet", "umbrella", "water bottle", "tools or tool box", "keys", "smart case",
    "remote", "hat", "motorbike", "consumer electronic device", "apparel", "transportation device",
    "sports equipment", "personal item",
  ]
}
