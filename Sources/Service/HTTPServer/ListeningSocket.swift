import Diagnosis
import Glibc
import Synchronization

/// A socket that listens. Whoever connects before a server takes it waits until then.
package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  /// With the port that it got.
  package let address: ListenAddress
  private let isClosed = Atomic(false)

  /// Listens; waits where the name of the address has to be looked up.
  package init(_ wanted: ListenAddress) throws(ServerError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(wanted.host, String(wanted.port), &hints, &list)
    guard code == 0, let list else {
      throw ServerError(
        .address, "cannot listen on \(wanted): \(String(cString: gai_strerror(code)))",
        remedy: "use \(.listening) of this machine")
    }
    defer { freeaddrinfo(list) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(list.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { throw .listening(wanted, errno) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let flags = fcntl(descriptor, F_GETFL)
    guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      bind(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0,
      listen(descriptor, 1024) == 0
    else {
      let code = errno
      Glibc.close(descriptor)
      throw .listening(wanted, code)
    }
    self.descriptor = descriptor
    address = ListenAddress(host: wanted.host, port: ListeningSocket.port(of: descriptor))
  }

  deinit { close() }

  /// Listens no more; whoever waits is refused.
  package func close() {
    if !isClosed.exchange(true, ordering: .relaxed) { Glibc.close(descriptor) }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return 0 }
        // The port is in the same place for both families.
        return UnsafeRawPointer(address).load(fromByteOffset: 2, as: UInt16.self).bigEndian
      }
    }
  }
}
