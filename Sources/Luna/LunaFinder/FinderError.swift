public import Diagnosis

/// Why a finder does not work.
public struct FinderError: Diagnosed, CustomStringConvertible, Hashable {
  /// What went wrong, for programs that decide by it.
  public enum Kind: String, Sendable {
    /// The configuration makes no sense, or is not allowed.
    case configuration
    /// libcrypto does not work.
    case crypto
    /// Nothing is known of where the gateway is, so that nothing can be reported.
    case location
    /// The clock shows no time that can be; reports wait.
    case clock
    /// The queue cannot be written, or its file is gone.
    case storage
  }

  /// What went wrong; ``diagnosis`` says it in words, and what to do.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}
