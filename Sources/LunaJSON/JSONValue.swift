import SafeText

/// A JSON value (RFC 8259) that keeps whole numbers exact.
public enum JSONValue: Hashable, Sendable {
  /// null.
  case null
  /// true or false.
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number.
  case real(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text without blanks.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .real(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): JSONValue.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (index, member) in object.members.enumerated() {
        if index > 0 { text += "," }
        JSONValue.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    JSONEscape.append(string, to: &text)
    text += "\""
  }
}
