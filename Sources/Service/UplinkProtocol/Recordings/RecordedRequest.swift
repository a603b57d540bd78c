import Bluetooth
import LunaJSON

/// What a client sends at once over TCP, and how much is answered before it goes on.
public struct RecordedRequest: Hashable, Sendable {
  /// The connection.
  public let pair: ConnectionPair
  /// When it was sent, s from the beginning.
  public let time: Double
  /// The bytes, at most 1 MiB.
  public let payload: [UInt8]
  /// How many bytes are answered, at most 1 GiB.
  public let answerLength: Int
  /// The SHA-1 of the answer, 20 bytes; nil where it is not known.
  public let answerHash: [UInt8]?

  init(
    pair: ConnectionPair, time: Double, payload: [UInt8], answerLength: Int, answerHash: [UInt8]?
  ) {
    self.pair = pair
    self.time = time
    self.payload = payload
    self.answerLength = answerLength
    self.answerHash = answerHash
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    pair = try fields.pair("c_s_pair")
    time = try fields.time()
    payload = try fields.bytes("payload", limit: RecordingLimits.payload)
    answerLength = try fields.integer("response_len", in: 0...RecordingLimits.answer)
    answerHash = try fields.hash("response_hash")
  }

  var json: JSONValue {
    [
      "c_s_pair": .string(pair.description), "timestamp": .real(time),
      "payload": .string(Hex.lower(payload)), "response_len": .integer(Int64(answerLength)),
      "response_hash": answerHash.map { .string(Hex.lower($0)) } ?? .null,
    ]
  }

  /// The same with all bits the other way round.
  var inverted: RecordedRequest { replacing(payload.map { ~$0 }) }

  /// The same with other bytes. What is answered then may have another hash.
  func replacing(_ payload: [UInt8]) -> RecordedRequest {
    RecordedRequest(
      pair: pair, time: time, payload: payload, answerLength: answerLength, answerHash: nil)
  }
}
