package import UplinkProtocol

/// What a test by a server of Wehe's came to.
package struct WeheTestResult: Sendable {
  /// What the two replays say.
  package let comparison: ReplayComparison
  /// What the server makes of them; nil where it was not asked.
  package let outcome: AnalysisOutcome?
  /// One's own address as the server sees it; nil where it does not tell.
  package let ownAddress: String?
}
