import LunaCore
import LunaJSON

/// The schemas of the API (JSON Schema 2020-12), by name.
enum Schema {
  static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  private static func string(_ pattern: String) -> JSONValue {
    ["type": "string", "pattern": .string(pattern)]
  }

  private static func text(_ limit: Int64) -> JSONValue {
    ["type": "string", "maxLength": .integer(limit)]
  }

  private static func integer(_ low: Int64, _ high: Int64) -> JSONValue {
    ["type": "integer", "minimum": .integer(low), "maximum": .integer(high)]
  }

  private static func array(of element: JSONValue, _ low: Int64, _ high: Int64) -> JSONValue {
    [
      "type": "array", "items": element, "minItems": .integer(low), "maxItems": .integer(high),
    ]
  }

  private static func object(
    _ properties: JSONValue, required: [String], _ description: String? = nil
  ) -> JSONValue {
    var object = JSONObject()
    object.append("type", "object")
    if let description { object.append("description", .string(description)) }
    object.append("properties", properties)
    if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
    return .object(object)
  }

  /// A value that may be null, which is as if it were missing.
  private static func orNull(_ schema: JSONValue) -> JSONValue {
    ["oneOf": [schema, ["type": "null"]]]
  }

  private static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let heid = string("^[0-9a-f]{32}$")
  private static let requestID = string("^[0-9a-f]{32}$")
  private static let receipt = string("^([A-Za-z0-9+/]{23}=|[A-Za-z0-9+/]{7}=)$")
  /// Where a page ended (``EventPosition``).
  private static let cursor = string("^[0-9a-f]{32}\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[0-9a-f]{32}$")
  private static let largest: Int64 = 1 << 53 - 1

  private static let eventProperties: [(String, JSONValue)] = [
    ("protocolVersion", integer(0, 255)), ("heid", heid),
    ("encodedLocation", string("^[A-Za-z0-9+/]{82}==$")), ("esf", string("^[0-9a-f]{6}$")),
    ("day", day),
    (
      "debug",
      orNull(["type": "object", "description": "Only for tests; refused otherwise."])
    ),
  ]
  private static let eventMembers = [
    "protocolVersion", "heid", "encodedLocation", "esf", "day",
  ]

  private static let events = array(
    of: ["description": "An Event; others are rejected one by one."], 0, 1000)

  private static func properties(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object.append(name, value) }
    return .object(object)
  }

  /// All schemas.
  static let all: JSONValue = properties([
    ("Any", ["type": "object"]),
    ("Event", object(properties(eventProperties), required: eventMembers)),
    (
      "Upload",
      [
        "oneOf": [
          events,
          object(
            [
              "batchId": orNull(text(128)), "gateway": orNull(reference("GatewayReport")),
              "events": events,
            ], required: ["events"]),
        ]
      ]
    ),
    (
      "GatewayReport",
      object(
        [
          "version": orNull(text(64)), "uptime": orNull(integer(0, largest)),
          "queueDepth": orNull(integer(0, largest)),
        ], required: [])
    ),
    (
      "UploadReply",
      object(
        [
          "results": array(of: reference("EventResult"), 0, 1000),
          "commandRequests": array(of: reference("CommandRequest"), 0, 16),
        ], required: ["results", "commandRequests"])
    ),
    (
      "EventResult",
      object(
        [
          "index": integer(0, 999), "status": words(["accepted", "duplicate", "rejected"]),
          "code": words(EventRejection.allCases.map(\.rawValue)), "permanent": ["type": "boolean"],
        ], required: ["index", "status"])
    ),
    (
      "ControlPackage",
      object(
        [
          "heid": heid, "keyRollingCounter": integer(0, Int64(UInt32.max)),
          "command": words(["buzzStart", "buzzStop", "blink", "ping"]),
          "argument": integer(0, 60), "counter": integer(0, Int64(UInt32.max)),
          "data": string("^[A-Za-z0-9+/]{59}=$"),
        ],
        required: ["heid", "keyRollingCounter", "command", "argument", "counter", "data"],
        "`data` decides; a package whose other members differ from it is refused.")
    ),
    (
      "CommandRequest",
      object(
        [
          "requestId": requestID, "expiresAt": time,
          "controlPackages": array(of: reference("ControlPackage"), 1, 4096),
        ], required: ["requestId", "expiresAt", "controlPackages"])
    ),
    (
      "CommandConfirmation",
      object(
        [
          "requestId": ["type": "string"], "heid": heid,
          "outcome": words(CommandConfirmation.Outcome.allCases.map(\.rawValue)),
          "receipt": orNull(receipt),
          "detail": orNull(text(Int64(CommandConfirmation.detailLimit))),
        ], required: ["requestId", "heid", "outcome"],
        "`receipt` is needed when the outcome is done.")
    ),
    (
      "NewCommand",
      object(
        [
          "controlPackages": array(of: reference("ControlPackage"), 1, 4096), "expiresAt": time,
        ], required: ["controlPackages", "expiresAt"])
    ),
    (
      "Command",
      object(
        [
          "requestId": requestID, "state": words(CommandStatus.State.allCases.map(\.rawValue)),
          "createdAt": time, "expiresAt": time, "heid": heid, "receipt": receipt,
          "detail": text(Int64(CommandConfirmation.detailLimit)),
        ], required: ["requestId", "state", "createdAt", "expiresAt"])
    ),
    (
      "EventQuery",
      object(
        [
          "heids": array(of: heid, 0, Int64(EventQuery.limit)), "from": day, "to": day,
          "cursor": orNull(cursor),
        ], required: ["heids", "from", "to"], "`to` is not before `from`.")
    ),
    (
      "StoredEvent",
      object(
        properties(eventProperties + [("receivedAt", time)]),
        required: eventMembers + ["receivedAt"])
    ),
    (
      "EventPage",
      object(
        ["events": array(of: reference("StoredEvent"), 0, 1000), "cursor": cursor],
        required: ["events"])
    ),
    ("Enrolment", object(["code": text(64)], required: ["code"])),
    (
      "EnrolmentReply",
      object(
        ["gateway": text(64), "token": string("^luna-gateway-[0-9a-f]{64}$")],
        required: ["gateway", "token"])
    ),
    (
      "Gateway",
      object(
        [
          "name": text(64), "seenAt": time, "version": text(64), "uptime": integer(0, largest),
          "queueDepth": integer(0, largest),
        ], required: ["name", "seenAt"])
    ),
    (
      "GatewayList",
      object(
        ["gateways": ["type": "array", "items": reference("Gateway")]], required: ["gateways"])
    ),
    ("Health", object(["status": words(["ok"])], required: ["status"])),
    (
      "Problem",
      object(
        [
          "type": string("^urn:luna:problem:[A-Za-z]+$"), "title": ["type": "string"],
          "status": integer(400, 599), "code": ["type": "string"], "detail": ["type": "string"],
          "instance": string("^urn:luna:request:[0-9a-f]{16}$"),
        ], required: ["type", "title", "status", "code", "instance"], "RFC 9457.")
    ),
  ])
}
