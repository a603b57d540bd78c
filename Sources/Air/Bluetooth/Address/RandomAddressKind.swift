/// The kind of a random device address (Core Specification, Vol 6, Part B, 1.3.2).
public enum RandomAddressKind: String, CaseIterable, Sendable {
  /// Stays the same at least until a power cycle; the two top bits are 11.
  case `static`
  /// Changes, and can be resolved by holders of the identity resolving key; top bits 01.
  case resolvable
  /// Changes, and can be resolved by nobody; top bits 00.
  case nonResolvable = "non-resolvable"
}
