import Foundation
import SQLite
import Testing

/// Whether a look at the files is enough to know that nobody has written.
@Suite struct FileTracesTests {
  private func withFiles(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "luna-traces-\(UUID().uuidString)"
    defer { for end in ["", "-wal"] { try? FileManager.default.removeItem(atPath: path + end) } }
    for end in ["", "-wal"] { try write("luna", to: path + end, at: -60) }
    try body(path)
  }

  /// - Parameter age: when the file is said to have been written, from now, s.
  private func write(_ text: String, to path: String, at age: TimeInterval) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: age)], ofItemAtPath: path)
  }

  @Test func filesThatRestDoNotDiffer() throws {
    try withFiles { path in
      #expect(!FileTraces(of: path).differ(from: FileTraces(of: path)))
    }
  }

  @Test(arguments: ["", "-wal"]) func aWriteDiffers(end: String) throws {
    try withFiles { path in
      let before = FileTraces(of: path)
      try write("moon", to: path + end, at: -30)
      #expect(FileTraces(of: path).differ(from: before))
    }
  }

  /// The clock of a file system may not have gone on between a look and a write after it.
  @Test func whatWasWrittenJustBeforeALookMayHaveBeenWrittenAgain() throws {
    try withFiles { path in
      try write("luna", to: path, at: 0)
      #expect(FileTraces(of: path).differ(from: FileTraces(of: path)))
    }
  }

  @Test func aFileThatComesOrGoesDiffers() throws {
    try withFiles { path in
      let before = FileTraces(of: path)
      try FileManager.default.removeItem(atPath: path + "-wal")
      #expect(FileTraces(of: path).differ(from: before))
    }
  }
}
