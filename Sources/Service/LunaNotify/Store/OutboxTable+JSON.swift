import Bluetooth
import LunaCore
package import LunaJSON

extension OutboxTable.Row {
  /// It as JSON, as `luna notify list` says it too: what is to be said, to whom, and how far that is; no
  /// secret of a channel is in it.
  package var json: JSONValue {
    func time(_ microseconds: Int64) -> JSONValue {
      .string(Timestamp(microseconds: microseconds).rfc3339)
    }
    var object: JSONObject = [
      "id": .string(String(entry.id)), "time": time(entry.message.at),
      "firing": .string(entry.message.firing), "rule": .string(entry.message.rule),
      "ruleName": .string(entry.message.ruleName),
      "level": .string(entry.message.level.rawValue),
      "channel": .string(entry.request == nil ? entry.channel : "webhook"),
      "contact": .string(entry.contact), "text": .string(entry.message.text),
      "state": .string(state.rawValue), "attempts": .integer(Int64(entry.attempts)),
    ]
    if state == .waiting { object.append("dueAt", time(entry.due)) }
    if let ended { object.append("endedAt", time(ended)) }
    if !reason.isEmpty { object.append("reason", .string(reason)) }
    return .object(object)
  }
}
