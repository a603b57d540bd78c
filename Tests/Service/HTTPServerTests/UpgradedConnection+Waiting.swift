import Dispatch
import Glibc

@testable import HTTPServer

extension UpgradedConnection {
  /// What comes, up to so many bytes, or until the stream ends; on a thread that may wait.
  func read(_ count: Int, after bytes: [UInt8] = []) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: self.wait(count, bytes))
      }
    }
  }

  private func wait(_ count: Int, _ bytes: [UInt8]) -> String {
    var bytes = bytes
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < count {
      var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A test that fails is not to hang.
      guard poll(&query, 1, 90_000) > 0 else { break }
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      if got < 0, errno == EAGAIN || errno == EINTR { continue }
      guard got > 0 else { break }
      bytes += buffer.prefix(got)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func send(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
  }
}
