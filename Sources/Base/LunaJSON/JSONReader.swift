/// Reads JSON text (RFC 8259).
public struct JSONReader {
  /// Up to so many members, names are compared one by one.
  private static let few = 16

  private let bytes: [UInt8]
  private let rules: JSONRules
  private var position = 0

  /// The one value in a text.
  ///
  /// - Throws: the first thing that is not JSON, or breaks a rule.
  public static func read(
    _ bytes: [UInt8], rules: JSONRules = .none
  ) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes: bytes, rules: rules)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.error("text after the value") }
    return value
  }

  private init(bytes: [UInt8], rules: JSONRules) {
    self.bytes = bytes
    self.rules = rules
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ problem: String, _ kind: JSONError.Kind = .malformed) -> JSONError {
    JSONError(kind: kind, problem: problem, offset: position)
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < rules.depth else { throw error("too deep") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("the text ends")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("no value") }
    position += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    var object = JSONObject()
    var names: Set<String> = []
    position += 1
    skipBlanks()
    if skip("}") { return object }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw error("no member name") }
      let name = try string()
      if !rules.allowsDuplicateNames, isThere(name, object, &names) {
        throw error("a name that the object has already", .duplicateName)
      }
      skipBlanks()
      guard skip(":") else { throw error("no colon") }
      object.append(name, try value(depth: depth + 1))
      skipBlanks()
      if skip("}") { return object }
      guard skip(",") else { throw error("no comma") }
    }
  }

  /// Whether an object has a name; `names` are those of a large one.
  private func isThere(_ name: String, _ object: JSONObject, _ names: inout Set<String>) -> Bool {
    if object.members.count < JSONReader.few {
      return object.members.contains { $0.name == name }
    }
    if names.isEmpty { names = Set(object.members.map(\.name)) }
    return !names.insert(name).inserted
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    position += 1
    skipBlanks()
    if skip("]") { return elements }
    while true {
      if let limit = rules.elements, elements.count >= limit {
        throw error("an array with more than \(limit) elements", .tooManyElements)
      }
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if skip("]") { return elements }
      guard skip(",") else { throw error("no comma") }
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = skip("-")
    let isZero = next == UInt8(ascii: "0")
    guard digits() > 0, !isZero || position == start + (bytes[start] == UInt8(ascii: "-") ? 2 : 1)
    else { throw error("no value") }
    var isWhole = true
    if skip(".") {
      isWhole = false
      guard digits() > 0 else { throw error("no fraction") }
    }
    if skip("e") || skip("E") {
      isWhole = false
      if !skip("+") { _ = skip("-") }
      guard digits() > 0 else { throw error("no exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw error("number too large") }
    return .real(value)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    // Most strings are plain: they are taken in one piece.
    let start = position
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      position += 1
    }
    if skip("\"") { return try string(bytes.span.extracting(start..<position - 1)) }
    var text = Array(bytes[start..<position])
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try string(text.span)
      case UInt8(ascii: "\\"): text.append(contentsOf: Array(String(try escape()).utf8))
      case 0..<0x20: throw error("a control character in a string")
      default: text.append(byte)
      }
    }
    throw error("the text ends in a string")
  }

  private func string(_ text: Span<UInt8>) throws(JSONError) -> String {
    // Not `String(validating:as:)`: as that is compiled in the standard library, it takes three times as long.
    guard let text = try? UTF8Span(validating: text) else {
      throw error("a string that is not UTF-8")
    }
    return String(copying: text)
  }

  private mutating func escape() throws(JSONError) -> Character {
    guard let byte = next else { throw error("the text ends in a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("an unknown escape")
    }
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
    guard UTF16.isLeadSurrogate(unit), skip("\\"), skip("u") else {
      throw error("half a surrogate pair")
    }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw error("half a surrogate pair") }
    return Character(UTF16.decode(UTF16.EncodedScalar([unit, trail])))
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("not four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}
