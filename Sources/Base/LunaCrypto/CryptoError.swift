public import Diagnosis

/// What went wrong in a cryptographic operation. Never holds key material.
public struct CryptoError: Diagnosed, CustomStringConvertible, Hashable {
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
  public let detail: String

  /// An error that was found before OpenSSL was asked.
  init(_ kind: Kind, _ operation: String, detail: String = "") {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }
}

extension CryptoError {
  /// The operation, the kind and the detail.
  public var diagnosis: Diagnosis {
    let what =
      switch kind {
      case .unavailable: "not available in this libcrypto"
      case .length: "wrong length"
      case .invalidKey: "invalid key"
      case .authentication: "authentication failed"
      case .failed: "failed"
      }
    return Diagnosis(detail.isEmpty ? what : "\(what) (\(detail))", during: operation)
  }
}
