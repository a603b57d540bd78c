import CLinux
import Glibc

/// The manager of services, systemd, as a service sees it: it is told how the service is (sd_notify), and
/// starts it anew when it does not say in time that it works. Where there is none, nothing is told.
public struct ServiceManager: Sendable {
  /// What a service tells.
  public enum Message: Hashable, Sendable {
    /// It does what it is there for.
    case ready
    /// It reads its configuration again; `ready` follows.
    case reloading
    /// It is about to end.
    case stopping
    /// It works.
    case alive
    /// What it does, for a person.
    case status(String)
  }

  /// The manager of this process.
  public static let current: ServiceManager = {
    let manager = ServiceManager { name in
      // Also in a program with file capabilities: systemd would wait for ever, and nothing said here is a secret.
      getenv(name).map { String(cString: $0) }
    }
    // Programs that this one starts are no services.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    return manager
  }()

  private let address: String?
  /// How long it may be silent before it is started anew; nil when nobody watches.
  public let watchdogLimit: Duration?

  /// - Parameters:
  ///   - process: who this is, where several processes have this environment; nil for this process.
  ///   - environment: the value of a variable.
  public init(process: Int32? = nil, environment: (String) -> String?) {
    let address = environment("NOTIFY_SOCKET")
    self.address = address.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = environment("WATCHDOG_PID").map { $0 == String(process ?? getpid()) } ?? true
    let limit = environment("WATCHDOG_USEC").flatMap { Int64($0) }
    watchdogLimit = limit.flatMap { isMeant && $0 > 0 ? .microseconds($0) : nil }
  }

  /// Whether there is one.
  public var isThere: Bool { address != nil }

  /// Tells it something. It does not matter to the service whether that arrives.
  public func tell(_ messages: Message...) {
    guard let address, !messages.isEmpty else { return }
    let socket = luna_unix_connect(address, Int32(SOCK_DGRAM.rawValue))
    guard socket >= 0 else { return }
    let text = Array(messages.map(\.text).joined(separator: "\n").utf8)
    _ = luna_send(socket, text, text.count)
    close(socket)
  }
}

extension ServiceManager.Message {
  fileprivate var text: String {
    switch self {
    case .ready: "READY=1"
    // The time tells the manager which of several wishes this answers.
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
    case .stopping: "STOPPING=1"
    case .alive: "WATCHDOG=1"
    case .status(let text):
      "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  private var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}
