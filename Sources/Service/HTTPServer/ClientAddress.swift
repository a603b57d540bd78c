/// Where a client calls from, for limits: an IPv4 address, or a /64 of IPv6, of which one subscriber
/// has at least one. Behind a proxy all clients have that of the proxy.
public struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as a number; for IPv6 the upper half.
  let prefix: UInt64
  /// Tells 0.0.0.1 from ::/64.
  let isIPv4: Bool

  /// The address of a client.
  ///
  /// - Parameter bytes: 4 or 16, in the order of the network; others, as of a local socket, are all
  ///   one client.
  public init(_ bytes: [UInt8]) {
    let bytes = ClientAddress.plain(bytes)
    isIPv4 = bytes.count == 4
    prefix = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// An IPv4 address that came over a socket for both (`::ffff:a.b.c.d`) as one of IPv4.
  static func plain(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped =
      bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF
      && bytes[11] == 0xFF
    return isMapped ? Array(bytes[12...]) : bytes
  }

  /// Whether it is this machine. Of the lowest /64 of IPv6, `::1` is the only one that can call.
  public var isLoopback: Bool { isIPv4 ? prefix >> 24 == 127 : prefix == 0 }

  /// As people write it: `192.0.2.1`, `2001:db8:0:1::/64`.
  public var description: String {
    let parts = (0..<4).map { UInt16(truncatingIfNeeded: prefix >> (48 - 16 * UInt64($0))) }
    if isIPv4 {
      return parts[2...].flatMap { [$0 >> 8, $0 & 0xFF] }.map { String($0) }.joined(separator: ".")
    }
    return parts.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }
}
