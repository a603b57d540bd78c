import Dispatch
import Glibc
import Synchronization

@testable import HTTPServer

/// A connection to a server on this machine.
final class Client: Sendable {
  private let descriptor: Int32
  /// What came behind the text that was waited for.
  private let rest = Mutex<[UInt8]>([])

  init(_ address: ListenAddress) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    name.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let status = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw ServerError(.failed, String(cString: strerror(errno))) }
    // A test that fails is not to hang.
    var patience = timeval(tv_sec: 90, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// Asks for a path.
  func get(_ path: String, _ headers: String = "") {
    send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n")
  }

  /// Sends a text.
  func send(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// What comes, up to a text; all of it when the other side ends. On a thread that may wait: those of tasks are few.
  func answer(until end: String? = nil) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.read(until: end)) }
    }
  }

  private func read(until end: String?) -> String {
    let end = end.map { Array($0.utf8) }
    var bytes = rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var known = 0
    while true {
      if let end, let index = Client.end(of: end, in: bytes, from: max(0, known - end.count)) {
        rest.withLock { $0 = Array(bytes[index...]) }
        return String(decoding: bytes[..<index], as: UTF8.self)
      }
      known = bytes.count
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }

  /// Where some bytes end that are among others. Looks for the last of them, which is rare.
  private static func end(of part: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, let last = part.last else { return nil }
      var start = start
      while let found = memchr(base + start, Int32(last), all.count - start) {
        let end = base.distance(to: UnsafeRawPointer(found)) + 1
        if all[..<end].suffix(part.count).elementsEqual(part) { return end }
        start = end
      }
      return nil
    }
  }

  /// Goes away.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
