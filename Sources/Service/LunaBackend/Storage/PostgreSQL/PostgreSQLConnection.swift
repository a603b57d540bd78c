import CPostgreSQL
import Diagnosis
import Dispatch
import EventLoop
import Glibc

/// A connection to the database server. Its owner sees to it that one thread at a time uses it, which
/// the compiler cannot check. It is made when it is needed, and again after it was lost.
final class PostgreSQLConnection: @unchecked Sendable {
  private let settings: String
  private let link: PostgreSQLLink
  private let notices: PostgreSQLNotices
  private let use: Use
  private var generation = 0
  private var engine = PostgreSQLEngine.plain
  /// Portable statements as they are here.
  private var forms: [String: String] = [:]
  private var handle: OpaquePointer?
  /// The next one, which may be made.
  private var attempt: PostgreSQLAttempt?
  private var prepared: [String: Prepared] = [:]
  private var preparedCount = 0
  private var isListening = false
  /// Names the row in which the last transaction is noted that was to be done once, also after the connection was lost.
  private let mark: [UInt8] = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
  private var number: Int64 = 0
  /// Until when somebody waits for what is done now; nil for as long as a statement may take.
  var end: ContinuousClock.Instant?

  /// A statement that the server has compiled, for parameters of these types; 0 where it found the type
  /// itself.
  private struct Prepared {
    let name: String
    let types: [UInt32]
  }

  /// How a transaction begins.
  enum Beginning: String {
    /// Whoever stops in its middle, as a machine that is switched off, does not keep its locks from all others.
    case usual = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'"
    /// It reads what there was at its beginning.
    case oneState = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  }

  /// What a connection is for.
  enum Use {
    /// What gateways and people wait for.
    case usual
    /// What owners fetch: nobody has a connection for long.
    case queries
    /// Making and dropping days, behind which nobody may have to wait: what waits for a lock keeps others
    /// from it.
    case days

    /// How long the server works on a statement, s.
    fileprivate var seconds: Int {
      switch self {
      case .usual: 20
      case .queries: 5
      case .days: 60
      }
    }

    fileprivate func session(_ engine: PostgreSQLEngine) -> String {
      // Who has waited for a lock sees what was kept meanwhile, whatever the database is set to.
      let always = """
        SET client_min_messages = 'warning'; SET statement_timeout = '\(seconds)s'; \
        SET default_transaction_isolation = 'read committed'
        """
      switch self {
      case .usual: return always
      case .queries: return always + "; SET plan_cache_mode = '\(engine.plans)'"
      case .days: return always + "; SET lock_timeout = '1s'"
      }
    }
  }

  init(
    _ settings: String, _ link: PostgreSQLLink = PostgreSQLLink(StorageOutage(.none)),
    for use: Use = .usual
  ) {
    self.settings = settings
    self.link = link
    notices = PostgreSQLNotices(link)
    self.use = use
  }

  deinit { cpq_finish(handle) }

