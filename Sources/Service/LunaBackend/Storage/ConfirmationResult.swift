/// What a storage makes of a confirmation.
public enum ConfirmationResult: Sendable {
  /// It is noted, or was before.
  case noted
  /// There is no such command, or it has no package for that tracker.
  case unknown
  /// The gateway was never offered it.
  case neverOffered
}
