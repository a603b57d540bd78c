import Foundation
import Glibc
import LunaTesting
import Testing

/// The memory of the command holds keys: a crash leaves none of it on disk, and no other program of
/// the user reads it.
@Suite(.timeLimit(.minutes(10))) struct CoreFileTests {
  /// Who owns what the kernel shows of a process: root, where its memory is nobody's business
  /// (PR_SET_DUMPABLE in prctl(2), and /proc/PID in proc(5)). With what the program said.
  private static func owner(_ words: [String]) throws -> (number: uid_t?, errors: String) {
    let user = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "--"]
    let program = try TestProgram(
      geteuid() == 0 ? user + words : words, output: .pipe, errors: .pipe)
    // Its first byte: it is what it is to be, and works.
    let works = try program.output?.read(upToCount: 1)?.isEmpty == false
    var status = stat()
    let isThere = works && stat("/proc/\(program.number)/mem", &status) == 0
    program.end()
    let said = try program.errors?.readToEnd() ?? Data()
    return (isThere ? status.st_uid : nil, String(decoding: said, as: UTF8.self))
  }

  @Test func leavesNoCoreFile() throws {
    let user = geteuid() == 0 ? 65534 : geteuid()
    let other = try Self.owner(["/usr/bin/yes"])
    #expect(other.number == user, "what other programs look like: \(other.errors)")
    // Where every user may run it, whatever the modes of the folders above the checkout. Another program makes the
    // copy: as long as one that a test beside this one starts has it open for writing, nobody can run it (ETXTBSY).
    let luna = NSTemporaryDirectory() + "luna-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: luna) }
    let copy = try TestProgram.run(
      ["/usr/bin/install", "-m", "755", SignalTests.luna.path, luna])
    try #require(copy.status == 0, "\(copy.errors)")
    let command = try Self.owner([luna, "scan", "--radio", "virtual", "--format", "jsonl"])
    #expect(command.number == 0, "\(command.errors)")
  }

  /// What became of a program that works when a signal comes.
  private struct End {
    /// The number of the signal that ended it.
    var signal: CInt = 0
    var leftCore = false
    /// What it left in its directory.
    var files: [String] = []
    var errors = ""
  }

  /// Starts a program in an empty directory, with core files of any size allowed, and sends it a
  /// signal once.
  private static func end(_ words: [String], by number: CInt) async throws -> End {
    let directory = TestFolder()
    // No SWIFT_BACKTRACE, whatever the tests run with: what users have.
    let program = try TestProgram(
      ["/bin/sh", "-c", "ulimit -c unlimited && exec \"$@\"", "sh"] + words,
      environment: ["PATH": "/usr/bin:/bin"], directory: directory.path, output: .pipe,
      errors: .pipe)
    // Its first byte: it is what it is to be, and works.
    let first = try program.output?.read(upToCount: 1)
    program.signal(first?.isEmpty == false ? number : SIGKILL)
    // One that lives on fills the pipe and waits, until the test has no time left.
    let status = await program.ended()
    var end = End()
    end.signal = max(0, -status)
    end.leftCore = program.leftCore
    end.errors = String(decoding: try program.errors?.readToEnd() ?? Data(), as: UTF8.self)
    end.files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    return end
  }

  private static let signals = [SIGSEGV, SIGABRT, SIGQUIT, SIGILL]

  /// A signal that is sent ends the command the first time, without a core file, wherever the
  /// kernel puts them, and without a report of its memory.
  @Test(arguments: signals)
  func endsWithoutCoreFile(number: CInt) async throws {
    let luna = SignalTests.luna.path
    let end = try await Self.end(
      [luna, "scan", "--radio", "virtual", "--format", "jsonl"], by: number)
    #expect(end.signal == number, "the signal that ended it")
    #expect(!end.leftCore)
    #expect(end.files.isEmpty, "\(end.files)")
    #expect(!end.errors.contains("crashed"), "\(end.errors)")
  }

  /// A program that does not care, for comparison. Where it leaves nothing, as where the limit cannot be raised or the
  /// kernel hands core files to a program that fails, there is nothing to see of the command either.
  @Test(
    .enabled("no program leaves a core file here, the command or another") {
      try await CoreFileTests.end(["/usr/bin/yes"], by: SIGABRT).leftCore
    }, arguments: signals)
  func otherProgramsLeaveCoreFiles(number: CInt) async throws {
    let other = try await Self.end(["/usr/bin/yes"], by: number)
    #expect(other.signal == number)
    #expect(other.leftCore)
  }
}
