public import Diagnosis
public import LunaJSON

/// Why a backend did not do what it was asked for. Never holds a token.
public struct BackendError: Diagnosed, CustomStringConvertible, Hashable {
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
    /// Another program of this machine is at it.
    case inUse
    /// Something on this machine is missing.
    case local
    /// The library that speaks HTTP is missing, or cannot be used.
    case library
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
  /// What the backend's answer tells programs; nil where it says nothing in the backend's way.
  public let problem: ProblemDocument?
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(
    _ kind: Kind, _ reason: String, status: Int? = nil, retryAfter: Int? = nil,
    isExplained: Bool = false, problem: ProblemDocument? = nil, remedy: Remedy? = nil
  ) {
    self.kind = kind
    self.status = status
    self.retryAfter = retryAfter
    self.isExplained = isExplained
    self.problem = problem
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  /// Whether the same request may succeed later without anybody doing something.
  public var isTemporary: Bool {
    switch kind {
    case .unreachable, .interrupted, .busy, .failed, .answer, .inUse: true
    case .untrusted, .address, .redirected, .refused, .notFound, .malformed, .local, .library: false
    }
  }
}
