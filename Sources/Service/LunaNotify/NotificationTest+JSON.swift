import Bluetooth
import LunaClient
import LunaCore
package import LunaJSON

extension NotificationTest.Result {
  /// It as JSON.
  package var json: JSONValue {
    let (state, isTemporary, reason): (JSONValue, JSONValue, JSONValue) =
      switch outcome {
      case .delivered: ("sent", .null, .null)
      case .failed(let reason, _): ("failed", true, .string(reason))
      case .refused(let reason), .gone(let reason): ("failed", false, .string(reason))
      }
    return [
      "channel": .string(channel), "contact": contact.map { .string($0) } ?? .null,
      "time": .string(Timestamp(microseconds: time).rfc3339), "state": state,
      "temporary": isTemporary, "reason": reason,
      "transcript": .array(transcript.map { .string($0) }),
    ]
  }
}
