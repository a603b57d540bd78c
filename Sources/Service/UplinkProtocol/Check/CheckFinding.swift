/// What the pairs of a check came to.
package struct CheckFinding: Sendable {
  /// What they say.
  package let verdict: FairnessVerdict
  /// The numbers behind it; nil where no pair could be compared.
  package let estimate: FairnessEstimate?
  /// What would have been seen; nil where no pair could be compared.
  package let power: DetectionPower?
  /// The slots of all pairs, in their order, without the pair before.
  package let slots: [SlotRecord]
  /// How many bytes of data the link carried, the pair before included.
  package let bytes: Int
  /// How long the slots took, s, the pair before included.
  package let seconds: Double
  /// Whether the server has counted other bytes.
  package var isDisputed = false

  /// The fastest that any part of a slot was that counts, bytes each second: a limit above it stays unseen.
  package var rateSeen: Double? { slots.compactMap(\.fastest).max() }
}
