package import Diagnosis

/// Why no server was located, or one is reached no more (UPLINK.md, 6).
package struct LocateError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    /// The service does not answer, or not with machines.
    case unanswered
    /// What it answers is not what the service is to say.
    case malformed
    /// None of its machines gives access.
    case accessRefused
    /// The access was open, and is no more.
    case accessLost
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, and what to do.
  package let diagnosis: Diagnosis

  package init(_ kind: Kind, because reason: String? = nil) {
    self.kind = kind
    let why = reason.map { ": \($0)" } ?? ""
    switch kind {
    case .unanswered:
      diagnosis = Diagnosis(
        "the locate service gives no answer\(why)", remedy: "check its address, and try again later"
      )
    case .malformed:
      diagnosis = Diagnosis(
        "the locate service's answer cannot be used\(why)",
        remedy: "check that it is a locate service")
    case .accessRefused:
      diagnosis = Diagnosis(
        "none of the servers that were located gives access\(why)",
        remedy: "try again later, or name a server")
    case .accessLost:
      diagnosis = Diagnosis("the access to the server was lost\(why)", remedy: "try again")
    }
  }
}
