import COpenSSL

/// What went wrong in a cryptographic operation. Never holds key material.
public struct CryptoError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// This libcrypto does not offer the algorithm, or refuses it.
    case unavailable
    /// A key, nonce or other input does not have the length that the algorithm asks for.
    case length
    /// A scalar or a point is not valid on its curve, or a key agreement gave all zeros.
    case invalidKey
    /// A tag does not belong to this key, nonce and data.
    case authentication
    /// The operation failed for another reason, memory included.
    case failed
  }

  /// The kind of failure.
  public let kind: Kind
  /// What was being done, such as `AES-256-GCM open`.
  public let operation: String
  /// What OpenSSL says about it, or what was found; empty when there is nothing to add.
  public let reason: String

  /// An error that was found before OpenSSL was asked.
  init(_ kind: Kind, _ operation: String, reason: String = "") {
    self.kind = kind
    self.operation = operation
    self.reason = reason
  }

  /// The error that OpenSSL left on this thread; clears its queue.
  static func fromOpenSSL(_ kind: Kind, _ operation: String) -> CryptoError {
    let code = ERR_peek_last_error()
    let text = unsafe ERR_reason_error_string(code)
    let reason = unsafe text.map { unsafe String(cString: $0) } ?? ""
    ERR_clear_error()
    return CryptoError(kind, operation, reason: reason)
  }
}

extension CryptoError: CustomStringConvertible {
  /// The operation, the kind and the reason in one line.
  public var description: String {
    let what =
      switch kind {
      case .unavailable: "not available in this libcrypto"
      case .length: "wrong length"
      case .invalidKey: "invalid key"
      case .authentication: "authentication failed"
      case .failed: "failed"
      }
    return reason.isEmpty ? "\(operation): \(what)" : "\(operation): \(what) (\(reason))"
  }
}
