/// An address of mail (RFC 5322, 3.4), with a name or without. What is not plain ASCII, or could be more
/// than one address, is none.
package struct MailAddress: Hashable, Sendable {
  /// The name; empty where there is none.
  package let name: String
  /// `local@domain`.
  package let address: String

  /// Reads `me@example.org` or `Me <me@example.org>`.
  ///
  /// - Parameter name: the name of one that has none.
  package init?(_ text: String, name: String = "") {
    if text.utf8.last == UInt8(ascii: ">"), let open = text.lastIndex(of: "<") {
      let inner = text[text.index(after: open)...].dropLast()
      var given = text[..<open]
      while given.last == " " { given.removeLast() }
      if given.count > 1, given.first == "\"", given.last == "\"" {
        given = given.dropFirst().dropLast()
      }
      self.name = given.isEmpty ? name : String(given)
      address = String(inner)
    } else {
      self.name = name
      address = text
    }
    // A line break in a name that is given with the address is a mistake, or worse.
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    guard let at = address.lastIndex(of: "@"), address.utf8.count <= 254 else { return nil }
    let (local, domain) = (address[..<at], address[address.index(after: at)...])
    guard !local.isEmpty, !domain.isEmpty, local.utf8.allSatisfy(MailAddress.isAtom),
      domain.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "-.:[]".utf8.contains(byte)
      })
    else { return nil }
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
  }
}
