import Foundation

/// A Unix socket that listens and takes nobody: who connects waits until ``accept()``.
public final class FullListener: Sendable {
  /// Where it is.
  public let path: String
  private let socket: Int32
  private let first: Int32

  /// A listener in the directory for temporary files.
  public init() {
    path = NSTemporaryDirectory() + "luna-full-\(getpid())-\(UInt32.random(in: .min ... .max))"
    let type = Int32(SOCK_STREAM.rawValue)
    socket = Glibc.socket(AF_UNIX, type, 0)
    first = Glibc.socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isFull = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // With a backlog of 0 there is room for one.
        bind(socket, $0, size) == 0 && listen(socket, 0) == 0 && connect(first, $0, size) == 0
      }
    }
    precondition(isFull, "no socket at \(path)")
  }

  /// Takes the connection that waits, which makes room for another one.
  public func accept() { _ = Glibc.accept(socket, nil, nil) }

  deinit {
    close(first)
    close(socket)
    unlink(path)
  }
}
