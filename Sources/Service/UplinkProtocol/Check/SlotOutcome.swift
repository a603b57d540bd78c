/// What came of one slot: one connection with the original or the control.
public enum SlotOutcome: Hashable, Sendable {
  /// It was measured: bytes each second, or s of a round trip; above 0.
  case measured(Double)
  /// It was refused, reset, or silent for five seconds.
  case failed
  /// What counts of it was shorter than 10 ms.
  case tooFast
}
