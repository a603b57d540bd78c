import Bluetooth
import CPostgreSQL
import Synchronization

/// What all connections to one database server share: what the server says besides answers, what time it is
/// there, and whether they were made before it went away.
final class PostgreSQLLink: Sendable {
  private static let operation = "connection"

  private let outage: StorageOutage
  private let generation = Mutex(0)
  private let clock = Mutex(DatabaseTime())
  private let engine = Mutex(PostgreSQLEngine.plain)

  init(_ outage: StorageOutage) { self.outage = outage }

  /// Connections of older generations are made anew before they are used: the server that they led
  /// to is gone.
  var current: Int { generation.withLock { $0 } }

  /// A connection was lost while it was used. Told once for all that were made before.
  func lost(_ error: StorageError, generation made: Int) {
    let isFirst = generation.withLock { generation in
      guard made == generation else { return false }
      generation += 1
      return true
    }
    if isFirst { outage.failed(error, PostgreSQLLink.operation, since: .now) }
  }

  /// A connection was made.
  func connected() { outage.worked(PostgreSQLLink.operation) }

  /// The time at the server; nil before anybody has asked.
  var time: Timestamp? { clock.withLock { $0.time(at: .now) } }

  /// Whether the server is to be asked for it.
  var isTimeDue: Bool { clock.withLock { $0.isDue(at: .now) } }

  /// Why that time is not to be relied on; nil when it is.
  var timeProblem: String? { clock.withLock { $0.problem(at: .now) } }

  /// The server has told its time, in microseconds since 1970.
  func note(_ microseconds: Int64, since sent: ContinuousClock.Instant) {
    clock.withLock {
      $0.note(Timestamp(microseconds: microseconds), sent: sent, received: .now)
    }
  }

  /// How the server keeps events. It is told when that is another way than before.
  func note(_ found: PostgreSQLEngine) {
    let isNews = engine.withLock { engine in
      defer { engine = found }
      return engine != found
    }
    guard isNews else { return }
    let place = found.isSpread ? "spread over several servers" : "on one server"
    outage.notice("PostgreSQL has events \(place) (\(found.rawValue))", .info)
  }

  /// Has what a server says besides answers go to the log.
  func notice(_ result: OpaquePointer?) {
    func field(_ code: Unicode.Scalar) -> String {
      cpq_result_error_field(result, Int32(code.value)).map { String(cString: $0) } ?? ""
    }
    let text =
      field("M").isEmpty
      ? cpq_result_error_message(result).map { String(cString: $0) } ?? "" : field("M")
    // That it ends, it says on every connection; the first one that is lost tells of it.
    let isEnd = field("C").hasPrefix("57P")
    outage.notice(
      "PostgreSQL says: " + text.split(whereSeparator: \.isNewline).joined(separator: " "),
      isEnd ? .debug : .info)
  }
}
