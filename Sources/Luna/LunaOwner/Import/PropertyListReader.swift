import Bluetooth
import LunaCore
import LunaProtocol

/// Reads property lists in XML: elements, text, the predefined entities and character references.
/// Declarations of entities are not read, so that a file can neither grow nor reach for others.
struct PropertyListReader {
  private static let deepest = 32

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(DeviceFileError) -> PropertyList {
    try skipMisc()
    guard try openTag() == Tag(name: "plist") else { throw error("no <plist>") }
    guard let value = try value(depth: 0) else { throw error("an empty <plist>") }
    try skipMisc()
    guard try closeTag() == "plist" else { throw error("no </plist>") }
    try skipMisc()
    guard position == bytes.count else { throw error("text after </plist>") }
    return value
  }

  private struct Tag: Equatable {
    var name: String
    var isEmpty = false
  }

  private func error(_ problem: String) -> DeviceFileError {
    DeviceFileError("it is not a property list: \(problem) at byte \(position)")
  }

  /// The next value; nil before a closing tag.
  private mutating func value(depth: Int) throws(DeviceFileError) -> PropertyList? {
    guard depth < PropertyListReader.deepest else { throw error("too deep") }
    try skipMisc()
    guard !starts("</") else { return nil }
    let tag = try openTag()
    switch tag.name {
    case "true", "false":
      try close(tag)
      return .boolean(tag.name == "true")
    case "dict": return .dictionary(try dictionary(tag, depth: depth))
    case "array":
      var elements: [PropertyList] = []
      guard !tag.isEmpty else { return .array([]) }
      while let element = try value(depth: depth + 1) { elements.append(element) }
      guard try closeTag() == "array" else { throw error("no </array>") }
      return .array(elements)
    default:
      let text = tag.isEmpty ? "" : try text()
      try close(tag)
      return try scalar(tag.name, text)
    }
  }

  private mutating func dictionary(
    _ tag: Tag, depth: Int
  ) throws(DeviceFileError) -> [String: PropertyList] {
    var members: [String: PropertyList] = [:]
    guard !tag.isEmpty else { return members }
    while true {
      try skipMisc()
      if starts("</") { break }
      guard try openTag() == Tag(name: "key") else { throw error("no <key>") }
      let key = try text()
      guard try closeTag() == "key" else { throw error("no </key>") }
      guard let value = try value(depth: depth + 1) else { throw error("no value for \(key)") }
      members[key] = value
    }
    guard try closeTag() == "dict" else { throw error("no </dict>") }
    return members
  }

  private func scalar(_ name: String, _ text: String) throws(DeviceFileError) -> PropertyList {
    switch name {
    case "string": return .string(text)
    case "data":
      guard let bytes = Base64.decode(text.filter { !$0.isWhitespace }) else {
        throw error("<data> that is not base64")
      }
      return .data(bytes)
    case "date":
      guard let date = Timestamp(rfc3339: text) else { throw error("a <date> that is none") }
      return .date(date)
    case "integer":
      guard let number = Int64(text) else { throw error("an <integer> that is none") }
      return .integer(number)
    // Records hold these, but nothing that is needed here.
    case "real": return .string(text)
    default: throw error("an unknown element")
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
  }

  /// Skips blanks, comments, the XML declaration and a DOCTYPE without declarations of its own.
  private mutating func skipMisc() throws(DeviceFileError) {
    while position < bytes.count {
      if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
        position += 1
      } else if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!DOCTYPE") {
        let start = position
        try skip(past: ">")
        guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
          throw error("a DOCTYPE with declarations")
        }
      } else {
        return
      }
    }
  }

  private mutating func skip(past end: StaticString) throws(DeviceFileError) {
    while position < bytes.count {
      if starts(end) {
        position += end.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw error("the text ends")
  }

  private mutating func openTag() throws(DeviceFileError) -> Tag {
    guard starts("<"), !starts("</") else { throw error("no element") }
    position += 1
    let content = try until(UInt8(ascii: ">"))
    position += 1
    let isEmpty = content.last == UInt8(ascii: "/")
    // Attributes say nothing here.
    let name = content.prefix { ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "/")].contains($0) }
    return Tag(name: String(decoding: name, as: UTF8.self), isEmpty: isEmpty)
  }

  private mutating func closeTag() throws(DeviceFileError) -> String {
    guard starts("</") else { throw error("no closing tag") }
    position += 2
    let name = try until(UInt8(ascii: ">"))
    position += 1
    return String(decoding: name.filter { $0 > 0x20 }, as: UTF8.self)
  }

  /// Reads the closing tag of an element that is not closed already.
  private mutating func close(_ tag: Tag) throws(DeviceFileError) {
    if tag.isEmpty { return }
    guard try closeTag() == tag.name else { throw error("no </\(tag.name)>") }
  }

  private mutating func until(_ end: UInt8) throws(DeviceFileError) -> ArraySlice<UInt8> {
    guard let index = bytes[position...].firstIndex(of: end) else { throw error("the text ends") }
    defer { position = index }
    return bytes[position..<index]
  }

  /// Text up to the next tag.
  private mutating func text() throws(DeviceFileError) -> String {
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      if bytes[position] == UInt8(ascii: "&") {
        position += 1
        let name = String(decoding: try until(UInt8(ascii: ";")), as: UTF8.self)
        position += 1
        guard let character = PropertyListReader.entity(name) else { throw error("an entity") }
        text.append(contentsOf: String(character).utf8)
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw error("text that is not UTF-8")
    }
    return string
  }

  private static func entity(_ name: String) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHex = name.hasPrefix("#x")
      guard name.hasPrefix("#"),
        let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
      else { return nil }
      return Unicode.Scalar(number).map { Character($0) }
    }
  }
}
