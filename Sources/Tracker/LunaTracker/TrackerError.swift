import SafeText

/// Why a tracker cannot be made, read or kept.
public struct TrackerError: Error, Hashable, Sendable {
  /// The kinds.
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

  /// The kind.
  public let kind: Kind
  /// What happened and why, in one clause without a full stop.
  public let reason: String
  /// What to do about it, in one clause; nil when there is nothing to say.
  public let hint: String?
  /// The error number of the system, where it refused.
  public let errno: Int32?

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil, errno: Int32? = nil) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
    self.errno = errno
  }
}

extension TrackerError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
