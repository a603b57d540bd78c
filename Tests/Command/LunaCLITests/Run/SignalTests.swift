import Bluetooth
import Captures
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

  /// A summary is asked for to be seen at the end, whoever ends it.
  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(CInt, CInt)])
  func printsASummaryWhenItIsEnded(number: CInt, code: CInt) throws {
    let program = try TestProgram(
      [Self.luna.path, "scan", "--radio", "virtual", "--summary", "--format", "csv"],
      output: .pipe)
    let output = try #require(program.output)
    // The first line comes with the first advertisements.
    #expect(try output.read(upToCount: 1)?.isEmpty == false)
    program.signal(number)
    let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
    #expect(program.wait() == code)
    #expect(text.split(separator: "\n").count > 1, "\(text)")
  }

  /// Whoever reads a recording from a pipe may have seen enough, as `tshark -c 10 -r -` has. It is larger than
  /// a pipe.
  @Test func endsQuietlyWhenNobodyReadsItsRecording() async throws {
    let home = try Luna()
    defer { withExtendedLifetime(home) {} }
    let path = home.directory + "/air.btsnoop"
    let reports = (0..<20_000).map { number in
      AdvertisingReport(
        time: Timestamp(microseconds: 1_767_323_045_000_000 + Int64(number)), adapter: 0,
        address: BluetoothAddress(value: UInt64(number)), addressType: .random,
        payload: AdvertisingPayload([2, 1, 6]), rssi: -60)
    }
    let writer = try await CaptureWriter(path: path)
    try await writer.write(reports)
    try await writer.finish()
    let program = try TestProgram(
      [Self.luna.path, "capture", "-r", path, "-w", "-"], output: .pipe, errors: .pipe)
    let (output, errors) = (try #require(program.output), try #require(program.errors))
    #expect(try output.read(upToCount: 1)?.count == 1)
    try output.close()
    let said = String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
    #expect(program.wait() == 0)
    #expect(said.isEmpty, "\(said)")
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
