public import Diagnosis

/// Keys that were not given to whom they are asked of (PROTOCOL.md, 3).
public enum MissingBranchError: String, Diagnosed, Sendable {
  /// Kao, which reads locations and makes the heid.
  case location
  /// Kbo, which reads the status and makes deferred packages.
  case control
  /// Kow, which makes interactive packages.
  case owner

  /// Which keys are not there.
  public var diagnosis: Diagnosis { Diagnosis("the keys do not hold what is needed (\(rawValue))") }
}
