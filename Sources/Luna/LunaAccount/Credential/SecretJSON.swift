import Bluetooth
import LunaCrypto

/// Takes secrets out of a JSON object before it is read: what a reader makes of them could not be
/// wiped.
enum SecretJSON {
  /// Takes the strings of some members of the outermost object out of a text, in whose place stand
  /// blanks then. Whether the text is JSON is for the reader to find out.
  ///
  /// - Returns: what was taken; a string with characters that no token has (RFC 6749, A.12) is not.
  static func take(_ names: [String], from text: inout [UInt8]) -> [String: SecretBytes] {
    var secrets: [String: SecretBytes] = [:]
    var depth = 0
    var position = 0
    /// The string at depth 1 before the last colon.
    var name: String?
    var isValue = false
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isValue = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: ":") where depth == 1: isValue = true
      case UInt8(ascii: ",") where depth == 1: isValue = false
      case UInt8(ascii: "\""):
        let range = content(of: text, from: position + 1)
        if depth == 1, isValue, let name, names.contains(name) {
          secrets[name] = token(text[range])
          for index in range { text[index] = 0x20 }
        } else if depth == 1, !isValue {
          name = String(decoding: text[range], as: UTF8.self)
        }
        position = range.upperBound
      default: break
      }
      position += 1
    }
    return secrets
  }

  /// From the quotation mark that begins a string to the one that ends it.
  private static func content(of text: [UInt8], from start: Int) -> Range<Int> {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start..<min(end, text.count)
  }

  /// The characters of a string, if all are visible ones of ASCII.
  private static func token(_ text: ArraySlice<UInt8>) -> SecretBytes? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    defer { wipe(&bytes) }
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case let next? where "/\"\\".utf8.contains(next): bytes.append(next)
      case UInt8(ascii: "u"):
        let digits = rest.prefix(4).compactMap { Hex.value(of: $0) }
        guard digits.count == 4, digits[0] == 0, digits[1] == 0 else { return nil }
        bytes.append(digits[2] << 4 | digits[3])
        rest.removeFirst(4)
      default: return nil
      }
    }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
    return SecretBytes(copying: bytes.span)
  }

  /// Adds the member of an object: `,"name":"token"`.
  static func append(_ name: String, _ secret: SecretBytes?, to text: inout [UInt8]) {
    guard let secret else { return }
    text += ",\"\(name)\":\"".utf8
    secret.withBytes { bytes in
      for index in bytes.indices {
        if "\"\\".utf8.contains(bytes[index]) { text.append(UInt8(ascii: "\\")) }
        text.append(bytes[index])
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
