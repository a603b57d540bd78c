import Bluetooth
import LunaJSON

/// What a server sends at once.
public enum AnswerContent: Hashable, Sendable {
  /// These bytes, at most 1 MiB.
  case payload([UInt8])
  /// So many bytes, at most 1 GiB, of a generator: the words of ``SplitMix64`` of this seed, each with its
  /// lowest byte first.
  case fill(count: Int, seed: UInt64)

  /// How many bytes there are.
  public var count: Int {
    switch self {
    case .payload(let bytes): bytes.count
    case .fill(let count, _): count
    }
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    guard fields["fill"] != nil else {
      self = .payload(try fields.bytes("payload", limit: RecordingLimits.payload))
      return
    }
    guard fields["payload"] == nil else {
      throw fields.problem("fill", "is there, and a payload too")
    }
    self = .fill(
      count: try fields.integer("fill", in: 1...RecordingLimits.answer),
      seed: UInt64(try fields.integer("seed", in: 0...Int.max)))
  }

  func append(to object: inout JSONObject) {
    switch self {
    case .payload(let bytes): object.append("payload", .string(Hex.lower(bytes)))
    case .fill(let count, let seed):
      object.append("fill", .integer(Int64(count)))
      object.append("seed", .integer(Int64(clamping: seed)))
    }
  }

  /// The same with all bits the other way round; what a generator makes is of no application as it is.
  var inverted: AnswerContent {
    switch self {
    case .payload(let bytes): .payload(bytes.map { ~$0 })
    case .fill: self
    }
  }
}
