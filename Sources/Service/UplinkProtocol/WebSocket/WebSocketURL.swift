/// Where a WebSocket over TLS is: `wss://HOST[:PORT][/PATH][?QUERY]` (RFC 6455, 3).
package struct WebSocketURL: Hashable, Sendable {
  /// How long one may be, bytes.
  private static let limit = 8 << 10

  /// Its name or address, in lower case.
  package let host: String
  /// The port.
  package let port: UInt16
  /// Path and query.
  package let target: String

  /// Whether the host is an address: no name ends with a number.
  package var isAddress: Bool {
    isVersion6 || host.split(separator: ".").last.map { UInt64($0) != nil } ?? false
  }

  /// The host as it stands in a URL and in a head.
  package var hostText: String { isVersion6 ? "[\(host)]" : host }

  private var isVersion6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

  /// Reads one; nil for anything else.
  package init?(_ text: String) {
    let scheme = "wss://"
    guard text.utf8.count <= WebSocketURL.limit, text.prefix(scheme.count).lowercased() == scheme,
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    // An address of IPv6 stands in brackets.
    let isInBrackets = authority.hasPrefix("[")
    let host =
      isInBrackets ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    // Letters, digits, `-` and `.`: it can stand in a head, and be looked up.
    guard (1...253).contains(host.utf8.count),
      host.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: isInBrackets && byte == UInt8(ascii: ":")
        }
      }), isInBrackets == host.utf8.contains(UInt8(ascii: ":"))
    else { return nil }
    var end = authority[host.endIndex...]
    guard !isInBrackets || end.popFirst() == "]" else { return nil }
    if end.isEmpty {
      port = 443
    } else {
      let digits = end.dropFirst()
      // Swift takes a sign, too.
      guard end.first == ":", digits.first?.isNumber == true, let port = UInt16(digits), port > 0
      else { return nil }
      self.port = port
    }
    self.host = host.lowercased()
    let target = rest[authority.endIndex...]
    self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
  }
}
