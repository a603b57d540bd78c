import Glibc
import HTTPServer

/// Where a client of Wehe's calls from.
struct WeheAddress: Hashable, Sendable {
  /// The address, as clients are told theirs.
  let text: String
  /// Whose it is, for limits: of IPv6, a /64.
  let client: String

  /// Of what a socket tells of its other side; nil for another family.
  init?(_ storage: sockaddr_storage) {
    let place: Range<Int>
    switch Int32(storage.ss_family) {
    case AF_INET: place = 4..<8
    case AF_INET6: place = 8..<24
    default: return nil
    }
    let address = ClientAddress(withUnsafeBytes(of: storage) { Array($0[place]) })
    client = address.description
    guard client.contains("/") else {
      text = client
      return
    }
    var digits = [CChar](repeating: 0, count: 64)
    let isText = withUnsafeBytes(of: storage) { bytes in
      guard let start = bytes.baseAddress else { return false }
      return getnameinfo(
        start.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in6>.size),
        &digits, socklen_t(digits.count), nil, 0, NI_NUMERICHOST) == 0
    }
    guard isText else { return nil }
    let written = digits.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    // The name of an interface is of this machine alone.
    text = String(written.prefix { $0 != "%" })
  }
}
