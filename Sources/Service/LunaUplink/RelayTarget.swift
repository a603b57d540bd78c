/// Where a relay leads: one host and port, and nowhere else.
public struct RelayTarget: Hashable, Sendable {
  /// A name, or an address; one of IPv6 without brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  /// The target of an address that begins with `https://`; nil for any other.
  public init?(https url: String) {
    let scheme = "https://"
    guard url.prefix(scheme.count).lowercased() == scheme else { return nil }
    let rest = url.dropFirst(scheme.count)
    let authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    self.init(authority: authority, standardPort: 443)
  }

  /// The target of `HOST[:PORT]`; nil for anything else.
  init?(authority: String, standardPort: UInt16? = nil) {
    let host: Substring
    let end: Substring
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<close]
      end = authority[authority.index(after: close)...]
    } else {
      host = authority.prefix { $0 != ":" }
      end = authority[host.endIndex...]
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != 0x40 }) else {
      return nil
    }
    if end.isEmpty {
      guard let standardPort else { return nil }
      port = standardPort
    } else {
      let digits = end.dropFirst()
      // Swift takes a sign, too.
      guard end.hasPrefix(":"), digits.first?.isNumber == true, let port = UInt16(digits), port > 0
      else { return nil }
      self.port = port
    }
    self.host = host.lowercased()
  }
}
