import Foundation
import Glibc
import Testing

/// The command itself, ended from outside: it finishes its work, says so, and tells by its code
/// what ended it.
@Suite struct SignalTests {
  /// The program beside the tests.
  static let luna = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "luna")

  @Test(.timeLimit(.minutes(10)), arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(CInt, CInt)])
  func endsCleanly(number: CInt, code: CInt) throws {
    let process = Process()
    process.executableURL = Self.luna
    process.arguments = ["scan", "--radio", "virtual", "--format", "jsonl"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The first lines: it listens.
    #expect(try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false)
    usleep(300_000)
    kill(process.processIdentifier, number)
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == code)
    #expect(lines.last == UInt8(ascii: "\n"))
    #expect(said.contains("advertisements shown in"), "\(said)")
  }
}
