import LunaJSON
import SafeText

/// Values of records for people.
enum FleetText {
  static func of(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null?: "-"
    case .string(let text)?: EscapedText.line(text)
    case .array(let values)?: values.map { of($0) }.joined(separator: ", ")
    case .object(let object)?:
      object.members.map { "\(EscapedText.line($0.name)) \(of($0.value))" }.joined(separator: ", ")
    case .some(let value): value.description
    }
  }
}
