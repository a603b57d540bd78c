import Bluetooth
import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaJSON
import LunaTesting
import SQLite
import Testing

@testable import LunaStore

struct UplinkStoreTests {
  private static let day: Int64 = 86_400_000_000
  private let folder = TestFolder()
  private var directory: String { folder.path }

  private func record(_ number: Int, day: Int64 = 1_000, samples: [UInt8] = []) -> UplinkRecord {
    UplinkRecord(
      id: "result-\(number)", time: Timestamp(microseconds: day * Self.day),
      document: "{\"id\":\"result-\(number)\"}", samples: samples)
  }

  @Test func keepsWhatWasAdded() throws {
    let records = [record(1, samples: [1, 2, 3]), record(2)]
    do {
      let store = try UplinkStore(in: StateDirectory(path: directory))
      for record in records { try store.add(record) }
      #expect(throws: DeviceStoreError.self) { try store.add(records[0]) }
    }
    let store = try UplinkStore(in: StateDirectory(path: directory))
    #expect(try store.records() == records.reversed())
    let mode = try FileManager.default.attributesOfItem(
      atPath: "\(directory)/\(UplinkStore.fileName)")[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func oldOnesGo() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    try store.add(record(1, day: 1_000))
    try store.add(record(2, day: 1_400))
    #expect(try store.records().count == 2)
    try store.add(record(3, day: 1_401))
    #expect(try store.records().map(\.id) == ["result-3", "result-2"])
  }

  /// A clock that was wrong for a while takes nothing with it.
  @Test func aClockThatLeapsAheadDeletesNothing() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    try store.add(record(1, day: 1_000))
    try store.add(record(2, day: 1_001))
    // Twice on one day, by a result and by a look.
    try store.add(record(3, day: 9_000))
    try store.expire(at: Timestamp(microseconds: 9_000 * Self.day + 1))
    #expect(try store.records().map(\.id) == ["result-3", "result-2", "result-1"])
    // It is put right, and is wrong again.
    try store.add(record(4, day: 1_002))
    try store.add(record(5, day: 9_002))
    #expect(try store.records().count == 5)
    // Results from ahead say nothing of what is old now.
    try store.expire(at: Timestamp(microseconds: 1_003 * Self.day))
    #expect(try store.records().count == 5)
  }

