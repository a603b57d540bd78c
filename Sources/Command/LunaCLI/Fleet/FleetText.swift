import Bluetooth
import LunaCore
import LunaDocuments
import LunaJSON
import SafeText

/// Values of records for people.
enum FleetText {
  /// A moment on the clocks of a person; what is none as it is.
  static func time(_ value: JSONValue?, _ clock: ClockText) -> String {
    guard case .string(let text)? = value, let moment = Timestamp(rfc3339: text) else {
      return of(value)
    }
    return clock.dateAndTime(moment)
  }

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
