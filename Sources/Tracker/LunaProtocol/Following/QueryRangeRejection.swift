/// Why a time cannot be asked for.
public enum QueryRangeRejection: String, Error, Sendable {
  /// It ends before or when it begins.
  case emptyRange
  /// It is longer than ``QueryRange/longest``.
  case rangeTooLong
}
