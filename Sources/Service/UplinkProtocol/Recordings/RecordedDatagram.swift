import Bluetooth
import LunaJSON

/// A datagram that a client sends over UDP.
public struct RecordedDatagram: Hashable, Sendable {
  /// Client and server.
  public let pair: ConnectionPair
  /// When it was sent, s from the beginning.
  public let time: Double
  /// The bytes, at most 65,507.
  public let payload: [UInt8]
  /// Whether it is the last one.
  public let isLast: Bool

  init(pair: ConnectionPair, time: Double, payload: [UInt8], isLast: Bool) {
    self.pair = pair
    self.time = time
    self.payload = payload
    self.isLast = isLast
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    pair = try fields.pair("c_s_pair")
    time = try fields.time()
    payload = try fields.bytes("payload", limit: RecordingLimits.datagram)
    isLast = try fields.bool("end")
  }

  var json: JSONValue {
    [
      "c_s_pair": .string(pair.description), "timestamp": .real(time),
      "payload": .string(Hex.lower(payload)), "end": .bool(isLast),
    ]
  }

  /// The same with all bits the other way round.
  var inverted: RecordedDatagram { replacing(payload.map { ~$0 }) }

  /// The same with other bytes.
  func replacing(_ payload: [UInt8]) -> RecordedDatagram {
    RecordedDatagram(pair: pair, time: time, payload: payload, isLast: isLast)
  }
}
