import LunaCore
import LunaJSON

extension Schema {
  /// The schemas of telemetry.
  static let telemetry: [(String, JSONValue)] = [
    (
      "Telemetry",
      object(
        [
          "product": orNull(text(64)), "health": orNull(reference("HealthReport")),
          "samples": orNull(array(of: reference("HealthSample"), 0, itemLimit)),
          "devices": orNull(
            array(of: reference("DeviceReport"), 0, Int64(DeviceReport.limit))),
          "items": orNull(array(of: reference("TelemetryItem"), 0, itemLimit)),
        ], required: [],
        "`health`, `samples` and `devices` count of gateways alone. At most 256 KiB.")
    ),
    (
      "TelemetryItem",
      object(
        [
          "id": string("^[0-9a-f]{32}$"), "time": time,
          "key": described("2 to 16 parts of 1 to 64 letters, digits, - and _, joined by dots."),
          "value": described("At most \(TelemetryItem.valueLimit) characters."),
          "count": integer(1, 1_000_000_000),
        ], required: ["id", "time", "key", "value", "count"],
        "A key, a value or a time that is none is rejected by itself.")
    ),
    (
      "TelemetryReply",
      object(
        ["results": array(of: reference("TelemetryResult"), 0, itemLimit)], required: ["results"])
    ),
    (
      "TelemetryResult",
      object(
        [
          "index": integer(0, itemLimit - 1),
          "status": words(["accepted", "duplicate", "rejected"]),
          "code": words(TelemetryRejection.allCases.map(\.rawValue)),
        ], required: ["index", "status"])
    ),
    (
      "HealthSample",
      object(["time": time, "health": reference("HealthReport")], required: ["time", "health"])
    ),
    (
      "DeviceReport",
      object(
        [
          "ref": string("^[0-9a-f]{16}$"), "family": string("^[A-Za-z0-9_-]{1,64}$"),
          "first": time, "last": time, "hours": integer(0, 0xFF_FFFF),
          "band": words(DeviceBand.allCases.map(\.rawValue)),
        ], required: ["ref", "family", "first", "last", "hours", "band"],
        "`first` and `last` are full hours; `hours` is a bit for each of 24, that of `last` lowest."
      )
    ),
    (
      "AdapterHealth",
      object(
        [
          "id": word, "state": words(AdapterHealth.State.allCases.map(\.rawValue)),
          "packetsPerSecond": orNull(rate),
        ], required: ["id", "state"])
    ),
    ("HealthReport", object(properties(health), required: [], "What is missing is not known.")),
  ]

  private static let itemLimit = Int64(TelemetryUpload.itemLimit)
  private static let word = string("^[A-Za-z0-9_-]{1,32}$")
  private static let count = orNull(integer(0, largest))
  private static let rate: JSONValue = ["type": "number", "minimum": 0, "maximum": .real(1e15)]

  private static func described(_ text: String) -> JSONValue {
    ["type": "string", "description": .string(text)]
  }

  private static let health: [(String, JSONValue)] =
    [
      ("version", orNull(text(64))), ("radioPath", orNull(word)),
      ("adapters", orNull(array(of: reference("AdapterHealth"), 0, 16))),
      (
        "families",
        orNull([
          "type": "object", "maxProperties": 64, "propertyNames": word,
          "additionalProperties": integer(0, largest),
        ])
      ),
      (
        "locationState",
        orNull(words(HealthReport.LocationState.allCases.map(\.rawValue)))
      ),
      ("clockOffsetMilliseconds", orNull(integer(-largest, largest))),
      ("uplinkVerdict", orNull(word)), ("uplinkLocated", orNull(word)),
      ("temperature", orNull(["type": "number", "minimum": -1000, "maximum": 1000])),
      ("throttled", orNull(["type": "boolean"])),
    ]
    + [
      "uptime", "packetsDropped", "packetsMalformed", "advertisers", "recoveries", "silentSeconds",
      "queueDepth", "queueOldestSeconds", "eventsLost", "uploadFailures", "lastUploadSeconds",
      "backendMilliseconds", "commandsDone", "commandsFailed", "diskFreeMiB", "uplinkSeconds",
    ].map { ($0, count) }
    + [
      "packetsPerSecond", "sightingsPerMinute", "outageHoursLeft", "cpuPercent", "memoryMiB",
      "uplinkRatio",
    ].map { ($0, orNull(rate)) }
}
