import CommandSpec
import TerminalTable
import Testing

@testable import LunaCLI

@Suite struct ConfigurationOverviewTests {
  private let row = [
    "backend", "webhook-allow-plain-http", "as the environment says", "/etc/luna/luna.conf:12",
  ]

  private func line(_ width: Int) -> String {
    let columns = ConfigurationOverview<LunaCommand.Action>.Line.columns(for: width)
    return ColumnTable(columns, for: [row], width: width).line(row)
  }

  @Test(arguments: 40...100) func isNoWiderThanTheTerminal(_ width: Int) {
    #expect(DisplayText.width(line(width)) <= width, "\(line(width))")
  }

  /// The name of an option is whole where others give way.
  @Test func cutsValuesFirst() { #expect(line(72).contains("  \(row[1])  ")) }
}
