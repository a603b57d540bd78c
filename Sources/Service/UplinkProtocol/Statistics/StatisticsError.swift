public import Diagnosis

/// Why a statistic cannot be computed of what was given.
public struct StatisticsError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// There are no samples.
    case empty
    /// A sample is infinite or not a number.
    case notFinite
    /// A sample, or a parameter, is outside of what the statistic is defined for.
    case outOfRange
    /// There are more samples than the statistic is made for.
    case tooMany
    /// There are too few samples for a probability.
    case tooFew
    /// Two lists of what belongs together have different lengths.
    case unequal
    /// All samples are equal, so that nothing can go along with them.
    case constant
  }

  /// The kind of failure.
  public let kind: Kind
  /// What is wrong, and with which samples.
  public let diagnosis: Diagnosis

  /// A failure.
  init(_ kind: Kind, _ problem: String) {
    self.kind = kind
    diagnosis = Diagnosis(problem)
  }
}
