import CPostgreSQL
import Synchronization

/// What all connections to one database server share: what the server says besides answers, and
/// whether they were made before it went away.
final class PostgreSQLLink: Sendable {
  private static let operation = "connection"

  private let outage: StorageOutage
  private let generation = Mutex(0)

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

  /// Has notices of a connection go to the log; libpq writes them to standard error. The link lives
  /// at least as long as the connection.
  func listen(to handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    cpq_set_notice_receiver(
      handle,
      { context, result in
        guard let context else { return }
        Unmanaged<PostgreSQLLink>.fromOpaque(context).takeUnretainedValue().notice(result)
      }, context)
  }

  private func notice(_ result: OpaquePointer?) {
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
