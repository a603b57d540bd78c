public import Diagnosis

/// Why nothing could be recorded.
public struct RelayError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// This machine gives no socket.
    case system
    /// Nothing went through the relay.
    case silent
    /// More went through it than a recording may hold.
    case full
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, and what to do.
  public let diagnosis: Diagnosis

  init(_ kind: Kind, _ problem: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(problem, remedy: remedy)
  }
}
