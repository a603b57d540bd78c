public import Diagnosis

/// Why a tracker cannot be made, read or kept.
public struct TrackerError: Diagnosed, CustomStringConvertible, Hashable {
  /// What went wrong, for programs that decide by it.
  public enum Kind: String, Sendable {
    /// There is no tracker of that name.
    case notFound
    /// There is one already.
    case exists
    /// Another process runs it.
    case busy
    /// Its flash is damaged, or was written by a newer version.
    case unreadable
    /// The name or the request makes no sense.
    case invalid
    /// The system refused to read or write.
    case system
    /// libcrypto failed.
    case crypto
  }

  /// What went wrong; ``diagnosis`` says it in words, and what to do.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis
  /// The error number of the system, where it refused.
  public let errno: Int32?

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil, errno: Int32? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
    self.errno = errno
  }
}
