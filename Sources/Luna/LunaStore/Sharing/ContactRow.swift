/// Somebody with whom trackers can be shared.
public struct ContactRow: Hashable, Sendable {
  /// What one calls the person.
  public var name: String
  /// Where shares are mailed to; empty: nowhere.
  public var email: String
  /// The X25519 key of the card, 32 bytes.
  public var key: [UInt8]
  /// Whether both have compared the code of the card.
  public var isVerified: Bool
  /// When it was added, Unix s.
  public var addedAt: Int64

  /// A contact; `addedAt` is in Unix s.
  public init(name: String, email: String, key: [UInt8], isVerified: Bool, addedAt: Int64) {
    self.name = name
    self.email = email
    self.key = key
    self.isVerified = isVerified
    self.addedAt = addedAt
  }
}
