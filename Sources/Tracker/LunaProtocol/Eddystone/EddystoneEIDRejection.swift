/// Why there is no identifier.
public enum EddystoneEIDRejection: String, Error, Sendable {
  /// The exponent is above 15.
  case exponent
  /// The identity key has not 16 bytes.
  case keyLength
}
