import LunaCore
import LunaFleet
import LunaJSON

extension Schema {
  private static let id = string("^[0-9a-f]{16}$")
  private static let digits64 = string("^[0-9a-f]{64}$")
  private static let whole = integer(0, largest)
  private static let boolean: JSONValue = ["type": "boolean"]
  private static let number: JSONValue = ["type": "number"]
  private static let tags = array(of: string("^[a-z0-9_-]{1,32}$"), 0, 32)
  private static let place = object(
    [
      "latitude": orNull(["type": "number", "minimum": -90, "maximum": 90]),
      "longitude": orNull(["type": "number", "minimum": -180, "maximum": 180]),
      "text": orNull(text(200)), "accuracy": orNull(["type": "number", "minimum": 0]),
      "source": orNull(words(Place.Source.allCases.map(\.rawValue))),
    ], required: [])

  private static let editable: [(String, JSONValue)] = [
    ("name", text(80)), ("place", orNull(place)), ("picture", orNull(digits64)),
    ("manufacturer", orNull(text(80))), ("site", orNull(text(80))), ("tags", orNull(tags)),
    ("note", orNull(text(2000))),
  ]

  private static let gateway: [(String, JSONValue)] = [
    ("id", id), ("key", text(64)), ("name", text(120)), ("revision", whole), ("place", place),
    ("picture", digits64), ("pictureUrl", text(100)), ("manufacturer", text(80)),
    ("site", text(80)), ("tags", tags), ("note", text(2000)), ("mac", text(17)), ("ip", text(39)),
    ("model", text(80)), ("createdAt", time), ("enrolledBy", text(200)), ("waiting", boolean),
    ("state", words(GatewayStatus.states)), ("verdict", words(GatewayStatus.verdicts)),
    ("reasons", ["type": "array", "items": ["type": "object"]]), ("seenAt", time),
    ("version", text(64)), ("health", ["type": "object"]), ("uptime", whole),
    ("queueDepth", whole), ("merged", boolean), ("removedAt", time), ("label", text(1024)),
  ]

  private static let deviceEditable: [(String, JSONValue)] = [
    ("name", orNull(text(80))),
    ("priority", orNull(words(DevicePriority.allCases.map(\.rawValue)))),
    ("place", orNull(text(200))), ("picture", orNull(digits64)),
    ("manufacturer", orNull(text(80))), ("approved", orNull(boolean)),
  ]

  private static let results = array(
    of: object(
      ["id": text(64), "status": words(["done", "unchanged", "refused"]), "code": text(64)],
      required: ["id", "status"]), 0, 1000)

