import LunaJSON

/// What a server of ours measured of a slot.
package struct SlotReceipt: Hashable, Sendable {
  /// How many bytes came, or were taken.
  package let bytes: Int
  /// From the first to the last of them, s.
  package let seconds: Double
  /// How many bytes there were at what time, s: some points of the way.
  package let samples: [[Double]]
  /// The least round trip that the server has seen, s; nil where it knows none.
  package let leastRoundTrip: Double?
  /// How many bytes the server sent again.
  package let retransmitted: Int

  /// A receipt.
  package init(
    bytes: Int, seconds: Double, samples: [[Double]], leastRoundTrip: Double? = nil,
    retransmitted: Int = 0
  ) {
    self.bytes = bytes
    self.seconds = seconds
    self.samples = samples
    self.leastRoundTrip = leastRoundTrip
    self.retransmitted = retransmitted
  }

  init(_ fields: JSONMembers) throws(FormatError) {
    bytes = Int(try fields.integer("bytes", in: 0...SessionRequest.mostBytes))
    seconds = try SessionText.number("seconds", of: fields)
    var samples: [[Double]] = []
    for sample in try fields.array("samples") {
      guard case .array(let parts) = sample, parts.count == 2,
        let time = SessionText.number(parts[0]), let bytes = SessionText.number(parts[1])
      else { throw FormatError("samples", "has one that is not [seconds, bytes]") }
      samples.append([time, bytes])
    }
    self.samples = samples
    // Not every server tells them.
    leastRoundTrip =
      try fields.optional("minRtt") == nil ? nil : SessionText.number("minRtt", of: fields)
    retransmitted =
      try fields.optional("retransmitted") == nil
      ? 0 : Int(fields.integer("retransmitted", in: 0...SessionRequest.mostBytes))
  }

  /// A microsecond, or a part of a byte, is as much as anybody needs to know.
  private static func short(_ number: Double) -> JSONValue { .real((number * 1e6).rounded() / 1e6) }

  var members: JSONObject {
    [
      "bytes": .integer(Int64(bytes)), "seconds": .real(seconds),
      "samples": .array(samples.map { .array($0.map(SlotReceipt.short)) }),
      "minRtt": leastRoundTrip.map { JSONValue.real($0) } ?? .null,
      "retransmitted": .integer(Int64(retransmitted)),
    ]
  }
}
