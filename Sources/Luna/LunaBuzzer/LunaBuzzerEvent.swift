/// What came of buzzing a tracker.
public enum LunaBuzzerEvent: Sendable {
  /// It sounds; this is what it answered.
  case buzzing(ControlReceipt)
  /// It does not, as far as is known.
  case failed(BuzzerError)
}
