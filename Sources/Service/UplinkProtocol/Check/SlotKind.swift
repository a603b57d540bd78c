/// Which of the two a slot carries.
package enum SlotKind: String, CaseIterable, Sendable {
  /// What a network can recognise.
  case original
  /// The same, so that it cannot.
  case control
}
