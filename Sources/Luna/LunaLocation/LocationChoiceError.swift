public import Diagnosis

/// What is wrong with the text of a location source, to follow that text.
public struct LocationChoiceError: Diagnosed, Hashable {
  /// Its reason is such as `has no host`.
  public let diagnosis: Diagnosis

  init(_ problem: String) { diagnosis = Diagnosis(problem) }
}
