public import Diagnosis

/// Why a home cannot do something.
public struct HomeError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// The file cannot be used.
    case file
    /// There is no such tracker, rule or command.
    case notFound
    /// Nothing of that kind can be asked of the tracker, or not with that value.
    case action
    /// What is kept cannot be read or written.
    case storage
    /// What was asked for was not done in time.
    case expired
    /// The keys of the trackers are sealed, and nobody has given the passphrase.
    case locked
    /// It is not in the state for that, as before the start.
    case state
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
