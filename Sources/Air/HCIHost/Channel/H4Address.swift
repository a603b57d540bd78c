/// Where an HCI controller that speaks H4 can be reached.
public enum H4Address: Hashable, Sendable {
  /// A TCP port.
  case tcp(host: String, port: UInt16)
  /// A Unix socket, a serial line or pty, or a file of recorded H4 packets.
  case path(String)

  /// Reads what follows `h4:`: `tcp:HOST:PORT` (an IPv6 address in brackets) or a path.
  ///
  /// - Returns: nil when the host or the port is missing, or the path is empty.
  public init?(_ text: String) {
    guard text.hasPrefix("tcp:") else {
      guard !text.isEmpty else { return nil }
      self = .path(text)
      return
    }
    let rest = text.dropFirst(4)
    guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]),
      port > 0
    else { return nil }
    var host = rest[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self = .tcp(host: String(host), port: port)
  }
}

extension H4Address: CustomStringConvertible {
  /// The text that `init` reads.
  public var description: String {
    switch self {
    case .tcp(let host, let port):
      host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
    case .path(let path): path
    }
  }
}
