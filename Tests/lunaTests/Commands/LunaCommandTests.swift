import CommandSpec
import Testing

@testable import luna

@Suite struct LunaCommandTests {
  @Test func declarationsAreSound() {
    #expect(LunaCommand.tree.description.declarationProblems() == [])
  }

  @Test(arguments: LunaCommand.tree.description.pages())
  func helpFitsATerminal(page: CommandPage) {
    for line in HelpText.text(for: page).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
