public import Diagnosis

/// Why an encrypted status does not open (PROTOCOL.md, 8), in the order of the tests.
public enum ESFRejection: String, Diagnosed, CaseIterable, Sendable {
  /// It has not 3 bytes.
  case length
  /// The tag is wrong: another tracker, another period, or altered.
  case auth
  /// Bit 7 of the status is set.
  case reservedBit

  /// Why a status cannot be read.
  public var diagnosis: Diagnosis { Diagnosis("the encrypted status cannot be read (\(rawValue))") }
}
