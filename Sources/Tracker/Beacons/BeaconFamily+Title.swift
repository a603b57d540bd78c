extension BeaconFamily {
  /// The family's name for people: what the titles of its frames begin with, but where these say more
  /// (an AirTag is one of Apple Find My).
  public var title: String {
    switch self {
    case .iBeacon: "iBeacon"
    case .luna: "LunaTracker"
    case .eddystoneUID: "Eddystone-UID"
    case .eddystoneURL: "Eddystone-URL"
    case .eddystoneTLM: "Eddystone-TLM"
    case .eddystoneETLM: "Eddystone-eTLM"
    case .eddystoneEID: "Eddystone-EID"
    case .altBeacon: "AltBeacon"
    case .appleFindMy: "Apple Find My"
    case .googleFindHub: "Google Find Hub"
    case .dult: "DULT tracker"
    case .smartTag: "SmartTag"
    case .tile: "Tile"
    case .chipolo: "Chipolo"
    case .pebblebee: "Pebblebee"
    case .exposureNotification: "Exposure Notification"
    }
  }
}
