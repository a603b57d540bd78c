/// How much of an extended advertisement's data a report holds.
public enum DataStatus: String, CaseIterable, Sendable {
  /// All of it.
  case complete
  /// More follows in the next report. Never in what a source delivers: it puts the parts together.
  case incomplete
  /// The rest is not in this report: it was lost, or, of a link-layer PDU, is in the PDUs behind it.
  case truncated
}
