public import LunaCore
public import LunaJSON

extension TelemetryItem {
  /// The item as JSON.
  public var json: JSONValue {
    [
      "id": .string(id.description), "time": .string(time.rfc3339), "key": .string(key),
      "value": .string(value), "count": .integer(count),
    ]
  }
}

extension HealthSample {
  /// Reads a sample of health.
  ///
  /// - Throws: where the time or the health is missing or cannot be.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the sample")
    guard let health = members.optional("health") else {
      throw FormatError("health", "is missing")
    }
    self.init(time: try members.time("time"), health: try HealthReport(json: health))
  }

  /// The sample as JSON.
  public var json: JSONValue { ["time": .string(time.rfc3339), "health": health.json] }
}
