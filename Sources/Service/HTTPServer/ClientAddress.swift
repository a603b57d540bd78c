/// Where a client calls from, for limits: an IPv4 address, or a /64 of IPv6, of which one subscriber
/// has at least one. Behind a proxy all clients have that of the proxy.
struct ClientAddress: Hashable, Sendable {
  /// The address as a number; for IPv6 the upper half.
  let prefix: UInt64
  /// Tells 0.0.0.1 from ::/64.
  let isIPv4: Bool

  /// - Parameter bytes: 4 or 16, in the order of the network; others, as of a local socket, are all
  ///   one client.
  init(_ bytes: [UInt8]) {
    // An IPv4 client of a socket for both: ::ffff:a.b.c.d.
    let isMapped =
      bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF
      && bytes[11] == 0xFF
    isIPv4 = bytes.count == 4 || isMapped
    let part = isMapped ? bytes[12...] : bytes.prefix(8)
    prefix = part.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
