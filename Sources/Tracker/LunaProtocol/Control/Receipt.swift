/// What a tracker answered, proven to come from it (PROTOCOL.md, 12.3).
public struct Receipt: Hashable, Sendable {
  /// The number of bytes of an authenticated receipt.
  public static let byteCount = 17
  /// The number of bytes of a short answer, which proves nothing.
  public static let shortByteCount = 5

  /// The status byte; ``ControlStatus`` where it is known.
  public let statusCode: UInt8
  /// The tracker's clock after the command, Unix s.
  public let clock: UInt32

  /// The status; nil when a tracker gives one that is not defined.
  public var status: ControlStatus? { ControlStatus(rawValue: statusCode) }
}
