package import LunaJSON

extension BuiltInProfile {
  /// It as a line of JSON.
  package var summary: JSONObject {
    [
      "type": "profile", "kind": "builtIn", "name": .string(rawValue),
      "original": .string(original), "control": .string(control), "compared": .string(measure),
    ]
  }
}
