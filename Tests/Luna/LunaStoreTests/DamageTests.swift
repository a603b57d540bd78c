import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DamageTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func fill() async throws {
    let store = try place.store()
    try await store.put(
      (1...200).map { Samples.device($0, name: String(repeating: "x", count: 500)) })
  }

  private func readAll() async throws {
    let store = try place.store()
    _ = try await store.allDevices()
    _ = try await store.clockStates()
    _ = try await store.lastSightings()
  }

  /// The offset of the key of a device, far from both ends.
  private func keyOffset(_ data: Data) throws -> Int {
    try #require(data.range(of: Data(repeating: 100, count: 32))).lowerBound
  }

  private enum Place: CaseIterable { case header, schema, page, key }

  @Test(arguments: Place.allCases)
  private func reportsAndKeepsADamagedFile(where spot: Place) async throws {
    try await fill()
    var data = try place.contents()
    let offset =
      switch spot {
      case .header: 0
      case .schema: 100
      case .page: try keyOffset(data) / 4096 * 4096
      case .key: try keyOffset(data)
      }
    for index in offset..<offset + 16 { data[index] ^= 0x5A }
    try place.replaceContents(data)
    let error = await storeError { try await readAll() }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains(place.file) == true)
    #expect(error?.remedy?.description.contains("import") == true)
    #expect(try place.contents() == data)
  }

  @Test func reportsAndKeepsATruncatedFile() async throws {
    try await fill()
    let data = try place.contents().prefix(9000)
    try place.replaceContents(data)
    #expect(await storeError { try await readAll() }?.kind == .damaged)
    #expect(try place.contents() == data)
  }

  @Test func reportsAForeignFile() async throws {
    try FileManager.default.createDirectory(
      atPath: place.state.path, withIntermediateDirectories: true)
    let data = Data("This is a letter to somebody, and certainly no database.".utf8)
    try place.replaceContents(data + data)
    #expect(await storeError { try await readAll() }?.kind == .damaged)
    #expect(try place.contents() == data + data)
  }

  /// Whatever the damage, the process lives; what it says is an error of ours, and a write that
  /// would have to touch what is damaged does not happen.
  @Test func survivesAnyDamage() async throws {
    try await fill()
    let whole = try place.contents()
    var generator = Seeded.drawn()
    for _ in 0..<150 {
      var data = whole
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        data[Int.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try place.replaceContents(data)
      do {
        try await readAll()
        let store = try place.store()
        _ = try await store.rename(Samples.uuid(1), to: "renamed")
      } catch {
        #expect(error is DeviceStoreError)
      }
    }
  }

  /// Damage of a file that was not closed is found when it is opened, before anything is done.
  @Test func checksAStoreThatWasNotClosed() async throws {
    try await fill()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.state.path as String] in
      let store = try SQLiteDeviceStore(in: StateDirectory(path: path))
      try await store.put(Samples.device(201))
      kill(getpid(), SIGKILL)
    }
    let size = try FileManager.default.attributesOfItem(atPath: place.file + "-wal")[.size]
    #expect((size as? Int ?? 0) > 0)
    var data = try place.contents()
    // A page that opening alone would not read.
    let page = try keyOffset(data) / 4096 * 4096
    for index in page..<page + 16 { data[index] = 0xA5 }
    try place.replaceContents(data)
    #expect(await storeError { _ = try place.store() }?.kind == .damaged)
    #expect(try place.contents() == data)
  }

  /// What a killed process left, in a log that somebody has cut since, is not left out without a word.
  @Test func aLogThatWasCutIsLeftAsItIs() async throws {
    try await fill()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.state.path as String] in
      let store = try SQLiteDeviceStore(in: StateDirectory(path: path))
      for number in 201...210 { try await store.put(Samples.device(UInt8(number))) }
      kill(getpid(), SIGKILL)
    }
    let log = place.file + "-wal"
    let size = try #require(FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    #expect(truncate(log, size / 2) == 0)
    let before = (try place.contents(), try Data(contentsOf: URL(filePath: log)))
    let error = await storeError { _ = try place.store() }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains(log) == true)
    #expect(try place.contents() == before.0)
    #expect(try Data(contentsOf: URL(filePath: log)) == before.1)
  }

  /// Also when nothing was written yet since the store was opened.
  @Test func aLogThatIsReplacedAtOnceIsNoticed() async throws {
    let first = try place.store()
    try await first.put(Samples.device(1))
    let second = try place.store()
    let log = place.file + "-wal"
    try FileManager.default.copyItem(atPath: log, toPath: log + ".copy")
    #expect(rename(log + ".copy", log) == 0)
    #expect(await storeError { try await second.put(Samples.device(2)) }?.kind == .gone)
    withExtendedLifetime(first) {}
  }

  /// An older copy of the log is in its place: what the error says to do leads on.
  @Test func aLogThatIsAnOldCopyIsReadOnceItsIndexIsAway() async throws {
    try await fill()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.state.path as String] in
      let store = try SQLiteDeviceStore(in: StateDirectory(path: path))
      for number in 201...205 { try await store.put(Samples.device(UInt8(number))) }
      let log = store.path + "-wal"
      try FileManager.default.copyItem(atPath: log, toPath: log + ".copy")
      for number in 206...210 { try await store.put(Samples.device(UInt8(number))) }
      kill(getpid(), SIGKILL)
    }
    let (log, index) = (place.file + "-wal", place.file + "-shm")
    #expect(rename(log + ".copy", log) == 0)
    for _ in 0..<2 {
      let error = await storeError { _ = try place.store() }
      #expect(error?.kind == .damaged)
      let remedy = error?.remedy?.description ?? ""
      #expect(remedy.contains("move \(index) away") && remedy.contains(log))
    }
    #expect(rename(index, index + ".aside") == 0)
    #expect(try await place.store().allDevices().count == 205)
  }

  /// Nothing is taken that the next start would not find.
  @Test func aLogThatIsCutWhileItIsUsedEndsThat() async throws {
    let store = try place.store()
    try await store.put(Samples.device(1))
    let log = place.file + "-wal"
    let size = try #require(FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    #expect(truncate(log, size / 2) == 0)
    // The clock of files is too coarse for a test in a hurry.
    let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
    #expect(await storeError { try await store.put(Samples.device(2)) }?.kind == .damaged)
  }
}
