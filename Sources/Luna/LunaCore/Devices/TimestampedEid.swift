public import Bluetooth
public import LunaProtocol

/// One identifier that a device used, and how well its time fitted.
public struct TimestampedEid: Equatable, Sendable {
  /// The identifier, lower-case hexadecimal digits.
  public let eid: String
  /// When it was heard first.
  public let receivedAt: Timestamp
  /// The nearest time at which an exact clock would have shown it (PROTOCOL.md, 11.1); nil for
  /// devices that are not tracked.
  public let expectedAt: Timestamp?
  /// `receivedAt` less `expectedAt`, s: positive when the tracker is late; NaN for devices that are
  /// not tracked.
  public let drift: Double

  /// An identifier of a device that is not tracked.
  public init(eid: String, receivedAt: Timestamp) {
    self.eid = eid
    self.receivedAt = receivedAt
    expectedAt = nil
    drift = .nan
  }

  /// An identifier of a tracked device.
  public init(eid: String, receivedAt: Timestamp, drift: Drift) {
    self.eid = eid
    self.receivedAt = receivedAt
    expectedAt = Timestamp(unixMilliseconds: drift.expectedAt)
    self.drift = drift.seconds
  }

  /// Equal when all fields are; a drift that is not a number equals itself.
  public static func == (left: TimestampedEid, right: TimestampedEid) -> Bool {
    left.eid == right.eid && left.receivedAt == right.receivedAt
      && left.expectedAt == right.expectedAt
      && (left.drift == right.drift || left.drift.isNaN && right.drift.isNaN)
  }
}
