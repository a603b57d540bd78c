/// Why a backend did not do what was asked, or could not be asked.
public struct BackendError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, CaseIterable, Sendable {
    /// The request cannot be made: a wrong address, no token, a connection that is not protected.
    case invalid
    /// No connection: no network, no such name, nobody listens, the connection broke.
    case unreachable
    /// No answer in time.
    case timedOut
    /// The other side cannot show who it is.
    case untrusted
    /// The token is missing, unknown or revoked (401).
    case unauthorized
    /// The token is not for this (403).
    case forbidden
    /// There is no such thing (404).
    case notFound
    /// It contradicts what is there (409).
    case conflict
    /// The request is not understood (400, 415 and others below 500).
    case refused
    /// The request is too large (413).
    case tooLarge
    /// Too many requests (429).
    case limited
    /// The backend cannot serve now (503).
    case unavailable
    /// The backend failed (500 and others).
    case failed
    /// The answer makes no sense.
    case malformedReply
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?
  /// How long the backend wants to be left alone.
  public let retryAfter: Duration?

  /// A failure.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil, retryAfter: Duration? = nil) {
    self.kind = kind
    self.reason = reason
    self.hint = hint
    self.retryAfter = retryAfter
  }

  /// Whether the same request may succeed later without anybody changing anything.
  public var isTemporary: Bool {
    switch kind {
    case .unreachable, .timedOut, .limited, .unavailable, .failed, .malformedReply: true
    case .invalid, .untrusted, .unauthorized, .forbidden, .notFound, .conflict, .refused,
      .tooLarge:
      false
    }
  }
}

extension BackendError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
