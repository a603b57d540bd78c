import FileOutput
import Foundation
import Glibc
import Testing

@testable import LunaCLI

@Suite("Directories for temporary files", .timeLimit(.minutes(10)))
struct TemporaryFolderTests {
  private let base = NSTemporaryDirectory() + "luna-folders-\(UUID().uuidString)"

  @Test("The end of the process leaves none")
  func endsWithTheProcess() async throws {
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: base) }
    await #expect(processExitsWith: .exitCode(143)) { [base = base as String] in
      setenv("TMPDIR", base, 1)
      let folder = try #require(TemporaryFolder("luna-test"))
      let inner = folder.path + "/a"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: inner + "/file", contents: nil))
      // It is not gone before.
      _ = Unmanaged.passRetained(folder)
      Main.end(143)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: base).isEmpty)
  }

  @Test("Who fails because they go says nothing, and not how the process ended")
  func whoWorksThereSaysNothing() async throws {
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: base) }
    let result = await #expect(
      processExitsWith: .exitCode(143), observing: [\.standardErrorContent]
    ) { [base = base as String] in
      setenv("TMPDIR", base, 1)
      let folder = try #require(TemporaryFolder("luna-test"))
      let path = folder.path
      let count = 2000
      for number in 0..<count {
        try #require(FileManager.default.createFile(atPath: "\(path)/\(number)", contents: nil))
      }
      Thread.detachNewThread {
        var rest = count
        while rest == count {
          rest = (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
        }
        _ = write(STDERR_FILENO, "gone\n", 5)
        Main.end(7)
      }
      _ = Unmanaged.passRetained(folder)
      Main.end(143)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!said.contains("gone"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: base).isEmpty)
  }
}
