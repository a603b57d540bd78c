import Glibc

/// Where a server listens: `HOST:PORT`, `[IPv6]:PORT`.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address, without brackets.
  public let host: String
  /// 0 for any free one.
  public let port: UInt16

  /// A host and a port.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  /// As it is read.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether only this machine can connect to it.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
