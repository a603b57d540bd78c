public import Beacons

/// What each family keeps of its identity, by its state: the only place where that is written down.
/// Firmware that changes its keys at will has no row: nothing links it.
public enum LinkTable {
  /// What a frame is told apart by.
  public enum Identity: Sendable {
    /// The advertiser's address.
    case address
    /// What the frame carries.
    case payload
  }

  /// What one family does in one state.
  public struct Row: Sendable {
    /// Whose frames the row is about.
    public let family: BeaconFamily
    /// How a tracker in it says that it stands with its owner.
    public let state: WatchState
    /// What it is told apart by; the same in all states of a family.
    public let identity: Identity
    /// How long an identifier lives, s; nil where it stays.
    public let lifetime: Int?

    /// What links one identifier to the next.
    public var rule: LinkRule { lifetime == nil ? .same : .chain }
  }

  private static let day = 86_400
  private static let quarter = 900

  /// All rows.
  public static let rows: [Row] = [
    // Apple, "Find My Network Accessory Specification" R1, 4.1: the key changes each 15 minutes near the owner,
    // once a day (at 4 o'clock) when separated; the address is a part of the key.
    row(.appleFindMy, .separated, .address, day),
    row(.appleFindMy, .nearOwner, .address, quarter),
    // Google, "Find Hub Network Accessory Specification" 1.3: in unwanted tracking protection mode the address changes
    // every 24 hours, while the identifier goes on changing each 1024 s.
    row(.googleFindHub, .separated, .address, day),
    row(.googleFindHub, .nearOwner, .address, quarter),
    // draft-ietf-dult-accessory-protocol, 3.5.1: the address changes each 15 minutes near the owner, and each
    // 24 hours when separated.
    row(.dult, .separated, .address, day),
    row(.dult, .nearOwner, .address, quarter),
    // arXiv 2210.14702, 4: the privacy identifier changes each 15 minutes, and each 24 hours when it was
    // offline for more than a day (overmature); both are away from their owner.
    row(.smartTag, .longSeparated, .payload, day),
    row(.smartTag, .separated, .payload, quarter),
    row(.smartTag, .nearOwner, .payload, quarter),
    row(.smartTag, .unknown, .payload, quarter),
    // arXiv 2510.00350, 4: the address never changes, while the private identifier does.
    row(.tile, .unknown, .address, nil),
    // github.com/seemoo-lab/AirGuard (Chipolo): the address stays.
    row(.chipolo, .separated, .address, nil),
    row(.chipolo, .nearOwner, .address, nil),
    row(.chipolo, .unknown, .address, nil),
    // github.com/seemoo-lab/AirGuard (PebbleBee): the address stays.
    row(.pebblebee, .unknown, .address, nil),
    // The Luna protocol, 5: address and identifier change each 1024 s; when separated the address alone is kept, for
    // 85 such periods.
    row(.luna, .separated, .address, day),
    row(.luna, .nearOwner, .address, quarter),
  ]

  private static func row(
    _ family: BeaconFamily, _ state: WatchState, _ identity: Identity, _ lifetime: Int?
  ) -> Row {
    Row(family: family, state: state, identity: identity, lifetime: lifetime)
  }

  /// Whether a family changes what it calls itself: what is said of one holds for what is linked to it, and no longer.
  package static func changes(_ family: BeaconFamily) -> Bool {
    let known = rows.filter { $0.family == family }
    return known.isEmpty || known.contains { $0.lifetime != nil }
  }

  /// Whether identifiers of a family follow each other, by the family's number.
  static let chains: [Bool] = BeaconFamily.allCases.map { family in
    rows.contains { $0.family == family && $0.rule == .chain }
  }

  /// What a family is told apart by.
  static func identity(of family: BeaconFamily) -> Identity {
    rows.first { $0.family == family }?.identity ?? .address
  }
}
