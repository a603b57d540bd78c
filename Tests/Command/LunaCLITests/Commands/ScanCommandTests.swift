import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ScanCommandTests {
  /// It is cut when something is heard, and from a file that is not there nothing is.
  @Test(arguments: ["capture", "scan"])
  func anOlderRecordingStaysWhereThereIsNothingToRead(_ command: String) async throws {
    let luna = try Luna()
    let path = try luna.file("night.btsnoop", "an older recording")
    let answer = try await luna.run([
      command, "-r", luna.directory + "/missing.btsnoop", "-w", path, "--force",
    ])
    #expect(answer.code == 8, "\(answer.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "an older recording")
  }

  /// Times in a filter are on the clocks of who types it, which were put forward over this one.
  @Test func aFilterHasTheTimesOfThePerson() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    let path = luna.directory + "/night.btsnoop"
    try await recording.write(to: path)
    let words = ["scan", "-r", path, "--filter", "rssi < 20 && time > \"2026-03-29 02:30\""]
    let berlin = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
    let local = try await luna.run(words, environment: berlin)
    #expect(local.code == 2)
    #expect(local.errors.contains("--filter is wrong at character 21"), "\(local.errors)")
    #expect(local.errors.contains("put forward") && local.errors.contains("--utc"))
    let utc = try await luna.run(words + ["--utc"], environment: berlin)
    #expect([0, 1].contains(utc.code) && !utc.errors.contains("put forward"), "\(utc.errors)")
  }
}
