import Glibc

/// An address of the web, read in one way only: what another reader could take for another host is none.
package struct WebAddress: Hashable, Sendable {
  package let isEncrypted: Bool
  /// In lower case; IPv6 addresses in their one short form (RFC 5952), without brackets.
  package let host: String
  package let port: UInt16
  /// Path and query, at least `/`.
  package let target: String

  /// - Parameter text: `https://HOST[:PORT][/PATH][?QUERY]`; a fragment is left out.
  package init?(_ text: some StringProtocol) {
    let text = text.prefix { $0 != "#" }
    guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    let scheme = text.prefix { $0 != ":" }
    switch scheme.lowercased() {
    case "https": isEncrypted = true
    case "http": isEncrypted = false
    default: return nil
    }
    var rest = text[scheme.endIndex...]
    guard rest.hasPrefix("://") else { return nil }
    rest = rest.dropFirst(3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let after = rest[authority.endIndex...]
    guard let (host, port) = WebAddress.place(String(authority)) else { return nil }
    self.host = host
    self.port = port ?? (isEncrypted ? 443 : 80)
    target = after.hasPrefix("/") ? String(after) : "/" + after
  }

  /// HOST or HOST:PORT; nil for anything else, such as a user name in front.
  static func place(_ text: String) -> (host: String, port: UInt16?)? {
    var name = text[...]
    var port: UInt16?
    let isAddress = text.hasPrefix("[")
    if let colon = text.lastIndex(of: ":"), !isAddress || text[..<colon].hasSuffix("]") {
      let digits = text[text.index(after: colon)...]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt16(digits), number > 0
      else { return nil }
      port = number
      name = text[..<colon]
    }
    if isAddress {
      guard name.hasSuffix("]"), let host = shortForm(String(name.dropFirst().dropLast())) else {
        return nil
      }
      return (host, port)
    }
    let host = name.lowercased()
    guard !host.isEmpty, host.utf8.count <= 253,
      host.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || "-._".utf8.contains($0)
      })
    else { return nil }
    // A name that ends in a number is an IPv4 address, in one of many forms: only one is taken
    // (WHATWG URL, 3.5).
    if let last = host.split(separator: ".").last, isNumber(last) {
      var bytes = in_addr()
      guard inet_pton(AF_INET, host, &bytes) == 1 else { return nil }
    }
    return (host, port)
  }

  private static func isNumber(_ label: Substring) -> Bool {
    label.utf8.allSatisfy { (0x30...0x39).contains($0) } || label.hasPrefix("0x")
  }

  private static func shortForm(_ text: String) -> String? {
    var bytes = in6_addr()
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
    var characters = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &bytes, &characters, socklen_t(characters.count)) != nil else {
      return nil
    }
    return characters.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
  }

  /// Scheme, host and port: what a token belongs to.
  package var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let scheme = isEncrypted ? "https" : "http"
    return port == (isEncrypted ? 443 : 80) ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
  }

  /// All of it.
  package var text: String { origin + target }

  /// Whether it is this machine, by what it says: a name can be made to lead anywhere.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || isIPv4Loopback }

  private var isIPv4Loopback: Bool {
    host.hasPrefix("127.") && host.split(separator: ".").count == 4
      && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }

  /// Whether a secret may go there: nobody on the way reads it.
  package var isPrivate: Bool { isEncrypted || isLoopback }

  /// Whether it is what `HOST` or `HOST:PORT` says.
  func isAt(_ place: String) -> Bool {
    guard let (host, port) = WebAddress.place(place) else { return false }
    return host == self.host && (port == nil || port == self.port)
  }

  /// Where a reference leads from here (RFC 3986, 5.2); nil for what is no address of the web.
  func resolving(_ reference: String) -> WebAddress? {
    let reference = reference.prefix { $0 != "#" }
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    if reference[scheme.endIndex...].hasPrefix(":") { return WebAddress(reference) }
    if reference.hasPrefix("//") {
      return WebAddress((isEncrypted ? "https:" : "http:") + reference)
    }
    if reference.isEmpty { return self }
    if reference.hasPrefix("/") { return WebAddress(origin + reference) }
    let path = target.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return WebAddress(origin + path + reference) }
    let directory = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    return WebAddress(origin + directory + reference)
  }
}
