import Bluetooth
import CSQLite
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore

/// Row 10: putting sightings into the store, against the least that a program with SQLite must do.
enum StoreBenchmarks {
  private static let rows = 200_000
  private static let batch = 1000
  private static let deviceCount = 5000

  static func insert() async throws {
    let folder = "/tmp/luna-bench-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { throw Failure(text: "cannot make \(folder)") }
    defer {
      removeFiles(in: folder)
      rmdir(folder)
    }
    let devices = makeDevices()
    let (sightings, values) = samples()
    var ours: [Double] = []
    var theirs: [Double] = []
    // In turn, so that a busy moment hits both.
    for _ in 0..<5 {
      theirs.append(try reference("\(folder)/reference", values))
      removeFiles(in: folder)
      let store = try SQLiteDeviceStore(in: StateDirectory(path: folder))
      try await store.put(devices)
      let start = seconds(CLOCK_PROCESS_CPUTIME_ID)
      for from in stride(from: 0, to: rows, by: batch) {
        store.record(Array(sightings[from..<from + batch]))
        try await store.flush()
      }
      ours.append(seconds(CLOCK_PROCESS_CPUTIME_ID) - start)
    }
    let ratios = zip(ours, theirs).map { $0 / $1 }.sorted()
    Measurement(
      row: 10, name: "store insert against plain SQLite with two indexes (must 2, aim 1.4)",
      value: ratios[2], unit: "x the CPU",
      details: [
        ("us_a_row", ours.sorted()[2] / Double(rows) * 1e6),
        ("reference_us_a_row", theirs.sorted()[2] / Double(rows) * 1e6),
      ]
    ).report()
  }

  private struct Failure: Error { let text: String }

  private static func removeFiles(in folder: String) {
    for name in ["reference", SQLiteDeviceStore.defaultFileName] {
      for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/\(name)\(suffix)") }
    }
  }

  private static func makeDevices() -> [Device] {
    (0..<deviceCount).map { number in
      var generator = SeededGenerator(state: UInt64(number))
      return Device(
        uuid: DeviceUUID(high: 1, low: UInt64(number)),
        keys: .luna(
          MasterKey(bytes: InlineArray { _ in UInt8(truncatingIfNeeded: generator.next()) })),
        onboardingTimestamp: Timestamp(unixMilliseconds: 1_700_000_000_000), name: "t\(number)")
    }
  }

  private struct Values {
    var device: Int64
    var time: Int64
    var rssi: Int32
    var payload: [UInt8]
  }

  private static func samples() -> ([Sighting], [Values]) {
    var generator = SeededGenerator(state: 10)
    var sightings: [Sighting] = []
    var values: [Values] = []
    for number in 0..<rows {
      let device = generator.next() % UInt64(deviceCount)
      // The rows span a year.
      let time = 1_728_000_000_000_000 + Int64(number) * (31_536_000_000_000 / Int64(rows))
      let rssi = -40 - Int32(generator.next() % 60)
      let payload = (0..<24).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      values.append(Values(device: Int64(device), time: time, rssi: rssi, payload: payload))
      sightings.append(
        Sighting(
          device: DeviceUUID(high: 1, low: device), receivedAt: Timestamp(microseconds: time),
          address: BluetoothAddress(value: generator.next() >> 16), rssi: Int(rssi),
          eid: Array(payload.prefix(8)), period: UInt32(time / 1_024_000_000), batteryLow: false))
    }
    return (sightings, values)
  }

  /// One connection, one prepared statement, a table with two indexes, 1,000 rows a transaction; the
  /// log is not synchronised at every commit, as ours is.
  private static func reference(_ path: String, _ values: [Values]) throws -> Double {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
      throw Failure(text: "cannot open \(path)")
    }
    defer { sqlite3_close(handle) }
    func run(_ sql: String) throws {
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw Failure(text: sql) }
    }
    try run(
      "pragma journal_mode=wal; pragma synchronous=normal; pragma cache_size=-65536; "
        + "pragma wal_autocheckpoint=10000")
    try run(
      """
      create table s(id integer primary key, dev integer, t integer, rssi integer, kind integer,
        lat integer, lon integer, d blob);
      create index s_dt on s(dev, t); create index s_t on s(t)
      """)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(
      handle, "insert into s(dev, t, rssi, kind, lat, lon, d) values(?, ?, ?, ?, ?, ?, ?)", -1,
      &statement, nil)
    defer { sqlite3_finalize(statement) }
    let start = seconds(CLOCK_PROCESS_CPUTIME_ID)
    for (number, value) in values.enumerated() {
      if number % batch == 0 { try run("begin") }
      sqlite3_bind_int64(statement, 1, value.device)
      sqlite3_bind_int64(statement, 2, value.time)
      sqlite3_bind_int(statement, 3, value.rssi)
      sqlite3_bind_int(statement, 4, Int32(number & 15))
      sqlite3_bind_int(statement, 5, 521_234_567)
      sqlite3_bind_int(statement, 6, 134_000_000)
      value.payload.withUnsafeBytes {
        _ = csqlite_bind_blob(statement, 7, $0.baseAddress, Int32($0.count))
      }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw Failure(text: "insert") }
      sqlite3_reset(statement)
      if number % batch == batch - 1 { try run("commit") }
    }
    return seconds(CLOCK_PROCESS_CPUTIME_ID) - start
  }
}
