import Bluetooth
import LunaCore
import LunaJSON

/// How many unknown devices of a family stayed in an hour.
struct StayingCount: Hashable, Sendable {
  /// When the hour began.
  let hour: Timestamp
  let family: String
  let count: Int64

  /// The count as the API tells it.
  var json: JSONValue {
    ["hour": .string(hour.rfc3339), "family": .string(family), "count": .integer(count)]
  }
}
