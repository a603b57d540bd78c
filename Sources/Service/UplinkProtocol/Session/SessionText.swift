import LunaJSON

/// What all texts of the side channel have in common.
enum SessionText {
  static func members(_ text: String) throws(FormatError) -> JSONMembers {
    let bytes = Array(text.utf8)
    guard bytes.count <= SessionRequest.limit else { throw FormatError("the text", "is too long") }
    var rules = JSONRules.strict(elements: Samples.limit)
    rules.depth = RecordingLimits.depth
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONReader.read(bytes, rules: rules)
    } catch {
      throw FormatError("the text", "is not JSON")
    }
    return try JSONMembers(json, name: "the text")
  }

  /// A finite number from 0 on.
  static func number(_ name: String, of fields: JSONMembers) throws(FormatError) -> Double {
    guard let value = number(fields.object[name]) else {
      throw FormatError(name, "is not a number from 0 on")
    }
    return value
  }

  static func number(_ json: JSONValue?) -> Double? {
    let number: Double? =
      switch json {
      case .integer(let value)?: Double(value)
      case .real(let value)?: value
      default: nil
      }
    return number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
