public import Diagnosis

/// Why a time cannot be asked for.
public enum QueryRangeRejection: String, Diagnosed, Sendable {
  /// It ends before or when it begins.
  case emptyRange
  /// It is longer than ``QueryRange/longest``.
  case rangeTooLong

  /// What is wrong with a time.
  public var diagnosis: Diagnosis { Diagnosis("the time cannot be asked for (\(rawValue))") }
}
