import Foundation
import Testing

@testable import LunaOutlets

@Suite("The sound of a tracker in a file")
struct SoundFileTests {
  @Test("Only this user may read it, and it is gone when it is not needed any more")
  func isThereWhileItIsNeeded() async throws {
    let sound = SoundFile { Issue.record("it cannot be written: \($0)") }
    let path = try #require(await sound.write(1))
    let manager = FileManager.default
    #expect(manager.contents(atPath: path)?.prefix(4) == Data("RIFF".utf8))
    let mode = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    await sound.remove()
    #expect(!manager.fileExists(atPath: path))
  }
}
