/// The answer to a read or a write.
public enum TrackerResponse: Hashable, Sendable {
  /// The value from the offset on; the bearer sends as much as fits.
  case value([UInt8])
  /// Written.
  case written
  /// Refused, with an error code of the Attribute Protocol (Core Specification, Vol 3, Part F,
  /// 3.4.1.1).
  case refused(UInt8)

  static let readNotPermitted = TrackerResponse.refused(0x02)
  static let writeNotPermitted = TrackerResponse.refused(0x03)
  static let invalidOffset = TrackerResponse.refused(0x07)
  static let unlikely = TrackerResponse.refused(0x0E)
}
