/// Values in which a secret may stand among other things.
package enum SecretText {
  /// The same without passwords: `https://name:PASSWORD@host`, `password=PASSWORD`.
  package static func hiding(_ text: String) -> String {
    var bytes = Array(text.utf8)
    hideInURL(&bytes)
    hideNamed(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let mark = Array("***".utf8)

  private static func hideInURL(_ bytes: inout [UInt8]) {
    guard let start = end(of: "://", in: bytes[...]) else { return }
    let authority = bytes[start...].prefix { !Array("/?#".utf8).contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
    else { return }
    bytes.replaceSubrange(colon + 1..<at, with: mark)
  }

  private static func hideNamed(_ bytes: inout [UInt8]) {
    var place = 0
    while let start = end(of: "password=", in: bytes[place...]) {
      let secret = bytes[start...].prefix { !Array(" &\t".utf8).contains($0) }
      bytes.replaceSubrange(secret.indices, with: mark)
      place = start + mark.count
    }
  }

  /// Where the first such word ends; capital letters are the same as small ones.
  private static func end(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let word = Array(word.utf8)
    return bytes.indices.first { start in
      bytes[start...].prefix(word.count).elementsEqual(word) { byte, letter in
        byte == letter || byte | 0x20 == letter && (0x41...0x5A).contains(byte)
      }
    }.map { $0 + word.count }
  }
}
