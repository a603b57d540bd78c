import Foundation
import Glibc
import Synchronization

/// A dbus-daemon of this test's own.
public final class PrivateBus: Sendable {
  /// Those that run; a test that keeps its bus must not leave it behind when the process ends.
  private static let running = Mutex<Set<pid_t>>([])
  private static let endsAll: Void = {
    atexit { PrivateBus.running.withLock { for process in $0 { kill(process, SIGKILL) } } }
  }()

  private let daemon: TestProgram
  /// Where it is.
  public let address: String

  /// Nil when there is no dbus-daemon on this machine.
  ///
  /// - Parameter data: a directory whose `dbus-1/services` says what the bus starts for who calls it.
  public init?(data: String? = nil) {
    let words = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    let environment = data.map { ["XDG_DATA_DIRS": $0] } ?? [:]
    guard let daemon = try? TestProgram(words, environment: environment, output: .pipe),
      let output = daemon.output
    else { return nil }
    _ = PrivateBus.endsAll
    PrivateBus.running.withLock { _ = $0.insert(daemon.number) }
    self.daemon = daemon
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = max(0, read(output.fileDescriptor, &bytes, bytes.count))
    address = String(decoding: bytes[..<count].prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Ends the bus under its clients.
  public func end() {
    PrivateBus.running.withLock { _ = $0.remove(daemon.number) }
    daemon.end()
  }

  deinit { end() }
}
