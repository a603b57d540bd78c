/// The text exposition format of Prometheus, version 0.0.4, as it is written.
public struct MetricsText: Sendable {
  /// The media type of ``text``.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// What was written so far.
  public private(set) var text = ""

  /// Nothing yet.
  public init() {}

  /// A number that only grows, once or for each of several labels.
  public mutating func counter(
    _ name: String, _ help: String, _ values: [(labels: [(String, String)], value: Double)]
  ) {
    write(name, "counter", help, values)
  }

  /// A number that grows and shrinks.
  public mutating func gauge(
    _ name: String, _ help: String, _ values: [(labels: [(String, String)], value: Double)]
  ) {
    write(name, "gauge", help, values)
  }

  private mutating func write(
    _ name: String, _ type: String, _ help: String,
    _ values: [(labels: [(String, String)], value: Double)]
  ) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    for (labels, value) in values {
      let written = labels.map { "\($0)=\"\(MetricsText.escaped($1))\"" }.joined(separator: ",")
      text += written.isEmpty ? name : "\(name){\(written)}"
      text += " \(MetricsText.number(value))\n"
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }

  /// A label's value may be any text: `\`, `"` and line breaks are escaped, and other controls, which no
  /// terminal should be sent, left out.
  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default:
        if scalar.properties.generalCategory != .control { escaped.unicodeScalars.append(scalar) }
      }
    }
    return escaped
  }
}
