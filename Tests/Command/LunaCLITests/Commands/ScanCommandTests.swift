import Captures
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ScanCommandTests {
  /// It is cut when something is heard, and from a file that is not there nothing is.
  @Test(arguments: ["capture", "scan", "local", "watch"])
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

  /// A word that is nowhere known is searched all the same, and said to be unknown.
  @Test func saysWhatAWordMayMean() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    let path = luna.directory + "/air.btsnoop"
    try await recording.write(to: path)
    let unknown = try await luna.run(["scan", "-r", path, "--filter", "aritag"])
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("did you mean airtag?"), "\(unknown.errors)")
    let known = try await luna.run(["scan", "-r", path, "--filter", "LunaTracker"])
    #expect(known.code == 0 && !known.errors.contains("did you mean"), "\(known.errors)")
  }

  /// Whoever asks for what a recording has not is told of when it is.
  @Test func saysThatNothingOfARecordingWasShown() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    let path = luna.directory + "/air.btsnoop"
    try await recording.write(to: path)
    let none = try await luna.run(["scan", "-r", path, "--filter", "rssi > 19"])
    #expect(none.code == 1)
    #expect(none.errors.contains("luna: 0 of 1 advertisements shown; the recording is of "))
    // The same advertisements the other way round are of the same time.
    var said: [String] = []
    for times in [[500, 700], [700, 500]] as [[Double]] {
      var both = try TrackerRecording()
      for seconds in times { both.hear(TrackerRecording.period, at: seconds) }
      let path = luna.directory + "/both.btsnoop"
      try await both.write(to: path)
      said.append(try await luna.run(["scan", "-r", path, "--filter", "rssi > 19"]).errors)
    }
    #expect(said[0] == said[1], "\(said)")
    let quiet = try await luna.run(["scan", "-q", "-r", path, "--filter", "rssi > 19"])
    #expect(quiet.code == 1 && quiet.errors.isEmpty, "\(quiet.errors)")
    let some = try await luna.run(["scan", "-r", path, "--filter", "rssi < 19"])
    #expect(some.code == 0 && !some.errors.contains("the recording is of"), "\(some.errors)")
    // Who looks for those that follow shows no advertisements.
    let watched = try await luna.run(["watch", "-r", path])
    #expect(watched.code == 1 && !watched.errors.contains("shown"), "\(watched.errors)")
  }

  /// A recording is read in large pieces; what is in them behind the end was not looked at.
  @Test func countsWhatWasHeardUpToTheEnd() async throws {
    let luna = try Luna()
    var recording = try TrackerRecording()
    for seconds in [500.0, 510, 520] { recording.hear(TrackerRecording.period, at: seconds) }
    let path = luna.directory + "/air.btsnoop"
    try await recording.write(to: path)
    let counted = try await luna.run(["scan", "-r", path, "-c", "2"])
    let end = try #require(counted.lines.last)
    #expect(counted.code == 0 && end["type"] as? String == "end")
    #expect(end["heard"] as? Int == 2 && end["shown"] as? Int == 2)
    let whole = try #require(try await luna.run(["scan", "-r", path]).lines.last)
    #expect(whole["heard"] as? Int == 3 && whole["shown"] as? Int == 3)
  }

  /// Neither the lines nor the recording could be read.
  @Test(arguments: ["scan", "local", "watch"])
  func keepsLinesAndARecordingApart(_ command: String) async throws {
    let luna = try Luna()
    let path = luna.directory + "/air.btsnoop"
    try await TrackerRecording().write(to: path)
    let refused = try await luna.run([command, "-r", path, "-w", "-"])
    #expect(refused.code == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("luna capture -w -"), "\(refused.errors)")
  }

  @Test func listsWhatAFieldCanBe() async throws {
    let luna = try Luna()
    let listed = try await luna.run(["scan", "--list-values", "deviceType"])
    #expect(listed.code == 0)
    #expect(
      listed.lines.map { $0["value"] as? String } == [
        "apple-device", "airtag", "accessory", "airpods",
      ])
    #expect(listed.lines.allSatisfy { $0["field"] as? String == "deviceType" })
    let rows = try await luna.run(["scan", "--list-values", "company", "--format", "csv"])
    #expect(rows.output.hasPrefix("field,value\n"))
    #expect(rows.output.contains("\ncompany,\"Apple, Inc.\"\n"))
    let any = try await luna.run(["scan", "--list-values", "rssi"])
    #expect(any.code == 1 && any.output.isEmpty && any.errors.contains("any value"))
    let unknown = try await luna.run(["scan", "--list-values", "compny"])
    #expect(unknown.code == 2 && unknown.errors.contains("did you mean company?"))
  }

  /// Two recordings in one file would be none, whatever may be overwritten.
  @Test(arguments: ["capture", "scan"])
  func leavesAFileToWhoRecordsIntoIt(_ command: String) async throws {
    let luna = try Luna()
    let path = luna.directory + "/air.btsnoop"
    let writer = try await CaptureWriter(path: path)
    let answer = try await luna.run([
      command, "-w", path, "--force", "--radio", "virtual", "-c", "1",
    ])
    #expect(answer.code == 6)
    #expect(answer.errors.contains("another program records into \(path)"), "\(answer.errors)")
    try await writer.finish()
  }
}