  /// The schemas of the fleet.
  static let fleet: [(String, JSONValue)] = [
    ("Gateway", object(properties(gateway), required: ["id", "key", "name", "revision", "state"])),
    (
      "GatewayList",
      object(
        [
          "gateways": array(of: reference("Gateway"), 0, 500), "total": whole, "cursor": text(4096),
          "sections": [
            "type": "array",
            "items": object(
              ["name": orNull(text(80)), "count": whole], required: ["name", "count"]),
          ],
        ], required: ["gateways", "total", "sections"])
    ),
    (
      "GatewayMap",
      object(
        [
          "gateways": [
            "type": "array",
            "items": object(
              [
                "id": id, "name": text(120), "latitude": number, "longitude": number,
                "state": words(GatewayStatus.states), "verdict": words(GatewayStatus.verdicts),
                "simulated": boolean,
              ], required: ["id", "name", "latitude", "longitude", "state", "verdict"]),
          ], "withoutPosition": whole,
        ], required: ["gateways", "withoutPosition"])
    ),
    (
      "GatewayEdit",
      object(properties(editable + [("revision", whole)]), required: [], "A null clears a field.")
    ),
    ("EnrolAgain", object(["payload": text(4096)], required: [])),
    (
      "EnrolReply",
      object(
        ["gateway": reference("Gateway"), "code": text(64), "expiresAt": time],
        required: ["gateway"])
    ),
    (
      "Enrolment",
      [
        "oneOf": [
          object(["code": text(64)], required: ["code"], "A gateway with a code."),
          object(
            [
              "publicKey": digits64, "tokenDigest": digits64,
              "signature": string("^[0-9a-f]{128}$"),
            ],
            required: ["publicKey", "tokenDigest", "signature"], "A gateway with a label."),
          object(
            properties(editable + [("payload", text(4096)), ("allowNoPosition", boolean)]),
            required: ["payload"], "An operator who scanned a label."),
          object(
            properties(editable + [("allowNoPosition", boolean)]), required: ["name"],
            "An operator who makes a record by hand."),
        ]
      ]
    ),
    (
      "EnrolmentReply",
      [
        "oneOf": [
          object(
            ["gateway": text(64), "token": string("^luna-gateway-[0-9a-f]{64}$")],
            required: ["gateway", "token"]),
          object(
            [
              "gateway": ["type": "object"], "change": whole, "code": text(64), "expiresAt": time,
            ], required: ["gateway"]),
        ]
      ]
    ),
    (
      "BulkEdit",
      object(
        [
          "ids": array(of: text(64), 1, 1000), "q": text(256), "count": integer(0, 1000),
          "set": reference("GatewayEdit"), "addTags": tags, "removeTags": tags, "remove": boolean,
        ], required: [], "Either `ids`, or `q` with the `count` that was seen.")
    ),
    (
      "BulkReply", object(["change": whole, "results": results], required: ["change", "results"])
    ),
    (
      "GatewayImport",
      object(
        ["lines": array(of: ["type": "object"], 1, 1000), "dryRun": boolean], required: ["lines"])
    ),
    (
      "ImportReply",
      object(
        ["change": whole, "count": whole, "ids": array(of: id, 0, 1000), "dryRun": boolean],
        required: ["count"])
    ),
    ("ChangeReply", object(["change": whole], required: ["change"])),
    ("UndoReply", object(["change": whole, "results": results], required: [])),
    (
      "ChangeList",
      object(
        [
          "changes": array(
            of: object(
              [
                "change": whole, "time": time, "actor": text(200), "kind": text(32),
                "object": text(100), "name": text(100),
                "action": words(ChangeAction.allCases.map(\.rawValue)),
                "revision": whole, "fields": ["type": "object"], "undoes": whole, "bulk": whole,
              ], required: ["change", "time", "actor", "kind", "object", "action"]), 0, 500)
        ], required: ["changes"])
    ),
    ("PayloadText", object(["text": ["type": "string"]], required: ["text"])),
    (
      "Payload",
      object(
        [
          "print": string("^[0-9a-f]{32}$"), "id": id, "key": text(64), "name": text(80),
          "site": text(80), "mac": text(17), "ip": text(39), "manufacturer": text(80),
          "model": text(80), "place": place,
        ], required: ["print", "id", "key"])
    ),
    (
      "LabelReading",
      ["anyOf": [reference("Payload"), object(["text": text(4096)], required: [])]]
    ),
    (
      "SampleList",
      object(
        [
          "samples": [
            "type": "array",
            "items": object(
              ["time": time, "health": ["type": "object"]], required: ["time", "health"]),
          ]
        ], required: ["samples"])
    ),
    (
      "LabelOrder",
      object(
        ["payload": text(4096), "id": text(64), "format": words(["svg", "png"])], required: [])
    ),
    (
      "FleetDevice",
      object(
        properties(
          [
            ("ref", id), ("gateway", id), ("family", text(64)), ("first", time), ("last", time),
            ("hours", integer(0, 0xFF_FFFF)), ("band", words(DeviceBand.allCases.map(\.rawValue))),
            ("staying", boolean), ("revision", whole), ("pictureUrl", text(100)),
            ("merged", boolean),
          ] + deviceEditable),
        required: ["ref", "gateway", "family", "first", "last", "hours", "band", "staying"])
    ),
    ("FleetDeviceEdit", object(properties(deviceEditable + [("revision", whole)]), required: [])),
    (
      "FleetDeviceList",
      object(
        [
          "devices": ["type": "array", "items": reference("FleetDevice")],
          "families": ["type": "object", "additionalProperties": whole],
          "staying": ["type": "array", "items": reference("StayingCount")],
        ], required: ["devices", "families", "staying"])
    ),
    (
      "StayingCount",
      object(
        ["hour": time, "family": text(64), "count": whole],
        required: ["hour", "family", "count"],
        "How many devices that nobody approved stayed near in an hour.")
    ),
    (
      "FoundDevices",
      object(
        ["devices": ["type": "array", "items": reference("FleetDevice")]], required: ["devices"])
    ),
  ]
}
