/// Something that a client does by one request after the other. It gets only what can answer its
/// last request: the response that belongs to it, or an error.
protocol ATTProcedure: Sendable {
  /// The first step.
  mutating func begin() -> ATTStep

  /// The step after an answer.
  mutating func receive(_ answer: ATTPDU) -> ATTStep

  /// Whether the peer keeps something that it has to be told to forget when this is given up now.
  var leavesPreparedWrites: Bool { get }
}

extension ATTProcedure {
  var leavesPreparedWrites: Bool { false }
}

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
