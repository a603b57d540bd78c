public import Diagnosis

/// What a check found.
public struct Finding: Hashable, Sendable {
  /// What was looked at.
  public let check: Check
  /// How it ended.
  public let state: CheckState
  /// What was found, in one line without a full stop.
  public let cause: String
  /// What to do; nil where nothing is to be done.
  public let remedy: Remedy?
  /// Whether there was something to look at. Where not, it is `ok`: nobody asked for a backend.
  public let isApplicable: Bool

  /// A finding; a cause that does not fit on one line is escaped.
  public init(
    _ check: Check, _ state: CheckState, _ cause: String, remedy: Remedy? = nil,
    isApplicable: Bool = true
  ) {
    self.check = check
    self.state = state
    self.cause = Diagnosis(cause).reason
    self.remedy = remedy
    self.isApplicable = isApplicable
  }

  /// Nothing to look at.
  static func nothing(_ check: Check, _ cause: String) -> Finding {
    Finding(check, .ok, cause, isApplicable: false)
  }
}
