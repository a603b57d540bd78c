import Bluetooth
import LunaJSON

/// The members of one object of a file, as programs in several languages write them: a number may be text,
/// and blanks around a text do not count.
struct RecordingFields {
  /// How messages call the object.
  let name: String
  private let object: JSONObject

  init(_ json: JSONValue, _ name: String) throws(FormatError) {
    guard case .object(let object) = json else { throw FormatError(name, "is not an object") }
    self.name = name
    self.object = object
  }

  /// A member; nil where it is missing or null.
  subscript(field: String) -> JSONValue? {
    guard let value = object[field], value != .null else { return nil }
    return value
  }

  /// Which of some spellings of a member is used; the first one where none is.
  func spelling(_ spellings: String...) -> String {
    spellings.first { self[$0] != nil } ?? spellings[0]
  }

  func problem(_ field: String, _ problem: String) -> FormatError {
    FormatError("\(name), \(field)", problem)
  }

  func text(_ field: String) throws(FormatError) -> String {
    guard let value = self[field] else { throw problem(field, "is missing") }
    guard let text = RecordingFields.text(value) else { throw problem(field, "is not a string") }
    return text
  }

  func bool(_ field: String) throws(FormatError) -> Bool {
    guard let value = self[field] else { throw problem(field, "is missing") }
    guard case .bool(let bool) = value else { throw problem(field, "is neither true nor false") }
    return bool
  }

  func array(_ field: String) throws(FormatError) -> [JSONValue] {
    guard let value = self[field] else { throw problem(field, "is missing") }
    guard case .array(let elements) = value else { throw problem(field, "is not a list") }
    return elements
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(FormatError) -> Int {
    guard let value = self[field] else { throw problem(field, "is missing") }
    guard let number = RecordingFields.integer(value), range.contains(number) else {
      throw problem(field, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func number(_ field: String, in range: ClosedRange<Double>) throws(FormatError) -> Double {
    guard let value = self[field] else { throw problem(field, "is missing") }
    guard let number = RecordingFields.number(value), range.contains(number) else {
      throw problem(field, "is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A time, s from the beginning of the recording.
  func time(_ field: String = "timestamp") throws(FormatError) -> Double {
    try number(field, in: 0...RecordingLimits.seconds)
  }

  /// Bytes in hexadecimal digits.
  func bytes(_ field: String, limit: Int) throws(FormatError) -> [UInt8] {
    let text = try text(field)
    guard text.utf8.count <= 2 * limit else { throw problem(field, "has more than \(limit) bytes") }
    guard let bytes = Hex.bytes(text) else {
      throw problem(field, "is not pairs of hexadecimal digits")
    }
    return bytes
  }

  /// A hash of SHA-1; nil where there is none.
  func hash(_ field: String) throws(FormatError) -> [UInt8]? {
    guard self[field] != nil else { return nil }
    guard let hash = Hex.bytes(try text(field)), hash.count == 20 else {
      throw problem(field, "is neither null nor a hash of 40 hexadecimal digits")
    }
    return hash
  }

  func pair(_ field: String) throws(FormatError) -> ConnectionPair {
    guard let pair = ConnectionPair(try text(field)) else {
      throw problem(field, "is not \(ConnectionPair.form)")
    }
    return pair
  }

  /// A text without the blanks around it; nil when it is none.
  static func text(_ value: JSONValue) -> String? {
    guard case .string(let text) = value else { return nil }
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
      let last = text.utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  static func integer(_ value: JSONValue) -> Int? {
    switch value {
    case .integer(let number): Int(exactly: number)
    case .real(let number): Int(exactly: number)
    default: text(value).flatMap { Int($0) }
    }
  }

  /// A finite number.
  static func number(_ value: JSONValue) -> Double? {
    let number: Double?
    switch value {
    case .integer(let whole): number = Double(whole)
    case .real(let real): number = real
    default:
      // Swift takes hexadecimal numbers too, and words.
      let isNumeral = { (text: String) in
        text.utf8.allSatisfy { byte in
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
      }
      number = text(value).flatMap { isNumeral($0) ? Double($0) : nil }
    }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
