import Diagnosis
import Foundation
import LunaCore
import LunaStore
import LunaTesting
import Testing

/// Looking into databases without changing them.
struct StateDirectoryCheckTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func check() throws(DeviceStoreError) -> Bool {
    try place.state.check(SQLiteDeviceStore.defaultFileName, as: .devices)
  }

  @Test func findsNothingWhereThereIsNone() throws {
    #expect(try check() == false)
    #expect(!FileManager.default.fileExists(atPath: place.state.path))
  }

  @Test func knowsWhetherThereIsAFile() throws {
    #expect(try !place.state.holds("x"))
    #expect(!FileManager.default.fileExists(atPath: place.path + "/state"))
    // Who opens it says what is wrong.
    try Data().write(to: URL(fileURLWithPath: place.path + "/file"))
    #expect(try StateDirectory(path: place.path + "/file").holds("x"))
  }

  @Test func findsAStoreInUse() throws {
    let store = try place.store()
    let before = try place.contents()
    #expect(try check())
    #expect(try place.contents() == before)
    withExtendedLifetime(store) {}
  }

  @Test func findsAQueue() throws {
    _ = try SQLiteEventQueue(in: place.state, fileName: "q")
    #expect(try place.state.check("q", as: .queue))
    let error = #expect(throws: DeviceStoreError.self) {
      try place.state.check("q", as: .devices)
    }
    #expect(error?.reason.contains("another program") == true)
  }

  @Test func findsDamage() async throws {
    do { try await place.store().put((1...200).map { Samples.device($0, name: "a") }) }
    try place.replaceContents(Data(repeating: 0x5A, count: 8192))
    let error = #expect(throws: DeviceStoreError.self) { try check() }
    #expect(error?.kind == .damaged)
  }

  @Test(arguments: ["a directory is in its place", "links that lead in a circle are in its place"])
  func saysWhatIsThereInsteadOfAFile(_ what: String) throws {
    let path = "\(place.state.path)/data"
    try FileManager.default.createDirectory(
      atPath: what.hasPrefix("a directory") ? path : place.state.path,
      withIntermediateDirectories: true)
    if what.hasPrefix("links") {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "data")
    }
    let state = place.state
    let uses: [() throws -> Void] = [
      { _ = try SQLiteEventQueue(in: state, fileName: "data") },
      { _ = try SQLiteEventQueue.status(in: state, fileName: "data", at: Samples.now) },
      { _ = try SQLiteDeviceStore(in: state, fileName: "data") },
      { _ = try state.check("data", as: .queue) },
    ]
    for use in uses {
      let error = #expect(throws: DeviceStoreError.self) { try use() }
      #expect(error?.kind == .damaged)
      #expect(error?.reason.hasSuffix("\(path): \(what)") == true, "\(error?.reason ?? "")")
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may look everywhere"))
  func takesNothingForAbsentThatItMayNotSee() async throws {
    let state = place.state
    try FileManager.default.createDirectory(
      atPath: state.path, withIntermediateDirectories: true)
    chmod(state.path, 0)
    defer { chmod(state.path, 0o700) }
    let uses: [() throws -> Void] = [
      { _ = try SQLiteEventQueue.status(in: state, fileName: "data", at: Samples.now) },
      { _ = try SQLiteTelemetryStore.status(in: state) },
    ]
    for use in uses {
      let error = #expect(throws: DeviceStoreError.self) { try use() }
      #expect(error?.kind == .denied)
    }
    let error = await #expect(throws: DeviceStoreError.self) {
      _ = try await HomeStore.reading(in: state)
    }
    #expect(error?.kind == .denied)
  }

  /// It is not followed, wherever it leads.
  @Test func aLinkInThePlaceOfALockIsNoCircle() throws {
    let state = place.state
    try FileManager.default.createDirectory(
      atPath: state.path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(state.path)/data.lock", withDestinationPath: "elsewhere")
    let error = #expect(throws: DeviceStoreError.self) {
      _ = try SQLiteDeviceStore(in: state, fileName: "data")
    }
    #expect(error?.kind == .denied)
    #expect(error?.reason.contains("circle") == false)
    #expect(!FileManager.default.fileExists(atPath: "\(state.path)/elsewhere"))
  }
}
