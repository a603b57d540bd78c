import Foundation
import Glibc
import Testing

/// The memory of the command holds keys: a crash leaves none of it on disk, and no other program of
/// the user reads it.
@Suite struct CoreFileTests {
  /// Who owns what the kernel shows of a process: root, where its memory is nobody's business
  /// (PR_SET_DUMPABLE in prctl(2), and /proc/PID in proc(5)).
  private static func owner(_ words: [String]) throws -> uid_t? {
    let user = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "--"]
    let process = Process()
    let all = geteuid() == 0 ? user + words : words
    process.executableURL = URL(fileURLWithPath: all[0])
    process.arguments = Array(all.dropFirst())
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    // Its first byte: it is what it is to be, and works.
    guard try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false else { return nil }
    var status = stat()
    return stat("/proc/\(process.processIdentifier)", &status) == 0 ? status.st_uid : nil
  }

  @Test(.timeLimit(.minutes(5))) func leavesNoCoreFile() throws {
    let user = geteuid() == 0 ? 65534 : geteuid()
    #expect(try Self.owner(["/usr/bin/yes"]) == user, "what other programs look like")
    let luna = SignalTests.luna.path
    #expect(try Self.owner([luna, "scan", "--radio", "virtual", "--format", "jsonl"]) == 0)
  }
}
