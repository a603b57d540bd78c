import CSQLite
import Synchronization

/// A connection to a database file, closed with this value. To be used by one thread at a time.
///
/// What is written goes where the open file is, also when somebody has deleted or replaced it
/// meanwhile; ``transaction(isLookedAfter:_:)`` and ``checkPlace()`` notice that.
public struct Database<Failure: DatabaseError>: ~Copyable {
  /// Where the file is, behind all links.
  public let path: String
  private let handle: OpaquePointer
  private let files: Mutex<DatabaseFiles>
  private let watch: LogWatch?

  /// Follows the links of a path, once for all who are to use the same file.
  ///
  /// - Throws: a failure of kind `link` when one of them is another user's.
  public static func place(of path: String) throws(Failure) -> DatabasePlace {
    try DatabasePlace(of: path, as: Failure.self)
  }

  /// Opens a file that exists, behind links if need be; nothing of it is read yet.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for other writers.
  ///   - isReadOnly: whether it is opened for reading only.
  public init(path: String, patience: Duration, isReadOnly: Bool = false) throws(Failure) {
    try self.init(at: Self.place(of: path), patience: patience, isReadOnly: isReadOnly)
  }

  /// Opens a file that nobody writes, as a copy that was just made, for reading: nothing is made beside it.
  public init(unchanging path: String) throws(Failure) {
    try self.init(
      at: Self.place(of: path), patience: .zero, isReadOnly: true, isUnchanging: true)
  }

