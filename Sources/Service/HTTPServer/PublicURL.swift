/// Where browsers find a server: scheme, host and port, without a path.
public struct PublicURL: Hashable, Sendable, CustomStringConvertible {
  /// Whether it is https.
  public let isSecure: Bool
  /// A name in small letters or an address; IPv6 in brackets.
  public let host: String
  /// The port, also where it is the usual one of the scheme.
  public let port: UInt16

  /// A URL of these parts.
  ///
  /// - Parameter host: IPv6 without brackets.
  public init(isSecure: Bool, host: String, port: UInt16) {
    self.isSecure = isSecure
    self.host = (host.contains(":") ? "[\(host)]" : host).lowercased()
    self.port = port
  }

  /// Reads `https://HOST`, with a port where it is not the usual one.
  ///
  /// - Returns: nil for any other text, also one with a path.
  public init?(_ text: String) {
    let lower = text.lowercased()
    let isSecure = lower.hasPrefix("https://")
    guard isSecure || lower.hasPrefix("http://") else { return nil }
    var rest = lower.dropFirst(isSecure ? 8 : 7)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    var port: UInt16 = isSecure ? 443 : 80
    let bracket = rest.lastIndex(of: "]")
    if let colon = rest.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
      let digits = rest[rest.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = UInt16(digits),
        given > 0
      else { return nil }
      port = given
      rest = rest[..<colon]
    }
    let isAddress = rest.hasPrefix("[")
    guard !rest.isEmpty, isAddress == rest.hasSuffix("]"),
      (isAddress ? rest.dropFirst().dropLast() : rest).utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
          || (isAddress ? ":." : "-.").utf8.contains(byte)
      })
    else { return nil }
    self.isSecure = isSecure
    self.host = String(rest)
    self.port = port
  }

  /// What requests have as `Host`: the port only where it is not the usual one.
  public var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// What browsers send as `Origin`.
  public var origin: String { (isSecure ? "https://" : "http://") + authority }

  /// As it is read.
  public var description: String { origin }

  /// Whether it leads to this machine.
  public var isLoopback: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost" || host == "[::1]"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether passwords may be typed there: with https, and on this machine.
  public var isPrivate: Bool { isSecure || isLoopback }
}
