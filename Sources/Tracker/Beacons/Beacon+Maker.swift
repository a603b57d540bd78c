public import Bluetooth

extension Beacon {
  /// Whose network it belongs to, where the frame tells that without manufacturer data; nil elsewhere.
  public var maker: CompanyIdentifier? {
    switch self {
    case .smartTag: CompanyIdentifier(0x0075)
    case .tile: CompanyIdentifier(0x067C)
    case .chipolo: CompanyIdentifier(0x08C3)
    case .googleFindHub: CompanyIdentifier(0x00E0)
    case .dult(let frame):
      // The numbers of the networks: see ``DULT``.
      switch frame.network {
      case 0x01: CompanyIdentifier(0x004C)
      case 0x02: CompanyIdentifier(0x00E0)
      default: nil
      }
    case .iBeacon, .luna, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneETLM,
      .eddystoneEID, .altBeacon, .appleFindMy, .pebblebee,
      .exposureNotification:
      nil
    }
  }
}
