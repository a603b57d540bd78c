/// Values in which a secret may stand among other things.
package enum SecretText {
  /// The same without passwords: `https://name:PASSWORD@host`, `name:PASSWORD@host`, `password=PASSWORD`.
  package static func hiding(_ text: String) -> String {
    var bytes = Array(text.utf8)
    hideInAddresses(&bytes)
    hideNamed(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let mark = Array("***".utf8)

  private static func hideInAddresses(_ bytes: inout [UInt8]) {
    var place = 0
    while let start = end(of: "://", in: bytes[place...]) {
      hide(in: bytes[start...], of: &bytes)
      place = start
    }
    guard place == 0 else { return }
    // A proxy can be named without a scheme. From behind, as words become longer or shorter.
    for word in bytes.split(whereSeparator: { " \t".utf8.contains($0) }).reversed()
    where end(of: "mailto:", in: word.prefix(7)) == nil {
      hide(in: word, of: &bytes)
    }
  }

  /// Hides the password before a host, if what begins here is one.
  private static func hide(in text: ArraySlice<UInt8>, of bytes: inout [UInt8]) {
    let authority = text.prefix { !"/?#".utf8.contains($0) }
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
