import Glibc

/// The part of an address that is kept: the first 24 bits of IPv4, 48 of IPv6. What was cut off is nowhere in it.
package struct CutAddress: Hashable, Sendable, CustomStringConvertible {
  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private let prefix: [UInt8]

  /// Cuts an address of 4 or 16 bytes, in the order of the network; nil for other ones.
  ///
  /// An IPv4 address that came over a socket for both (`::ffff:a.b.c.d`) is one of IPv4.
  package init?(_ bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes.starts(with: CutAddress.mapped)
    switch isMapped ? 4 : bytes.count {
    case 4: prefix = Array(bytes.suffix(4).prefix(3))
    case 16: prefix = Array(bytes.prefix(6))
    default: return nil
    }
  }

  /// Cuts an address that is written as people write it; nil for other texts.
  package init?(text: String) {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      guard inet_pton(family, text, &bytes) == 1 else { continue }
      self.init(bytes)
      return
    }
    return nil
  }

  /// The version of IP: 4 or 6.
  package var version: Int { prefix.count == 3 ? 4 : 6 }

  /// As people write it: `192.0.2.0/24`, `2001:db8:1::/48`.
  package var description: String {
    if version == 4 { return prefix.map { "\($0)." }.joined() + "0/24" }
    var groups = stride(from: 0, to: 6, by: 2).map {
      UInt16(prefix[$0]) << 8 | UInt16(prefix[$0 + 1])
    }
    while groups.last == 0 { groups.removeLast() }
    return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
  }
}
