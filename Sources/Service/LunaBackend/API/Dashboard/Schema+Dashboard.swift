import LunaJSON

extension Schema {
  private static let name = text(128)
  private static let number: JSONValue = ["type": "number"]
  private static let slot: [(String, JSONValue)] = [
    ("row", integer(0, 7)), ("column", integer(0, 3)),
  ]
  private static let part = object(
    ["name": name, "value": number], required: ["name", "value"])
  private static let line = object(
    [
      "name": name,
      "points": [
        "type": "array",
        "items": object(["time": time, "value": number], required: ["time"]),
      ],
    ], required: ["name", "points"])

  /// The schemas of the dashboard and of what everybody has set.
  static let dashboard: [(String, JSONValue)] = [
    (
      "Layout",
      object(
        [
          "columns": ["type": "integer", "enum": [2, 4]],
          "widgets": array(
            of: object(
              properties([("name", name), ("size", words(["small", "medium"]))] + slot),
              required: ["name", "size", "row", "column"]), 0, 32),
          "lastUsed": orNull(object(properties(slot), required: ["row", "column"])),
        ], required: ["columns", "widgets"])
    ),
    (
      "Layouts",
      object(["layouts": array(of: reference("Layout"), 0, 2)], required: ["layouts"])
    ),
    ("LayoutOrLayouts", ["oneOf": [reference("Layout"), reference("Layouts")]]),
    (
      "Filters",
      object(
        [
          "filters": [
            "type": "array",
            "items": object(
              [
                "name": text(80), "q": text(256), "shared": orNull(["type": "boolean"]),
                "owner": orNull(text(200)),
              ], required: ["name", "q"]),
          ]
        ], required: ["filters"])
    ),
    ("Theme", object(["theme": words(["system", "light", "dark"])], required: ["theme"])),
    (
      "DashboardData",
      object(
        [
          "range": words(DashboardRange.allCases.map(\.rawValue)),
          "widgets": [
            "type": "object",
            "additionalProperties": object(
              [
                "value": number, "text": text(200), "total": number, "simulated": number,
                "parts": ["type": "array", "items": part],
                "series": ["type": "array", "items": line],
                "items": ["type": "array", "items": ["type": "object"]],
                "places": ["type": "array", "items": ["type": "object"]],
              ], required: []),
          ],
        ], required: ["range", "widgets"])
    ),
  ]
}
