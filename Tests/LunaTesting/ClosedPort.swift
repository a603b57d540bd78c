import Glibc

/// A TCP port on loopback that refuses connections: nobody listens at it, and nobody else can as long as this is there.
public final class ClosedPort: Sendable {
  /// Its number.
  public let number: UInt16
  private let holder: Int32

  /// Any that is free.
  public init() {
    let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(holder, $0, length) == 0 && getsockname(holder, $0, &length) == 0
      }
    }
    precondition(isBound, "no port on loopback")
    self.holder = holder
    number = UInt16(bigEndian: address.sin_port)
  }

  /// For clients of HTTP.
  public var url: String { "http://127.0.0.1:\(number)" }

  deinit { close(holder) }
}
