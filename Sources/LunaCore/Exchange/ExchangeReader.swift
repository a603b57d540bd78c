public import Bluetooth
public import LunaJSON
public import LunaProtocol

/// Reads the members of a JSON object of the exchange with a backend (PROTOCOL.md, 2): unknown ones
/// are ignored, null counts as missing, and what is missing or mistyped throws its name.
public struct ExchangeReader {
  private let object: JSONObject

  /// A reader of an object.
  public init(_ object: JSONObject) { self.object = object }

  /// A reader of a value that has to be an object.
  ///
  /// - Parameter name: how errors call the value.
  public init(_ value: JSONValue?, _ name: String) throws(ExchangeError) {
    guard case .object(let object)? = value else {
      throw ExchangeError(name, "\(name) is no object")
    }
    self.object = object
  }

  /// A member as it is; nil when it is missing or null.
  public subscript(name: String) -> JSONValue? {
    let value = object[name]
    return value == .null ? nil : value
  }

  /// The value, or an error that it is missing.
  public func required<Value>(_ name: String, _ value: Value?) throws(ExchangeError) -> Value {
    guard let value else { throw ExchangeError(name, "\(name) is missing") }
    return value
  }

  /// A text of at most `limit` bytes.
  public func string(_ name: String, limit: Int = 256) throws(ExchangeError) -> String? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value else {
      throw ExchangeError(name, "\(name) is no text")
    }
    guard text.utf8.count <= limit else {
      throw ExchangeError(name, "\(name) is longer than \(limit) bytes")
    }
    return text
  }

  /// A whole number within limits.
  public func integer<Number: FixedWidthInteger>(
    _ name: String, _ limits: ClosedRange<Number>
  ) throws(ExchangeError) -> Number? {
    guard let value = self[name] else { return nil }
    guard case .integer(let number) = value else {
      throw ExchangeError(name, "\(name) is no whole number")
    }
    guard let fitting = Number(exactly: number), limits.contains(fitting) else {
      throw ExchangeError(
        name, "\(name) is not within \(limits.lowerBound) to \(limits.upperBound)")
    }
    return fitting
  }

  /// True or false.
  public func bool(_ name: String) throws(ExchangeError) -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .bool(let flag) = value else {
      throw ExchangeError(name, "\(name) is neither true nor false")
    }
    return flag
  }

  /// A list.
  public func array(_ name: String) throws(ExchangeError) -> [JSONValue]? {
    guard let value = self[name] else { return nil }
    guard case .array(let elements) = value else {
      throw ExchangeError(name, "\(name) is no list")
    }
    return elements
  }

  /// A time in RFC 3339.
  public func time(_ name: String) throws(ExchangeError) -> Timestamp? {
    guard let text = try string(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw ExchangeError(name, "\(name) is no time such as 2026-11-21T10:00:00Z")
    }
    return time
  }

  /// A day, `2026-11-21`.
  public func day(_ name: String) throws(ExchangeError) -> EventDay? {
    guard let text = try string(name) else { return nil }
    guard let day = EventDay(text) else {
      throw ExchangeError(name, "\(name) is no day such as 2026-11-21")
    }
    return day
  }

  /// A heid.
  public func heid(_ name: String) throws(ExchangeError) -> HEID? {
    guard let text = try string(name) else { return nil }
    return try ExchangeReader.heid(text, name)
  }

  /// Bytes in base64, of a number that fits.
  public func bytes(_ name: String, count: ClosedRange<Int>) throws(ExchangeError) -> [UInt8]? {
    guard let text = try string(name, limit: (count.upperBound + 2) / 3 * 4) else { return nil }
    guard let bytes = Base64.decode(text) else {
      throw ExchangeError(name, "\(name) is no base64 with padding")
    }
    guard count.contains(bytes.count) else {
      throw ExchangeError(name, "\(name) has \(bytes.count) bytes")
    }
    return bytes
  }

  /// A heid from its text. Digits are lower case: the same heid has one text only.
  static func heid(_ text: String, _ name: String) throws(ExchangeError) -> HEID {
    guard let heid = HEID(text), heid.description == text else {
      throw ExchangeError(name, "\(name) is not 32 hexadecimal digits in lower case")
    }
    return heid
  }
}
