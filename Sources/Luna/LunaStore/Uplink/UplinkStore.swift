package import Bluetooth
import Glibc
public import LunaCore
import LunaJSON
import SQLite

/// Keeps the results of uplink checks in a file that several processes may use at once: the newest
/// thousand, for 400 days. Who makes the checks, for servers, and how much data they used is in the same file.
///
/// Its calls wait for the disk.
public struct UplinkStore: ~Copyable {
  /// The name of the file.
  public static let fileName = "luna-uplink.data"
  /// So many results are kept.
  public static let limit = 1_000
  static let day: Int64 = 86_400 * 1_000_000
  static let lifetime = 400 * day
  /// What is older says nothing of the network as it is.
  private static let currency = 30 * day

  let database: Database

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

  /// Adds a result; the oldest go when there are too many, and those that are too old where its time can be believed.
  public func add(_ record: UplinkRecord) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let oldest = try bound(at: record.time)
      let insert = try database.prepare(
        "INSERT INTO results(id, time, document, samples, conditions) VALUES(?1, ?2, ?3, ?4, ?5)")
      insert.bind(1, record.id)
      insert.bind(2, record.time.microseconds)
      insert.bind(3, record.document)
      if record.samples.isEmpty { insert.bind(4, nil) } else { insert.bind(4, record.samples.span) }
      if let conditions = record.conditions { insert.bind(5, conditions) }
      try insert.run()
      try database.execute(
        """
        DELETE FROM results WHERE time < \(oldest)
        OR number NOT IN (SELECT number FROM results ORDER BY number DESC LIMIT \(UplinkStore.limit))
        """)
    }
  }

  /// Drops the results that are too old, where none is added that would do so.
  package func expire(at now: Timestamp) throws(DeviceStoreError) {
    // Nothing is written where nothing has to be.
    guard try !isCurrent(at: now) else { return }
    try database.transaction { () throws(DeviceStoreError) in
      let oldest = try bound(at: now)
      try database.execute("DELETE FROM results WHERE time < \(oldest)")
    }
  }

  /// Drops all results. Who makes the checks stays: a server may not know a new one for a while.
  ///
  /// - Returns: how many there were.
  package func forget() throws(DeviceStoreError) -> Int {
    try database.transaction { () throws(DeviceStoreError) -> Int in
      try database.execute("DELETE FROM results")
      return database.changes
    }
  }

  /// What the last result of the 30 days before now that says something of the network says; nil without one. Nothing
  /// is made or changed.
  package static func lastSummary(
    in directory: StateDirectory, at now: Timestamp
  ) throws(DeviceStoreError) -> UplinkSummary? {
    let path = "\(directory.path)/\(fileName)"
    guard access(path, F_OK) == 0 else { return nil }
    let place: DatabasePlace = try Database.place(of: path)
    try place.checkLog()
    let database = try Database(at: place, patience: .seconds(1))
    database.keepLog(true)
    guard try Migration.uplink.check(database) > 0 else { return nil }
    let statement = try database.prepare(
      "SELECT document, time FROM results WHERE time BETWEEN ?1 AND ?2 ORDER BY number DESC")
    statement.bind(1, now.microseconds - currency)
    // One that came while the clock was wrong would be current for years.
    statement.bind(2, now.microseconds + day)
    while try statement.step() {
      // One that cannot be read says as little as one that was cancelled.
      guard let json = try? JSONReader.read(Array(statement.text(0).utf8)),
        let members = try? JSONMembers(json, name: "the result")
      else { continue }
      let time = Timestamp(microseconds: statement.integer(1))
      if let summary = UplinkSummary(members, time: time) { return summary }
    }
    return nil
  }

  private static let selection = "SELECT id, time, document, samples, conditions FROM results"

  /// The results, the last one that was added first.
  public func records() throws(DeviceStoreError) -> [UplinkRecord] {
    let statement = try database.prepare(UplinkStore.selection + " ORDER BY number DESC")
    var records: [UplinkRecord] = []
    while try statement.step() { records.append(UplinkStore.record(statement)) }
    return records
  }

  /// A result; nil when there is none of that id.
  package func record(_ id: String) throws(DeviceStoreError) -> UplinkRecord? {
    let statement = try database.prepare(UplinkStore.selection + " WHERE id = ?1")
    statement.bind(1, id)
    return try statement.step() ? UplinkStore.record(statement) : nil
  }

  private static func record(_ row: borrowing Statement) -> UplinkRecord {
    UplinkRecord(
      id: row.text(0), time: Timestamp(microseconds: row.integer(1)), document: row.text(2),
      samples: row.bytes(3), conditions: row.isNull(4) ? nil : row.text(4))
  }
}
