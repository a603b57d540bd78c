import LunaCore
import LunaFleet
import LunaJSON

/// What the uplink checks of the gateways of one network provider say; which they are, says their tag `provider-NAME`.
struct ProviderRow {
  private static let prefix = "provider-"
  /// One fair link of so many is called unfair: by one check, and by two that have to agree.
  private static let falseAlarms = (single: 100.0, confirmed: 10_000.0)

  let tag: String
  private var gateways = 0
  private var verdicts: [String: Int] = [:]
  private var ratios: [Double] = []

  private init(tag: String) { self.tag = tag }

  /// All providers, by their names.
  static func rows(of entries: [FleetMonitor.Entry]) -> [ProviderRow] {
    var rows: [String: ProviderRow] = [:]
    for entry in entries {
      for tag in entry.gateway.tags where tag.hasPrefix(prefix) && tag != prefix {
        rows[tag, default: ProviderRow(tag: tag)].add(entry)
      }
    }
    return rows.values.sorted { $0.tag < $1.tag }
  }

  private mutating func add(_ entry: FleetMonitor.Entry) {
    gateways += 1
    verdicts[entry.report?.uplinkVerdict ?? "unknown", default: 0] += 1
    if let ratio = entry.report?.uplinkRatio { ratios.append(ratio) }
  }

  /// The median of the speeds; nil without any.
  private var ratio: Double? {
    let sorted = ratios.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var json: JSONValue {
    let checks = Double(gateways - (verdicts["unknown"] ?? 0))
    let shown = verdicts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    func expected(_ links: Double) -> JSONValue { checks == 0 ? .null : .real(checks / links) }
    return [
      "tag": .string(tag), "name": .string(String(tag.dropFirst(ProviderRow.prefix.count))),
      "gateways": .integer(Int64(gateways)),
      "verdicts": .array(
        shown.map { ["name": .string($0.key), "value": .integer(Int64($0.value))] }),
      "ratio": ratio.map { .real($0) } ?? .null,
      "falseAlarms": expected(ProviderRow.falseAlarms.single),
      "confirmedFalseAlarms": expected(ProviderRow.falseAlarms.confirmed),
    ]
  }
}
