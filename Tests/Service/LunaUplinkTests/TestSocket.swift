import Glibc

@testable import LunaUplink

/// One end of a connection on loopback, whose calls wait five minutes at most.
final class TestSocket: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, 0)
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A connection to a port.
  convenience init?(port: UInt16, host: String = "127.0.0.1") {
    guard let target = RelayTarget(https: "https://\(host):\(port)"),
      let descriptor = RelaySocket.connect(target)
    else { return nil }
    self.init(descriptor)
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// So many bytes, or those before the end.
  func receive(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = 0
    while length < count {
      let more = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress.map { $0 + length }, count - length, 0)
      }
      guard more > 0 else { break }
      length += more
    }
    return Array(bytes[..<length])
  }

  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}
