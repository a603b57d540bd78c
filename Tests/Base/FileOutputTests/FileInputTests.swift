import Diagnosis
import FileOutput
import Glibc
import LunaTesting
import Testing

struct FileInputTests {
  private let folder = TestFolder()

  @Test func readsAllOfAFile() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let path = "\(folder.path)/file"
    try FileOutput.write(bytes, to: path, replacing: false, isSecret: false)
    #expect(try FileInput.read(path) == bytes)
  }

  @Test func saysWhatIsInTheWay() throws {
    let path = "\(folder.path)/nowhere"
    let error = try #require(throws: FileInputError.self) { try FileInput.read(path) }
    #expect(error.kind == .absent && error.reason.hasPrefix("cannot read \(path): "))
    #expect(error.remedy == "check its name")
    #expect(try FileInput.readIfPresent(path) == nil)
    // A directory can be opened, and not be read.
    #expect(throws: FileInputError.self) { try FileInput.readIfPresent(folder.path) }
    #expect(throws: FileInputError.self) { try FileInput.read(folder.path) }
  }

  @Test func nothingOfOnesOwnIsWaitedFor() throws {
    let path = "\(folder.path)/own"
    #expect(try FileInput.readOwn(path) == nil)
    try FileOutput.write([1, 2], to: path, replacing: false, isSecret: true)
    #expect(try FileInput.readOwn(path) == [1, 2])
    let pipe = "\(folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for other in [pipe, "/dev/null"] {
      let error = try #require(throws: FileInputError.self) { try FileInput.readOwn(other) }
      #expect(error.kind == .unreadable && error.remedy == "move it away")
    }
    #expect(throws: FileInputError.self) { try FileInput.readOwn(folder.path) }
  }
}
