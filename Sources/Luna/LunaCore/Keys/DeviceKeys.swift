public import LunaCrypto
public import LunaProtocol

/// What recognises a device behind the identifiers that it changes.
public enum DeviceKeys: Equatable, Sendable {
  /// A LunaTracker (PROTOCOL.md, 3).
  case luna(MasterKey)
  /// An Eddystone-EID beacon (PROTOCOL.md, 15).
  case eddystoneEID(EddystoneKeys)
  /// An accessory of Apple's Find My network.
  case appleFindMy(FindMyKeys)
  /// A tag that sends one key of Apple's Find My network for ever.
  case appleFindMyKey(FindMyKey)
  /// A tracker of Google's Find Hub network.
  case googleFindHub(FindHubKeys)
  /// A device with resolvable private addresses (Core Specification, Vol 3, Part H, 2.2.2).
  case resolvableAddress(IdentityResolvingKey)
  /// A LunaTracker of somebody else, who has shared some of its periods (SHARING.md).
  case lunaShared(SharedPeriods)

  /// Of which family a device with these keys is.
  public var kind: DeviceKind {
    switch self {
    case .luna: .luna
    case .eddystoneEID: .eddystoneEID
    case .appleFindMy: .appleFindMy
    case .appleFindMyKey: .appleFindMyKey
    case .googleFindHub: .googleFindHub
    case .resolvableAddress: .resolvableAddress
    case .lunaShared: .lunaShared
    }
  }

  /// The secret that no two devices of a family share.
  public var identitySecret: SecretBytes {
    switch self {
    case .luna(let key): key.secret
    case .eddystoneEID(let keys): keys.identityKey
    case .appleFindMy(let keys): keys.masterKey
    case .appleFindMyKey(let key): key.privateKey
    case .googleFindHub(let keys): keys.identityKey
    case .resolvableAddress(let key): key.secret
    case .lunaShared(let periods): periods.records
    }
  }

  /// Whether both recognise the same device. Takes constant time within a family.
  public func hasSameIdentity(as other: DeviceKeys) -> Bool {
    kind == other.kind && identitySecret == other.identitySecret
  }
}
