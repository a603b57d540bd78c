import Beacons
import Bluetooth
import LunaCore
import LunaDocuments
import LunaLocal
import LunaProtocol

/// What is heard, as rules and the app need it. Frames of one tracker that come many a second are one
/// sign of life: rules hear of it once in a while, and at once when its signal has changed much.
struct HomeEar {
  /// What is to be known of a tracker between two frames.
  private struct Known {
    var told: Int64 = .min
    var tellsRSSI = 0
    var lastSeen: Int64?
    var toldSeen: Int64 = .min
    var fixed: Int64 = .min
    /// Which of several adapters hears it best.
    var choice = AdapterChoice()
    var values: [String: (value: PropertyValue, at: Int64)] = [:]
    /// The signals of the present five minutes.
    var slot: Int64 = .min
    var signals: [Int] = []
  }

  /// Frames of a tracker that come sooner are not told one by one, µs.
  private static let quiet: Int64 = 1_000_000
  /// A median is kept of so long, µs.
  static let slot: Int64 = 300_000_000
  /// A tracker that is heard is where the box is: told so often, µs.
  private static let fixEvery: Int64 = 60_000_000
  /// When a tracker was last heard is told so often, µs.
  static let seenEvery: Int64 = 60_000_000

  private var byDevice: [DeviceUUID: [String]] = [:]
  private var filters: [(id: String, filter: FilterEvaluator)] = []
  private var known: [String: Known] = [:]
  private var lastAlive: Int64 = .min
  private var adapters: [String: Place] = [:]
  private let decoder = BeaconDecoder()
  /// Finds the models of those that the file gives none.
  var models = ModelSearch()

  /// Listens for the trackers of a file.
  mutating func adopt(_ configuration: HomeConfiguration, _ devices: [String: Device]) {
    byDevice = [:]
    for tracker in configuration.trackers {
      if let device = devices[tracker.id] { byDevice[device.uuid, default: []].append(tracker.id) }
    }
    filters = configuration.trackers.compactMap { tracker in
      guard let text = tracker.match, let filter = try? FilterParser.parse(text) else { return nil }
      return (tracker.id, FilterEvaluator(filter))
    }
    adapters = configuration.adapters
    models = ModelSearch(configuration)
    let ids = Set(configuration.trackers.map(\.id))
    known = known.filter { ids.contains($0.key) }
    // Another filter may mean another beacon.
    for id in ids { known[id]?.values["family"] = nil }
  }

  /// When a tracker was last heard, µs since 1970.
  func lastSeen(_ id: String) -> Int64? { known[id]?.lastSeen }

  /// Somebody else has heard a tracker, later than this box did.
  mutating func note(seen time: Int64, _ id: String) {
    known[id, default: Known()].lastSeen = time
  }

  /// What is told of reports, and of what came of them for one's own trackers.
  ///
  /// - Parameters:
  ///   - box: where the box is.
  ///   - adapter: with what it was heard.
  mutating func inputs(
    _ reports: [AdvertisingReport], _ updates: [LocalUpdate], adapter: String, box: LocationFix?,
    at now: Moment
  ) -> [HomeInput] {
    var inputs: [HomeInput] = []
    for update in updates where update.event.isFrame {
      guard let uuid = update.state.uuid, let ids = byDevice[uuid] else { continue }
      // One adapter hears all, and the update says the rest.
      let wantsReport = adapters.count > 1 || ids.contains(where: models.wants)
      let address =
        wantsReport && update.state.addressType.hasAddress ? update.state.address : nil
      let report = address.flatMap { address in reports.last { $0.address == address } }
      let ear = (report ?? reports.last).flatMap(HomeEar.name) ?? adapter
      for id in ids {
        if let report { models.look(at: report, of: id) }
        hear(update, id, ear, box, now, &inputs)
      }
    }
    for index in filters.indices {
      for report in reports where filters[index].filter.passes(report) {
        let id = filters[index].id
        models.look(at: report, of: id)
        hear(
          id, report.rssi.map { Int($0) } ?? -127, HomeEar.name(report) ?? adapter, nil, now,
          &inputs)
        hear(report, of: id, now, &inputs)
        guard report.addressType.hasAddress else { continue }
        tell("identifier", .text(report.address.description), of: id, at: now, &inputs)
      }
    }
    if inputs.isEmpty, !reports.isEmpty, now.boot >= lastAlive {
      inputs.append(.alive)
    }
    if !inputs.isEmpty { lastAlive = now.boot + 5_000_000 }
    return inputs
  }

  private static func name(_ report: AdvertisingReport) -> String? {
    report.adapter.map { "hci\($0)" }
  }

  /// What its frames say of a beacon. Of one that sends frames of several families the first one holds.
  private mutating func hear(
    _ report: AdvertisingReport, of id: String, _ now: Moment, _ inputs: inout [HomeInput]
  ) {
    for beacon in decoder.beacons(in: report) {
      let family = known[id]?.values["family"]?.value ?? .text(beacon.family.rawValue)
      tell("family", family, of: id, at: now, &inputs)
      guard let battery = HomeEar.battery(of: beacon) else { continue }
      tell("battery", .text(battery), of: id, at: now, &inputs)
    }
  }

