import Foundation
import SQLite
import Testing

/// What becomes of a database whose files somebody takes away while it is open.
@Suite struct PlaceTests {
  private struct Failed: DatabaseError {
    let kind: SQLiteFailure.Kind
    let message: String
    init(_ failure: SQLiteFailure, path: String, doing: String) {
      kind = failure.kind
      message = failure.message
    }
  }

  private final class Folder {
    let path = NSTemporaryDirectory() + "luna-sqlite-\(UUID().uuidString)"
    var file: String { path + "/state/data" }

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path + "/state", withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func open(isLogged: Bool = true) throws -> Database<Failed> {
      let database = try Database<Failed>(path: file, patience: .seconds(1))
      if isLogged { try database.execute("PRAGMA journal_mode = WAL") }
      try database.execute("CREATE TABLE IF NOT EXISTS numbers(number INTEGER)")
      return database
    }
  }

  enum Harm: String, CaseIterable {
    case deleted, moved, replaced, emptied, directoryDeleted, directoryMoved
    case logDeleted, logReplaced, indexDeleted

    func happens(to file: String) throws {
      let (manager, folder) = (FileManager.default, (file as NSString).deletingLastPathComponent)
      switch self {
      case .deleted: try manager.removeItem(atPath: file)
      case .moved: try manager.moveItem(atPath: file, toPath: file + ".elsewhere")
      case .replaced:
        try manager.copyItem(atPath: file, toPath: file + ".copy")
        #expect(rename(file + ".copy", file) == 0)
      case .emptied: #expect(truncate(file, 0) == 0)
      case .directoryDeleted: try manager.removeItem(atPath: folder)
      case .directoryMoved: try manager.moveItem(atPath: folder, toPath: folder + ".elsewhere")
      case .logDeleted: try manager.removeItem(atPath: file + "-wal")
      case .logReplaced:
        try manager.copyItem(atPath: file + "-wal", toPath: file + ".copy")
        #expect(rename(file + ".copy", file + "-wal") == 0)
      case .indexDeleted: try manager.removeItem(atPath: file + "-shm")
      }
    }
  }

  private func insert(_ number: Int, _ database: borrowing Database<Failed>) throws(Failed) {
    try database.transaction { () throws(Failed) in
      try database.execute("INSERT INTO numbers VALUES(\(number))")
    }
  }

  @Test(arguments: Harm.allCases)
  func nothingIsCommittedElsewhere(_ harm: Harm) throws {
    let folder = try Folder()
    let database = try folder.open()
    try insert(1, database)
    try harm.happens(to: folder.file)
    let error = #expect(throws: Failed.self) { try insert(2, database) }
    #expect(error?.kind == .gone)
    #expect(error?.message.contains("data") == true)
    // Not even when it is there again: what was in the log is not.
    try? FileManager.default.createDirectory(
      atPath: folder.path + "/state", withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: folder.file, contents: nil)
    #expect(throws: Failed.self) { try insert(3, database) }
  }

  @Test(arguments: [Harm.deleted, .moved, .replaced, .directoryDeleted, .logDeleted])
  func whatWasWrittenBeforeCanBeCopied(_ harm: Harm) throws {
    let folder = try Folder()
    let database = try folder.open()
    for number in 1...5 { try insert(number, database) }
    try harm.happens(to: folder.file)
    #expect(throws: Failed.self) { try database.checkPlace() }
    let copy = folder.path + "/copy"
    try database.copy(to: copy)
    let other = try Database<Failed>(path: copy, patience: .seconds(1))
    #expect(try other.integer("SELECT count(*) FROM numbers") == 5)
  }

  /// Whoever looks at a copy may be ended at any time, and knows nothing of what is beside it then.
  @Test(arguments: [("", "copy"), ("", "a %3f? #1"), ("/", "copy")])
  func nothingIsMadeBesideACopyThatIsRead(before: String, name: String) throws {
    let folder = try Folder()
    let database = try folder.open()
    try insert(1, database)
    let copy = before + folder.path + "/" + name
    try database.copy(to: copy)
    let other = try Database<Failed>(unchanging: copy)
    #expect(try other.damage() == nil)
    #expect(try other.integer("SELECT count(*) FROM numbers") == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasPrefix(name) } == [name])
  }

  /// Closing deletes the log at the path: it must not be that of the file which came after.
  @Test func closingLeavesTheFilesOfOthersAlone() throws {
    let folder = try Folder()
    do {
      let old = try folder.open()
      try insert(1, old)
      for file in ["", "-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: folder.file + file)
      }
      #expect(throws: Failed.self) { try old.checkPlace() }
      _ = FileManager.default.createFile(atPath: folder.file + "-wal", contents: Data([7]))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")) == Data([7]))
  }

  @Test func severalConnectionsAndOtherModesAreInPlace() throws {
    let folder = try Folder()
    let first = try folder.open()
    for number in 0..<50 {
      let second = try folder.open()
      try insert(number, second)
      try insert(number, first)
    }
    try first.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try insert(1, first)
    try first.execute("VACUUM")
    try insert(2, first)
    let plain = try Folder()
    let database = try plain.open(isLogged: false)
    try insert(1, database)
    try database.execute("PRAGMA journal_mode = WAL")
    try insert(2, database)
    #expect(try database.integer("SELECT count(*) FROM numbers") == 2)
  }
}
