import CommandSpec
import Testing

@testable import LunaCLI

@Suite struct SetupGatewayCommandTests {
  private func parse(_ words: String...) throws {
    guard case .run(let match) = try LunaCommand.tree.parse(["setup", "gateway"] + words) else {
      Issue.record("nothing would run")
      return
    }
    _ = try match.resolve()
  }

  /// What it can be answered with can be given.
  @Test(arguments: ["hci1", "00:1A:7D:DA:71:13", "all"])
  func takesAnAdapterOrAll(_ adapter: String) throws { try parse("-i", adapter) }

  @Test(arguments: ["usb", "hci0,hci1", "ALL", ""]) func refusesAnythingElse(_ adapter: String) {
    #expect(throws: (any Error).self) { try parse("-i", adapter) }
  }
}
