public import LunaCore
public import LunaProtocol

/// A share of one's own tracker.
public struct SentShareRow: Hashable, Sendable {
  /// The identifier of the share, the same in all its messages.
  public var share: DeviceUUID
  /// Which of one's own trackers it is of.
  public var tracker: DeviceUUID
  /// With whom, as the contact was called then.
  public var contact: String
  /// The key that it was sealed for: X25519, 32 bytes.
  public var recipient: [UInt8]
  /// The serial of the last message.
  public var serial: Int64
  /// Which periods of the tracker were shared.
  public var periods: PeriodRange
  /// What may be done.
  public var rights: ShareRights
  /// When the last message was made, Unix s.
  public var issuedAt: Int64
  /// Until when, Unix s.
  public var until: Int64
  /// Whether it is to be made anew before it ends.
  public var isRenewed: Bool
  /// When it was ended early, Unix s; nil: it was not.
  public var endedAt: Int64?

  /// A share; times are in Unix s, and `recipient` is an X25519 key of 32 bytes.
  public init(
    share: DeviceUUID, tracker: DeviceUUID, contact: String, recipient: [UInt8], serial: Int64,
    periods: PeriodRange, rights: ShareRights, issuedAt: Int64, until: Int64, isRenewed: Bool,
    endedAt: Int64? = nil
  ) {
    self.share = share
    self.tracker = tracker
    self.contact = contact
    self.recipient = recipient
    self.serial = serial
    self.periods = periods
    self.rights = rights
    self.issuedAt = issuedAt
    self.until = until
    self.isRenewed = isRenewed
    self.endedAt = endedAt
  }
}
