import CPostgreSQL
import Dispatch
import EventLoop
import Glibc

/// A connection that is being made, on a thread of its own. How many addresses there are and which one is next libpq
/// alone knows, and it waits at each that says nothing. Whoever needs the connection in time goes without it; it is there
/// for the next one.
final class PostgreSQLAttempt: @unchecked Sendable {
  /// A server that is there answers within this time.
  private static let answer: Duration = .seconds(1)

  private let notices: PostgreSQLNotices
  private let end = DispatchSemaphore(value: 0)
  /// Written before the end, and read after.
  private var made: OpaquePointer?

  init(_ settings: String, _ notices: PostgreSQLNotices) {
    self.notices = notices
    Blocking.start { [self] in
      made = PostgreSQLAttempt.connect(settings, notices)
      end.signal()
    }
  }

  deinit { cpq_finish(made) }

  /// Waits for its end, or until nobody waits for that any more.
  ///
  /// - Returns: whether it has ended.
  func wait(until moment: ContinuousClock.Instant?) -> Bool {
    if let moment {
      let left = max(.zero, ContinuousClock.now.duration(to: moment))
      let time = DispatchTime.now() + .nanoseconds(Int(left / .nanoseconds(1)))
      guard end.wait(timeout: time) == .success else { return false }
    } else {
      end.wait()
    }
    // For whoever asks again.
    end.signal()
    return true
  }

  /// Whether it has ended without a connection.
  var hasFailed: Bool { wait(until: .now) && !cpq_is_connected(made) }

  /// What has come of it when it has ended; it belongs to who takes it.
  func take() -> OpaquePointer? {
    defer { made = nil }
    return made
  }

  /// No thread waits for ever for a server that is gone. What the settings say goes before this.
  private static func connect(
    _ settings: String, _ notices: PostgreSQLNotices
  ) -> OpaquePointer? {
    let parameters: KeyValuePairs = [
      "connect_timeout": "3", "tcp_user_timeout": "30000", "keepalives_idle": "30",
      "fallback_application_name": "luna", "dbname": settings,
    ]
    let texts = parameters.map { (strdup($0.key), strdup($0.value)) }
    defer {
      for (name, value) in texts {
        free(name)
        free(value)
      }
    }
    let names = texts.map { UnsafePointer($0.0) } + [nil]
    let values = texts.map { UnsafePointer($0.1) } + [nil]
    // The receiver of notices can be set once there is a connection, and a server may say something
    // while it is made: so it is begun, and waited for with the receiver in place.
    guard let handle = cpq_connect_start_params(names, values, 1) else { return nil }
    notices.listen(to: handle)
    // How long each of several addresses may take, and which one is next, libpq alone knows.
    if !isDone(handle) { cpq_reset(handle) }
    return handle
  }

  /// Waits until a connection is made, or cannot be made.
  ///
  /// - Returns: false when nobody has answered in time.
  private static func isDone(_ handle: OpaquePointer) -> Bool {
    let end = ContinuousClock.now + answer
    // How to begin: "Asynchronous Connection Functions", PQconnectPoll.
    var wanted = cpq_writing
    while !cpq_is_bad(handle), wanted != cpq_made,
      wanted != cpq_failed
    {
      let events = wanted == cpq_reading ? POLLIN : POLLOUT
      var entry = pollfd(fd: cpq_socket(handle), events: Int16(events), revents: 0)
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      let count = poll(&entry, 1, Int32(max(0, left)))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      wanted = cpq_connect_poll(handle)
    }
    return true
  }
}
