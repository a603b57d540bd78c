import Bluetooth
import EventLoop
import Foundation
import Glibc
import LunaCore
import LunaTesting
import SQLite
import Synchronization
import Testing

@testable import LunaBackend

/// What every storage does with credentials, gateways and its own schema.
@Suite(.patient, .timeLimit(.minutes(10))) struct StorageAccessTests {
  private func record(_ role: TokenRole = .gateway, _ name: String = "a") throws -> TokenRecord {
    try AccessToken(role).record(name: name, at: Samples.now)
  }

  /// The files that this process has open. Whoever closes a storage has its connections end a moment later.
  private func openFiles() throws -> [String] {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  @Test(arguments: StorageKind.available)
  func keepsAtMostTwoLiveTokensOfAName(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let (first, second, third) = (try record(), try record(), try record())
    try await storage.add(first)
    try await storage.add(second)
    await #expect {
      try await storage.add(third)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    try await storage.add(try record(.owner))
    try await storage.add(try record(.gateway, "b"))
    #expect(try await storage.revoke(first.id, at: Samples.later(1)))
    #expect(try await storage.revoke(first.id, at: Samples.later(2)) == false)
    #expect(try await storage.token(first.id)?.revokedAt == Samples.later(1))
    try await storage.add(third)
    #expect(try await storage.token(third.id) == third)
    #expect(try await storage.token("000000000000") == nil)
    #expect(try await storage.tokens().count == 5)
  }

  @Test(arguments: StorageKind.available)
  func redeemsACodeOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "kitchen", until: Samples.later(100)))
    let digest = try EnrolmentCode(code.text.uppercased())!.digest()
    let make: @Sendable (String) throws(StorageError) -> TokenRecord = {
      name throws(StorageError) in
      try AccessToken(.gateway).record(name: name, at: Samples.now)
    }
    #expect(try await storage.redeem(digest, at: Samples.later(100), token: make) == nil)
    let tokens = try await withThrowingTaskGroup(of: TokenRecord?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await storage.redeem(digest, at: Samples.now, token: make) }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(tokens.map(\.name) == ["kitchen"])
    #expect(try await storage.token(tokens[0].id) == tokens[0])
  }

  @Test(arguments: StorageKind.available)
  func aCodeThatCannotBeUsedStays(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "a", until: Samples.later(100)))
    let digest = try code.digest()
    let full = try [record(), record()]
    for token in full { try await storage.add(token) }
    let make: @Sendable (String) throws(StorageError) -> TokenRecord = {
      name throws(StorageError) in
      try AccessToken(.gateway).record(name: name, at: Samples.now)
    }
    await #expect {
      try await storage.redeem(digest, at: Samples.now, token: make)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    _ = try await storage.revoke(full[0].id, at: Samples.now)
    #expect(try await storage.redeem(digest, at: Samples.now, token: make)?.name == "a")
  }

  @Test(arguments: StorageKind.available)
  func remembersWhatGatewaysTold(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let report = GatewayReport(version: "1.2", uptime: 5, queueDepth: 7)
    try await storage.touch("b", report: report, at: Samples.now)
    try await storage.touch("b", report: nil, at: Samples.later(60))
    try await storage.touch("a", report: nil, at: Samples.now)
    #expect(
      try await storage.gateways() == [
        GatewayRecord(name: "a", seenAt: Samples.now, report: nil),
        GatewayRecord(name: "b", seenAt: Samples.later(60), report: report),
      ])
  }

  @Test(arguments: StorageKind.available)
  func migratesTwiceAndFromTheVersionBefore(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let events = try Samples.identified([Samples.event(1)])
    switch place.location {
    case .sqlite(let path):
      // Makes the file.
      _ = try SQLiteStorage(path: path)
      let connection = try SQLiteConnection(
        at: SQLitePlace(Database<StorageError>.place(of: path)), isReadOnly: false)
      try SQLiteSchema.migrate(connection.database, upTo: SQLiteSchema.steps.count - 1)
    case .postgreSQL(let settings):
      let version = PostgreSQLSchema.steps.count - 1
      try PostgreSQLSchema.migrate(PostgreSQLConnection(settings), upTo: version)
      try place.spread(upTo: version)
    }
    let storage = try place.open()
    // What has changed with the last step is not about events.
    try await storage.makeRoom(for: Samples.today...Samples.today)
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
    await #expect {
      try await storage.health()
    } throws: { ($0 as? StorageError)?.kind == .outdated }
    try await storage.migrate()
    try await storage.migrate()
    try await storage.health()
    #expect(try await storage.ingest(events, at: Samples.now) == [.known])
    try await storage.add(try record())
  }

  @Test(arguments: StorageKind.available)
  func refusesANewerVersion(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    switch place.location {
    case .sqlite(let path):
      try SQLiteConnection(
        at: SQLitePlace(Database<StorageError>.place(of: path)), isReadOnly: false
      ).database
        .execute(
          "PRAGMA user_version = 99")
      #expect {
        _ = try place.open()
      } throws: { ($0 as? StorageError)?.kind == .foreign }
    case .postgreSQL(let settings):
      try PostgreSQLConnection(settings).execute("UPDATE luna.schema SET version = 99")
    }
    await #expect {
      try await storage.migrate()
    } throws: { ($0 as? StorageError)?.kind == .foreign }
  }

  /// A copy that cannot be made, or is not whole, leaves the one that is there.
  @Test func goodBackupOutlivesABadOne() async throws {
    let place = try StoragePlace(.sqlite)
    let path = place.copy + ".source"
    do {
      let storage = try SQLiteStorage(path: path)
      try await storage.migrate()
      let events = try Samples.identified((0..<500).map { Samples.event($0) })
      _ = try await storage.ingest(events, at: Samples.now)
      try await storage.backup(to: place.copy)
      await storage.close()
    }
    // One that all could read is its owner's alone from then on.
    #expect(chmod(place.copy, 0o644) == 0)
    try SQLiteStorage.backup(path, to: place.copy, replacing: true)
    var status = stat()
    #expect(stat(place.copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let good = try Data(contentsOf: URL(filePath: place.copy))
    func refused(_ kind: StorageError.Kind, _ source: String) throws {
      #expect {
        try SQLiteStorage.backup(source, to: place.copy, replacing: true)
      } throws: { ($0 as? StorageError)?.kind == kind }
      #expect(try Data(contentsOf: URL(filePath: place.copy)) == good)
    }
    try refused(.absent, path + ".none")
    #expect(access(path + ".none", F_OK) != 0)
    // Nothing in it, and garbage in the middle.
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 40_960)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 8192))
    try refused(.damaged, path)
    try file.truncate(atOffset: 0)
    try refused(.foreign, path)
    let directory = String(place.copy.dropLast("/copy.sqlite".count))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory)
        .allSatisfy { !$0.hasSuffix(".new") })
  }

  @Test func backsUpThroughAPipe() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try SQLiteStorage(path: place.copy + ".source")
    try await storage.migrate()
    #expect(mkfifo(place.copy, 0o600) == 0)
    let name = place.copy
    async let bytes = Blocking.run { () -> [UInt8] in
      let pipe = open(name, O_RDONLY)
      defer { close(pipe) }
      var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
      while case let count = read(pipe, &piece, piece.count), count > 0 { all += piece[..<count] }
      return all
    }
    let source = storage.path
    try await Blocking.run { () throws(StorageError) in
      try SQLiteStorage.backup(source, to: name, replacing: false)
    }
    #expect(await bytes.starts(with: Array("SQLite format 3".utf8)))
    var status = stat()
    #expect(stat(place.copy, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  /// Not even where it fails: to a device, through a link, and from what a process that was killed has left.
  @Test func aBackupChangesNothingElse() async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    let storage = try await place.prepared()
    _ = try await storage.ingest(Samples.identified([Samples.event(1)]), at: Samples.now)
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: place.copy + end)
    }
    await storage.close()
    let contents = {
      try ["", "-wal"].map { try Data(contentsOf: URL(filePath: place.copy + $0)) }
    }
    let before = try contents()
    let (link, full) = (place.copy + ".link", place.copy + ".full")
    #expect(symlink(place.copy + ".end", link) == 0 && symlink("/dev/full", full) == 0)
    for _ in 1...2 { try SQLiteStorage.backup(place.copy, to: link, replacing: true) }
    #expect {
      try SQLiteStorage.backup(place.copy, to: full, replacing: true)
    } throws: { ($0 as? StorageError)?.kind == .full }
    #expect(try contents() == before)
    for name in [link, full] {
      var status = stat()
      #expect(lstat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }
    #expect(access("/dev/full", F_OK) == 0)
    let copy = try SQLiteStorage(path: place.copy + ".end")
    #expect(
      try await copy.ingest(Samples.identified([Samples.event(1)]), at: Samples.now) == [.known])
    await copy.close()
  }

  @Test func makesNothingForWhoOnlyLooks() throws {
    let place = try StoragePlace(.sqlite)
    #expect {
      _ = try place.location.open(isMade: false)
    } throws: { ($0 as? StorageError)?.kind == .absent }
    guard case .sqlite(let path) = place.location else { return }
    #expect(access(path, F_OK) != 0)
  }

  @Test func anEmptyFileStaysEmpty() throws {
    let place = try StoragePlace(.sqlite)
    #expect(FileManager.default.createFile(atPath: place.copy, contents: nil))
    #expect {
      _ = try SQLiteStorage(path: place.copy, isMade: false, isServing: false)
    } throws: { ($0 as? StorageError)?.kind == .foreign }
    #expect(try Data(contentsOf: URL(filePath: place.copy)).isEmpty)
    #expect(access(place.copy + "-wal", F_OK) != 0)
  }

  /// Only who serves a file moves its log, or opens one that cannot be read to its end: the rest would be left
  /// out without a word.
  @Test func damagedLogIsLeftToWhoServesIt() async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    let contents = { (path: String) in
      try ["", "-wal"].map { try Data(contentsOf: URL(filePath: path + $0)) }
    }
    let storage = try await place.prepared()
    for number in 0..<40 {
      let events = try Samples.identified([Samples.event(number)])
      #expect(try await storage.ingest(events, at: Samples.now) == [.new])
    }
    // As a process that is killed leaves it.
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: place.copy + end)
    }
    do {
      let whole = try contents(place.copy)
      let visitor = try SQLiteStorage(path: place.copy, isMade: false, isServing: false)
      try await visitor.add(record())
      await visitor.close()
      #expect(try contents(place.copy)[0] == whole[0])
    }
    let file = try Database<StorageError>.place(of: place.copy).path
    try await waitUntil { try !openFiles().contains(file) }
    #expect(try contents(place.copy)[1].count > 0)
    let size = try contents(place.copy)[1].count
    #expect(truncate(place.copy + "-wal", off_t(size / 2)) == 0)
    let before = try contents(place.copy)
    #expect {
      _ = try SQLiteStorage(path: place.copy, isMade: false, isServing: false)
    } throws: { ($0 as? StorageError)?.kind == .damaged }
    #expect {
      try SQLiteStorage.backup(place.copy, to: place.copy + ".other", replacing: false)
    } throws: { ($0 as? StorageError)?.kind == .damaged }
    #expect(try contents(place.copy) == before)
    let served = try SQLiteStorage(path: place.copy)
    #expect(served.damageLeft != nil)
    await served.close()
    await storage.close()
  }

  @Test func keepsAFileBehindALink() async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    let folder = String(path.dropLast("/backend.sqlite".count))
    #expect(mkdir(folder + "/disk", 0o700) == 0 && symlink("disk/data", path) == 0)
    let storage = try await place.prepared()
    let events = try Samples.identified([Samples.event(1)])
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
    try await storage.health()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/disk")
    #expect(Set(names) == ["data", "data-wal", "data-shm"])
    #expect(try await storage.ingest(events, at: Samples.now) == [.known])
  }

  /// Nobody writes, and still nobody reads what has been replaced.
  @Test func readsNothingOfAFileThatWasReplaced() async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    let storage = try await place.prepared()
    let record = try record()
    try await storage.add(record)
    let clock = Mutex(ContinuousClock.now)
    let seen = SQLitePlace(try Database<StorageError>.place(of: path)) { clock.withLock { $0 } }
    let readers = try SQLiteReaders(count: 1, place: seen)
    func count() throws -> Int64 {
      try readers.lookUp { connection throws(StorageError) in
        try connection.database.integer("SELECT count(*) FROM tokens WHERE revoked IS NULL")
      }
    }
    #expect(try count() == 1)
    try await storage.backup(to: place.copy)
    // In the file that takes its place the token is revoked.
    let other = try SQLiteStorage(path: place.copy)
    #expect(try await other.revoke(record.id, at: Samples.later(1)))
    await other.close()
    #expect(rename(place.copy, path) == 0)
    // It is looked at once a second, not each time.
    clock.withLock { $0 += .milliseconds(999) }
    #expect(try count() == 1)
    // Then the token opens nothing any more.
    clock.withLock { $0 += .milliseconds(1) }
    #expect {
      _ = try count()
    } throws: { ($0 as? StorageError)?.kind == .replaced }
    await #expect {
      _ = try await readers.read { _ throws(StorageError) in 1 }
    } throws: { ($0 as? StorageError)?.kind == .replaced }
  }

  /// Who may open the log later makes no difference to who has it.
  @Test func hasTheLogOpenBeforeAnythingIsRead() async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    let storage = try await place.prepared()
    let file = try Database<StorageError>.place(of: path).path
    let open = try openFiles()
    let connections = open.count { $0 == file }
    #expect(connections >= 4)
    #expect(open.count { $0 == file + "-wal" } == connections)
    await storage.close()
  }

  /// What was cut, or written into, where it is.
  enum Damage: String, CaseIterable { case logHalved, logOverwritten, fileHalved, fileOverwritten }

  /// Nothing is acknowledged that a restart would not find, and nothing is read of what is damaged.
  @Test(arguments: Damage.allCases)
  func takesNothingAfterDamage(_ damage: Damage) async throws {
    let place = try StoragePlace(.sqlite)
    guard case .sqlite(let path) = place.location else { return }
    do {
      let storage = try await place.prepared()
      _ = try await storage.ingest(
        Samples.identified((0..<200).map { Samples.event($0) }), at: Samples.now)
      let file = damage.rawValue.hasPrefix("log") ? path + "-wal" : path
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      if damage.rawValue.hasSuffix("Halved") {
        #expect(truncate(file, off_t(size / 2)) == 0)
      } else {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
        try handle.seek(toOffset: UInt64(size / 2))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 8192))
        try handle.close()
      }
      // The clock of files is too coarse for a test in a hurry.
      let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, file, later, 0) == 0)
      for _ in 1...2 {
        await #expect {
          _ = try await storage.ingest(
            Samples.identified([Samples.event(999)]), at: Samples.now)
        } throws: { ($0 as? StorageError)?.kind == .damaged }
        await #expect {
          try await storage.health()
        } throws: { ($0 as? StorageError)?.kind == .damaged }
      }
      await #expect {
        _ = try await storage.tokens()
      } throws: { ($0 as? StorageError)?.kind == .damaged }
      await storage.close()
    }
    guard damage.rawValue.hasPrefix("log") else { return }
    let file = try Database<StorageError>.place(of: path).path
    try await waitUntil { try !openFiles().contains(file) }
    // What comes before the damage is taken up again, and said to be less than there was.
    let storage = try SQLiteStorage(path: path)
    #expect(storage.damageLeft?.hasPrefix(path + "-wal was ") == true)
    try await storage.migrate()
    let events = try Samples.identified([Samples.event(999)])
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
  }

  @Test func backsUpWhileItIsWritten() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try SQLiteStorage(path: place.copy + ".source")
    try await storage.migrate()
    let events = try Samples.identified((0..<500).map { Samples.event($0) })
    _ = try await storage.ingest(Array(events[..<100]), at: Samples.now)
    async let more = storage.ingest(Array(events[100...]), at: Samples.now)
    try await storage.backup(to: place.copy)
    _ = try await more
    await #expect {
      try await storage.backup(to: place.copy)
    } throws: { ($0 as? StorageError)?.kind == .exists }
    try await storage.backup(to: place.copy, replacing: true)
    // Not even then over itself.
    await #expect {
      try await storage.backup(to: storage.path, replacing: true)
    } throws: { ($0 as? StorageError)?.kind == .exists }
    // Nobody but its owner reads it, whoever could before.
    chmod(place.copy, 0o644)
    try SQLiteStorage.backup(storage.path, to: place.copy, replacing: true)
    var status = stat()
    stat(place.copy, &status)
    #expect(status.st_mode & 0o777 == 0o600)
    let copy = try SQLiteStorage(path: place.copy)
    try await copy.health()
    let again = try await copy.ingest(Array(events[..<100]), at: Samples.now)
    #expect(again.allSatisfy { $0 == .known })
  }
}
