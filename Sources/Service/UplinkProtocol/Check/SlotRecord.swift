import Glibc
package import LunaJSON

/// A slot that was made, or tried.
package struct SlotRecord: Hashable, Sendable {
  /// No time that is shorter is taken for what it is, s.
  package static let least = 0.01

  /// What it carried.
  package let kind: SlotKind
  /// What was measured of it.
  package let outcome: SlotOutcome
  /// How many bytes of data went, both ways together.
  package let bytes: Int
  /// How long they took, s.
  package let seconds: Double
  /// The fastest that a part of it was that counts, bytes each second; nil where no part was measured.
  package let fastest: Double?
  /// How fast it was over its time; nil where that is not known.
  package let curve: ReplaySamples?
  /// How many bytes of data the link carried for it: also those that went again, or were on their way when it ended.
  package let carried: Int
  /// How many bytes the server may have: from those that it has acknowledged up to all that were sent to it.
  package let arrived: ClosedRange<Int>

  /// A slot.
  package init(
    _ kind: SlotKind, _ outcome: SlotOutcome, bytes: Int, seconds: Double, fastest: Double?,
    curve: ReplaySamples? = nil, carried: Int? = nil, arrived: ClosedRange<Int>? = nil
  ) {
    self.kind = kind
    self.outcome = outcome
    self.bytes = bytes
    self.seconds = seconds
    self.fastest = fastest
    self.curve = curve
    self.carried = max(bytes, carried ?? bytes)
    self.arrived = arrived ?? bytes...bytes
  }

  /// The same slot, for which the link carried so many bytes more, such as what was said of it.
  package func carrying(more bytes: Int) -> SlotRecord {
    SlotRecord(
      kind, outcome, bytes: self.bytes, seconds: seconds, fastest: fastest, curve: curve,
      carried: carried + bytes, arrived: arrived)
  }

  /// What was measured; of a slot that was too fast for that, a speed that it had at least.
  package var speed: SlotOutcome {
    guard outcome == .tooFast, bytes > 0 else { return outcome }
    return .measured(Double(bytes) / max(seconds, SlotRecord.least))
  }

  /// A line of a result (UPLINK.md, 16).
  package func json(_ number: Int, pair: Int, _ measure: SlotMeasure) -> JSONValue {
    var line: JSONObject = [
      "n": .integer(Int64(number)), "pair": .integer(Int64(pair)), "kind": .string(kind.rawValue),
    ]
    if case .measured(let value) = outcome {
      if measure == .rate { line.append("mbps", .real(value * 8 / 1e6)) }
      line.append("x", .real(measure == .rate ? log(value) : -log(value)))
    }
    line.append("seconds", .real(seconds))
    line.append("failed", .bool(outcome == .failed))
    if outcome == .tooFast { line.append("tooFast", true) }
    return .object(line)
  }
}
