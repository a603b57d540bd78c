/// Why a tracker is not judged. It is listed all the same: it, too, can be used to follow.
public enum WatchExclusion: String, Sendable {
  /// One's own, recognised by its keys.
  case own
  /// Somebody else's who shares it, recognised by the keys of the share.
  case shared
  /// Marked as one's own.
  case mine
  /// Marked as somebody's whom one knows.
  case known
  /// Marked as no danger.
  case falseAlarm
}
