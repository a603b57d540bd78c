import Foundation
import LunaTesting
import Testing

/// The folders that tests make leave nothing behind.
@Suite struct TestFolderTests {
  @Test func isGoneWithItsTest() throws {
    var folder: TestFolder? = TestFolder()
    let path = try #require(folder?.path)
    try "text".write(toFile: path + "/file", atomically: false, encoding: .utf8)
    folder = nil
    #expect(access(path, F_OK) != 0)
  }

  @Test("One that somebody holds, and one that was made anew, are gone with the process")
  func isGoneWithTheProcess() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let held = TestFolder()
      _ = Unmanaged.passRetained(held)
      let again = {
        let folder = TestFolder()
        let path = folder.path
        withExtendedLifetime(folder) {}
        return path
      }()
      try FileManager.default.createDirectory(atPath: again, withIntermediateDirectories: false)
      print("<\(held.path)> <\(again)>")
    }
    let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let paths = said.split(whereSeparator: { "<>".contains($0) }).filter {
      $0.contains("luna-test-")
    }
    #expect(paths.count == 2)
    for path in paths { #expect(access(String(path), F_OK) != 0) }
  }
}
