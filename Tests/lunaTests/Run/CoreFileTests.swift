import Foundation
import Glibc
import Testing

/// The memory of the command holds keys: a crash leaves none of it on disk.
@Suite struct CoreFileTests {
  /// Whether a program that is ended by SIGSEGV leaves a core file.
  private static func dumpsCore(_ words: [String]) throws -> Bool {
    let directory = NSTemporaryDirectory() + "luna-core-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let script = "cd \"$0\"; ulimit -c unlimited; exec \"$@\" >/dev/null 2>&1"
    var arguments = (["/bin/sh", "-c", script, directory] + words).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 else { return false }
    // Until it is what it is to be, and a while into its work.
    let name = "/proc/\(process)/comm"
    for _ in 0..<500 where (try? String(contentsOfFile: name, encoding: .utf8)) == "sh\n" {
      usleep(10_000)
    }
    usleep(500_000)
    kill(process, SIGSEGV)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    #expect(status & 0x7F == SIGSEGV)
    return status & 0x80 != 0
  }

  /// Whether this machine writes core files at all.
  private static let machineDumps = (try? dumpsCore(["/bin/sleep", "60"])) ?? false

  @Test(
    .timeLimit(.minutes(5)),
    .enabled(if: machineDumps, "this machine writes no core files, whatever the program says"))
  func leavesNoCoreFile() throws {
    let luna = SignalTests.luna.path
    #expect(try !Self.dumpsCore([luna, "scan", "--radio", "virtual", "--format", "jsonl"]))
  }
}
