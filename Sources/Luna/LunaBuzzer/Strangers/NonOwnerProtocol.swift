import Bluetooth

/// How a tracker can be made to sound by somebody who does not own it.
public enum NonOwnerProtocol: String, CaseIterable, Sendable {
  /// IETF DULT, which Google's Find Hub and newer accessories of Apple's Find My network speak.
  case dult
  /// Accessories of Apple's Find My network.
  case appleFindMy = "apple-find-my"
  /// The first firmware of AirTags.
  case airTag = "airtag"

  /// What people call it.
  public var title: String {
    switch self {
    case .dult: "IETF DULT"
    case .appleFindMy: "Apple Find My network, non-owner control"
    case .airTag: "AirTag sound service"
    }
  }

  /// What it says and understands.
  var rules: any NonOwnerRules.Type {
    switch self {
    case .dult: DULTRules.self
    case .appleFindMy: FindMyRules.self
    case .airTag: AirTagRules.self
    }
  }

  /// The first protocol whose characteristic is among those offered, with that characteristic.
  static func find(
    in offered: [GATTCharacteristic]
  ) -> (NonOwnerProtocol, GATTCharacteristic)? {
    for candidate in allCases {
      let rules = candidate.rules
      let match = offered.first {
        $0.service.means(rules.service) && $0.uuid.means(rules.characteristic)
      }
      if let match { return (candidate, match) }
    }
    return nil
  }
}

extension BluetoothUUID {
  /// Whether two UUIDs are the same, one perhaps in its short form.
  func means(_ other: BluetoothUUID) -> Bool {
    self == other || (assigned16 != nil && assigned16 == other.assigned16)
  }
}
