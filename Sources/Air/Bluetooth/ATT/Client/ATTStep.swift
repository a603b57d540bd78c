/// What a procedure does next.
enum ATTStep: Hashable, Sendable {
  /// Sends this request and waits for the answer.
  case request(ATTPDU)
  /// Has ended.
  case done(ATTOutcome)
  /// Has failed.
  case failed(GATTError)
}

extension ATTStep {
  /// The peer refused the request.
  static func refused(_ error: ATTErrorCode, during operation: String) -> ATTStep {
    var reason = "the peer answered \(error)"
    if error.asksForPairing { reason += ": it wants to be paired with, which is not offered" }
    return .failed(
      GATTError(.refused, during: operation, reason, attributeError: error.rawValue))
  }

  /// The answer is not one that the specification allows.
  static func malformed(_ what: String, during operation: String) -> ATTStep {
    .failed(GATTError(.malformed, during: operation, "the peer answered with \(what)"))
  }
}
