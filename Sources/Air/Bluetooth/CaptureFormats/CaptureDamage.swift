/// What is wrong with a place in a capture file.
public enum CaptureDamage: UInt8, CaseIterable, Sendable {
  /// The file ends within a record, or within the header of one.
  case truncated
  /// A record states a length that cannot be, or one that its end contradicts.
  case wrongLength
  /// A block or its fields make no sense: an unknown interface, a version that is not known.
  case invalidBlock
  /// An HCI event ends before the reports that it announces do.
  case shortEvent
  /// A link-layer frame ends before its PDU does, or the fields of the PDU do not fit into it.
  case malformedPDU

  /// What it is, in words for a person, without an article.
  public var phrase: StaticString {
    switch self {
    case .truncated: "record cut off by the end of the file"
    case .wrongLength: "record with a wrong length"
    case .invalidBlock: "invalid block"
    case .shortEvent: "HCI event shorter than its reports"
    case .malformedPDU: "malformed link-layer PDU"
    }
  }
}
