import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON

/// What widgets show of the moment.
struct DashboardNow {
  /// Their names.
  static let names = [
    "gateways", "devices", "queue", "attention", "availability", "versions", "uplink",
    "providers", "attentionList", "map",
  ]
  /// How many parts a pie has; the rest is one part.
  private static let partLimit = 6
  private static let listLimit = 20
  private static let mapLimit = 2000

  private let entries: [FleetMonitor.Entry]

  init(_ entries: [FleetMonitor.Entry]) { self.entries = entries }

  /// Each by its name. The map is only there for whoever asks: places seldom change.
  var widgets: JSONObject {
    var object = JSONObject()
    for name in DashboardNow.names where name != "map" { object.append(name, widget(name)) }
    return object
  }

  /// What a widget shows; null for another one.
  func widget(_ name: String) -> JSONValue {
    switch name {
    case "gateways": fleet
    case "devices":
      number(
        DashboardNow.sum(online.map { $0.report?.advertisers ?? 0 }),
        "heard by \(DashboardNow.gateways(online.count { $0.report?.advertisers != nil }))")
    case "queue":
      number(
        DashboardNow.sum(entries.map { $0.report?.queueDepth ?? 0 }),
        "at \(DashboardNow.gateways(entries.count { ($0.report?.queueDepth ?? 0) > 0 }))")
    case "attention":
      number(
        needy.count,
        "\(needy.count { $0.status.verdict == "bad" }) bad, "
          + "\(needy.count { !$0.isInTouch }) not in touch")
    case "availability": parts(GatewayStatus.states.map { state in (state, count(state)) })
    case "versions": parts(counts(\.status.version))
    case "uplink": parts(counts(\.report?.uplinkVerdict))
    case "providers":
      ["rows": .array(ProviderRow.rows(of: entries).prefix(DashboardNow.listLimit).map(\.json))]
    case "attentionList":
      ["items": .array(needy.sorted(by: isWorse).prefix(DashboardNow.listLimit).map(item))]
    case "map": ["places": .array(places), "total": .integer(Int64(entries.count))]
    default: .null
    }
  }

  /// All together, or the largest number that there is: gateways say what they want.
  private static func sum(_ numbers: [Int64]) -> Int {
    Int(numbers.reduce(Int64(0)) { $0.saturatingAdding($1) })
  }

  private static func gateways(_ count: Int) -> String {
    count == 1 ? "1 gateway" : "\(count) gateways"
  }

  /// How many there are, and of how many of them nothing is real.
  private var fleet: JSONValue {
    var json: JSONObject = [
      "value": .integer(Int64(entries.count)), "text": .string("\(online.count) online"),
    ]
    let simulated = entries.count { GatewaySigns.isSimulated($0.gateway, $0.signs) }
    if simulated > 0 { json.append("simulated", .integer(Int64(simulated))) }
    return .object(json)
  }

  private var online: [FleetMonitor.Entry] { entries.filter { $0.status.state == "online" } }

  private var needy: [FleetMonitor.Entry] {
    entries.filter { !$0.isInTouch || ["bad", "warn"].contains($0.status.verdict) }
  }

  private func count(_ state: String) -> Int { entries.count { $0.status.state == state } }

  private func number(_ value: Int, _ text: String) -> JSONValue {
    ["value": .integer(Int64(value)), "text": .string(text)]
  }

  private func counts(_ value: (FleetMonitor.Entry) -> String?) -> [(String, Int)] {
    var counts: [String: Int] = [:]
    for entry in entries { counts[value(entry) ?? "unknown", default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  private func parts(_ counts: [(name: String, count: Int)]) -> JSONValue {
    var shown = counts.prefix(DashboardNow.partLimit)
    let rest = counts.dropFirst(DashboardNow.partLimit).reduce(0) { $0 + $1.count }
    if rest > 0 { shown.append(("others", rest)) }
    return [
      "parts": .array(
        shown.map { ["name": .string($0.name), "value": .integer(Int64($0.count))] })
    ]
  }

  private func isWorse(_ left: FleetMonitor.Entry, _ right: FleetMonitor.Entry) -> Bool {
    (left.rank, left.gateway.name, left.gateway.id)
      < (right.rank, right.gateway.name, right.gateway.id)
  }

  private func item(_ entry: FleetMonitor.Entry) -> JSONValue {
    var text = entry.isInTouch ? "" : "it is \(entry.status.state)"
    if case .string(let reason)? = entry.status.reasons.first?["text"] { text = reason }
    return [
      "id": .string(entry.gateway.id), "name": .string(entry.gateway.name),
      "state": .string(entry.status.state), "verdict": .string(entry.status.verdict),
      "text": .string(text),
    ]
  }

  private var places: [JSONValue] {
    entries.lazy.compactMap { entry -> JSONValue? in
      guard let (latitude, longitude) = entry.gateway.place?.position else { return nil }
      return [
        "latitude": .real(latitude), "longitude": .real(longitude),
        "verdict": .string(entry.status.verdict),
      ]
    }.prefix(DashboardNow.mapLimit).map { $0 }
  }
}

extension FleetMonitor.Entry {
  /// Whether it was heard of lately. One that never was is being set up.
  fileprivate var isInTouch: Bool { ["online", "never"].contains(status.state) }

  /// The worse the less.
  fileprivate var rank: Int {
    if status.verdict == "bad" { return 0 }
    if status.state == "offline" { return 1 }
    return status.verdict == "warn" ? 2 : 3
  }
}
