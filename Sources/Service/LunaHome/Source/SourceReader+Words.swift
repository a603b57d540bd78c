import SafeText

// Texts, numbers and words.

extension SourceReader {
  /// What stands between quotation marks.
  mutating func string() -> String {
    let start = position
    let quote = bytes[position]
    if quote != UInt8(ascii: "\"") {
      tell(.syntax, at: start, "a text stands in \" and \", not in '", hint: "write \"")
    }
    position += 1
    endsInText = false
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case quote:
        position += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += Array(String(escape()).utf8)
      case 0x0A, 0x0D:
        tellUnended(start)
        return String(decoding: content, as: UTF8.self)
      case 0..<0x20:
        tell(
          .syntax, at: position, "a control character in a text",
          hint: "write \(JSONEscape.escape(UInt32(byte)))")
        position += 1
      default:
        content.append(byte)
        position += 1
      }
    }
    tellUnended(start)
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func tellUnended(_ start: Int) {
    endsInText = true
    tell(
      .syntax, at: start, "this text has no end on its line", hint: "put a quotation mark there")
  }

  private mutating func escape() -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte = next, byte >= 0x20 else { return "\u{FFFD}" }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      // The whole character, of however many bytes, comes after this.
      position -= 1
      tell(.syntax, at: start, "\\\(character) means nothing", hint: "write \\\\ for a backslash")
      return "\\"
    }
    guard let unit = codeUnit() else {
      tell(.syntax, at: start, "\\u without four hexadecimal digits", hint: "write four")
      return "\u{FFFD}"
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let behind = position
    if UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\") {
      position += 1
      if next == UInt8(ascii: "u") {
        position += 1
        if let trail = codeUnit(), UTF16.isTrailSurrogate(trail) {
          return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        }
      }
      position = behind
    }
    tell(
      .syntax, at: start, "half a surrogate pair", hint: "write the character itself, in UTF-8")
    return "\u{FFFD}"
  }

  private mutating func codeUnit() -> UInt16? {
    var value: UInt16 = 0
    for index in 0..<4 {
      guard position + index < bytes.count,
        let digit = Character(Unicode.Scalar(bytes[position + index])).hexDigitValue
      else { return nil }
      value = value << 4 | UInt16(digit)
    }
    position += 4
    return value
  }

  /// The letters, digits and signs that stand here together.
  mutating func letters() -> String {
    let start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "$"), 0x80...:
        position += 1
      default: return String(decoding: bytes[start..<position], as: UTF8.self)
      }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// true, false, null, a number, or something that is none of these.
  mutating func word() -> SourceNode? {
    let start = position
    let letters = letters()
    guard !letters.isEmpty else { return nil }
    return SourceNode(value: value(of: letters, at: start), range: start..<position)
  }

  private mutating func value(of word: String, at start: Int) -> SourceNode.Value {
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    let isNumber = SourceReader.isNumber(word)
    if isNumber, let value = Int64(word) { return .integer(value) }
    if isNumber, let value = Double(word), value.isFinite { return .real(value) }
    let near = Suggestion.nearest(to: word, among: ["true", "false", "null"])
    tell(
      .syntax, at: start, isNumber ? "\(word) is too large a number" : "\(word) is no value",
      hint: near.map { "write \($0)" }
        ?? (isNumber ? "write a smaller one" : "a text stands in quotation marks"))
    return .broken
  }

  /// Whether a word is a number of JSON: no sign but `-`, no zero in front, digits around the point.
  private static func isNumber(_ word: String) -> Bool {
    var rest = Array(word.utf8)[...]
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func digits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole == 1 || whole > 1 && !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard digits() > 0 else { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
