/// What became of an event that was to be kept.
public enum IngestResult: Hashable, Sendable {
  /// It is kept.
  case new
  /// It was kept before.
  case known
  /// It is not kept: there is no place for its day now. There may be one soon.
  case unplaced
}
