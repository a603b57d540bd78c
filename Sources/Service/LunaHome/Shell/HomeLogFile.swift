package import Bluetooth
import EventLoop
import Glibc
package import LunaCore
import SafeText
import Synchronization

/// `home.log`: a line a message, only for its owner to read. The file before it is kept as `home.log.1`.
package final class HomeLogFile: Sendable {
  /// What it is called in the directory of a home's state.
  package static let name = "home.log"

  private let path: String
  private let limit: Int
  /// Where a disk is waited for.
  private let writer = Blocking(name: "luna.home.log")
  private let size = Mutex(-1)
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - limit: a file of so many bytes is followed by another one.
  ///   - now: tells the time.
  package init(_ path: String, limit: Int = 8 << 20, now: @escaping @Sendable () -> Timestamp) {
    self.path = path
    self.limit = limit
    self.now = now
  }

  /// Writes a message, without waiting for the disk.
  package func write(_ level: LogLevel, _ message: String) {
    let line = "\(now().rfc3339) \(level) \(EscapedText.line(message))\n"
    writer.start { self.append(Array(line.utf8)) }
  }

  /// Returns when all that was written before is in the file.
  package func flush() async { await writer.run {} }

  private func append(_ bytes: [UInt8]) {
    size.withLock { size in
      if size + bytes.count > limit { rename(path, path + ".1") }
      // Who has put it elsewhere gets another one.
      let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      // Nobody is left to tell when the log cannot be written.
      _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      size = Int(lseek(descriptor, 0, SEEK_END))
    }
  }
}
