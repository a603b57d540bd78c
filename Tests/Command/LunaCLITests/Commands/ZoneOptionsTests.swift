import Bluetooth
import CommandSpec
import Foundation
import LunaCore
import LunaDocuments
import Testing

@testable import LunaCLI

@Suite struct ZoneOptionsTests {
  private let time: Timestamp

  init() throws { time = try #require(Timestamp(rfc3339: "2026-07-01T23:04:05.678901Z")) }

  @Test func aTerminalShowsLocalTimesAndSaysSo() {
    let times = ZoneOptions().times(isTerminal: true)
    #expect(times.moment(time).hasSuffix(" (local)"))
    #expect(times.head("TIME") == "TIME (local)")
  }

  @Test func aTerminalShowsUTCWhereThatIsAskedFor() {
    let times = ZoneOptions(isUTC: true).times(isTerminal: true)
    #expect(times.moment(time) == "2026-07-01 23:04:05 (UTC)")
  }

  @Test(arguments: [false, true]) func whatIsNoTerminalGetsData(_ isUTC: Bool) {
    let times = ZoneOptions(isUTC: isUTC).times(isTerminal: false)
    #expect(times.moment(time) == "2026-07-01T23:04:05.678901Z")
    #expect(times.head("TIME") == "TIME")
  }

  @Test(arguments: [
    "luna home run", "luna rule list", "luna rule test", "luna rule why", "luna rule snooze",
    "luna notify list", "luna telemetry status", "luna share add", "luna share list",
    "luna share show", "luna share renew", "luna share end", "luna share import",
    "luna share inspect", "luna whoami", "luna token refresh", "luna backend enroll",
    "luna account add", "luna account edit", "luna account approve", "luna account list",
    "luna account sessions", "luna uplink results", "luna uplink consent",
    "luna finder status", "luna fleet add", "luna fleet enroll",
    "luna tracker create",
  ])
  func isThereWherePeopleSeeTimes(_ line: String) throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == line })
    #expect(HelpText.text(for: page).contains("--utc"))
  }

  /// The text for people, in a file: `TZ` changes nothing of it.
  @Test func textInAFileIsInUTC() async throws {
    let luna = try Luna()
    let state = luna.directory + "/state"
    try FileManager.default.createDirectory(
      atPath: state + "/account", withIntermediateDirectories: true)
    _ = try luna.file(
      "state/account/default.json",
      #"{"schema":1,"generation":1,"issuer":"http://127.0.0.1:1","clientId":"it","subject":"me","#
        + #""scope":"read","accessToken":"token","issuedAt":"2026-01-01T00:00:00Z","#
        + #""expiresIn":3155673600}"#)
    let answer = try await luna.run(
      ["whoami", "--format", "table", "--state", state], environment: ["TZ": "Asia/Tokyo"])
    #expect(answer.output.contains("expires     2126-01-01T00:00:00.000000Z\n"), "\(answer)")
  }
}
