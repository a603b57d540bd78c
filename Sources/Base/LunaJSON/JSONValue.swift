import SafeText

/// A JSON value (RFC 8259) that keeps whole numbers exact.
public enum JSONValue: Hashable, Sendable {
  /// null.
  case null
  /// true or false.
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number.
  case real(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text without blanks.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as JSON text without blanks, in UTF-8.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: nil)
    return bytes
  }

  /// The value as JSON text for people: an element or a member on each line, with two blanks for
  /// each level.
  public var indented: String {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: "")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter indent: what stands in front of the line that this begins in; nil for no lines.
  private func write(to bytes: inout [UInt8], indent: String?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .real(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let value): JSONValue.write(value, to: &bytes)
    case .array(let elements):
      JSONValue.write(elements, "[", "]", to: &bytes, indent) { $1.write(to: &$0, indent: $2) }
    case .object(let object):
      JSONValue.write(object.members, "{", "}", to: &bytes, indent) { bytes, member, inner in
        JSONValue.write(member.name, to: &bytes)
        bytes += (inner == nil ? ":" : ": ").utf8
        member.value.write(to: &bytes, indent: inner)
      }
    }
  }

  private static func write<Part>(
    _ parts: [Part], _ open: String, _ close: String, to bytes: inout [UInt8], _ indent: String?,
    _ body: (inout [UInt8], Part, String?) -> Void
  ) {
    bytes += open.utf8
    let inner = indent.map { $0 + "  " }
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let inner { bytes += "\n\(inner)".utf8 }
      body(&bytes, part, inner)
    }
    if let indent, !parts.isEmpty { bytes += "\n\(indent)".utf8 }
    bytes += close.utf8
  }

  private static func write(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    JSONEscape.append(string, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
