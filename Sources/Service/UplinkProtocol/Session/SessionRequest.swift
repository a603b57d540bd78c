package import LunaJSON

/// What a client says to a server of ours over the side channel (UPLINK.md, 7.2).
package enum SessionRequest: Hashable, Sendable {
  /// What it wants.
  ///
  /// - Parameters:
  ///   - version: that of the protocol, 1.
  ///   - pairs: how many there will be at most.
  ///   - slotBytes: how many bytes a slot has at most.
  ///   - slotSeconds: how long one takes at most.
  case hello(
    version: Int, profile: String, direction: String, pairs: Int, slotBytes: Int,
    slotSeconds: Double)
  /// It wants to make a slot.
  case slot(SlotOrder)
  /// The data of a slot has gone, or come.
  case sent(Int)
  /// That was all.
  case bye

  /// How long a text may be, bytes.
  package static let limit = 16 << 10
  /// No slot and no session has more bytes.
  static let mostBytes: Int64 = 1 << 40
  private static let most: Int64 = 1_000

  /// Reads a text.
  package init(_ text: String) throws(FormatError) {
    let fields = try SessionText.members(text)
    switch try fields.word("type", limit: 16) {
    case "hello":
      self = .hello(
        version: Int(try fields.integer("version", in: 0...SessionRequest.most)),
        profile: try fields.word("profile", limit: 64),
        direction: try fields.word("direction", limit: 16),
        pairs: Int(try fields.integer("pairs", in: 1...SessionRequest.most)),
        slotBytes: Int(try fields.integer("slotBytes", in: 1...SessionRequest.mostBytes)),
        slotSeconds: try SessionText.number("slotSeconds", of: fields))
    case "slot":
      guard let kind = SlotKind(rawValue: try fields.word("kind", limit: 16)),
        let direction = SlotDirection(rawValue: try fields.word("direction", limit: 16))
      else { throw FormatError("the slot", "is of no kind or direction that is known") }
      self = .slot(
        SlotOrder(
          Int(try fields.integer("n", in: 1...SessionRequest.most)), kind, direction,
          bytes: Int(try fields.integer("bytes", in: 1...SessionRequest.mostBytes))))
    case "sent": self = .sent(Int(try fields.integer("n", in: 1...SessionRequest.most)))
    case "bye": self = .bye
    default: throw FormatError("type", "is not one that is known")
    }
  }

  /// The text.
  package var text: String {
    let object: JSONObject =
      switch self {
      case .hello(let version, let profile, let direction, let pairs, let bytes, let seconds):
        [
          "type": "hello", "version": .integer(Int64(version)), "profile": .string(profile),
          "direction": .string(direction), "pairs": .integer(Int64(pairs)),
          "slotBytes": .integer(Int64(bytes)), "slotSeconds": .real(seconds),
        ]
      case .slot(let order):
        [
          "type": "slot", "n": .integer(Int64(order.number)), "kind": .string(order.kind.rawValue),
          "direction": .string(order.direction.rawValue), "bytes": .integer(Int64(order.bytes)),
        ]
      case .sent(let number): ["type": "sent", "n": .integer(Int64(number))]
      case .bye: ["type": "bye"]
      }
    return JSONValue.object(object).description
  }
}
