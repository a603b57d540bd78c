import LunaCore
import LunaJSON

/// A gateway of the simulated fleet: what its record says, and how it is at any time.
struct SimulatedGateway: Hashable, Sendable {
  /// What is wrong with it.
  enum Condition: Hashable, Sendable {
    case well
    /// Its adapter is lost from some moment of the demonstration on, s.
    case failing(after: Int64)
    case hot, full, queueing, stale, wrongClock, losing
    /// It has not reported for a while.
    case away
  }

  /// Where the fleet is.
  private static let center = (latitude: 54.09, longitude: 12.13)
  private static let sites = ["Harbour", "Old town", "Station", "Hill"]
  private static let places = ["gate", "roof", "workshop", "office", "store", "yard"]
  /// By number; all others are well.
  private static let conditions: [Int: Condition] = [
    4: .failing(after: 20), 7: .hot, 9: .full, 12: .queueing, 14: .stale, 17: .wrongClock,
    20: .losing,
    22: .away,
  ]

  let number: Int
  let name: String
  let site: String
  let condition: Condition

  /// The fleet.
  static let all = (0..<24).map { SimulatedGateway($0) }

  init(_ number: Int) {
    self.number = number
    site = Self.sites[number % Self.sites.count]
    name = "\(site) \(Self.places[number / Self.sites.count % Self.places.count])"
    condition = Self.conditions[number] ?? .well
  }

  /// The record, marked as what it is. One has no position.
  var record: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "site": .string(site), "manufacturer": "Simulated",
      "tags": ["simulated"], "note": "This gateway is simulated: nothing of it is real.",
    ]
    if number != 15 {
      let (row, column) = (number / 6, number % 6)
      object.append(
        "place",
        [
          "latitude": .real(
            Self.center.latitude + Double(row) * 0.004 + Double(number % 3) * 0.0007),
          "longitude": .real(Self.center.longitude + Double(column) * 0.006), "source": "given",
        ])
    }
    return .object(object)
  }

  /// How it is.
  ///
  /// - Parameter seconds: since the demonstration began; before that negative.
  func health(at seconds: Int64) -> HealthReport {
    var health = HealthReport()
    // Up and down, each in its own way, and the same in every demonstration.
    let wave = Double((seconds / 300 * 7 + Int64(number) * 37) % 48) / 48
    let swing = abs(wave * 2 - 1)
    health.version = number % 5 == 0 ? "0.9.0" : "1.0.0"
    health.uptime = 6 * 86_400 + seconds
    health.radioPath = "virtual"
    health.packetsPerSecond = 40 + 120 * swing + Double(number)
    health.packetsDropped = 0
    health.packetsMalformed = Int64(number)
    health.advertisers = 20 + Int64(60 * swing)
    health.families = [
      "luna": 3 + Int64(number % 4), "apple-find-my": 10 + Int64(20 * swing), "ibeacon": 4,
    ]
    health.sightingsPerMinute = 5 + 10 * swing
    health.recoveries = 0
    health.silentSeconds = 0
    health.queueDepth = 0
    health.queueOldestSeconds = 0
    health.outageHoursLeft = 900
    health.eventsLost = 0
    health.uploadFailures = 0
    health.lastUploadSeconds = 8
    health.backendMilliseconds = 20 + Int64(30 * swing)
    health.locationState = .known
    health.clockOffsetMilliseconds = 40
    health.cpuPercent = 2 + 3 * swing
    health.memoryMiB = 24
    health.diskFreeMiB = 9000
    health.temperature = 45 + 8 * swing
    health.throttled = false
    var adapter = AdapterHealth.State.scanning
    switch condition {
    case .well, .away: break
    case .failing(let moment):
      if seconds >= moment {
        adapter = .lost
        health.packetsPerSecond = 0
        health.advertisers = 0
        health.families = [:]
        health.silentSeconds = seconds - moment
      }
    case .hot:
      health.temperature = 84
      health.throttled = true
    case .full: health.diskFreeMiB = 120
    case .queueing:
      health.queueDepth = 4000
      health.queueOldestSeconds = 2400
      health.uploadFailures = 31
    case .stale: health.locationState = .stale
    case .wrongClock: health.clockOffsetMilliseconds = 95_000
    case .losing:
      health.eventsLost = 200 + max(0, seconds)
      health.outageHoursLeft = 6
    }
    health.adapters = [
      AdapterHealth(
        id: "hci0", state: adapter,
        packetsPerSecond: adapter == .scanning ? health.packetsPerSecond : 0)
    ]
    return health
  }

  /// Whether it reports.
  ///
  /// - Parameter seconds: since the demonstration began; before that negative.
  func reports(at seconds: Int64) -> Bool { condition != .away || seconds < -3600 }
}
