import Foundation
import Glibc
import LunaTesting
import Testing

/// The memory of the command holds keys: a crash leaves none of it on disk, and no other program of
/// the user reads it.
@Suite(.timeLimit(.minutes(10))) struct CoreFileTests {
  /// Who owns what the kernel shows of a process: root, where its memory is nobody's business
  /// (PR_SET_DUMPABLE in prctl(2), and /proc/PID in proc(5)).
  private static func owner(_ words: [String]) throws -> uid_t? {
    let user = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "--"]
    let program = try TestProgram(geteuid() == 0 ? user + words : words, output: .pipe)
    defer { program.end() }
    // Its first byte: it is what it is to be, and works.
    guard try program.output?.read(upToCount: 1)?.isEmpty == false else { return nil }
    var status = stat()
    return stat("/proc/\(program.number)/mem", &status) == 0 ? status.st_uid : nil
  }

  @Test func leavesNoCoreFile() throws {
    let user = geteuid() == 0 ? 65534 : geteuid()
    #expect(try Self.owner(["/usr/bin/yes"]) == user, "what other programs look like")
    // Where every user may run it, whatever the modes of the folders above the checkout.
    let luna = NSTemporaryDirectory() + "luna-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: SignalTests.luna.path, toPath: luna)
    defer { try? FileManager.default.removeItem(atPath: luna) }
    #expect(try Self.owner([luna, "scan", "--radio", "virtual", "--format", "jsonl"]) == 0)
  }

  /// What became of a program that works when a signal comes.
  private struct End {
    /// As waitpid(2) gives it.
    var status: CInt = 0
    /// What it left in its directory.
    var files: [String] = []
    var errors = ""

    var signal: CInt { status & 0x7F }
    var leftCore: Bool { status & 0x80 != 0 }
  }

  /// Starts a program in an empty directory, with core files of any size allowed, and sends it a
  /// signal once.
  private static func end(_ words: [String], by number: CInt) throws -> End {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "luna-core-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (output, errors) = (Pipe(), Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.fileHandleForWriting.fileDescriptor, 2)
    // The threads of the tests block some signals, which a program inherits.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let script = "ulimit -c unlimited && cd \"$0\" && exec \"$@\""
    var arguments = (["sh", "-c", script, directory.path] + words).map { strdup($0) } + [nil]
    // No SWIFT_BACKTRACE, whatever the tests run with: what users have.
    var environment = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let failed = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &environment)
    try #require(failed == 0)
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
    // Its first byte: it is what it is to be, and works.
    let first = try output.fileHandleForReading.read(upToCount: 1)
    kill(process, first?.isEmpty == false ? number : SIGKILL)
    var end = End()
    // One that lives on fills the pipe and waits: nobody reads, and the other pipe tells.
    let deadline = Date.now + 300
    while waitpid(process, &end.status, WNOHANG) == 0 {
      if Date.now > deadline {
        kill(process, SIGKILL)
        waitpid(process, &end.status, 0)
        break
      }
      usleep(10_000)
    }
    end.errors = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    end.files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    return end
  }

  /// A signal that is sent ends the command the first time, without a core file, wherever the
  /// kernel puts them, and without a report of its memory.
  @Test(arguments: [SIGSEGV, SIGABRT, SIGQUIT, SIGILL])
  func endsWithoutCoreFile(number: CInt) throws {
    let luna = SignalTests.luna.path
    let end = try Self.end(
      [luna, "scan", "--radio", "virtual", "--format", "jsonl"], by: number)
    #expect(end.signal == number, "the signal that ended it")
    #expect(!end.leftCore)
    #expect(end.files.isEmpty, "\(end.files)")
    #expect(!end.errors.contains("crashed"), "\(end.errors)")
    // The same with a program that does not care. Where it leaves nothing, as where the limit cannot
    // be raised or the kernel hands core files to a program that fails, there was nothing to see.
    let other = try Self.end(["/usr/bin/yes"], by: number)
    #expect(other.signal == number)
    if !other.leftCore {
      let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
      print("no program leaves a core file here (core_pattern: \(pattern.dropLast()))")
    }
  }
}
