import Foundation
import LunaFinder
import LunaTesting
import Testing

@testable import LunaOutlets

@Suite("Who else is told of what is heard", .timeLimit(.minutes(10)))
struct EventOutletsTests {
  private let folder = TestFolder()

  @Test("A command is run for the events that it is to be told of, before the end")
  func runsACommand() async throws {
    let path = "\(folder.path)/told"
    var settings = EventOutletSettings()
    settings.command = "echo \"$LUNA_EVENT\" >> '\(path)'"
    settings.commandKinds = ["dropped"]
    let outlets = try EventOutlets(settings) { _ in Issue.record("all of it was told") }
    outlets.take(.unlocated("no position"))
    outlets.take(.dropped(reason: "queue", count: 3))
    await outlets.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "dropped\n")
    #expect(outlets.losses.isEmpty)
  }
}
