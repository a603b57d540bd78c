import Foundation
import Glibc
import LunaTesting
import Testing

/// The command itself, ended from outside: it finishes its work, says so, and tells by its code
/// what ended it.
@Suite(.timeLimit(.minutes(10))) struct SignalTests {
  /// The program beside the tests.
  static let luna = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "luna")

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(CInt, CInt)])
  func endsCleanly(number: CInt, code: CInt) throws {
    let program = try TestProgram(
      [Self.luna.path, "scan", "--radio", "virtual", "--format", "jsonl"], output: .pipe,
      errors: .pipe)
    let (output, errors) = (try #require(program.output), try #require(program.errors))
    // The first lines: it listens.
    #expect(try output.read(upToCount: 1)?.isEmpty == false)
    program.signal(number)
    let lines = try output.readToEnd() ?? Data()
    let said = String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
    #expect(program.wait() == code)
    #expect(lines.last == UInt8(ascii: "\n"))
    #expect(said.contains("advertisements shown in"), "\(said)")
  }

  /// Help that is not written was not given.
  @Test(arguments: [["--help"], ["scan", "--help"], ["--version"]])
  func tellsThatHelpCannotBeWritten(_ words: [String]) throws {
    let program = try TestProgram(
      [Self.luna.path] + words, output: .file("/dev/full"), errors: .pipe)
    let errors = try #require(program.errors)
    let said = String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
    #expect(program.wait() == 7)
    #expect(said.contains("cannot write standard output"), "\(said)")
  }
}
