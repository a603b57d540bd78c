/// The families of beacons and trackers. The raw value is the family's name in output and filters.
public enum BeaconFamily: String, CaseIterable, Hashable, Sendable {
  /// Apple iBeacon.
  case iBeacon = "ibeacon"
  /// A LunaTracker in BLE mode.
  case luna = "luna"
  /// Eddystone with a fixed identifier.
  case eddystoneUID = "eddystone-uid"
  /// Eddystone with a web address.
  case eddystoneURL = "eddystone-url"
  /// Eddystone telemetry.
  case eddystoneTLM = "eddystone-tlm"
  /// Eddystone telemetry, encrypted.
  case eddystoneETLM = "eddystone-etlm"
  /// Eddystone with a rotating identifier.
  case eddystoneEID = "eddystone-eid"
  /// AltBeacon.
  case altBeacon = "altbeacon"
  /// A member of Apple's Find My network: an AirTag, an accessory, or a device that is offline.
  case appleFindMy = "apple-find-my"
  /// A member of Google's Find Hub network.
  case googleFindHub = "google-find-hub"
  /// A tracker of any network that follows the IETF draft on unwanted tracking.
  case dult = "dult"
  /// Samsung SmartTag.
  case smartTag = "smarttag"
  /// Tile.
  case tile = "tile"
  /// Chipolo, in Chipolo's own network.
  case chipolo = "chipolo"
  /// Pebblebee, in Pebblebee's own network.
  case pebblebee = "pebblebee"
  /// The contact tracing of Apple and Google.
  case exposureNotification = "exposure-notification"

  /// Whether it is made to find the thing or the person that carries it.
  public var isTracker: Bool {
    switch self {
    case .luna, .appleFindMy, .googleFindHub, .dult, .smartTag, .tile, .chipolo, .pebblebee: true
    case .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneETLM, .eddystoneEID,
      .altBeacon, .exposureNotification:
      false
    }
  }
}
