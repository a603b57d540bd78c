import Bluetooth
import LunaCore
import LunaDocuments
import LunaJSON
import SafeText

/// Values of records for people.
enum FleetText {
  /// A moment on the clocks of a person; what is none as it is.
  static func time(_ value: JSONValue?, _ clock: ClockText) -> String {
    timestamp(value).map { clock.dateAndTime($0) } ?? of(value)
  }

  /// A moment in a sentence; what is none as it is.
  static func moment(_ value: JSONValue?, _ times: ShownTimes) -> String {
    timestamp(value).map { times.moment($0) } ?? of(value)
  }

  private static func timestamp(_ value: JSONValue?) -> Timestamp? {
    guard case .string(let text)? = value else { return nil }
    return Timestamp(rfc3339: text)
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
