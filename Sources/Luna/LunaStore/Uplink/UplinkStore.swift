import Bluetooth
import Glibc
public import LunaCore
import LunaJSON
import SQLite

/// Keeps the results of uplink checks in a file that several processes may use at once: the newest
/// thousand, for 400 days.
///
/// Its calls wait for the disk.
public struct UplinkStore: ~Copyable {
  /// The name of the file.
  public static let fileName = "luna-uplink.data"
  /// So many results are kept.
  public static let limit = 1_000
  private static let lifetime: Int64 = 400 * 86_400 * 1_000_000

  private let database: Database

  /// Opens the store, and makes it where there is none.
  ///
  /// - Parameter patience: how long a call waits for other processes, whole seconds.
  /// - Throws: ``LunaCore/DeviceStoreError`` when it cannot be made or opened, is damaged, or was written
  ///   by a newer version.
  public init(
    in directory: StateDirectory, patience: Duration = .seconds(10)
  ) throws(DeviceStoreError) {
    let place = try directory.place(of: UplinkStore.fileName)
    try place.checkLog()
    try StateDirectory.secure(place)
    let database = try Database(at: place, patience: patience, watch: LogWatch(place))
    // What is no database of ours is recognised before anything is written.
    _ = try Migration.uplink.check(database)
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      """)
    try Migration.uplink.run(on: database)
    // A log that is taken away before anything is written is noticed as well.
    try database.checkPlace()
    self.database = database
  }

  /// Adds a result; the oldest go when there are too many.
  public func add(_ record: UplinkRecord) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let insert = try database.prepare(
        "INSERT INTO results(id, time, document, samples) VALUES(?1, ?2, ?3, ?4)")
      insert.bind(1, record.id)
      insert.bind(2, record.time.microseconds)
      insert.bind(3, record.document)
      if record.samples.isEmpty { insert.bind(4, nil) } else { insert.bind(4, record.samples.span) }
      try insert.run()
      try database.execute(
        """
        DELETE FROM results WHERE time < \(record.time.microseconds - UplinkStore.lifetime)
        OR number NOT IN (SELECT number FROM results ORDER BY number DESC LIMIT \(UplinkStore.limit))
        """)
    }
  }

  /// What the last result says in its member `verdict`, if that is a word; nil without one. Nothing is made
  /// or changed.
  package static func lastVerdict(in directory: StateDirectory) throws(DeviceStoreError) -> String?
  {
    let path = "\(directory.path)/\(fileName)"
    guard access(path, F_OK) == 0 else { return nil }
    let place: DatabasePlace = try Database.place(of: path)
    try place.checkLog()
    let database = try Database(at: place, patience: .seconds(1))
    database.keepLog(true)
    guard try Migration.uplink.check(database) > 0 else { return nil }
    let statement = try database.prepare(
      "SELECT document FROM results ORDER BY number DESC LIMIT 1")
    guard try statement.step(), let json = try? JSONReader.read(Array(statement.text(0).utf8)),
      let members = try? JSONMembers(json, name: "the result")
    else { return nil }
    return try? members.word("verdict", limit: 32)
  }

  /// The results, the last one that was added first.
  public func records() throws(DeviceStoreError) -> [UplinkRecord] {
    let statement = try database.prepare(
      "SELECT id, time, document, samples FROM results ORDER BY number DESC")
    var records: [UplinkRecord] = []
    while try statement.step() {
      records.append(
        UplinkRecord(
          id: statement.text(0), time: Timestamp(microseconds: statement.integer(1)),
          document: statement.text(2), samples: statement.bytes(3)))
    }
    return records
  }
}