  /// In the words of one's own trackers; nil where its frames have none.
  private static func battery(of beacon: Beacon) -> String? {
    switch beacon {
    case .appleFindMy(let frame):
      switch frame.battery {
      case .full, .medium: return "normal"
      case .low: return "low"
      case .critical: return "critical"
      }
    case .smartTag(let frame):
      switch frame.battery {
      case .full, .medium: return "normal"
      case .low: return "low"
      case .critical: return "critical"
      }
    default: return nil
    }
  }

  private mutating func hear(
    _ update: LocalUpdate, _ id: String, _ adapter: String, _ box: LocationFix?, _ now: Moment,
    _ inputs: inout [HomeInput]
  ) {
    hear(id, update.state.rssi.map { Int($0.rounded()) } ?? -127, adapter, box, now, &inputs)
    let state = update.state
    if let status = state.status {
      for one in status.batteryValues { tell(one.name, one.value, of: id, at: now, &inputs) }
      // Also what somebody else has it do, or a button.
      tell("sound", status.soundValue, of: id, at: now, &inputs)
    } else if let isLow = state.batteryLowLevel {
      tell("batteryLow", .bool(isLow), of: id, at: now, &inputs)
      tell("battery", .text(isLow ? "low" : "normal"), of: id, at: now, &inputs)
    }
    if let value = state.connectable { tell("connectable", .bool(value), of: id, at: now, &inputs) }
    if let value = state.separated { tell("separated", .bool(value), of: id, at: now, &inputs) }
    tell("family", .text(state.kind.rawValue), of: id, at: now, &inputs)
    if let eid = state.eid { tell("identifier", .text(eid), of: id, at: now, &inputs) }
    if update.event == .drift || update.event == .rotated, let drift = update.drift {
      inputs.append(.value(tracker: id, property: "drift", .number((drift * 10).rounded() / 10)))
    }
  }

  private mutating func hear(
    _ id: String, _ rssi: Int, _ adapter: String, _ box: LocationFix?, _ now: Moment,
    _ inputs: inout [HomeInput]
  ) {
    var one = known[id] ?? Known()
    one.lastSeen = now.wall
    if rssi > -127 { one.signals.append(rssi) }
    if one.signals.count > 4096 { one.signals.removeFirst(2048) }
    if one.slot == .min { one.slot = now.boot }
    if one.told == .min || now.boot - one.told >= HomeEar.quiet
      || abs(rssi - one.tellsRSSI) >= 6
    {
      inputs.append(.frame(tracker: id, rssi: rssi, adapter: adapter))
      one.told = now.boot
      one.tellsRSSI = rssi
    }
    if one.toldSeen == .min || now.boot - one.toldSeen >= HomeEar.seenEvery {
      one.toldSeen = now.boot
      inputs.append(.seen(id, at: now.wall))
    }
    let before = one.choice.best
    one.choice.hear(rssi, with: adapter, at: now.boot)
    let best = one.choice.best ?? adapter
    // Who is heard is where the adapter is that hears best, else where the box is.
    let place = adapters[best]
    let hasMoved = before != nil && before != best && place != nil
    if place != nil || box != nil,
      one.fixed == .min || hasMoved || now.boot - one.fixed >= HomeEar.fixEvery
    {
      one.fixed = now.boot
      inputs.append(
        .fix(
          tracker: id,
          Fix(
            latitude: place?.latitude ?? box?.latitude ?? 0,
            longitude: place?.longitude ?? box?.longitude ?? 0,
            accuracy: (place == nil ? box?.horizontalAccuracy ?? 0 : 0) + 30, time: now.wall,
            report: "box-\(now.wall)")))
    }
    known[id] = one
    tell("heardBy", .text(best), of: id, at: now, &inputs)
  }

  /// A value is told when it is another one, and now and then, so that it stays fresh.
  private mutating func tell(
    _ property: String, _ value: PropertyValue, of id: String, at now: Moment,
    _ inputs: inout [HomeInput]
  ) {
    if let last = known[id]?.values[property], last.value == value {
      let isShort = ["connectable", "separated", "sound"].contains(property)
      guard now.boot - last.at >= (isShort ? 60_000_000 : 3_600_000_000) else { return }
    }
    known[id, default: Known()].values[property] = (value, now.boot)
    inputs.append(.value(tracker: id, property: property, value))
  }

  /// The medians of the five minutes that are over, or of all.
  mutating func takeMedians(at now: Moment, all: Bool) -> [(tracker: String, rssi: Int)] {
    var medians: [(String, Int)] = []
    for (id, one) in known where one.slot != .min && (all || now.boot - one.slot >= HomeEar.slot) {
      known[id]?.slot = .min
      known[id]?.signals = []
      guard !one.signals.isEmpty else { continue }
      medians.append((id, one.signals.sorted()[one.signals.count / 2]))
    }
    return medians.sorted { $0.0 < $1.0 }
  }
}
