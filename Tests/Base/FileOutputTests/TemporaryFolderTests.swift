import Foundation
import Testing

@testable import FileOutput

@Suite("Directories for temporary files")
struct TemporaryFolderTests {
  @Test("One is gone with its value, with all that is in it")
  func endsWithItsValue() throws {
    let path: String
    do {
      let folder = try #require(TemporaryFolder("luna-test"))
      path = folder.path
      #expect(FileManager.default.createFile(atPath: path + "/file", contents: nil))
      withExtendedLifetime(folder) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
