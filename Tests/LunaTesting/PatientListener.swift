import Glibc

/// A TCP port on loopback whose connections nobody answers until ``hangUp()``.
public final class PatientListener: Sendable {
  /// The port.
  public let port: UInt16
  private let socket: Int32

  /// A listener on any port.
  public init() {
    guard let (socket, port) = loopbackSocket(backlog: 8) else {
      preconditionFailure("no port on loopback")
    }
    (self.socket, self.port) = (socket, port)
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