  /// Runs one statement; it is compiled the first time.
  func run(
    _ sql: String, _ parameters: [PostgreSQLValue] = []
  ) throws(StorageError) -> PostgreSQLRows {
    let handle = try connected()
    let name = try statement(sql, parameters, handle)
    let encoded = parameters.map(\.encoded)
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: parameters.count)
    // One block of memory for all of them, so that there are as many pointers as needed.
    var block: [UInt8] = [0]
    var starts: [Int?] = []
    for bytes in encoded {
      starts.append(bytes == nil ? nil : block.count)
      block += bytes ?? []
    }
    block.append(0)
    let most = try limit(handle)
    let result = block.withUnsafeBufferPointer { block in
      let values = starts.map { start -> UnsafePointer<CChar>? in
        guard let start, let base = block.baseAddress else { return nil }
        return UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
      }
      return cpq_exec_prepared(
        handle, name, Int32(parameters.count), values, lengths, formats, most)
    }
    return try check(result, handle)
  }

  /// Runs one statement that other databases understand too.
  func runPortable(
    _ sql: String, _ parameters: [PostgreSQLValue]
  ) throws(StorageError) -> PostgreSQLRows {
    let form: String
    if let known = forms[sql] {
      form = known
    } else {
      form = PortableSQL.postgreSQL(sql)
      forms[sql] = form
    }
    return try run(form, parameters)
  }

  /// Runs statements without parameters and results.
  func execute(_ sql: String) throws(StorageError) {
    let handle = try connected()
    _ = try check(cpq_exec(handle, sql, limit(handle)), handle)
  }

  /// How the server keeps events.
  func findEngine() throws(StorageError) -> PostgreSQLEngine {
    try retrying { () throws(StorageError) in
      _ = try connected()
      return engine
    }
  }

  /// Waits for notices under a name (`NOTIFY`).
  ///
  /// - Returns: whether there were some, or may have been before it listened.
  func waitForNotice(_ channel: String, seconds: Int32) throws(StorageError) -> Bool {
    let handle = try connected()
    guard isListening else {
      try execute("LISTEN \(channel)")
      isListening = true
      return true
    }
    var entry = pollfd(fd: cpq_socket(handle), events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, seconds * 1000) > 0 else { return false }
    let isTold = cpq_take_notices(handle)
    // A connection that was lost says so with the next statement.
    if !isTold { try execute("SELECT 1") }
    return isTold
  }

  /// Does nothing for a while.
  func rest(seconds: Int32) { _ = poll(nil, 0, seconds * 1000) }

  /// Does all of `body` or nothing; again when others were in the way, and where the connection is lost in the moment of
  /// its end, also after it was kept.
  func transaction<Output>(
    _ beginning: Beginning = .usual, _ body: () throws(StorageError) -> Output
  ) throws(StorageError) -> Output {
    try retrying { () throws(StorageError) in
      try execute(beginning.rawValue)
      return try orRollBack { () throws(StorageError) in
        let output = try body()
        try execute("COMMIT")
        return output
      }
    }
  }

  /// Does all of `body` or nothing, and once: where the connection is lost in the moment of its end it is looked up
  /// whether it was kept. One statement more than ``transaction(_:_:)``.
  func once<Output>(_ body: () throws(StorageError) -> Output) throws(StorageError) -> Output {
    number += 1
    var transaction = OnceKept<Output>()
    var pauses = PostgreSQLConnection.pauses[...]
    while true {
      do throws(StorageError) {
        return try retrying { () throws(StorageError) in
          try transaction.attempt(
            wasKept: { () throws(StorageError) in try wasKept() },
            body: { () throws(StorageError) in
              try execute(Beginning.usual.rawValue)
              return try orRollBack { () throws(StorageError) in
                let output = try body()
                // Answered before the end is asked for: whoever looks it up waits for that.
                try note()
                return output
              }
            },
            commit: { () throws(StorageError) in
              try orRollBack { () throws(StorageError) in try execute("COMMIT") }
            }, isAnswered: { handle != nil })
        }
      } catch {
        // A server that was started anew, or another one that takes over, tells it in a moment.
        guard transaction.isUnheard, error.kind == .unavailable,
          lastState != PostgreSQLConnection.broken, let pause = pauses.popFirst(),
          !end.isOver(at: ContinuousClock.now + .milliseconds(Int(pause)))
        else { throw error }
        _ = poll(nil, 0, pause)
      }
    }
  }

  private func orRollBack<Output>(
    _ step: () throws(StorageError) -> Output
  ) throws(StorageError) -> Output {
    do throws(StorageError) {
      return try step()
    } catch {
      if handle != nil { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Notes within a transaction which one it is.
  private func note() throws(StorageError) {
    _ = try run(
      """
      INSERT INTO luna.outcomes(id, made, expires) VALUES($1, $2, \(PostgreSQLConnection.expiry))
      ON CONFLICT(id) DO UPDATE SET made = excluded.made, expires = excluded.expires
      """, [.bytes(mark), .text(String(number))])
  }

  /// Whether the last transaction that was noted was kept. It writes: so it waits for a server that has not ended yet
  /// what it heard, and its own commit waits for whatever the other one's should have waited for, such as a standby.
  private func wasKept() throws(StorageError) -> Bool {
    try run(
      """
      INSERT INTO luna.outcomes(id, made, expires) VALUES($1, '', \(PostgreSQLConnection.expiry))
      ON CONFLICT(id) DO UPDATE SET expires = excluded.expires RETURNING made
      """, [.bytes(mark)]
    ).text(0, 0) == String(number)
  }

  /// Does it again after a deadlock or a failed serialisation, which are nobody's fault, and once
  /// after the connection was lost, as when the server was started anew.
  func retrying<Output>(
    _ body: () throws(StorageError) -> Output
  ) throws(StorageError) -> Output {
    var attempts = 0
    while true {
      let wasConnected = handle != nil
      do throws(StorageError) {
        return try body()
      } catch {
        attempts += 1
        let isLost =
          handle == nil && wasConnected && lastState != PostgreSQLConnection.broken
        guard attempts < 6, isLost || lastState == "40001" || lastState == "40P01" else {
          throw error
        }
        // Whoever was in the way would be again: each comes back after a time of its own.
        if !isLost { _ = poll(nil, 0, Int32.random(in: 0...(5 << Int32(attempts)))) }
      }
    }
  }

  /// How long it waits each time until a step is tried again that others were in the way of, ms.
  static let pauses: [Int32] = [200, 500, 1000, 2000]

  /// Tries again while others hold what a step needs.
  func patiently(
    _ pauses: [Int32], _ step: () throws(StorageError) -> Void
  ) throws(StorageError) {
    for pause in pauses {
      do throws(StorageError) {
        return try step()
      } catch {
        // 55P03: a lock that was not to be had in time.
        guard lastState == "55P03" else { throw error }
        _ = poll(nil, 0, pause)
      }
    }
    try step()
  }

  /// SQLSTATE of the last failure.
  private(set) var lastState = ""
  /// That of what was broken off.
  private static let broken = "57014"

  private func connected() throws(StorageError) -> OpaquePointer {
    if let handle {
      // In the middle of a transaction it is found out by the statement itself.
      if generation == link.current || !cpq_is_idle(handle) {
        if link.isTimeDue, cpq_is_idle(handle) { try askForTime(handle) }
        return handle
      }
      cpq_finish(handle)
      self.handle = nil
    }
    lastState = ""
    let attempt = begun()
    guard attempt.wait(until: end) else {
      lastState = PostgreSQLConnection.broken
      throw .late
    }
    self.attempt = nil
    let fresh = attempt.take()
    guard cpq_is_connected(fresh), let fresh else {
      let why = PostgreSQLConnection.line(cpq_error_message(fresh))
      cpq_finish(fresh)
      throw StorageError(
        .unavailable, "cannot connect to PostgreSQL: \(why)",
        remedy: "check that it runs, and \(.storage)")
    }
    handle = fresh
    (prepared, preparedCount, isListening) = ([:], 0, false)
    do throws(StorageError) {
      try begin(fresh)
    } catch {
      if handle != nil { cpq_finish(fresh) }
      handle = nil
      throw error
    }
    link.connected()
    return fresh
  }

  /// The next connection, of which others have not waited for the end, or which begins now.
  private func begun() -> PostgreSQLAttempt {
    // Whether it would fail now as well, nobody knows.
    if let attempt, !attempt.hasFailed { return attempt }
    (generation, notices.isUnconfirmed) = (link.current, false)
    let new = PostgreSQLAttempt(settings, notices)
    attempt = new
    return new
  }

  /// Learns whom it is connected to, and says how it is used.
  private func begin(_ fresh: OpaquePointer) throws(StorageError) {
    func ask(_ sql: String) throws(StorageError) -> PostgreSQLRows {
      try check(cpq_exec(fresh, sql, patience), fresh)
    }
    let began = ContinuousClock.now
    let rows = try ask(
      "SELECT pg_backend_pid(), \(PostgreSQLConnection.time), \(PostgreSQLEngine.question)")
    try PostgreSQLConnection.examine(fresh, process: rows.text(0, 0))
    if let time = Int64(rows.text(0, 1)) { link.note(time, since: began) }
    engine = PostgreSQLEngine(rawValue: rows.text(0, 2)) ?? .plain
    if engine == .citus, try ask(PostgreSQLEngine.citusQuestion).text(0, 0) != "t" {
      engine = .plain
    }
    _ = try ask(use.session(engine))
    link.note(engine)
  }

  /// What time it is there.
  private static let time = "(extract(epoch FROM clock_timestamp()) * 1000000)::int8"
  /// When nobody asks any more for what is noted now.
  private static let expiry = "\(time) + \(Int64(OutcomeKey.life / .microseconds(1)))"

  private func askForTime(_ handle: OpaquePointer) throws(StorageError) {
    let began = ContinuousClock.now
    let sql = "SELECT \(PostgreSQLConnection.time)"
    let rows = try check(cpq_exec(handle, sql, patience), handle)
    if let time = Int64(rows.text(0, 0)) { link.note(time, since: began) }
  }

  /// Whether the server is one that this works with, and is spoken to directly.
  private static func examine(
    _ handle: OpaquePointer, process: String
  ) throws(StorageError) {
    guard cpq_server_version(handle) >= 140_000 else {
      throw StorageError(
        .failed, "this PostgreSQL is older than version 14", remedy: "use a newer one")
    }
    // A pooler has numbers of its own.
    guard process == String(cpq_backend_pid(handle)) else {
      throw StorageError(
        .failed,
        "there is a pooler between this program and PostgreSQL, which may give each statement another "
          + "session", remedy: "connect to PostgreSQL itself")
    }
  }

  /// So soon a server says what it is asked first, ms; sooner where nobody waits for as long.
  private var patience: Int32 {
    let most = Duration.seconds(5)
    let left = min(most, end.map { ContinuousClock.now.duration(to: $0) } ?? most)
    return Int32(max(.zero, left) / .milliseconds(1)) + 1
  }

  private func statement(
    _ sql: String, _ parameters: [PostgreSQLValue], _ handle: OpaquePointer
  ) throws(StorageError) -> String {
    // NULL says nothing of its type: the statement does, or what was there before.
    var types = parameters.map(\.type)
    if let known = prepared[sql] {
      if zip(known.types, types).allSatisfy({ $1 == 0 || $0 == $1 }) { return known.name }
      for index in types.indices where types[index] == 0 { types[index] = known.types[index] }
      prepared[sql] = nil
      try execute("DEALLOCATE \(known.name)")
    }
    let name = "luna\(preparedCount)"
    preparedCount += 1
    _ = try check(
      cpq_prepare(handle, name, sql, Int32(types.count), types, limit(handle)), handle)
    prepared[sql] = Prepared(name: name, types: types)
    return name
  }

  /// Has the server forget a statement that does not come again.
  func forget(_ sql: String) throws(StorageError) {
    guard let known = prepared.removeValue(forKey: sql) else { return }
    try execute("DEALLOCATE \(known.name)")
  }

  private func check(
    _ result: OpaquePointer?, _ handle: OpaquePointer
  ) throws(StorageError) -> PostgreSQLRows {
    if let result, cpq_is_success(result) {
      guard notices.isUnconfirmed else { return PostgreSQLRows(result) }
      cpq_clear(result)
      giveUp(handle)
      throw StorageError(
        .unavailable, "somebody has broken off what PostgreSQL waits for: no standby need have it")
    }
    if result == nil, cpq_is_active(handle) { throw breakOff(handle) }
    let state =
      cpq_result_error_field(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
    let why = PostgreSQLConnection.line(
      cpq_result_error_field(result, Int32(UInt8(ascii: "M"))) ?? cpq_error_message(handle))
    cpq_clear(result)
    lastState = state
    // Without a SQLSTATE it was not the server that spoke: after a write that failed, libpq still
    // calls the connection good.
    if !cpq_is_connected(handle) || state.isEmpty {
      cpq_finish(handle)
      self.handle = nil
      let error = StorageError(
        .unavailable, "the connection to PostgreSQL was lost: \(why)",
        remedy: "check that it runs")
      link.lost(error, generation: generation)
      throw error
    }
    throw PostgreSQLConnection.error(state, why)
  }

  /// How long a statement that is sent now may take, ms. Somewhat more than the server's own limit, which ends
  /// all but its waiting for standbys.
  private func limit(_ handle: OpaquePointer) throws(StorageError) -> Int32 {
    let most = Duration.seconds(use.seconds + 10)
    let left = min(most, end.map { ContinuousClock.now.duration(to: $0) } ?? most)
    if left > .zero { return Int32(left / .milliseconds(1)) + 1 }
    if !cpq_is_idle(handle) { throw breakOff(handle) }
    lastState = PostgreSQLConnection.broken
    throw .late
  }

  private static let cancelling = Blocking(name: "luna.backend.postgresql.cancel")

  /// Breaks off what the server does. It may have been done all the same: a commit that waits for a standby is seen
  /// from now on. So whatever the server says to it is no answer, and the connection is closed.
  private func breakOff(_ handle: OpaquePointer) -> StorageError {
    nonisolated(unsafe) let cancel = cpq_get_cancel(handle)
    let isSent = DispatchSemaphore(value: 0)
    PostgreSQLConnection.cancelling.start {
      cpq_cancel_now(cancel)
      isSent.signal()
    }
    // A server that is gone does not take it.
    _ = isSent.wait(timeout: .now() + 1)
    giveUp(handle)
    return .late
  }

  /// Closes a connection whose answers are none, whatever they say: nothing is to be done again on another one.
  private func giveUp(_ handle: OpaquePointer) {
    cpq_finish(handle)
    self.handle = nil
    lastState = PostgreSQLConnection.broken
  }

  /// By the class of the SQLSTATE (PostgreSQL manual, appendix A).
  private static func error(_ state: String, _ why: String) -> StorageError {
    let reason = "PostgreSQL says: \(why) (\(state))"
    switch state.prefix(2) {
    case "08", "57", "40", "55": return StorageError(.unavailable, reason)
    case "53":
      return state == "53100"
        ? StorageError(.full, reason, remedy: "free some space on the database server")
        : StorageError(.unavailable, reason)
    case "28": return StorageError(.denied, reason)
    case "XX": return StorageError(.damaged, reason)
    default:
      if state == "42501" { return StorageError(.denied, reason) }
      // A server that takes over from another one is read-only until it has.
      if state == "25006" { return StorageError(.unavailable, reason) }
      if state == "42P01" {
        return StorageError(.outdated, reason, remedy: "\(.migration)")
      }
      return StorageError(.failed, reason)
    }
  }

  private static func line(_ text: UnsafePointer<CChar>?) -> String {
    let text = text.map { String(cString: $0) } ?? "no reason given"
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
