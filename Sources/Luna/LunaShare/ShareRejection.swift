public import Diagnosis

/// Why an envelope is not taken, in the order in which it is looked at (SHARING.md, 2).
public enum ShareRejection: String, CaseIterable, Diagnosed, Sendable {
  /// It is too short, or has more than 4 MiB.
  case length
  /// It does not begin as an envelope does.
  case magic
  /// It is for another key than one's own.
  case recipient
  /// It is from nobody among the contacts.
  case sender
  /// It is not of that sender, or was changed; also when a key is a point of low order.
  case open
  /// A member of its header is missing or of another type.
  case header
  /// It is neither a grant nor an end.
  case kind
  /// Its periods are none, too many or out of range.
  case range
  /// Its records are not those of the header.
  case records
  /// It is not newer than what is here of that share.
  case serial

  /// What is wrong, and what to do.
  public var diagnosis: Diagnosis {
    switch self {
    case .length: Diagnosis("it is no share: too short, or above 4 MiB (length)")
    case .magic: Diagnosis("it is no share (magic)", remedy: "shares are files named .lunashare")
    case .recipient:
      Diagnosis(
        "it is for another contact card than that of this home (recipient)",
        remedy: "ask the sender to share with the present card")
    case .sender:
      Diagnosis(
        "it is from nobody whose contact card is here (sender)",
        remedy: "add the card of its sender first")
    case .open:
      Diagnosis(
        "it cannot be opened: it was changed on its way, or is of somebody else (open)",
        remedy: "ask the sender for another")
    case .header, .kind, .range, .records:
      Diagnosis(
        "the program that made it is faulty, or newer than this one (\(rawValue))",
        remedy: "use a newer version of Luna")
    case .serial:
      Diagnosis(
        "it is not newer than what is here of that share (serial)",
        remedy: "ask the sender to renew it, if you have forgotten the tracker")
    }
  }
}

extension ShareRejection: CustomStringConvertible {
  /// The diagnosis.
  public var description: String { diagnosis.description }
}
