import Diagnosis
import FileOutput
import Foundation
import Glibc
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FileOutputTests {
  private let folder = TestFolder()
  private var directory: String { folder.path }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    lstat(path(name), &status)
    return status.st_mode
  }

  private func write(
    _ text: String, _ name: String, replacing: Bool = false, isSecret: Bool = false
  ) throws {
    try FileOutput.write(
      Array(text.utf8), to: path(name), replacing: replacing, isSecret: isSecret)
  }

  private func kind(_ body: () throws -> Void) -> FileOutputError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FileOutputError)?.kind
    }
  }

  @Test func writesNewFiles() throws {
    try write("a", "plain")
    try write("b", "secret", isSecret: true)
    #expect(try text("plain") == "a")
    #expect(mode("secret") & 0o777 == 0o600)
    // Nothing else is left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
  }

  @Test func refusesWhatIsThere() throws {
    try write("a", "file")
    #expect(kind { try write("b", "file") } == .exists)
    #expect(kind { _ = try FileOutput.open(path("file"), replacing: false) } == .exists)
    #expect(kind { try FileOutput.check(path("file"), replacing: false) } == .exists)
    #expect(try text("file") == "a")
    try write("b", "file", replacing: true)
    #expect(try text("file") == "b")
  }

  @Test("Who means standard output gets no file called so")
  func refusesAHyphen() {
    let error = #expect(throws: FileOutputError.self) {
      try FileOutput.write([1], to: "-", replacing: true, isSecret: true)
    }
    #expect(error?.kind == .failed && error?.remedy?.description.contains("./-") == true)
    #expect(kind { try FileOutput.check("-", replacing: true) } == .failed)
    #expect(kind { _ = try FileDraft(of: "-", replacing: true, isSecret: true) } == .failed)
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  @Test func followsLinks() throws {
    try write("a", "file")
    symlink("file", path("link"))
    symlink("new", path("dangling"))
    #expect(kind { try write("b", "link") } == .exists)
    try write("b", "link", replacing: true)
    try write("c", "dangling", isSecret: true)
    #expect(try text("file") == "b")
    #expect(try text("new") == "c")
    #expect(mode("link") & S_IFMT == S_IFLNK)
    #expect(mode("dangling") & S_IFMT == S_IFLNK)
    symlink("loop", path("loop"))
    #expect(kind { try write("d", "loop") } == .failed)
  }

  @Test func opensThroughADanglingLink() throws {
    symlink("later", path("link"))
    let descriptor = try FileOutput.open(path("link"), replacing: false)
    #expect(Glibc.write(descriptor, "x", 1) == 1)
    close(descriptor)
    #expect(try text("later") == "x")
  }

  @Test func writesThroughDevices() throws {
    #expect(kind { try write("a", "../../../../../../dev/full") } == .full)
    #expect(
      kind { try FileOutput.write([1], to: "/dev/full", replacing: true, isSecret: true) } == .full)
    #expect(
      kind { try FileOutput.write([1], to: "/dev/null", replacing: false, isSecret: true) } == nil)
    var status = stat()
    #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func writesThroughPipes() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let reader = Glibc.open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try write("hello", "pipe")
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &bytes, 16) == 5)
    #expect(mode("pipe") & S_IFMT == S_IFIFO)
  }

  /// As a file is that somebody made for a group.
  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func replacedFileKeepsOwnerAndGroup() throws {
    try write("a", "file")
    chmod(path("file"), 0o640)
    try #require(chown(path("file"), 1, 12_345) == 0)
    try write("b", "file", replacing: true)
    var status = stat()
    stat(path("file"), &status)
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(status.st_uid == 1 && status.st_gid == 12_345)
    try write("c", "file", replacing: true, isSecret: true)
    #expect(mode("file") & 0o777 == 0o640)
  }

  /// As a file is that somebody made for others to read.
  @Test func replacedFileKeepsMode() throws {
    try write("a", "file")
    chmod(path("file"), 0o640)
    try write("b", "file", replacing: true)
    #expect(mode("file") & 0o777 == 0o640)
    // A secret too, unless everybody could read it.
    try write("c", "file", replacing: true, isSecret: true)
    #expect(mode("file") & 0o777 == 0o640)
    chmod(path("file"), 0o644)
    try write("d", "file", replacing: true, isSecret: true)
    #expect(mode("file") & 0o777 == 0o600)
    #expect(try text("file") == "d")
  }

  @Test func draftThatIsDroppedChangesNothing() throws {
    try write("a", "file")
    do {
      let draft = try FileDraft(
        of: path("file"), replacing: true, isSecret: true, spare: directory)
      try "half".write(toFile: draft.path, atomically: false, encoding: .utf8)
      #expect(try text("file") == "a")
    }
    #expect(try text("file") == "a")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
    #expect(
      kind {
        _ = try FileDraft(of: path("file"), replacing: false, isSecret: true, spare: directory)
      } == .exists)
  }

  /// In a process of its own, since all of the process's go.
  @Test func draftsGoWithTheProcess() async throws {
    try write("a", "file")
    let path = path("file")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let drafts = [path, path + "-other"]
      let draft = try FileDraft(of: drafts[0], replacing: true, isSecret: true)
      let other = try FileDraft(of: drafts[1], replacing: true, isSecret: false)
      #expect(access(draft.path, F_OK) == 0 && access(other.path, F_OK) == 0)
      FileDraft.discardAll()
      #expect(access(draft.path, F_OK) != 0 && access(other.path, F_OK) != 0)
      #expect(throws: FileOutputError.self) {
        _ = try FileDraft(of: drafts[0], replacing: true, isSecret: true)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
    #expect(try text("file") == "a")
  }

  @Test func draftTakesItsPlaceAndGoesThroughPipes() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let reader = Glibc.open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    for name in ["new", "pipe"] {
      let draft = try FileDraft(of: path(name), replacing: false, isSecret: true, spare: directory)
      try draft.reserve(4096)
      try draft.write(Array("hello".utf8))
      try draft.install()
    }
    #expect(try text("new") == "hello")
    #expect(mode("new") & 0o777 == 0o600)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &bytes, 16) == 5)
    #expect(mode("pipe") & S_IFMT == S_IFIFO)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(names.sorted() == ["new", "pipe"])
  }

  @Test func saysWhatIsMissing() throws {
    try write("a", "file")
    #expect(kind { try write("a", "none/file") } == .noDirectory)
    #expect(kind { try write("a", "file/file") } == .noDirectory)
    #expect(
      kind { try FileOutput.write([1], to: "", replacing: false, isSecret: false) } == .noDirectory)
    #expect(kind { try write("a", "") } == .failed)
    #expect(kind { try FileOutput.check(path("none/file"), replacing: true) } == .noDirectory)
    let error = FileOutputError(ENOENT, path: "a\u{1B}b")
    #expect(error.description.hasPrefix("cannot write a\\x1bb: No such file or directory; make"))
    #expect(FileOutputError(EMFILE, path: "a").description.hasSuffix("(ulimit -n)"))
  }
}
