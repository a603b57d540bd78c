import Captures
import CommandSpec
import Foundation
import Testing

@testable import LunaCLI

@Suite struct CaptureCommandTests {
  private func parse(_ words: [String]) throws -> CaptureCommand {
    try CaptureCommand.command.parse(["-w", "air.btsnoop"] + words)
  }

  static let limits: [(String, CaptureRotation.Limit)] = [
    ("1h", .seconds(3600)), ("90m", .seconds(5400)), ("1h30m", .seconds(5400)),
    ("10", .seconds(10)), ("8784h", .seconds(366 * 86_400)), ("500k", .bytes(500_000)),
    ("100M", .bytes(100_000_000)), ("2G", .bytes(2_000_000_000)),
    ("999999G", .bytes(999_999_000_000_000)),
  ]

  /// A small `m` is minutes, a large one a million bytes.
  @Test(arguments: limits)
  func goesOnInANewFile(_ text: String, _ limit: CaptureRotation.Limit) throws {
    let command = try parse(["--rotate", text])
    #expect(command.rotation == limit)
    #expect(command.kept == nil)
    #expect(try parse(["--rotate", text, "--keep", "48"]).kept == 48)
  }

  @Test(arguments: [
    ["--rotate", "0"], ["--rotate", "0M"], ["--rotate", "-5M"], ["--rotate", "1.5M"],
    ["--rotate", "M"], ["--rotate", "1000000k"], ["--rotate", "500ms"], ["--rotate", "8785h"],
    ["--rotate", "100K"], ["--rotate", "100MB"], ["--rotate", "15:00"], ["--rotate", "often"],
    ["--rotate", "1h", "--keep", "0"], ["--keep", "48"],
  ])
  func refusesWhatIsNoLimit(_ words: [String]) {
    #expect(throws: UsageError.self) { try parse(words) }
  }

  /// From the words to the files: 40 s, a frame each second.
  @Test func cutsAndDeletes() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    for second in 0..<40 { recording.hear(TrackerRecording.period, at: Double(second) + 0.5) }
    let path = luna.directory + "/in.btsnoop"
    try await recording.write(to: path)
    let runs: [(String, [String], Int)] = [("all", [], 4), ("few", ["--keep", "2"], 2)]
    for (name, more, count) in runs {
      let answer = try await luna.run(
        ["capture", "-r", path, "-w", "\(luna.directory)/\(name).btsnoop", "--rotate", "10s"] + more
      )
      #expect(answer.code == 0, "\(answer.errors)")
      let files = try FileManager.default.contentsOfDirectory(atPath: luna.directory)
      #expect(files.count { $0.hasPrefix("\(name)-") } == count, "\(files)")
    }
  }

  /// Nothing is shown.
  @Test func saysHowManyItHasRecorded() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 0.5)
    let path = luna.directory + "/in.btsnoop"
    try await recording.write(to: path)
    let answer = try await luna.run(
      ["capture", "-v", "-r", path, "-w", luna.directory + "/out.btsnoop"])
    #expect(answer.errors.contains("advertisements recorded in"), "\(answer.errors)")
    #expect(!answer.errors.contains("shown"))
  }
}
