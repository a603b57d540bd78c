/// Why a step that is to bring a scan back did not work.
struct StepProblem: Error, Hashable {
  let reason: String
  /// Whether something was done all the same: then the adapter may be off. Otherwise the step was refused, and all is as
  /// it was.
  let hasBegun: Bool

  init(_ reason: String, hasBegun: Bool = false) {
    self.reason = reason
    self.hasBegun = hasBegun
  }
}
