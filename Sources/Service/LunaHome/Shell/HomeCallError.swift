package import Diagnosis

/// Why a home that is called does not do what is asked.
package struct HomeCallError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  package enum Kind: Hashable, Sendable {
    /// It belongs to somebody else.
    case denied
    /// No home runs there.
    case notRunning
    /// It has ended meanwhile.
    case ended
    /// Its answer cannot be read.
    case unreadable
    /// It refuses, and says why; nil for a reason that is not known here.
    case refused(HomeError.Kind?)
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, why, and what to do.
  package let diagnosis: Diagnosis

  init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  /// An answer that cannot be read.
  package static let unreadable = HomeCallError(
    .unreadable, "the home's answer cannot be read",
    remedy: "it may be of another version of luna: start it again with this one")
}
