import LunaJSON

/// One of the limits of health, as the setting `healthLimits` has it.
struct HealthLimit: Sendable {
  /// What it is called there.
  let name: String
  /// Values that make sense.
  let range: ClosedRange<Double>
  /// What it limits, and in which unit.
  let meaning: String
  private let read: @Sendable (HealthLimits) -> Double
  private let write: @Sendable (inout HealthLimits, Double) -> Void
  /// Whether only whole numbers make sense.
  let isWhole: Bool

  private init(
    _ name: String, _ path: any WritableKeyPath<HealthLimits, Int64> & Sendable,
    _ range: ClosedRange<Double>, _ meaning: String
  ) {
    (self.name, self.range, self.meaning, isWhole) = (name, range, meaning, true)
    read = { Double($0[keyPath: path]) }
    write = { $0[keyPath: path] = Int64($1) }
  }

  private init(
    _ name: String, _ path: any WritableKeyPath<HealthLimits, Double> & Sendable,
    _ range: ClosedRange<Double>, _ meaning: String
  ) {
    (self.name, self.range, self.meaning, isWhole) = (name, range, meaning, false)
    read = { $0[keyPath: path] }
    write = { $0[keyPath: path] = $1 }
  }

  /// What the setting is called.
  static let setting = "healthLimits"

  /// All of them.
  static let all = [
    HealthLimit("online", \.onlineSeconds, 1...86_400, "s after which a gateway is late"),
    HealthLimit("late", \.lateSeconds, 1...604_800, "s after which it is offline"),
    HealthLimit("silent", \.silentSeconds, 1...86_400, "s without a packet while it scans"),
    HealthLimit("outageHours", \.outageHours, 0...8760, "hours of an outage that must fit"),
    HealthLimit("diskFree", \.diskFreeMiB, 0...1_000_000, "MiB that must be free"),
    HealthLimit("queueOldest", \.queueOldestSeconds, 1...604_800, "s that an event may wait"),
    HealthLimit(
      "recoveriesPerHour", \.recoveriesPerHour, 1...1000, "recoveries of the radio in an hour"),
    HealthLimit(
      "clockOffset", \.clockOffsetMilliseconds, 1...86_400_000, "ms that its clock may be off"),
    HealthLimit("temperature", \.temperature, 0...150, "°C"),
  ]

  /// Limits with what a setting says of some of them; nil where one cannot be.
  static func limits(_ json: JSONValue, from base: HealthLimits) -> HealthLimits? {
    guard case .object(let object) = json else { return nil }
    var limits = base
    for member in object.members {
      guard let limit = all.first(where: { $0.name == member.name }),
        let value = number(member.value), limit.range.contains(value),
        !limit.isWhole || value == value.rounded(.towardZero)
      else { return nil }
      limit.write(&limits, value)
    }
    return limits.onlineSeconds <= limits.lateSeconds ? limits : nil
  }

  /// What it is where the setting says nothing of it.
  private var usual: JSONValue {
    let value = read(HealthLimits())
    return isWhole ? .integer(Int64(value)) : .real(value)
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// What the setting can be (OpenAPI 3.1).
  static var schema: JSONValue {
    var properties = JSONObject()
    for limit in all {
      properties.append(
        limit.name,
        [
          "type": .string(limit.isWhole ? "integer" : "number"),
          "minimum": .integer(Int64(limit.range.lowerBound)),
          "maximum": .integer(Int64(limit.range.upperBound)), "default": limit.usual,
          "description": .string(limit.meaning),
        ])
    }
    return Schema.object(
      .object(properties), required: [],
      "What is not named is as usual; `online` is not above `late`.")
  }
}
