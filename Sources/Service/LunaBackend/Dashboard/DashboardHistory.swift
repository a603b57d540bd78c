import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON

/// What widgets show over time, of all gateways together. Adding that up takes a while where there are many:
/// it is kept for a time, the longer the longer it took.
actor DashboardHistory {
  /// Their names.
  static let names = [
    "packets", "queueAndOutage", "sightings", "recoveries", "unauthorised", "failedSignIns",
  ]
  /// What only admins see.
  static let adminNames: Set = ["failedSignIns"]
  /// What widgets of a key of telemetry begin with.
  static let keyPrefix = "key:"
  /// What the backend counts itself; no key of telemetry can be so.
  static let failedSignIns = "!failedSignIns"

  private static let pageSize: Int64 = 200
  private static let leastAge = Duration.seconds(20)
  /// Adding up takes so small a part of the time.
  private static let share = 50.0
  private static let familyLimit = 5

  private struct Kept {
    let sums: DashboardSums
    let time: Timestamp
    let until: ContinuousClock.Instant
  }

  private let storage: any Storage
  private var kept: [DashboardRange: Kept] = [:]

  init(_ storage: any Storage) { self.storage = storage }

  /// What a widget shows: `series` of `points`.
  func widget(
    _ name: String, _ range: DashboardRange, keys: [String], at time: Timestamp
  ) async throws(StorageError) -> JSONValue {
    if name.hasPrefix(DashboardHistory.keyPrefix) {
      let key = String(name.dropFirst(DashboardHistory.keyPrefix.count))
      return try await counted(key, "Count", range, at: time)
    }
    switch name {
    case "failedSignIns":
      return try await counted(
        DashboardHistory.failedSignIns, "Failed sign-ins", range, at: time)
    case "unauthorised": return try await unauthorised(at: time)
    default:
      let (sums, time) = try await sums(range, keys: keys, at: time)
      return sums.widget(name, range, at: time)
    }
  }

  private func sums(
    _ range: DashboardRange, keys: [String], at time: Timestamp
  ) async throws(StorageError) -> (DashboardSums, Timestamp) {
    if let kept = kept[range], kept.until > .now { return (kept.sums, kept.time) }
    let began = ContinuousClock.now
    let step = range.step(gateways: keys.count)
    let first = range.last(at: time) - range.buckets + 1
    // One more, from which counters go on.
    let start = first * range.width - max(range.width, step.width)
    var sums = DashboardSums(first: first, count: range.buckets)
    // In the order of the database, which may be another one than that of texts here.
    var next: String? = ""
    while let low = next {
      let (high, rows) = try await storage.read {
        work throws(StorageError) -> (String?, [StorageRow]) in
        let page = try work.rows(
          "SELECT key FROM luna.fleet WHERE key > $1 AND removed IS NULL ORDER BY key LIMIT $2",
          [.text(low), .integer(DashboardHistory.pageSize)])
        guard let high = page.last?.text(0) else { return (nil, []) }
        let rows = try work.rows(
          """
          SELECT s.gateway, s.time, s.count, s.data FROM luna.fleet AS f
          JOIN luna.samples AS s ON s.gateway = f.key AND s.step = $3 AND s.time >= $4
          WHERE f.key > $1 AND f.key <= $2 AND f.removed IS NULL ORDER BY s.gateway, s.time
          """, [.text(low), .text(high), .integer(step.rawValue), .integer(start)])
        return (high, rows)
      }
      next = high
      for row in rows {
        guard let sample = SampleCodec.decode(row.bytes(3), count: row.integer(2)) else { continue }
        sums.add(sample, of: row.text(0), bucket: row.integer(1) / range.width)
      }
      sums.endGateway()
    }
    let spent = began.duration(to: .now)
    let age = max(DashboardHistory.leastAge, spent * DashboardHistory.share)
    kept[range] = Kept(sums: sums, time: time, until: .now.advanced(by: age))
    return (sums, time)
  }

  private func counted(
    _ key: String, _ title: String, _ range: DashboardRange, at time: Timestamp
  ) async throws(StorageError) -> JSONValue {
    let hour = SampleStep.hour.width
    // Hours are what is kept.
    let width = max(range.width, hour)
    let last = time.microseconds / width
    let count = max(2, range.buckets * range.width / width)
    let (first, hours) = (last - count + 1, width / hour)
    var values = [Double](repeating: 0, count: Int(count))
    for (hour, sums) in try await storage.telemetrySums(
      of: key, hours: first * hours...time.microseconds / hour)
    {
      let index = Int(hour / hours - first)
      if values.indices.contains(index) { values[index] += Double(sums.count) }
    }
    return DashboardSums.series([(title, values.map { $0 })], first: first, width: width)
  }

  /// Of the last 24 hours, which is what gateways tell: how many unknown devices that stay were heard, by
  /// family.
  private func unauthorised(at time: Timestamp) async throws(StorageError) -> JSONValue {
    let end = HeardHours.hour(of: time)
    let least = time.advanced(by: .seconds(-86_400)).microseconds
    let devices = try await storage.read { work throws(StorageError) in
      var devices: [FleetDevice] = []
      for row in try work.rows(
        """
        SELECT \(FleetRow.deviceColumns) FROM luna.devices
        WHERE last_heard >= $1 AND forgotten IS NULL
        """, [.integer(least)])
      {
        devices.append(try FleetRow.device(row))
      }
      return devices
    }
    var families: [String: [Double]] = [:]
    for device in devices where device.isStaying(at: time) {
      let bits = device.report.hours.moved(to: end).bits
      for hour in 0..<24 where bits & 1 << UInt32(hour) != 0 {
        families[device.report.family, default: Array(repeating: 0, count: 24)][23 - hour] += 1
      }
    }
    let sorted = families.sorted {
      ($1.value.reduce(0, +), $0.key) < ($0.value.reduce(0, +), $1.key)
    }
    var shown = sorted.prefix(DashboardHistory.familyLimit).map { ($0.key, $0.value) }
    let rest = sorted.dropFirst(DashboardHistory.familyLimit)
    if !rest.isEmpty {
      shown.append(
        ("others", (0..<24).map { hour in rest.reduce(0) { $0 + $1.value[hour] } }))
    }
    if shown.isEmpty { shown = [("Unknown devices", Array(repeating: 0, count: 24))] }
    return DashboardSums.series(
      shown.map { ($0.0, $0.1.map { $0 }) }, first: end - 23, width: SampleStep.hour.width)
  }
}
