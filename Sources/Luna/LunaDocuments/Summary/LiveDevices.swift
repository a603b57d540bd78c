import Bluetooth
import LunaCore
import LunaProtocol
import LunaLocal
import Synchronization

/// The rows of the table of `luna local`: a device each, with the recent past of its signal.
final class LocalRows: Sendable {
  private struct History {
    var id: UInt64
    var values: [Int8] = []
    var count = 0
    var lastSeen: Timestamp
    var rate: RateMeter
  }

  private struct State {
    var histories: [ObjectIdentifier: History] = [:]
    var lastID: UInt64 = 0
    var clock: ReportClock
    var notice = ""
  }

  private let state: Mutex<State>
  private let source: String
  private let showsForeign: Bool

  /// The fields that a filter may name: those of a JSON line that a row has.
  static let catalog = FieldCatalog(
    top: [
      ("device", .hex), ("name", .text), ("kind", .text), ("address", .hex), ("rssi", .number),
      ("eid", .hex), ("heid", .hex), ("counter", .number), ("batteryLow", .boolean),
      ("connectable", .boolean), ("separated", .boolean), ("onboardable", .boolean),
    ], items: [])

  /// - Parameter isFile: Whether a recording is read at full speed.
  init(source: String, showsForeign: Bool, isFile: Bool = false) {
    state = Mutex(State(clock: ReportClock(isFile: isFile)))
    self.source = source
    self.showsForeign = showsForeign
  }

  /// Shows `text` above the table until another text comes.
  func setNotice(_ text: String) { state.withLock { $0.notice = text } }

  /// Nothing more will come: ages stand still.
  func end() { state.withLock { $0.clock.stop() } }

  /// Takes note of the signal of a device.
  func hear(_ update: LocalUpdate, at time: Timestamp) {
    state.withLock { state in
      let key = ObjectIdentifier(update.device)
      guard update.event != .timedOut else {
        if update.state.uuid == nil { state.histories[key] = nil }
        return
      }
      // A time that passes without a report brings no signal.
      guard time != .unknown else { return }
      state.clock.hear(time)
      var history =
        state.histories[key]
        ?? {
          state.lastID += 1
          return History(id: state.lastID, lastSeen: time, rate: RateMeter(at: time))
        }()
      history.lastSeen = time
      history.rate.observe(at: time)
      history.count += 1
      if let rssi = update.state.rssi {
        history.values.append(Int8(rssi))
        if history.values.count > 16 { history.values.removeFirst() }
      }
      state.histories[key] = history
    }
  }

  /// What there is to show.
  func snapshot(_ devices: [LocalDevice], _ request: TableRequest) -> TableSnapshot {
    state.withLock { state in
      var collector = FieldCollector(request.filter?.fields ?? [])
      var snapshot = TableSnapshot(source: source, notice: state.notice)
      snapshot.titles = [.addressDetail: "CLOCK", .extra: "BATT"]
      // Ages go on while nothing is heard.
      let now = state.clock.now
      let present = Set(devices.map { ObjectIdentifier($0) })
      state.histories = state.histories.filter { present.contains($0.key) }
      for (number, device) in devices.enumerated() {
        let known = device.snapshot
        guard showsForeign || known.uuid != nil else { continue }
        let history = state.histories[ObjectIdentifier(device)]
        // Those that were not heard stand behind all others, in their order.
        var row = TableRow(id: history?.id ?? UInt64.max / 2 + UInt64(number))
        row.kind = LocalRows.kind(known)
        row.isTracker = known.uuid != nil
        row.name = known.name
        row.address = known.identifier
        row.addressDetail = LocalRows.clock(known)
        row.extra = known.batteryLowLevel.map { $0 ? "low" : "ok" } ?? ""
        row.rate = history?.rate.value(at: now) ?? 0
        row.rssi = known.timedOut == true ? nil : known.rssi.map { Int($0) }
        row.rssiHistory = history?.values ?? []
        row.packets = history?.count ?? 0
        row.lastSeen =
          history.map { $0.lastSeen.seconds(to: now) } ?? .infinity
        if let filter = request.filter {
          collector.reset()
          LocalRows.write(known, to: &collector)
          row.passes = filter.holds(collector)
        }
        if row.id == request.details { row.details = LocalRows.details(known) }
        snapshot.rows.append(row)
      }
      return snapshot
    }
  }

  /// The fields of `catalog`.
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

  private static func kind(_ state: LocalDevice.State) -> String {
    let family =
      switch state.kind {
      case .luna: "LunaTracker"
      case .eddystoneEID: "Eddystone-EID"
      case .appleFindMy: "Find My"
      case .googleFindHub: "Find Hub"
      case .resolvableAddress: "private address"
      }
    if state.onboardable { return family + " (to onboard)" }
    if state.isProvisional { return family + " (unproven)" }
    if state.timedOut == nil { return family + " (not heard)" }
    if state.timedOut == true { return family + " (silent)" }
    return state.separated == true ? family + " (separated)" : family
  }

  /// By how much the clock is known to be wrong, and how exactly: `+1.2±0.6 s`.
  private static func clock(_ state: LocalDevice.State) -> String {
    guard let clock = state.clock, state.timedOut != nil else { return "" }
    let middle = (clock.low + clock.high) / 2
    let width = (clock.high - clock.low) / 2
    return (middle < 0 ? "-" : "+") + amount(abs(middle)) + "±" + amount(width) + " s"
  }

  private static func amount(_ seconds: Double) -> String {
    seconds < 100
      ? DecimalText.text(Int64((seconds * 10).rounded()), digits: 1)
      : String(Int64(min(seconds, 1e12).rounded()))
  }

  private static func details(_ state: LocalDevice.State) -> [TableRow.Detail] {
    var details: [TableRow.Detail] = []
    func add(_ label: String, _ value: String?) {
      if let value { details.append(TableRow.Detail(label: label, value: value)) }
    }
    add("device", state.uuid?.description)
    add("eid", state.eid)
    add("heid", state.heid)
    add("counter", state.period.map { "\($0)" })
    add("clock low", state.clock.map { "\($0.low) s" })
    add("clock high", state.clock.map { "\($0.high) s (at most \($0.ppm) ppm)" })
    add("battery low", state.batteryLowLevel.map { "\($0)" })
    add("connectable", state.connectable.map { "\($0)" })
    add("separated", state.separated.map { "\($0)" })
    add("flags", state.flagsDiffer ? "differ from the encrypted status" : nil)
    var timeText = TimeText()
    for eid in state.timestampedEids.suffix(8).reversed() {
      let drift = eid.drift.isNaN ? "" : ", drift \(amount(abs(eid.drift))) s"
      details.append(
        TableRow.Detail(label: timeText.string(eid.receivedAt), value: eid.eid + drift))
    }
    return details
  }
}
