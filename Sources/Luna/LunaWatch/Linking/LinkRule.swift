/// What can be told from one identifier of a tracker to its next.
public enum LinkRule: Sendable {
  /// The identifier stays: another one is another tracker.
  case same
  /// The next one is taken as the same tracker where it can be no other.
  case chain
}
