import SafeText

/// Why a finder does not work.
public struct FinderError: Error, Hashable, Sendable {
  /// The kinds.
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

  /// The kind.
  public let kind: Kind
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }
}

extension FinderError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
