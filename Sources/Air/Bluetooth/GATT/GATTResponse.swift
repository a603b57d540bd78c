/// What the owner of a GATT server says to a read or a write.
public enum GATTResponse: Hashable, Sendable {
  /// The value from the offset on that was asked for; the server sends as much as fits.
  case value([UInt8])
  /// Written.
  case written
  /// Refused.
  case refused(ATTErrorCode)
}
