public import LunaCore
public import LunaJSON

extension TelemetryUpload {
  /// The upload as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["product": .string(product)]
    if let health { object.append("health", health.json) }
    if !samples.isEmpty { object.append("samples", .array(samples.map(\.json))) }
    if !devices.isEmpty { object.append("devices", .array(devices.map(\.json))) }
    object.append("items", .array(items.map(\.json)))
    return .object(object)
  }
}
