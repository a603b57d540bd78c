/// Reads the members of an object; what is missing or of another type throws its name. Members that
/// nobody asks for are ignored.
public struct JSONMembers: Sendable {
  /// What the members are read from, with those that nobody asks for.
  public let object: JSONObject

  /// The members of a value.
  ///
  /// - Parameter name: how messages call the value.
  public init(_ value: JSONValue, name: String) throws(FormatError) {
    guard case .object(let object) = value else { throw FormatError(name, "is not an object") }
    self.object = object
  }

  /// A member that may be missing or null.
  public func optional(_ name: String) -> JSONValue? {
    guard let value = object[name], value != .null else { return nil }
    return value
  }

  /// A text of any length.
  ///
  /// - Throws: where it is missing, or another type.
  public func string(_ name: String) throws(FormatError) -> String {
    switch object[name] {
    case .string(let text)?: return text
    case nil: throw FormatError(name, "is missing")
    default: throw FormatError(name, "is not a string")
    }
  }

  /// A text of at most so many characters (Unicode scalars); nil where it is missing or null.
  public func optionalString(_ name: String, limit: Int) throws(FormatError) -> String? {
    guard optional(name) != nil else { return nil }
    let text = try string(name)
    guard text.unicodeScalars.count <= limit else {
      throw FormatError(name, "has more than \(limit) characters")
    }
    return text
  }

  /// A word that names something to programs, such as a request or a kind of problem: letters,
  /// digits, `-` and `_`, at least one and at most so many. It can stand in a log, in a
  /// path and on a terminal as it is.
  public func word(_ name: String, limit: Int) throws(FormatError) -> String {
    let text = try string(name)
    guard JSONMembers.isWord(text), text.utf8.count <= limit else {
      throw FormatError(name, "is not 1 to \(limit) letters, digits, - and _")
    }
    return text
  }

  /// Whether a text is a word as ``word(_:limit:)`` takes it.
  public static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
      }
  }

  /// A whole number in a range.
  ///
  /// - Throws: where it is missing, of another type (`1.0` is, too) or out of range.
  public func integer(_ name: String, in range: ClosedRange<Int64>) throws(FormatError) -> Int64 {
    switch object[name] {
    case .integer(let value)?:
      guard range.contains(value) else { throw FormatError(name, "is out of range") }
      return value
    case nil: throw FormatError(name, "is missing")
    default: throw FormatError(name, "is not a whole number")
    }
  }

  /// An array of anything, of any length.
  ///
  /// - Throws: where it is missing, or another type.
  public func array(_ name: String) throws(FormatError) -> [JSONValue] {
    switch object[name] {
    case .array(let elements)?: return elements
    case nil: throw FormatError(name, "is missing")
    default: throw FormatError(name, "is not an array")
    }
  }
}
