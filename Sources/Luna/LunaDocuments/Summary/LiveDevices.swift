package import Bluetooth
package import LunaCore
package import LunaLocal
import LunaProtocol
import Synchronization

/// The devices that a live display shows, with the recent past of their signals: filled by a scan,
/// looked at by another thread.
package final class LiveDevices: Sendable {
  private struct State {
    var histories: [ObjectIdentifier: DeviceHistory] = [:]
    var lastID: UInt64 = 0
    var clock: ReportClock
  }

  private let state: Mutex<State>
  private let showsForeign: Bool

  /// The fields that a filter may name: those of a JSON line that are known of a device at any time.
  package static let catalog = FieldCatalog(
    top: [
      ("device", .hex), ("name", .text), ("kind", .text), ("address", .hex), ("rssi", .number),
      ("eid", .hex), ("heid", .hex), ("counter", .number), ("batteryLow", .boolean),
      ("connectable", .boolean), ("separated", .boolean), ("onboardable", .boolean),
    ], items: [])

  /// - Parameters:
  ///   - showsForeign: Whether trackers of others are shown.
  ///   - isFile: Whether a recording is read at full speed: then time is that of its newest report.
  package init(showsForeign: Bool, isFile: Bool) {
    state = Mutex(State(clock: ReportClock(isFile: isFile)))
    self.showsForeign = showsForeign
  }

  /// Nothing more will come: ages stand still.
  package func end() { state.withLock { $0.clock.stop() } }

  /// Takes note of the signal of a device.
  package func hear(_ update: LocalUpdate, at time: Timestamp) {
    state.withLock { state in
      let key = ObjectIdentifier(update.device)
      guard update.event != .timedOut else {
        if update.state.uuid == nil { state.histories[key] = nil }
        return
      }
      // A time that passes without a report brings no signal, nor does what a report says twice.
      guard time != .unknown, update.event.isFrame else { return }
      state.clock.hear(time)
      var history =
        state.histories[key]
        ?? {
          state.lastID += 1
          return DeviceHistory(id: state.lastID, at: time)
        }()
      history.hear(update.state.rssi, at: time)
      state.histories[key] = history
    }
  }

  /// Shows every device, with its past where it was heard, whether it passes the filter, and the time
  /// that it is.
  package func forEach(
    of devices: [LocalDevice], filter: FilterExpression?,
    _ body: (LocalDevice.State, DeviceHistory?, _ passes: Bool, _ now: Timestamp) -> Void
  ) {
    state.withLock { state in
      var collector = FieldCollector(filter?.fields ?? [])
      // Ages go on while nothing is heard.
      let now = state.clock.now
      let present = Set(devices.map { ObjectIdentifier($0) })
      state.histories = state.histories.filter { present.contains($0.key) }
      for device in devices {
        let known = device.snapshot
        guard showsForeign || known.uuid != nil else { continue }
        var passes = true
        if let filter {
          collector.reset()
          LiveDevices.write(known, to: &collector)
          passes = filter.holds(collector)
        }
        body(known, state.histories[ObjectIdentifier(device)], passes, now)
      }
    }
  }

  /// The fields of ``catalog``.
  private static func write(_ state: LocalDevice.State, to writer: inout FieldCollector) {
    if let uuid = state.uuid { writer.digits("device", uuid.description) }
    if let name = state.name { writer.string("name", name) }
    writer.string("kind", state.kind.rawValue)
    if state.timedOut != nil { writer.digits("address", state.identifier) }
    if let rssi = state.rssi { writer.integer("rssi", Int64(rssi)) }
    if let eid = state.eid { writer.digits("eid", eid) }
    if let heid = state.heid { writer.digits("heid", heid) }
    if let period = state.period { writer.integer("counter", Int64(period)) }
    if let isLow = state.batteryLowLevel { writer.boolean("batteryLow", isLow) }
    if let isConnectable = state.connectable { writer.boolean("connectable", isConnectable) }
    if let isSeparated = state.separated { writer.boolean("separated", isSeparated) }
    writer.boolean("onboardable", state.onboardable)
  }
}
