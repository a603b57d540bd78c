/// What became of an event that was to be kept.
public enum IngestResult: Hashable, Sendable {
  /// It is kept.
  case new
  /// It was kept before.
  case known
  /// It is not kept: there is no place for its day now, or the server that has its place cannot be reached. It may be
  /// kept soon.
  case unplaced
}
