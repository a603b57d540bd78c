import Glibc
import Testing

@testable import FileOutput

@Suite struct DirectoryTests {
  /// An entry is as long as its name: the longest there is, the shortest, and one of many bytes for a character.
  @Test func readsNamesOfEveryLength() throws {
    let folder = try #require(TemporaryFolder("luna-directory"))
    let names = [String(repeating: "n", count: 255), "n", String(repeating: "ü", count: 127)]
    for name in names {
      let descriptor = open("\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
    }
    #expect(Directory.names(in: folder.path)?.sorted() == names.sorted())
  }

  @Test func saysThatThereIsNone() {
    #expect(Directory.names(in: "/proc/self/no-such-directory") == nil)
    #expect(Directory.names(in: "/proc/self/stat") == nil)
  }
}
