import Bluetooth
import LunaCore
import LunaProtocol
import LunaLocal

/// A line of `luna local`: declared here once.
enum LocalDocument {
  /// Writes the fields of an update behind `"type":"device"`.
  static func write(
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

  private static func milliseconds(_ seconds: Double) -> Int64 {
    let value = (seconds * 1000).rounded()
    return value.isFinite ? Int64(max(-9e15, min(9e15, value))) : 0
  }
}
