import Foundation
import Glibc
import LunaCore
import LunaStore
import Testing

@testable import LunaAccount

@Suite("The credential on disk", .timeLimit(.minutes(10)))
struct CredentialFileTests {
  private let state = TemporaryState()

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// In a process of its own, since the mask is the process's.
  @Test("Only its user can read it, and no other file is left")
  func modes() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      let state = TemporaryState()
      let file = try CredentialFile(state: state.directory, profile: "default")
      #expect(try file.read() == nil)
      try file.prepare()
      try file.reserve()
      #expect(Self.mode(file.path + ".new") == 0o600)
      try file.write(Samples.credential())
      #expect(try file.read() == Samples.credential())
      #expect(Self.mode(state.path + "/account") == 0o700)
      #expect(Self.mode(file.path) == 0o600)
      #expect(state.files == ["default.json"])
      let before = file.mark
      try file.write(Samples.credential(generation: 2))
      #expect(file.mark != before)
      try file.clear()
      #expect(try file.read() == nil)
      #expect(state.files.isEmpty)
    }
  }

  @Test("What somebody left who was killed is not taken for it, and goes")
  func leftovers() throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    try file.write(Samples.credential())
    let draft = open(file.path + ".new", O_WRONLY | O_CREAT, 0o644)
    _ = write(draft, "{\"half", 6)
    close(draft)
    #expect(try file.read() == Samples.credential())
    try file.write(Samples.credential(generation: 2))
    #expect(Self.mode(file.path) == 0o600)
    #expect(try file.read() == Samples.credential(generation: 2))
    #expect(state.files == ["default.json"])
  }

  @Test("A pipe in its place is refused, and nobody waits for it")
  func pipes() throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    try #require(mkfifo(file.path, 0o600) == 0)
    #expect(throws: AccountError.self) { try file.read() }
  }

  @Test("A draft that leads elsewhere is not followed")
  func links() throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    symlink(state.path + "/elsewhere", file.path + ".new")
    #expect(throws: AccountError.self) { try file.write(Samples.credential()) }
    #expect(access(state.path + "/elsewhere", F_OK) != 0)
  }

  @Test("A profile is a plain name", arguments: ["", "a/b", "..", "a b", "é"])
  func names(_ name: String) {
    #expect(throws: AccountError.self) { try CredentialFile(state: state.directory, profile: name) }
  }

  @Test("A damaged one is said to be")
  func damaged() throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o600)
    _ = write(descriptor, "{", 1)
    close(descriptor)
    let error = #expect(throws: AccountError.self) { try file.read() }
    #expect(error?.code == .storage)
  }

  @Test("The credential of systemd is read until it was taken over, and a new one again")
  func imports() throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    let supplied = try CredentialFile(state: state.directory, profile: "supplied")
    try file.prepare()
    func isNew() throws -> Bool { try file.readImport(supplied.path) != nil }
    #expect(try !isNew())
    for generation in [Int64(1), 2] {
      let credential = Samples.credential(generation: generation)
      try supplied.write(credential)
      let found = try file.readImport(supplied.path)
      #expect(found?.0 == credential)
      try file.noteImport(found?.digest ?? [])
      #expect(try !isNew())
    }
    try file.clear()
    #expect(try !isNew())
  }

  @Test("Who waits for the lock gets it, or goes without")
  func lock() async throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    let clock = HandClock()
    var first = try await WaitingLock.take(
      file.lockPath, within: .seconds(35), sleep: clock.clock.sleep)
    #expect(first != nil)
    // The clock of the test lets the time be over at once.
    let second = try await WaitingLock.take(
      file.lockPath, within: .seconds(35), sleep: clock.clock.sleep)
    #expect(second == nil)
    let path = file.lockPath
    async let third = WaitingLock.take(path, within: .seconds(35)) { _ in
      try await Task.sleep(for: .seconds(3600))
    }
    first = nil
    #expect(try await third != nil)
  }

  @Test("Who went without the lock waits for it no longer")
  func waitsNoLonger() async throws {
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    var first = try await WaitingLock.take(file.lockPath, within: .zero) { _ in }
    #expect(first != nil)
    for _ in 0..<5 {
      let next = try await WaitingLock.take(file.lockPath, within: .seconds(35)) { _ in }
      #expect(next == nil)
    }
    // The first one's, and that of the one thread that waits for all.
    let own = "/proc/self/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: own)
    let path = file.lockPath
    let open = names.count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")) == path
    }
    #expect(open <= 2)
    async let last = WaitingLock.take(path, within: .seconds(35)) { _ in
      try await Task.sleep(for: .seconds(3600))
    }
    first = nil
    #expect(try await last != nil)
  }
}
