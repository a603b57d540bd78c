public import Diagnosis

/// Why a text or a file is no contact card.
public enum CardRejection: String, Diagnosed, Sendable {
  /// It does not begin with `LUNACARD:1:`.
  case prefix
  /// It has other characters than base64url, or some that are left over.
  case text
  /// It is too short or too long for a card.
  case length
  /// It is a card of another version.
  case version
  /// The name is no text.
  case name

  /// What is wrong, and what to do.
  public var diagnosis: Diagnosis {
    Diagnosis(
      "it is no contact card (\(rawValue))",
      remedy: "a card is one line that begins with LUNACARD:1:, or its QR code")
  }
}

extension CardRejection: CustomStringConvertible {
  /// The diagnosis.
  public var description: String { diagnosis.description }
}
