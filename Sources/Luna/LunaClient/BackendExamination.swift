package import LunaCore

/// What came of asking a backend whether it is there, and whether it knows a token.
package struct BackendExamination: Hashable, Sendable {
  /// Why it cannot be asked, or does not answer as a backend does; nil where it does.
  package var problem: BackendError?
  /// How far its clock is ahead of ours, in whole seconds, for neither the answer's way nor the
  /// header Date is more precise; nil where it told no time.
  package var secondsAhead: Int64?
  /// What is wrong with the token; nil where it is accepted, or could not be shown.
  package var refusal: BackendError?

  package init(
    problem: BackendError? = nil, secondsAhead: Int64? = nil, refusal: BackendError? = nil
  ) {
    self.problem = problem
    self.secondsAhead = secondsAhead
    self.refusal = refusal
  }
}
