public import Diagnosis

/// Why a source cannot deliver: what happened, the likely cause, and what to do.
public struct SourceError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds, each with an exit code of its own in the command-line contract.
  public enum Kind: String, Sendable {
    /// There is no adapter, or not the one asked for.
    case noAdapter
    /// The adapter is there, and this process may not use it that way.
    case noPermission
    /// The adapter is not powered, or blocked by rfkill.
    case off
    /// Another program uses it in a way that excludes this one.
    case busy
    /// It worked, stopped, and could not be brought back.
    case lost
    /// A file that cannot be read, or not as what it is said to be.
    case unreadable
    /// The request makes no sense for this source.
    case invalid
  }

  /// What kind of failure it is; ``diagnosis`` says the rest in words.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// Whether an adapter that is off cannot be switched on either, so that it may be broken.
  package private(set) var mayBeBroken = false

  /// What is wrong with each of several adapters, by its name; empty where there is but one.
  package var failures: [String: SourceError] = [:]

  /// An adapter is off, and cannot be switched on.
  package static func unusable(_ reason: String, remedy: Remedy? = nil) -> SourceError {
    var error = SourceError(.off, reason, remedy: remedy)
    error.mayBeBroken = true
    return error
  }

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}
