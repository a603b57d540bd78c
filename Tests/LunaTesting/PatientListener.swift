import Glibc

/// A TCP port on loopback whose connections nobody answers until ``hangUp()``.
public final class PatientListener: Sendable {
  /// The port.
  public let port: UInt16
  private let socket: Int32

  /// A listener on any port.
  public init() {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 8) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    precondition(listens, "no port on loopback")
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Where it is, for clients of HTTP.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Ends the connection that waits; later ones are refused.
  public func hangUp() {
    close(Glibc.accept(socket, nil, nil))
    shutdown(socket, Int32(SHUT_RDWR))
  }

  deinit { close(socket) }
}
