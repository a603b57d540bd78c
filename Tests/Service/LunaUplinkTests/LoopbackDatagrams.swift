import Glibc

/// A client of UDP at an address of loopback, whose calls wait five minutes at most.
final class LoopbackDatagrams {
  let port: UInt16
  private let descriptor: Int32

  init(_ address: String) throws {
    let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    descriptor = made
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = LoopbackDatagrams.name(address, 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, length) == 0 && getsockname(made, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: name.sin_port)
    guard isBound else { throw TestServer.RelayErrorOfTest.noSocket }
  }

  deinit { close(descriptor) }

  /// Sends a datagram to a port of 127.0.0.1.
  func send(to port: UInt16) {
    var name = LoopbackDatagrams.name("127.0.0.1", port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bytes = Array("hello".utf8)
    withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, 0, $0, length)
      }
    }
  }

  /// The next datagram.
  func receive() -> [UInt8] { receive(0) }

  /// Whether nothing has come.
  var isSilent: Bool { receive(Int32(MSG_DONTWAIT)).isEmpty }

  private func receive(_ flags: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 2048)
    let count = recv(descriptor, &buffer, buffer.count, flags)
    return Array(buffer[..<max(0, count)])
  }

  private static func name(_ address: String, _ port: UInt16) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = inet_addr(address)
    return name
  }
}
