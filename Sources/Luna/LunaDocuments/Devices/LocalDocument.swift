import Bluetooth
import LunaCore
package import LunaLocal
import LunaProtocol

/// What happened to a tracker nearby: the fields of its line are declared here once.
package enum LocalDocument {
  /// Writes the fields of an update behind `"type":"device"`.
  private static func write(
    _ update: LocalUpdate, _ timeText: inout TimeText, to writer: inout JSONFieldWriter
  ) {
    let state = update.state
    writer.string("event", update.event.rawValue)
    if let uuid = state.uuid {
      writer.string("device", uuid.description)
    } else {
      writer.null("device")
    }
    if let name = state.name { writer.string("name", name) }
    if state.kind != .luna { writer.string("kind", state.kind.rawValue) }
    if let address = state.address { writer.address("address", address) }
    if let rssi = state.rssi { writer.integer("rssi", Int64(rssi)) }
    if let eid = state.eid { writer.string("eid", eid) }
    if let heid = state.heid { writer.string("heid", heid) }
    if let period = state.period { writer.integer("counter", Int64(period)) }
    if let time = state.lastSeenDate { writer.string("time", timeText.string(time)) }
    if let time = update.expectedAt { writer.string("expectedAt", timeText.string(time)) }
    if let drift = update.drift { writer.decimal("drift", milliseconds(drift), digits: 3) }
    if let clock = state.clock {
      writer.beginItem("clock")
      writer.decimal("low", milliseconds(clock.low), digits: 3)
      writer.decimal("high", milliseconds(clock.high), digits: 3)
      writer.integer("ppm", clock.ppm)
      writer.endItem()
    }
    if let isLow = state.batteryLowLevel { writer.boolean("batteryLow", isLow) }
    if let isConnectable = state.connectable { writer.boolean("connectable", isConnectable) }
    if let isSeparated = state.separated { writer.boolean("separated", isSeparated) }
    if state.onboardable { writer.boolean("onboardable", true) }
    if state.isProvisional { writer.boolean("provisional", true) }
    if state.flagsDiffer { writer.boolean("flagsDiffer", true) }
  }

  /// Appends the line of an update.
  package static func append(
    _ update: LocalUpdate, _ timeText: inout TimeText, to output: OutputBuffer
  ) {
    var writer = JSONFieldWriter("device", in: output)
    write(update, &timeText, to: &writer)
    writer.endLine()
  }

  /// What others are told of an update: by whom it was heard they need not know, nor by what it could be followed.
  package static func appendNews(
    of update: LocalUpdate, _ timeText: inout TimeText, to output: OutputBuffer
  ) {
    let state = update.state
    var writer = JSONFieldWriter("device", in: output)
    writer.string("event", update.event.rawValue)
    if let time = state.lastSeenDate { writer.string("time", timeText.string(time)) }
    if let uuid = state.uuid { writer.string("device", uuid.description) }
    if let name = state.name { writer.string("name", name) }
    if let rssi = state.rssi { writer.integer("rssi", Int64(rssi)) }
    if let isLow = state.batteryLowLevel { writer.boolean("batteryLow", isLow) }
    writer.endLine()
  }

  /// The same for a program that finds it in its environment.
  package static func variables(of update: LocalUpdate) -> [(name: String, value: String)] {
    let state = update.state
    var variables: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      if let value { variables.append(("LUNA_" + name, value)) }
    }
    add("TRACKER", state.name)
    add("DEVICE", state.uuid?.description)
    add("TIME", state.lastSeenDate?.rfc3339)
    add("RSSI", state.rssi.map { String(Int($0)) })
    add("BATTERY_LOW", state.batteryLowLevel.map { $0 ? "1" : "0" })
    return variables
  }

  private static func milliseconds(_ seconds: Double) -> Int64 {
    let value = (seconds * 1000).rounded()
    return value.isFinite ? Int64(max(-9e15, min(9e15, value))) : 0
  }
}
