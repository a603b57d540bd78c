import Bluetooth
import LunaJSON

/// A datagram that a server sends.
public struct ServerDatagram: Hashable, Sendable {
  /// When, s from the beginning of the recording.
  public let time: Double
  /// The bytes, at most 65,507.
  public let payload: [UInt8]

  init(time: Double, payload: [UInt8]) {
    self.time = time
    self.payload = payload
  }

  init(_ fields: RecordingFields) throws(FormatError) {
    time = try fields.time()
    payload = try fields.bytes("payload", limit: RecordingLimits.datagram)
  }

  var json: JSONValue { ["timestamp": .real(time), "payload": .string(Hex.lower(payload))] }

  var inverted: ServerDatagram { ServerDatagram(time: time, payload: payload.map { ~$0 }) }
}
