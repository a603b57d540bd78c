import COpenSSL

extension CryptoError {
  /// The error that OpenSSL left on this thread; clears its queue.
  static func fromOpenSSL(_ kind: Kind, _ operation: String) -> CryptoError {
    let code = ERR_peek_last_error()
    let text = unsafe ERR_reason_error_string(code)
    let detail = unsafe text.map { unsafe String(cString: $0) } ?? ""
    ERR_clear_error()
    return CryptoError(kind, operation, detail: detail)
  }
}
