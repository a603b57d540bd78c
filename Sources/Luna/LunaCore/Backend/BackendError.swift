import SafeText

/// Why a backend did not do what it was asked for. Never holds a token.
public struct BackendError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// No connection could be made.
    case unreachable
    /// The time limit passed, or the connection broke off.
    case interrupted
    /// Its certificate is not to be trusted, or TLS failed.
    case untrusted
    /// It is not to be spoken to: no https, or a wrong address.
    case address
    /// It sends elsewhere, which is not followed.
    case redirected
    /// The token is missing, wrong, revoked, or of another kind (401, 403).
    case refused
    /// There is no such thing (404), or it is no longer so (409).
    case notFound
    /// What was sent is malformed or too large (400, 413, 415 and other 4xx).
    case malformed
    /// It is busy or asks for patience (429, 503).
    case busy
    /// It failed (5xx).
    case failed
    /// Its answer cannot be read.
    case answer
    /// Something on this machine is missing.
    case local
  }

  /// The kind of failure.
  public let kind: Kind
  /// The HTTP status; nil when there was no answer.
  public let status: Int?
  /// After how long it asks to be tried again, s.
  public let retryAfter: Int?
  /// Whether the answer says so in the backend's way (RFC 9457). What comes from a proxy or a portal on
  /// the way does not.
  public let isExplained: Bool
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?

  /// A failure.
  public init(
    _ kind: Kind, _ reason: String, status: Int? = nil, retryAfter: Int? = nil,
    isExplained: Bool = false, hint: String? = nil
  ) {
    self.kind = kind
    self.status = status
    self.retryAfter = retryAfter
    self.isExplained = isExplained
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }

  /// Whether the same request may succeed later without anybody doing something.
  public var isTemporary: Bool {
    switch kind {
    case .unreachable, .interrupted, .busy, .failed, .answer: true
    case .untrusted, .address, .redirected, .refused, .notFound, .malformed, .local: false
    }
  }
}

extension BackendError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
