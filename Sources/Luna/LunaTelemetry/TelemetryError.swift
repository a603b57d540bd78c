public import Diagnosis

/// Why something was not recorded.
public struct TelemetryError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, CaseIterable, Sendable {
    /// A key has a part that is none, too many of them, or is too long.
    case key
    /// A value is too long, or has a zero byte.
    case value
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}
