import Glibc

/// A server of UDP on loopback, whose calls wait five minutes at most.
final class TestDatagrams: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    descriptor = made
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, length) == 0 && getsockname(made, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw TestServer.RelayErrorOfTest.noSocket }
  }

  deinit { close(descriptor) }

  /// Receives a datagram, and answers it so many times.
  func answer(_ count: Int, with bytes: [UInt8]) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 2048)
    var source = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &source) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { source in
        let received = recvfrom(descriptor, &buffer, buffer.count, 0, source, &length)
        for _ in 0..<count { _ = sendto(descriptor, bytes, bytes.count, 0, source, length) }
        return Array(buffer[..<max(0, received)])
      }
    }
  }
}
