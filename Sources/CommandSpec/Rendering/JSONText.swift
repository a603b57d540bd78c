import SafeText

/// A JSON value that can write itself; only what the specification dump needs.
indirect enum JSONText {
  case string(String)
  case number(Int)
  case bool(Bool)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The value with two spaces of indentation per level.
  func written(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .string(let text): return Self.quote(text)
    case .number(let number): return String(number)
    case .bool(let flag): return flag ? "true" : "false"
    case .array(let values):
      if values.isEmpty { return "[]" }
      let rows = values.map { inner + $0.written(indent: inner) }
      return "[\n" + rows.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let rows = members.map { inner + Self.quote($0.0) + ": " + $0.1.written(indent: inner) }
      return "{\n" + rows.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    JSONEscape.append(text, to: &quoted)
    return quoted + "\""
  }
}
