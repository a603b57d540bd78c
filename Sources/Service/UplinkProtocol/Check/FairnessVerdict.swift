/// What a check says.
public enum FairnessVerdict: Hashable, Sendable {
  /// No difference that is worth a word.
  case fair
  /// The original is slower.
  case throttled
  /// The original is faster.
  case prioritised
  /// The original does not come through, the control does.
  case blocked
  /// Nothing can be said.
  case inconclusive(Reason)

  /// Why nothing can be said.
  public enum Reason: String, CaseIterable, Sendable {
    /// The link varies too much.
    case noisy
    /// There is a difference, and it is smaller than a factor of 1.25.
    case small
    /// A second check did not say the same.
    case notConfirmed
    /// In more than half of the pairs a slot was too short to be measured.
    case tooFast
    /// More than half of the controls failed.
    case failed
  }

  /// The word for programs.
  public var word: String {
    switch self {
    case .fair: "fair"
    case .throttled: "throttled"
    case .prioritised: "prioritised"
    case .blocked: "blocked"
    case .inconclusive: "inconclusive"
    }
  }

  /// Whether it is confirmed by a second check before it is told.
  public var needsConfirmation: Bool {
    switch self {
    case .throttled, .prioritised, .blocked: true
    case .fair, .inconclusive: false
    }
  }

  /// Whether this and another one find a difference in the same direction.
  func isAlong(with other: FairnessVerdict) -> Bool {
    needsConfirmation && other.needsConfirmation
      && (self == .prioritised) == (other == .prioritised)
  }

  /// What is told after a second check.
  public func confirmed(by second: FairnessVerdict) -> FairnessVerdict {
    !needsConfirmation || self == second ? self : .inconclusive(.notConfirmed)
  }
}
