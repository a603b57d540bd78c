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
}