  /// Time that has passed without any look is no mistake of a clock for long.
  @Test func aClockThatStaysAheadIsBelieved() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    try store.add(record(1, day: 1_000))
    let later = Timestamp(microseconds: 2_000 * Self.day)
    try store.expire(at: later)
    #expect(try store.records() == [record(1, day: 1_000)])
    // It is not shown, even so.
    #expect(!UplinkStore.isShown(record(1, day: 1_000), at: later))
    #expect(UplinkStore.isShown(record(2, day: 1_600), at: later))
    try store.expire(at: Timestamp(microseconds: 2_001 * Self.day))
    #expect(try store.records().isEmpty)
  }

  @Test func theNewestThousandStay() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    for number in 1...(UplinkStore.limit + 3) { try store.add(record(number)) }
    let ids = try store.records().map(\.id)
    #expect(ids.count == UplinkStore.limit)
    #expect(ids.first == "result-1003" && ids.last == "result-4")
  }

  /// Nothing is taken that the next program would not find, and that one says so, too.
  @Test func aLogThatIsCutIsNotWritten() throws {
    let log = "\(directory)/\(UplinkStore.fileName)-wal"
    do {
      let store = try UplinkStore(in: StateDirectory(path: directory))
      for number in 1...5 { try store.add(record(number)) }
      let size = try #require(FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
      #expect(truncate(log, off_t(size / 2)) == 0)
      // The clock of files is too coarse for a test in a hurry.
      let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
      let error = #expect(throws: DeviceStoreError.self) { try store.add(record(6)) }
      #expect(error?.kind == .damaged)
    }
    let error = #expect(throws: DeviceStoreError.self) {
      _ = try UplinkStore(in: StateDirectory(path: directory)).records()
    }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains(log) == true)
  }

  @Test func whatIsTooOldGoesAlsoWhereNothingIsAdded() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    try store.add(record(1, day: 1_000))
    try store.add(record(2, day: 1_001))
    try store.expire(at: Timestamp(microseconds: 1_400 * Self.day))
    #expect(try store.records().count == 2)
    try store.expire(at: Timestamp(microseconds: 1_401 * Self.day))
    #expect(try store.records().map(\.id) == ["result-2"])
  }

  @Test func oneIsFoundByItsNameWithWhatItWasMadeUnder() throws {
    var conditions = UplinkConditions(rule: "ios")
    conditions.thresholds = ["area": .real(0.5)]
    conditions.seed = UInt64.max
    conditions.link = "wifi"
    conditions.address = CutAddress([192, 0, 2, 77])
    let text = conditions.json.description
    #expect(
      text == #"{"rule":"ios","thresholds":{"area":0.5},"seed":"18446744073709551615","#
        + #""link":"wifi","ipVersion":4,"address":"192.0.2.0/24"}"#)
    let noted = UplinkRecord(
      id: "noted", time: Timestamp(microseconds: 7), document: "{}", samples: [1],
      conditions: text)
    let store = try UplinkStore(in: StateDirectory(path: directory))
    try store.add(noted)
    try store.add(record(1, day: 0))
    #expect(try store.record("noted") == noted)
    #expect(try store.record("result-1") == record(1, day: 0))
    #expect(try store.record("result-2") == nil)
  }

  @Test func allAreForgottenButNotWhoMadeThem() throws {
    let store = try UplinkStore(in: StateDirectory(path: directory))
    let identity = try store.countTests(1)
    try store.add(record(1, samples: [1]))
    try store.add(record(2))
    #expect(try store.forget() == 2)
    #expect(try store.records().isEmpty)
    #expect(try store.forget() == 0)
    #expect(try store.identity() == identity)
    // None is taken for one that was forgotten.
    try store.add(record(1))
    #expect(try store.records().map(\.id) == ["result-1"])
  }

  @Test func olderOnesAndSimulatedOnesSayNothingOfTheNetwork() throws {
    let state = StateDirectory(path: directory)
    let now = Timestamp(microseconds: 1_000 * Self.day)
    #expect(try UplinkStore.lastSummary(in: state, at: now) == nil)
    let store = try UplinkStore(in: state)
    func document(_ id: String, _ text: String, day: Int64) -> UplinkRecord {
      UplinkRecord(id: id, time: Timestamp(microseconds: day * Self.day), document: text)
    }
    try store.add(document("1", #"{"verdict":"throttled","simulated":false}"#, day: 970))
    try store.add(document("2", #"{"verdict":"blocked","simulated":true}"#, day: 999))
    #expect(try UplinkStore.lastSummary(in: state, at: now)?.verdict == "throttled")
    let later = Timestamp(microseconds: now.microseconds + 1)
    #expect(try UplinkStore.lastSummary(in: state, at: later) == nil)
    try store.add(document("4", #"{"verdict":"blocked","imported":true}"#, day: 999))
    try store.add(document("5", #"{"reason":"cancelled","simulated":false}"#, day: 999))
    for damaged in ["", "null", "{\"verdict\":"] {
      try store.add(document("6" + damaged, damaged, day: 999))
    }
    #expect(try UplinkStore.lastSummary(in: state, at: now)?.verdict == "throttled")
    try store.add(
      document("3", #"{"verdict":"fair","ratio":0.98,"located":"common"}"#, day: 1_000))
    let summary = try #require(try UplinkStore.lastSummary(in: state, at: later))
    #expect(summary.verdict == "fair" && summary.time == now)
    #expect(summary.ratio == 0.98 && summary.located == "common")
    // One from ahead is none of the last days.
    try store.add(document("7", #"{"verdict":"throttled"}"#, day: 5_000))
    #expect(try UplinkStore.lastSummary(in: state, at: later)?.verdict == "fair")
  }

  @Test func takesOverTheFirstVersion() throws {
    let state = StateDirectory(path: directory)
    try StateDirectory.secure(state.place(of: UplinkStore.fileName))
    do {
      let path = "\(directory)/\(UplinkStore.fileName)"
      let database = try Database(path: path, patience: .seconds(1))
      try Migration.uplink.run(on: database, upTo: 1)
      try database.execute(
        "INSERT INTO results VALUES(1, 'old', 5, '{\"verdict\":\"fair\"}', x'0102')")
    }
    // Who only reads leaves it as it is.
    let now = Timestamp(microseconds: 6)
    #expect(try UplinkStore.lastSummary(in: state, at: now)?.verdict == "fair")
    let store = try UplinkStore(in: state)
    let old = UplinkRecord(
      id: "old", time: Timestamp(microseconds: 5), document: #"{"verdict":"fair"}"#,
      samples: [1, 2])
    #expect(try store.records() == [old])
    #expect(try store.countTests(1).history == 1)
  }

  @Test func aNewerVersionIsNotTouched() throws {
    let state = StateDirectory(path: directory)
    do { try UplinkStore(in: state).add(record(1)) }
    let path = "\(directory)/\(UplinkStore.fileName)"
    try Database(path: path, patience: .seconds(1)).execute("PRAGMA user_version = 99")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: DeviceStoreError.self) {
      _ = try UplinkStore(in: state).identity()
    }
    #expect(error?.kind == .newer)
    #expect(error?.reason.contains(path) == true && error?.reason.contains("99") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// What was taken is there, what was not is said, and once there is room all goes on.
  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func aFullDiskIsNamed() throws {
    let disk = try #require(SmallDisk())
    let store = try UplinkStore(in: StateDirectory(path: disk.path + "/luna"))
    let identity = try store.countTests(1)
    try disk.fill()
    var kept: [String] = []
    let error = #expect(throws: DeviceStoreError.self) {
      for number in 1...200 {
        try store.add(record(number, samples: [UInt8](repeating: 7, count: 50_000)))
        kept.append("result-\(number)")
      }
    }
    #expect(error?.kind == .full)
    #expect(error?.reason.contains(UplinkStore.fileName) == true)
    kept.reverse()
    #expect(try store.records().map(\.id) == kept)
    #expect(try store.identity() == identity)
    try disk.free()
    try store.add(record(201))
    #expect(try store.records().map(\.id) == ["result-201"] + kept)
    #expect(try store.countTests(1).history == identity.history + 1)
  }

  @Test func anotherFileIsNotWritten() throws {
    let path = "\(directory)/\(UplinkStore.fileName)"
    let text =
      "no database, and longer than the header of one: " + String(repeating: "x", count: 99)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: DeviceStoreError.self) {
      _ = try UplinkStore(in: StateDirectory(path: directory)).records()
    }
    #expect(error?.kind == .damaged)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }
}