  /// Opens a file that exists; nothing of it is read yet.
  ///
  /// - Parameters:
  ///   - place: where it is; no link is followed.
  ///   - patience: how long to wait for other writers.
  ///   - isReadOnly: whether it is opened for reading only.
  ///   - isUnchanging: whether nobody writes it, so that neither locks nor a log are looked for.
  ///   - watch: looks whether others write into the files, whenever this looks where they are.
  public init(
    at place: DatabasePlace, patience: Duration, isReadOnly: Bool = false,
    isUnchanging: Bool = false, watch: LogWatch? = nil
  ) throws(Failure) {
    let path = place.path
    OpenDatabases.add(path)
    var handle: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags =
      access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
      | (isUnchanging ? SQLITE_OPEN_URI : 0)
    // After two slashes alone a name would be the host's.
    let name = isUnchanging ? "file://\(Self.escaped(path))?immutable=1" : path
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(code, on: handle, path: path)
      sqlite3_close_v2(handle)
      OpenDatabases.remove(path)
      throw Failure(failure, path: path, doing: "open")
    }
    self.path = path
    self.handle = handle
    self.watch = watch
    // Between opening it and asking which file it is, another may have come.
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    files = Mutex(DatabaseFiles(path: path, isOpen: hasMoved == 0))
    sqlite3_busy_timeout(handle, Int32(clamping: patience.components.seconds &* 1000))
  }

  deinit {
    // Closing would copy what is wrong in the log into the file.
    if watch?.isDamaged == true { csqlite_keep_log(handle, 1) }
    sqlite3_close_v2(handle)
    OpenDatabases.remove(path)
  }

  /// What stands for itself in an address of a file.
  private static func escaped(_ path: String) -> String {
    path.map { ["%": "%25", "?": "%3f", "#": "%23"][$0] ?? String($0) }.joined()
  }

  /// Whether closing leaves the file and its log as they are, instead of tidying up.
  public func keepLog(_ keep: Bool) { csqlite_keep_log(handle, keep ? 1 : 0) }

  /// Runs statements without results.
  public func execute(_ sql: String) throws(Failure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, "write") }
  }

  /// Compiles a statement.
  public func prepare(_ sql: String) throws(Failure) -> Statement<Failure> {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code, "read") }
    return Statement(statement, path: path)
  }

  /// The first column of the first row, as a number.
  public func integer(_ sql: String) throws(Failure) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Does all of `body` or nothing. Nobody else writes meanwhile.
  ///
  /// - Parameter isLookedAfter: whether it is an error, too, when the file is found to be gone right
  ///   after `body` was committed: then nobody finds what it wrote.
  /// - Throws: what `body` throws; a failure of kind `gone` when the file is not in its place.
  public func transaction<Result>(
    isLookedAfter: Bool = true, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try execute("BEGIN IMMEDIATE")
    let result: Result
    do throws(Failure) {
      try checkLog()
      result = try body()
      try checkFiles()
      // Again: the body may take its time.
      try checkLog()
      try execute("COMMIT")
    } catch {
      // SQLite has done so already after some errors; then there is nothing to take back.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
    let damage = hasIndex ? watch?.committed { index() } : nil
    if isLookedAfter {
      try checkFiles()
      if let damage { throw error(damage) }
    }
    return result
  }

  /// Reads one state of the database, whatever others write meanwhile.
  public func snapshot<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try execute("BEGIN")
    // Nothing was written that could be lost.
    defer { if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") } }
    return try body()
  }

  /// Finds out whether the files that are open are still those at the path: the database, its log and
  /// the log's index; costs three system calls. With a watch also whether others wrote into them.
  ///
  /// - Throws: a failure of kind `gone` when one was deleted, moved, emptied or replaced; from then on
  ///   always. What was written before can still be read and copied (``copy(to:)``). A failure of kind
  ///   `damaged` when the watch finds something.
  public func checkPlace() throws(Failure) {
    try checkFiles()
    if let damage = damageOfLog() { throw error(damage) }
  }

  private func checkLog() throws(Failure) {
    guard let damage = damageOfLog() ?? damageOfIndex() else { return }
    // Of a file that is not in its place any more nobody has written into this one.
    try checkFiles()
    throw error(damage)
  }

  private func damageOfLog() -> String? { hasIndex ? watch?.check { index() } : nil }

  private func damageOfIndex() -> String? {
    guard hasIndex else { return nil }
    return watch?.checkIndex({ index() }, { csqlite_log_index(handle, Int32($0)) })
  }

  /// Whether what the watch has found is in the index of the log alone, which is made anew when nobody has
  /// the database open any more.
  public var isDamagedInIndex: Bool { watch?.isInIndex ?? false }

  /// Reads the log through, whatever the times of the files say; to be called before it is moved into the
  /// database, which cannot be taken back.
  ///
  /// - Returns: what is wrong, for a person; nil also without a watch.
  public func readLogThrough() -> String? { hasIndex ? watch?.readThrough { index() } : nil }

  /// Whether this connection has the index of a log in memory.
  private var hasIndex: Bool { watch != nil && files.withLock { $0.hasLog { hasLog } } }

  private func index() -> WriteAheadLog.Position? {
    guard let index = csqlite_log_index(handle, 0) else { return nil }
    return WriteAheadLog.position(UnsafeRawBufferPointer(start: index, count: 32768))
  }

  private func checkFiles() throws(Failure) {
    let loss = files.withLock { files in files.check { hasLog } }
    guard let loss else { return }
    // Closing would delete the log at the path, which may be another file's.
    keepLog(true)
    throw Failure(SQLiteFailure(.gone, loss), path: path, doing: "write")
  }

  private var hasLog: Bool {
    guard let mode = try? prepare("PRAGMA journal_mode"), (try? mode.step()) == true else {
      return false
    }
    return mode.text(0) == "wal"
  }

  /// The number of rows that the last statement changed.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The number of rows that this connection has changed since it was opened.
  public var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// The row that was inserted last.
  public var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// What is wrong with the contents, the first thing that a reading of all of them finds; nil when they
  /// are whole.
  public func damage() throws(Failure) -> String? {
    let statement = try prepare("PRAGMA quick_check(1)")
    guard try statement.step() else { return nil }
    let answer = statement.text(0)
    return answer == "ok" ? nil : answer
  }

  /// Copies the whole database into another file, which becomes a database of its own; others may
  /// go on writing meanwhile.
  public func copy(to destination: String) throws(Failure) {
    var target: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(destination, &target, flags, nil)
    defer { sqlite3_close_v2(target) }
    // A copy that is broken off is none: a journal would only be left beside it.
    if code == SQLITE_OK { code = sqlite3_exec(target, "PRAGMA journal_mode = OFF", nil, nil, nil) }
    guard code == SQLITE_OK, let backup = sqlite3_backup_init(target, "main", handle, "main") else {
      let failure = SQLiteFailure(code, on: target, path: destination)
      throw Failure(failure, path: destination, doing: "write")
    }
    // In one step: pieces would start again with every write of another process.
    code = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      let failure = SQLiteFailure(
        code == SQLITE_DONE ? finished : code, on: target, path: destination)
      throw Failure(failure, path: destination, doing: "write")
    }
  }

  private func error(_ damage: String) -> Failure {
    keepLog(true)
    return Failure(SQLiteFailure(.damaged, damage), path: path, doing: "write")
  }

  private func error(_ code: Int32, _ doing: String) -> Failure {
    Failure(SQLiteFailure(code, on: handle, path: path), path: path, doing: doing)
  }
}
