/// The families of devices that an owner can follow. The raw values are the words of export files
/// and of the command line.
public enum DeviceKind: String, CaseIterable, Sendable {
  /// A LunaTracker.
  case luna
  /// An Eddystone-EID beacon.
  case eddystoneEID = "eddystone-eid"
  /// An accessory of Apple's Find My network.
  case appleFindMy = "apple-find-my"
  /// A tag that sends one key of Apple's Find My network for ever.
  case appleFindMyKey = "apple-find-my-key"
  /// A tracker of Google's Find Hub network.
  case googleFindHub = "google-find-hub"
  /// Any device with resolvable private addresses.
  case resolvableAddress = "resolvable-address"
  /// A LunaTracker that somebody else has shared for a time.
  case lunaShared = "luna-shared"

  /// Whether its identifiers follow a clock. Others show the same for ever, or what tells no time.
  package var hasClock: Bool {
    switch self {
    case .luna, .lunaShared, .eddystoneEID, .appleFindMy, .googleFindHub: true
    case .appleFindMyKey, .resolvableAddress: false
    }
  }

  /// The family whose frames it sends.
  public var sends: DeviceKind {
    switch self {
    case .lunaShared: .luna
    case .appleFindMyKey: .appleFindMy
    case .luna, .eddystoneEID, .appleFindMy, .googleFindHub, .resolvableAddress: self
    }
  }
}
