package import LunaJSON

extension AppEntry {
  /// It as a line of JSON.
  package var summary: JSONObject {
    var line: JSONObject = [
      "type": "profile", "kind": portTest == nil ? "app" : "ports", "name": .string(name),
      "original": .string(replay.text),
    ]
    if let control { line.append("control", .string(control.text)) }
    if let category { line.append("category", .string(category)) }
    if let size { line.append("megabytes", .real(size)) }
    if let seconds { line.append("seconds", .real(seconds)) }
    return line
  }

  /// It for a person, as cells: name, original, control, category, MB and seconds. The list may have been made by
  /// anybody: what is shown is to be escaped.
  package var row: [String] {
    [
      name, replay.text, control?.text ?? "all bits inverted", category ?? "",
      size.map(ShortNumber.text) ?? "", seconds.map(ShortNumber.text) ?? "",
    ]
  }
}
