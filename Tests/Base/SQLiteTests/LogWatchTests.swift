import Foundation
import Glibc
import LunaTesting
import Synchronization
import Testing

@testable import SQLite

/// What becomes of a database into whose files somebody else writes while it is open.
@Suite struct LogWatchTests {
  struct Failed: DatabaseError {
    let kind: SQLiteFailure.Kind
    let message: String
    init(_ failure: SQLiteFailure, path: String, doing: String) {
      kind = failure.kind
      message = failure.message
    }
  }

  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "luna-log-\(UUID().uuidString)"
    let clock = Mutex(ContinuousClock.now)
    var file: String { path + "/data" }

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func watch() throws -> LogWatch {
      LogWatch(try Database<Failed>.place(of: file)) { [self] in clock.withLock { $0 } }
    }

    func open(_ watch: LogWatch? = nil) throws -> Database<Failed> {
      let database = try Database<Failed>(
        at: Database<Failed>.place(of: file), patience: .seconds(60), watch: watch)
      try database.execute("PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(PASSIVE)")
      return database
    }

    /// Some commits of several pages. Half of them are moved into the database; the log does not begin anew.
    func fill(_ database: borrowing Database<Failed>) throws {
      try database.transaction { () throws(Failed) in
        try database.execute("CREATE TABLE numbers(number INTEGER, noise BLOB)")
      }
      for number in 0..<20 {
        try insert(number, database)
        if number == 10 { try move(database) }
      }
    }

