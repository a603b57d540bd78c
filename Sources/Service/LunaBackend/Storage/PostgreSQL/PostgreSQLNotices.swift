import CPostgreSQL

/// What the server says on a connection besides answers (`NOTICE`, `WARNING`). As with the connection, its owner sees to
/// it that one thread at a time uses it.
final class PostgreSQLNotices: @unchecked Sendable {
  /// What in the server waits for standbys. Its messages are in the language of the server, this is not.
  private static let waiting = "SyncRepWaitForLSN"

  private let link: PostgreSQLLink
  /// Whether somebody has broken off a wait for standbys: the server has committed, which it tells as success, and no
  /// standby need have it.
  var isUnconfirmed = false

  init(_ link: PostgreSQLLink) { self.link = link }

  /// Takes those of a connection; libpq writes them to standard error. It lives at least as long as the connection.
  func listen(to handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    cpq_set_notice_receiver(
      handle,
      { context, result in
        guard let context else { return }
        Unmanaged<PostgreSQLNotices>.fromOpaque(context).takeUnretainedValue().take(result)
      }, context)
  }

  private func take(_ result: OpaquePointer?) {
    let place = cpq_result_error_field(result, Int32(UInt8(ascii: "R")))
    if place.map({ String(cString: $0) }) == PostgreSQLNotices.waiting { isUnconfirmed = true }
    link.notice(result)
  }
}
