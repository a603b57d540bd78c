public import LunaCore
public import LunaProtocol

/// What is kept of a share of somebody else beside its periods, which are the keys of a device.
public struct ReceivedShareRow: Hashable, Sendable {
  /// The key of who sent it; with ``share`` it says which share it is.
  public var sender: [UInt8]
  /// The sender's number of it.
  public var share: DeviceUUID
  /// The serial of the last message.
  public var serial: Int64
  /// Until when, Unix s.
  public var until: Int64
  /// The device that it has become here; nil once its owner has ended it.
  public var device: DeviceUUID?
  /// What may be done.
  public var rights: ShareRights
  /// In which periods the tracker is recognised.
  public var periods: PeriodRange
  /// What the sender says of the tracker.
  public var model: String
  /// Where the sender asks for reports.
  public var backend: String
  /// When the last message was made, Unix s.
  public var issuedAt: Int64

  /// A share; times are in Unix s, and `sender` is an X25519 key of 32 bytes.
  public init(
    sender: [UInt8], share: DeviceUUID, serial: Int64, until: Int64, device: DeviceUUID?,
    rights: ShareRights, periods: PeriodRange, model: String, backend: String, issuedAt: Int64
  ) {
    self.sender = sender
    self.share = share
    self.serial = serial
    self.until = until
    self.device = device
    self.rights = rights
    self.periods = periods
    self.model = model
    self.backend = backend
    self.issuedAt = issuedAt
  }
}
