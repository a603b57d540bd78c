import Glibc

/// Whether a probe is still treated: a sequential probability ratio test between the two levels (Wald, 1945,
/// "Sequential tests of statistical hypotheses"), wrong in 0.1 % of either case.
struct ProbeTest: Sendable {
  enum Answer: Sendable {
    case treated
    case ended
    /// The slots do not tell.
    case undecided
  }

  /// How likely it is wrong.
  static let error = 0.001
  /// How many slots it has at most.
  static let slots = 6
  private static let bound = log((1 - error) / error)
  /// No slot counts for more: one alone decides nothing, however far off it is.
  private static let most = 4.0

  private let levels: TreatmentLevels
  private var evidence = 0.0
  private var count = 0

  init(_ levels: TreatmentLevels) { self.levels = levels }

  /// Takes what came of a slot; nil when more are needed.
  mutating func take(_ outcome: SlotOutcome) -> Answer? {
    count += 1
    evidence += min(max(levels.evidence(of: outcome), -ProbeTest.most), ProbeTest.most)
    if evidence >= ProbeTest.bound { return .ended }
    if evidence <= -ProbeTest.bound { return .treated }
    return count < ProbeTest.slots ? nil : .undecided
  }
}
