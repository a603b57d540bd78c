/// How it stands with what a finder hears.
public enum FinderState: Hashable, Sendable {
  /// It hears what is around, with the adapter of that name.
  case listening(adapter: String)
  /// The adapter has failed, and is being brought back.
  case recovering(adapter: String, reason: String)
  /// The adapter has failed and did not come back: the end.
  case lost(adapter: String, reason: String)
  /// New identifiers appear abnormally fast, so many within the last minute: each is reported only
  /// after a second sighting, until that is over.
  case underAttack(newPerMinute: Int)
}
