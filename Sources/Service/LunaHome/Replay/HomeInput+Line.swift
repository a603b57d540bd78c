import LunaJSON

extension HomeInput {
  /// It as a line of a day that is judged again; nil for what does not come from outside.
  func line(at wall: Int64) -> String? {
    var object: JSONObject = ["type": "input", "time": .string(HomeTime.text(wall))]
    func add(_ kind: String) { object.append("kind", .string(kind)) }
    switch self {
    case .start, .clock, .system, .watch, .snooze, .run: return nil
    case .fix(let tracker, let fix):
      add("fix")
      object.append("tracker", .string(tracker))
      object.append("latitude", .real(fix.latitude))
      object.append("longitude", .real(fix.longitude))
      object.append("accuracy", .real(fix.accuracy))
      object.append("seenAt", .string(HomeTime.text(fix.time)))
      object.append("report", .string(fix.report))
    case .frame(let tracker, let rssi, let adapter):
      add("frame")
      object.append("tracker", .string(tracker))
      object.append("rssi", .integer(Int64(rssi)))
      object.append("adapter", .string(adapter))
    case .value(let tracker, let property, let value):
      add("value")
      object.append("tracker", .string(tracker))
      object.append("property", .string(property))
      object.append("value", value.json)
    case .message(let name):
      add("message")
      object.append("name", .string(name))
    case .alive: add("alive")
    case .receiver(let isScanning):
      add("receiver")
      object.append("scanning", .bool(isScanning))
    }
    return JSONValue.object(object).description
  }
}
