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
