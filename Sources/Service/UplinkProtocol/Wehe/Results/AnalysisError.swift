public import Diagnosis

/// Why a server gives no result of a test (UPLINK.md, 5.4, 5.5).
public struct AnalysisError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, CaseIterable, Sendable {
    /// The server says that a field is missing.
    case analysisRefused
    /// It does not begin to compare.
    case analysisGaveUp
    /// It has compared, and does not say what came of it.
    case resultGaveUp
    /// What it says is no result of this test.
    case malformed
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, and what to do.
  public let diagnosis: Diagnosis

  package init(_ kind: Kind, because reason: String? = nil) {
    self.kind = kind
    let why = reason.map { ": \($0)" } ?? ""
    switch kind {
    case .analysisRefused:
      diagnosis = Diagnosis(
        "the server does not compare the replays\(why)",
        remedy: "check that it is a server of Wehe's")
    case .analysisGaveUp:
      diagnosis = Diagnosis(
        "the server does not begin to compare the replays\(why)",
        remedy: "check the port for its results")
    case .resultGaveUp:
      diagnosis = Diagnosis("the server does not say its result\(why)")
    case .malformed:
      diagnosis = Diagnosis("the server's result cannot be used\(why)")
    }
  }
}
