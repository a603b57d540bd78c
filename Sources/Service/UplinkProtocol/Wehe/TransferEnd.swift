/// How the data of a replay came to its end.
public enum TransferEnd: Hashable, Sendable {
  /// All of it went and came.
  case complete
  /// Its time was over.
  case limit
  /// The server sees it come from another address than the side channel.
  case ipFlip
  /// A connection broke off, or was silent for too long.
  case lost
}
