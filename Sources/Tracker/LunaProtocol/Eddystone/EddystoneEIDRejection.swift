public import Diagnosis

/// Why there is no identifier.
public enum EddystoneEIDRejection: String, Diagnosed, Sendable {
  /// The exponent is above 15.
  case exponent
  /// The identity key has not 16 bytes.
  case keyLength

  /// Why an identifier cannot be made.
  public var diagnosis: Diagnosis { Diagnosis("the Eddystone-EID is refused (\(rawValue))") }
}
