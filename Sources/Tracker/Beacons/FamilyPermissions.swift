/// What the things of a family let somebody do who is not their owner and has not the app of their maker.
///
/// The one table of that: what `luna scan` shows, and what `luna buzz --any` and `luna identify` try.
public struct FamilyPermissions: Hashable, Sendable {
  /// Whom a thing obeys.
  public enum Access: Hashable, Sendable {
    /// Anyone, while it is separated from its owner.
    case separated
    /// Only this app, of its maker.
    case app(String)
    /// Only its owner.
    case owner
    /// Nobody: it has nothing of the kind.
    case nobody
  }

  /// Who makes it sound.
  public var ring: Access
  /// Whom it tells what it is (IETF DULT, accessory information).
  public var identify: Access
  /// Whether Luna follows it with keys that its owner can get, through each change of its identifier.
  public var isFollowedByKeys = false

  private static let anyone = FamilyPermissions(ring: .separated, identify: .separated)
  private static let beacon = FamilyPermissions(ring: .nobody, identify: .nobody)

  private static func only(_ app: String) -> FamilyPermissions {
    FamilyPermissions(ring: .app(app), identify: .app(app))
  }

  private var followedByKeys: FamilyPermissions {
    var permissions = self
    permissions.isFollowedByKeys = true
    return permissions
  }

  /// The permissions of a family.
  public init(_ family: BeaconFamily) {
    self =
      switch family {
      case .luna: FamilyPermissions(ring: .separated, identify: .owner).followedByKeys
      case .appleFindMy, .googleFindHub: FamilyPermissions.anyone.followedByKeys
      case .dult: .anyone
      case .smartTag: .only("SmartThings")
      case .tile: .only("Tile")
      case .chipolo: .only("Chipolo")
      case .pebblebee: .only("Pebblebee")
      case .eddystoneEID: FamilyPermissions.beacon.followedByKeys
      case .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneETLM, .altBeacon,
        .exposureNotification:
        .beacon
      }
  }

  /// The permissions of the thing that has sent `beacon`.
  public init(_ beacon: Beacon) {
    // A LunaTracker in iBeacon mode.
    if case .iBeacon(let frame) = beacon, frame.region != nil {
      self.init(.luna)
    } else {
      self.init(beacon.family)
    }
  }

  private init(ring: Access, identify: Access) {
    (self.ring, self.identify) = (ring, identify)
  }
}

extension FamilyPermissions {
  /// For people: what can be done, and who can do it. What nobody can do is left out.
  public var lines: [(action: String, who: String)] {
    var lines: [(action: String, who: String)] = []
    if ring != .nobody { lines.append(("ring", "\(ring)")) }
    if identify != .nobody { lines.append(("identify", "\(identify)")) }
    if isFollowedByKeys { lines.append(("follow", "who has its keys")) }
    return lines
  }
}

extension FamilyPermissions.Access: CustomStringConvertible {
  /// For people.
  public var description: String {
    switch self {
    case .separated: "anyone, while separated"
    case .app(let app): "its owner, in the \(app) app"
    case .owner: "its owner"
    case .nobody: "nobody"
    }
  }
}
