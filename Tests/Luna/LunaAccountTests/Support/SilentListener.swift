import Glibc

/// A port at an address of this machine. It says nothing; that somebody came can be seen.
final class SilentListener: Sendable {
  /// Whether this machine has the address that is its own in IPv6.
  static let hasIPv6 = SilentListener("::1") != nil

  let port: UInt16
  private let descriptor: Int32

  /// - Returns: nil where this machine does not have the address.
  init?(_ host: String) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "0", &hints, &found) == 0, let info = found?.pointee else { return nil }
    defer { freeaddrinfo(found) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(info.ai_family, kind, 0)
    // Of both families the port is at the same place.
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let hasName = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard hasName else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin6_port)
  }

  /// Whether anybody has connected.
  var wasReached: Bool {
    let link = accept(descriptor, nil, nil)
    guard link >= 0 else { return false }
    close(link)
    return true
  }

  deinit { close(descriptor) }
}
