/// What names and passwords of accounts can be.
package enum AccountRule {
  /// Whether it is 1 to 64 letters, digits, dots, hyphens and underscores.
  package static func isWord(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || "._-".utf8.contains(byte)
      }
  }

  /// What is said of a name that cannot be given to an account.
  package static let nameWords =
    "1 to 64 small letters, digits, dots, hyphens and underscores, but neither . nor .."

  /// Whether a name can be given to an account: a word without capitals, which can stand in a path. What `.` and
  /// `..` are there, is something else (RFC 3986, 5.2.4): nobody could ask for such an account.
  package static func isName(_ text: String) -> Bool {
    isWord(text) && ![".", ".."].contains(text)
      && !text.utf8.contains { (0x41...0x5A).contains($0) }
  }

  /// Whether a password is long enough, and not too long to be worked on.
  package static func isPassword(_ text: String) -> Bool {
    text.unicodeScalars.count >= 12 && text.utf8.count <= 256
  }
}
