import CommandSpec
import Testing

@testable import LunaCLI

@Suite struct LunaCommandTests {
  @Test func declarationsAreSound() {
    #expect(LunaCommand.tree.description.declarationProblems() == [])
  }

  @Test(arguments: LunaCommand.tree.description.subcommands)
  func isDeclaredByItsName(command: CommandDescription) {
    let small = LunaCommand.tree(for: [command.name, "--help"]).description
    #expect(small.subcommands == [command])
  }

  @Test(arguments: [
    [], ["help", "scan"], ["sacn"], ["-v", "scan"],
  ])
  func needsAll(words: [String]) {
    #expect(LunaCommand.tree(for: words).description == LunaCommand.tree.description)
  }

  @Test(arguments: ["luna owner events", "luna owner packages", "luna keys", "luna scan"])
  func helpSaysHowTimesAreGiven(line: String) throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == line })
    let words = HelpText.text(for: page).split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").contains("yesterday 09:00"))
  }

  /// It writes no recording, and does not count what it hears.
  @Test func helpOfTheFinderNamesNothingThatItRefuses() throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == "luna finder" })
    let words = HelpText.text(for: page).split { !($0.isLetter || $0 == "-") }
    #expect(Set(words).isDisjoint(with: ["-w", "--write", "-c", "--count", "--force"]))
  }

  @Test(arguments: LunaCommand.tree.description.pages())
  func helpFitsATerminal(page: CommandPage) {
    for line in HelpText.text(for: page).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
