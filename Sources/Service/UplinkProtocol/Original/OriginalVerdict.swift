/// What is made of the samples of two replays.
public enum OriginalVerdict: String, CaseIterable, Sendable {
  /// No difference.
  case fair
  /// The original is slower than the control.
  case throttled
  /// The original is not slower than the control, and differs.
  case prioritised
  /// The samples do not tell.
  case inconclusive
}
