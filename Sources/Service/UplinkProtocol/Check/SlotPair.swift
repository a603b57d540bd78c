/// A slot of each kind.
public struct SlotPair: Hashable, Sendable {
  /// The slot that a network can recognise.
  public let original: SlotOutcome
  /// The one that it cannot.
  public let control: SlotOutcome

  /// A pair.
  public init(original: SlotOutcome, control: SlotOutcome) {
    self.original = original
    self.control = control
  }
}
