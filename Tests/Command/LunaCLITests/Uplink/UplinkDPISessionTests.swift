import Foundation
import LunaDocuments
import LunaStore
import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

@testable import LunaCLI

/// What an inspection tells a server.
struct UplinkDPISessionTests {
  private let folder = TestFolder()

  /// It is who makes the checks: a server lets no second one in from the same address.
  @Test func saysWhoTheSettingsSay() async throws {
    let pair = "127.000.000.001.40000-127.000.000.001.00080"
    let path = folder.path + "/recording.json"
    try Data(
      #"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"00","response_len":9}],[],["\#(pair)"],"A"]"#
        .utf8
    ).write(to: URL(filePath: path))
    let file = try #require(try await UplinkReplay.read([path]).first)
    let printer = UplinkPrinter(OutputBuffer(), .jsonl, Diagnostics(quiet: true, verbosity: 0))
    let keeper = UplinkKeeper(
      state: StateDirectory(path: folder.path + "/state"), printer: printer)
    let run = UplinkRun(
      way: UplinkServerOptions(), budget: UplinkBudgetOptions(), keeper: keeper)
    var replay = UplinkReplayOptions()
    let usual = try await UplinkDPISession(run: run, options: UplinkDPIOptions(), replay: replay)
      .plan(file)
    #expect(usual.user.utf8.count == 10 && usual.extra == "Luna" && usual.history == 1)
    replay.user = "somebody"
    replay.extra = "Word"
    replay.history = 7
    let plan = try await UplinkDPISession(run: run, options: UplinkDPIOptions(), replay: replay)
      .plan(file)
    #expect(plan.user == "somebody" && plan.extra == "Word" && plan.history == 8)
  }
}
