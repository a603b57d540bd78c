import Bluetooth
import LunaJSON

/// Bytes of a recording that a network recognises.
package struct ByteSpan: Sendable {
  /// More of them are not shown.
  private static let shown = 256

  /// The packet of the client, from 1.
  package let packet: Int
  /// Where they are in it, from 0.
  package let range: Range<Int>
  /// What they are.
  package let bytes: [UInt8]
  /// Of several things each of which is recognised by itself, which one it belongs to, from 1; nil where there is one.
  package let alternative: Int?
  /// Whether each of them counts, and not some of them alone.
  package let isExact: Bool

  /// It, as a member of a result. What is no letter or sign is a point in the text.
  var json: JSONValue {
    let shown = bytes.prefix(ByteSpan.shown)
    let text = shown.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }
    var members: JSONObject = [
      "packet": .integer(Int64(packet)), "left": .integer(Int64(range.lowerBound)),
      "right": .integer(Int64(range.upperBound)), "hex": .string(Hex.lower(Array(shown))),
      "text": .string(String(decoding: text, as: UTF8.self)), "exact": .bool(isExact),
    ]
    if let alternative { members.append("alternative", .integer(Int64(alternative))) }
    return .object(members)
  }
}
