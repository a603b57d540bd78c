import LunaJSON

/// One replay, as far as a result tells of it.
package struct ReplaySide: Sendable {
  /// What became of it.
  package let outcome: ReplayOutcome
  /// What the server was sent; nil where there was nothing to send.
  package let samples: ReplaySamples?
  /// How many bytes of data went, both ways together.
  package let bytes: Int
  /// How long they took, s.
  package let seconds: Double

  /// A replay that was made, or tried.
  package init(_ outcome: ReplayOutcome, samples: ReplaySamples?, bytes: Int, seconds: Double) {
    self.outcome = outcome
    self.samples = samples
    self.bytes = bytes
    self.seconds = seconds
  }

  /// Why it came to no end; nil where it did.
  var error: ReplayError? {
    switch outcome {
    case .finished: nil
    case .failed(let error): error
    }
  }

  /// What a server holds of it, Mbit/s.
  var held: [Double] { samples?.held ?? [] }

  /// A line of a result.
  func json(isControl: Bool) -> JSONValue {
    var line: JSONObject = [
      "n": .integer(isControl ? 2 : 1), "pair": 1, "kind": isControl ? "control" : "original",
      "mbps": .real(Samples.mean(held)), "seconds": .real(seconds), "failed": .bool(error != nil),
    ]
    if outcome == .finished(isTruncated: true) { line.append("truncated", true) }
    return .object(line)
  }
}
