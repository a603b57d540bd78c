public import LunaCore
public import LunaJSON

extension HealthReport {
  private static let counts: ClosedRange<Int64> = 0...(1 << 53 - 1)
  /// More adapters and families than these are in no report.
  private static let adapterLimit = 16, familyLimit = 64

  /// Reads a report. Members that are missing are not known; those that this version does not know are left
  /// out.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "health")
    func count(_ name: String) throws(FormatError) -> Int64? {
      try members.optional(name) == nil ? nil : members.integer(name, in: HealthReport.counts)
    }
    self.init()
    version = try members.optionalString("version", limit: 64)
    uptime = try count("uptime")
    radioPath =
      try members.optional("radioPath") == nil
      ? nil : members.word("radioPath", limit: 32)
    if members.optional("adapters") != nil {
      let elements = try members.array("adapters")
      guard elements.count <= HealthReport.adapterLimit else {
        throw FormatError("adapters", "has more than \(HealthReport.adapterLimit) elements")
      }
      for element in elements { adapters.append(try AdapterHealth(json: element)) }
    }
    packetsPerSecond = try members.rate("packetsPerSecond")
    packetsDropped = try count("packetsDropped")
    packetsMalformed = try count("packetsMalformed")
    advertisers = try count("advertisers")
    families = try HealthReport.families(members)
    sightingsPerMinute = try members.rate("sightingsPerMinute")
    recoveries = try count("recoveries")
    silentSeconds = try count("silentSeconds")
    queueDepth = try count("queueDepth")
    queueOldestSeconds = try count("queueOldestSeconds")
    outageHoursLeft = try members.rate("outageHoursLeft")
    eventsLost = try count("eventsLost")
    uploadFailures = try count("uploadFailures")
    lastUploadSeconds = try count("lastUploadSeconds")
    backendMilliseconds = try count("backendMilliseconds")
    commandsDone = try count("commandsDone")
    commandsFailed = try count("commandsFailed")
    if members.optional("locationState") != nil {
      let word = try members.string("locationState")
      guard let state = LocationState(rawValue: word) else {
        throw FormatError("locationState", "is none of known, stale, unknown")
      }
      locationState = state
    }
    if members.optional("clockOffsetMilliseconds") != nil {
      clockOffsetMilliseconds = try members.integer(
        "clockOffsetMilliseconds", in: -(1 << 53 - 1)...(1 << 53 - 1))
    }
    uplinkVerdict =
      try members.optional("uplinkVerdict") == nil
      ? nil : members.word("uplinkVerdict", limit: 32)
    uplinkRatio = try members.rate("uplinkRatio")
    uplinkSeconds = try count("uplinkSeconds")
    uplinkLocated =
      try members.optional("uplinkLocated") == nil
      ? nil : members.word("uplinkLocated", limit: 32)
    cpuPercent = try members.rate("cpuPercent")
    memoryMiB = try members.rate("memoryMiB")
    diskFreeMiB = try count("diskFreeMiB")
    temperature = try members.number("temperature", in: -1000...1000)
    if let value = members.optional("throttled") {
      guard case .bool(let isThrottled) = value else {
        throw FormatError("throttled", "is neither true nor false")
      }
      throttled = isThrottled
    }
  }

  private static func families(_ members: JSONMembers) throws(FormatError) -> [String: Int64] {
    guard let value = members.optional("families") else { return [:] }
    let inner = try JSONMembers(value, name: "families")
    guard inner.object.members.count <= familyLimit else {
      throw FormatError("families", "has more than \(familyLimit) members")
    }
    var families: [String: Int64] = [:]
    for member in inner.object.members {
      guard JSONMembers.isWord(member.name), member.name.utf8.count <= 32 else {
        throw FormatError("families", "has a name that is none of a family")
      }
      families[member.name] = try inner.integer(member.name, in: counts)
    }
    return families
  }

  /// The report as JSON, without what is not known.
  public var json: JSONValue {
    var object = JSONObject()
    func add(_ name: String, _ value: JSONValue?) {
      if let value { object.append(name, value) }
    }
    func count(_ name: String, _ value: Int64?) { add(name, value.map { .integer($0) }) }
    func rate(_ name: String, _ value: Double?) { add(name, value.map { .tenths($0) }) }
    add("version", version.map { .string($0) })
    count("uptime", uptime)
    add("radioPath", radioPath.map { .string($0) })
    if !adapters.isEmpty { add("adapters", .array(adapters.map(\.json))) }
    rate("packetsPerSecond", packetsPerSecond)
    count("packetsDropped", packetsDropped)
    count("packetsMalformed", packetsMalformed)
    count("advertisers", advertisers)
    if !families.isEmpty {
      var names = JSONObject()
      for (name, number) in families.sorted(by: { $0.key < $1.key }) {
        names.append(name, .integer(number))
      }
      add("families", .object(names))
    }
    rate("sightingsPerMinute", sightingsPerMinute)
    count("recoveries", recoveries)
    count("silentSeconds", silentSeconds)
    count("queueDepth", queueDepth)
    count("queueOldestSeconds", queueOldestSeconds)
    rate("outageHoursLeft", outageHoursLeft)
    count("eventsLost", eventsLost)
    count("uploadFailures", uploadFailures)
    count("lastUploadSeconds", lastUploadSeconds)
    count("backendMilliseconds", backendMilliseconds)
    count("commandsDone", commandsDone)
    count("commandsFailed", commandsFailed)
    add("locationState", locationState.map { .string($0.rawValue) })
    count("clockOffsetMilliseconds", clockOffsetMilliseconds)
    add("uplinkVerdict", uplinkVerdict.map { .string($0) })
    add("uplinkRatio", uplinkRatio.map { .real(($0 * 100).rounded() / 100) })
    count("uplinkSeconds", uplinkSeconds)
    add("uplinkLocated", uplinkLocated.map { .string($0) })
    rate("cpuPercent", cpuPercent)
    rate("memoryMiB", memoryMiB)
    count("diskFreeMiB", diskFreeMiB)
    rate("temperature", temperature)
    add("throttled", throttled.map { .bool($0) })
    return .object(object)
  }
}

extension AdapterHealth {
  /// Reads an adapter.
  init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "adapters")
    guard let state = State(rawValue: try members.string("state")) else {
      throw FormatError("state", "is no state of an adapter")
    }
    self.init(
      id: try members.word("id", limit: 32), state: state,
      packetsPerSecond: try members.rate("packetsPerSecond"))
  }

  /// The adapter as JSON.
  var json: JSONValue {
    var object: JSONObject = ["id": .string(id), "state": .string(state.rawValue)]
    if let rate = packetsPerSecond { object.append("packetsPerSecond", .tenths(rate)) }
    return .object(object)
  }
}

extension JSONMembers {
  /// A number, whole or not, or nil.
  func number(_ name: String, in range: ClosedRange<Double>) throws(FormatError) -> Double? {
    let number: Double
    switch optional(name) {
    case nil: return nil
    case .integer(let value)?: number = Double(value)
    case .real(let value)?: number = value
    default: throw FormatError(name, "is not a number")
    }
    guard range.contains(number) else { throw FormatError(name, "is out of range") }
    return number
  }

  /// A number that is not negative, or nil.
  func rate(_ name: String) throws(FormatError) -> Double? { try number(name, in: 0...1e15) }
}

extension JSONValue {
  /// A number with one digit behind the point: more would be noise.
  fileprivate static func tenths(_ value: Double) -> JSONValue {
    let tenths = (value * 10).rounded() / 10
    guard let whole = Int64(exactly: tenths) else { return .real(tenths) }
    return .integer(whole)
  }
}
