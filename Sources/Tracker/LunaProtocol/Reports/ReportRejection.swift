public import Diagnosis

/// Why a report does not open (PROTOCOL.md, 9.2), in the order of the tests.
public enum ReportRejection: Diagnosed, Hashable, Sendable {
  /// The text is not base64 in its one form.
  case base64
  /// Not 61 bytes.
  case length
  /// The format is not 1.
  case version
  /// The heid does not belong to this eid and aotp.
  case heid
  /// The ciphertext, the status or the keys do not belong together.
  case auth
  /// It opened, and what it says is no location.
  case location(LocationRejection)

  /// The reason as test vectors and messages name it.
  public var reason: String {
    switch self {
    case .base64: "base64"
    case .length: "length"
    case .version: "version"
    case .heid: "heid"
    case .auth: "auth"
    case .location(let rejection): rejection.rawValue
    }
  }

  /// Why a report cannot be opened.
  public var diagnosis: Diagnosis { Diagnosis("the report cannot be opened (\(reason))") }
}
