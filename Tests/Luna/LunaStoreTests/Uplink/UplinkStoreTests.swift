import Bluetooth
import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaStore
import LunaTesting
import Testing

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
