import Bluetooth
import CommandSpec
import LunaDocuments
import LunaProtocol
import Testing

@testable import LunaCLI

/// `--epoch` takes a time as all others do.
@Suite struct ClockOptionsTests {
  private func parse(_ words: [String]) throws -> ProtocolTime {
    let options = try TrackerCreateCommand.command.parse(["keys"] + words)
    return options.clock.time(options.zone)
  }

  @Test(arguments: [
    "2026-07-01 15:00", "2026-07-01T15:00:00", "2026-07-01T15:00:00Z", "2026-07-01T17:00:00+02:00",
    "1782918000",
  ])
  func takesATime(_ text: String) throws {
    let time = try parse(["--epoch", text, "--speed", "60", "--utc"])
    #expect(time == ProtocolTime(epoch: Timestamp(microseconds: 1_782_918_000_000_000), speed: 60))
  }

  static let words: [(String, Int64?)] = [
    ("now", 0), ("24h", 86_400), ("yesterday 09:00", nil), ("today", nil),
  ]

  @Test(arguments: words)
  func knowsTheWords(_ text: String, _ secondsAgo: Int64?) throws {
    let before = Timestamp.now.microseconds
    var options = ClockOptions()
    let after = Timestamp.now.microseconds
    let given = try #require(GivenTime(text))
    options.epoch = given
    try options.check(ZoneOptions(isUTC: true))
    let epoch = options.time(ZoneOptions(isUTC: true)).epoch
    #expect(epoch == options.time(ZoneOptions(isUTC: true)).epoch, "all parts mean one moment")
    guard let secondsAgo else { return }
    #expect((before...after).contains(epoch.microseconds + secondsAgo * 1_000_000))
  }

  /// Clocks in Berlin were put forward over it.
  @Test func isOnTheClocksOfThePerson() async throws {
    let luna = try Luna()
    let words = ["tracker", "create", "keys", "--epoch", "2026-03-29 02:30"]
    let berlin = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
    let local = try await luna.run(words, environment: berlin)
    #expect(local.code == 2, "\(local)")
    #expect(local.errors.contains("put forward") && local.errors.contains("--utc"), "\(local)")
    #expect(try await luna.run(words + ["--utc"], environment: berlin).code == 0)
  }

  @Test(arguments: [["--epoch", "soon"], ["--speed", "60"]])
  func refusesWhatIsNoTime(_ words: [String]) {
    #expect(throws: (any Error).self) { try parse(words) }
  }

  @Test(arguments: ["now", "24h", ""])
  func withoutASpeedTimeIsReal(_ text: String) throws {
    let words = text.isEmpty ? [] : ["--epoch", text]
    let time = try parse(words)
    let moment = Timestamp(microseconds: 1_782_918_000_000_000)
    #expect(time(moment) == moment)
  }
}