    /// Moves all but the last commit, which somebody does not see yet who reads.
    private func move(_ database: borrowing Database<Failed>) throws {
      let reader = try Database<Failed>(path: file, patience: .seconds(1))
      try reader.execute("BEGIN; SELECT count(*) FROM numbers")
      try insert(10, database)
      try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    func overwriteIndex(at place: Int) throws {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file + "-shm"))
      try handle.seek(toOffset: UInt64(place))
      try handle.write(
        contentsOf: Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 151 | 1) }))
      try handle.close()
    }

    /// As another process does it, which does not tidy up at its end.
    func insertElsewhere(_ number: Int) throws {
      let script = """
        import os, sqlite3, sys
        database = sqlite3.connect(sys.argv[1], timeout=60)
        database.execute("INSERT INTO numbers VALUES(\(number), randomblob(5000))")
        database.commit()
        os._exit(0)
        """
      let result = try TestProgram.run(["python3", "-c", script, file])
      #expect(result.status == 0, "\(result.errors)")
    }

    func insert(_ number: Int, _ database: borrowing Database<Failed>) throws(Failed) {
      try database.transaction { () throws(Failed) in
        try database.execute("INSERT INTO numbers VALUES(\(number), randomblob(5000))")
      }
    }
  }

  enum Harm: String, CaseIterable {
    case logEmptied, logHalved, logShortened, logHeader, logFrame, logMiddle, logEnd
    case databaseHalved, databaseShortened, databaseHeader, databasePage

    var isLog: Bool { rawValue.hasPrefix("log") }

    func happens(to database: String) throws {
      let file = isLog ? database + "-wal" : database
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      switch self {
      case .logEmptied: #expect(truncate(file, 0) == 0)
      case .logHalved, .databaseHalved: #expect(truncate(file, size / 2) == 0)
      case .logShortened: #expect(truncate(file, size - 1) == 0)
      case .databaseShortened: #expect(truncate(file, size - 4096) == 0)
      case .logHeader, .databaseHeader: try overwrite(file, at: 0)
      case .logFrame: try overwrite(file, at: 32, count: 8)
      case .logMiddle, .databasePage: try overwrite(file, at: size / 2)
      case .logEnd: try overwrite(file, at: size - 8, count: 8)
      }
      // The clock of files is too coarse for a test in a hurry.
      let later = timespec(tv_sec: time(nil) + 2, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, file, [later, later], 0) == 0)
    }

    private func overwrite(_ file: String, at place: Int, count: Int = 4096) throws {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
      try handle.seek(toOffset: UInt64(place))
      try handle.write(contentsOf: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151) }))
      try handle.close()
    }
  }

  @Test(arguments: Harm.allCases)
  func nothingIsCommittedAfterwards(_ harm: Harm) throws {
    let folder = try Folder()
    let watch = try folder.watch()
    let database = try folder.open(watch)
    try folder.fill(database)
    try harm.happens(to: folder.file)
    for _ in 1...2 {
      let error = #expect(throws: Failed.self) { try folder.insert(99, database) }
      #expect(error?.kind == .damaged)
      #expect(error?.message.contains(harm.isLog ? "data-wal was" : "data was") == true)
    }
    #expect(throws: Failed.self) { try database.checkPlace() }
    #expect(database.readLogThrough() != nil)
  }

  /// What others write while a transaction runs is no part of it, whether it writes something itself or not.
  @Test(arguments: Harm.allCases, [0, 1])
  func nothingIsCommittedWhenItHappensMeanwhile(_ harm: Harm, _ count: Int) throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    var happens: Result<Void, any Error>?
    let error = #expect(throws: Failed.self) {
      try database.transaction { () throws(Failed) in
        for _ in 0..<count {
          try database.execute("INSERT INTO numbers VALUES(99, randomblob(5000))")
        }
        happens = Result { try harm.happens(to: folder.file) }
      }
    }
    try #require(happens).get()
    #expect(error?.kind == .damaged)
    #expect(throws: Failed.self) { try folder.insert(99, database) }
  }

  /// Has a watch look at a filled database, which stays open, and at the index that it then has.
  private func afterALook(
    _ body: (_ file: String, _ watch: LogWatch, _ index: @escaping LogWatch.Index) throws -> Void
  ) throws {
    let folder = try Folder()
    let watch = try folder.watch()
    let database = try folder.open(watch)
    try folder.fill(database)
    // Opening it lets go of the locks on it, which nobody needs here.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file + "-shm"))
    let index = { bytes.withUnsafeBytes(WriteAheadLog.position) }
    #expect(watch.check(index) == nil)
    try body(folder.file, watch, index)
  }

  /// A commit that has written nothing explains no write of others, and is not where they hide.
  @Test(arguments: Harm.allCases)
  func aCommitOfNothingHidesNothing(_ harm: Harm) throws {
    try afterALook { file, watch, index in
      #expect(watch.committed(index) == nil)
      try harm.happens(to: file)
      #expect(watch.committed(index) != nil)
    }
  }

  /// Nor is an index that says nothing for a moment, as while another process writes it, before or after the files are
  /// looked at.
  @Test(arguments: Harm.allCases.filter { !$0.isLog }, [0, 1])
  func anIndexThatSaysNothingHidesNothing(_ harm: Harm, _ silent: Int) throws {
    try afterALook { file, watch, index in
      var asked = 0
      if silent == 1 { try harm.happens(to: file) }
      let meanwhile = watch.check {
        defer { asked += 1 }
        return asked == silent ? nil : index()
      }
      #expect(meanwhile == nil && asked == 2)
      if silent == 0 { try harm.happens(to: file) }
      #expect(watch.check(index) != nil)
    }
  }

  /// What another process commits is no damage, and explains none.
  @Test(arguments: [Harm?.none] + Harm.allCases.map(Optional.some))
  func aCommitOfAnotherProcessHidesNothing(_ harm: Harm?) throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    try folder.insertElsewhere(21)
    guard let harm else {
      try database.checkPlace()
      try folder.insert(22, database)
      #expect(try database.integer("SELECT count(*) FROM numbers") == 23)
      return
    }
    try harm.happens(to: folder.file)
    for _ in 1...2 {
      let error = #expect(throws: Failed.self) { try database.checkPlace() }
      #expect(error?.kind == .damaged)
      #expect(error?.message.contains(harm.isLog ? "data-wal was" : "data was") == true)
    }
    #expect(throws: Failed.self) { try folder.insert(99, database) }
  }

  /// Nor where another process is the first to write into a log that is empty, or has been moved.
  @Test(arguments: Harm.allCases.filter { !$0.isLog }, [true, false])
  func theFirstCommitInALogHidesNothing(_ harm: Harm, _ isEmpty: Bool) throws {
    let folder = try Folder()
    do {
      // Whoever closes it last moves its log, and removes it.
      let database = try folder.open()
      try folder.fill(database)
    }
    let database = try folder.open(folder.watch())
    if !isEmpty {
      try folder.insert(21, database)
      try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try database.checkPlace()
    try folder.insertElsewhere(22)
    try harm.happens(to: folder.file)
    for _ in 1...2 {
      let error = #expect(throws: Failed.self) { try database.checkPlace() }
      #expect(error?.kind == .damaged)
      #expect(error?.message.contains("data was written to") == true)
    }
    #expect(throws: Failed.self) { try folder.insert(99, database) }
  }

  /// Several logs were moved, one after the other, since it was looked at last.
  @Test(arguments: ["PASSIVE", "TRUNCATE"])
  func logsThatOthersHaveMovedAreNoDamage(_ kind: String) throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    let other = try folder.open()
    for round in 0..<4 {
      try database.execute("PRAGMA wal_checkpoint(\(kind))")
      try database.checkPlace()
      for number in 0..<round {
        try folder.insert(number, other)
        try other.execute("PRAGMA wal_checkpoint(\(kind))")
      }
      try folder.insert(round, other)
      try database.checkPlace()
      try folder.insert(round, database)
    }
    #expect(try database.integer("SELECT count(*) FROM numbers") == 21 + 6 + 8)
  }

  /// Nobody has written into a file that is not there any more.
  @Test func aFileThatIsGoneIsCalledSo() throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    #expect(unlink(folder.file) == 0)
    let error = #expect(throws: Failed.self) { try folder.insert(99, database) }
    #expect(error?.kind == .gone)
  }

  /// Also when the clock of files has not gone on since the last commit.
  @Test func readsTheLogThroughNowAndThen() throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    let log = folder.file + "-wal"
    var status = stat()
    #expect(stat(log, &status) == 0)
    try Harm.logMiddle.happens(to: folder.file)
    let times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, log, times, 0) == 0)
    folder.clock.withLock { $0 += .seconds(3600) }
    let error = #expect(throws: Failed.self) { try database.checkPlace() }
    #expect(error?.message == "\(log) was overwritten")
  }

  @Test func commitsAndMovesOfOthersAreNoDamage() throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    let other = try folder.open()
    for number in 0..<30 {
      try folder.insert(number, other)
      try folder.insert(number, database)
      if number.isMultiple(of: 7) { try other.execute("PRAGMA wal_checkpoint(PASSIVE)") }
      if number.isMultiple(of: 5) { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      try database.checkPlace()
    }
    try database.execute("VACUUM")
    try folder.insert(1, database)
    #expect(try database.integer("SELECT count(*) FROM numbers") == 82)
  }

  /// SQLite looks in the index where a page is. With another answer it reads an old one, and says nothing.
  ///
  /// - Parameter isMeanwhile: whether it happens while a transaction runs.
  @Test(arguments: [136 + 4, 136 + 4 * 30, 16384, 16384 + 8192], [false, true])
  func noiseInTheIndexIsSeen(_ place: Int, _ isMeanwhile: Bool) throws {
    let folder = try Folder()
    do {
      let database = try folder.open(folder.watch())
      try folder.fill(database)
      var happens: Result<Void, any Error>?
      if !isMeanwhile { happens = Result { try folder.overwriteIndex(at: place) } }
      let error = #expect(throws: Failed.self) {
        try database.transaction { () throws(Failed) in
          try database.execute("INSERT INTO numbers VALUES(99, randomblob(5000))")
          if isMeanwhile { happens = Result { try folder.overwriteIndex(at: place) } }
        }
      }
      try #require(happens).get()
      #expect(error?.message == "\(folder.file)-shm was overwritten")
      let isInIndex = database.isDamagedInIndex
      #expect(isInIndex)
    }
    // Who opens it next makes a new one.
    let database = try folder.open(folder.watch())
    #expect(try database.integer("SELECT count(*) FROM numbers") == 21)
    try folder.insert(1, database)
  }

  /// Many blocks of the index, with frames of transactions that were taken back.
  @Test func largeAndRolledBackTransactionsAreNoDamage() throws {
    let folder = try Folder()
    let database = try folder.open(folder.watch())
    try folder.fill(database)
    try database.execute("PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 0")
    for turn in 0..<4 {
      #expect(throws: Failed.self) {
        try database.transaction { () throws(Failed) in
          for _ in 0..<300 {
            try database.execute("INSERT INTO numbers VALUES(1, randomblob(5000))")
          }
          try database.execute("no statement")
        }
      }
      try database.transaction { () throws(Failed) in
        for _ in 0..<700 {
          try database.execute("INSERT INTO numbers VALUES(1, randomblob(5000))")
        }
      }
      try folder.insert(turn, database)
    }
    #expect(try database.integer("SELECT count(*) FROM numbers") == 21 + 4 * 701)
    try database.execute("PRAGMA wal_checkpoint(RESTART)")
    for number in 0..<5 { try folder.insert(number, database) }
    try database.checkPlace()
  }

  /// Other processes have to see that somebody uses it: a lock of a process is gone when any part of it opens and
  /// closes the file.
  @Test func looksWithoutLettingGoOfLocks() throws {
    let folder = try Folder()
    let watch = try folder.watch()
    let database = try folder.open(watch)
    try folder.fill(database)
    var status = stat()
    #expect(stat(folder.file + "-shm", &status) == 0)
    // "1: POSIX ADVISORY READ 4711 fe:00:123456 128 128"
    let own = " \(getpid()) "
    let file = ":\(status.st_ino) "
    let locks = { () throws -> Int in
      try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
        .count { $0.contains(own) && $0.contains(file) }
    }
    let before = try locks()
    #expect(before > 0)
    folder.clock.withLock { $0 += .seconds(3600) }
    try database.checkPlace()
    #expect(database.readLogThrough() == nil)
    #expect(LogWatch.damageLeft(at: try Database<Failed>.place(of: folder.file)) == nil)
    #expect(try locks() == before)
  }

  /// Several threads look while one writes and another one moves the log.
  @Test func manyLookAtTheSameTime() async throws {
    let folder = try Folder()
    let watch = try folder.watch()
    let database = try folder.open(watch)
    try folder.fill(database)
    try await withThrowingTaskGroup { group in
      for _ in 1...2 {
        group.addTask {
          let reader = try folder.open(watch)
          for _ in 1...100 {
            folder.clock.withLock { $0 += .seconds(1) }
            try reader.checkPlace()
          }
        }
      }
      group.addTask {
        let mover = try folder.open(watch)
        for _ in 1...50 { try mover.execute("PRAGMA wal_checkpoint(PASSIVE)") }
      }
      for number in 0..<60 { try folder.insert(number, database) }
      try await group.waitForAll()
    }
    try folder.insert(1, database)
    #expect(try database.integer("SELECT count(*) FROM numbers") == 82)
  }

  /// Of a log that may not be opened nothing is known: neither that it is damaged, nor which pages are in it.
  @Test func aLogThatMayNotBeOpenedIsNoDamage() throws {
    let folder = try Folder()
    let database = try folder.open()
    try folder.fill(database)
    let left = folder.path + "/left"
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: folder.file + end, toPath: left + end)
    }
    let log = WriteAheadLog(path: left)
    let position = try #require(log.positionLeft())
    var pages = LogPages()
    let damage = log.damage(upTo: position, &pages)
    #expect(damage == nil && pages.pages.count == Int(position.frames))
    // No link is followed, also where root asks.
    #expect(rename(left + "-wal", left + ".elsewhere") == 0)
    #expect(symlink(left + ".elsewhere", left + "-wal") == 0)
    let unknown = log.damage(upTo: position, &pages)
    #expect(unknown == nil && pages.pages.isEmpty)
  }

  /// What a process that was killed has left: its log, and an index that says how long it was.
  @Test(arguments: [Harm?.none] + Harm.allCases.filter(\.isLog).map(Optional.some))
  func seesWhatTheLastRunLeft(_ harm: Harm?) throws {
    let folder = try Folder()
    let database = try folder.open()
    try folder.fill(database)
    let left = folder.path + "/left"
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: folder.file + end, toPath: left + end)
    }
    try harm?.happens(to: left)
    let place = try Database<Failed>.place(of: left)
    #expect((LogWatch.damageLeft(at: place) != nil) == (harm != nil))
    // SQLite takes what comes before the damage, and makes a new index.
    do {
      let found = try Database<Failed>(at: place, patience: .seconds(1))
      let count = (try? found.integer("SELECT count(*) FROM numbers")) ?? 0
      #expect((count == 21) == (harm == nil))
    }
    #expect(LogWatch.damageLeft(at: place) == nil)
    // Nor is there anything to be said of a database that nobody has used yet.
    #expect(LogWatch.damageLeft(at: try Database<Failed>.place(of: folder.path + "/none")) == nil)
  }
}
