/// What somebody with whom a tracker is shared may do with it (SHARING.md, 1). To see it belongs to all.
public struct ShareRights: Hashable, Sendable {
  /// Whether its status is shared: battery, separated, sounding.
  public var status: Bool
  /// How it may be rung; nil: not at all.
  public var ring: RingRight?

  /// Rights beside that to see the tracker; by default none.
  public init(status: Bool = false, ring: RingRight? = nil) {
    self.status = status
    self.ring = ring
  }

  /// The bytes of a period.
  public var recordCount: Int { 15 + (status ? 32 : 0) + 16 * (ring?.perPeriod ?? 0) }

  /// The words of the rights beside to see it, in the order of the format.
  public var words: [String] { (status ? ["status"] : []) + (ring == nil ? [] : ["ring"]) }
}
