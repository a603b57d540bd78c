import CommandSpec
import LunaDocuments
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

  @Test(arguments: [
    "luna owner events", "luna owner packages", "luna keys", "luna scan", "luna local",
    "luna tracker create", "luna rule test", "luna report seal",
  ])
  func helpSaysHowTimesAreGiven(line: String) throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == line })
    let words = HelpText.text(for: page).split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").contains("yesterday 09:00"))
  }

  /// The form that an output has by itself is one that can be asked for.
  @Test func usualFormsAreForms() throws {
    for page in LunaCommand.tree.description.pages() {
      for option in page.command.options where option.long == "format" {
        let usual = try #require(option.defaultText?.split(separator: " ").first, "\(page.line)")
        #expect(option.help.contains(usual), "\(page.line)")
      }
    }
  }

  /// Any other option is refused where a command line has it twice.
  @Test func optionsThatCountEachTimeAreThese() {
    let options = LunaCommand.tree.description.pages().flatMap(\.command.options)
    let names = Set(options.filter { $0.isRepeatable && !$0.isOnlyInFiles }.map(\.long))
    #expect(
      names == [
        "adapter", "allow", "deny", "pair", "tag", "tiles", "token-file", "trust-proxy", "untag",
        "uplink-pair", "vectors", "without",
      ])
  }

  /// A time is a moment, how long something lasts, or when it ends, and each of these is given in the same way
  /// to all options.
  @Test func timesAreGivenInTheSameWays() throws {
    let duration = "use " + ValueReader<Duration>.duration.expects
    let ways = [
      duration, "use " + ValueReader<GivenTime?>.time.expects,
      "use " + ValueReader<StopTime?>.stopTime.expects,
    ]
    for page in LunaCommand.tree.description.pages() {
      for option in page.command.options where option.placeholder == "TIME" {
        let name = "\(page.line) --\(option.long)"
        let words = Array(page.path.dropFirst()) + ["--\(option.long)", "never and always"]
        let error = try #require(throws: UsageError.self, "\(name)") {
          guard case .run(let match) = try LunaCommand.tree.parse(words) else { return }
          _ = try match.resolve()
        }
        #expect(ways.contains(error.hint), "\(name): \(error.hint)")
        // The end of a wait is no time of day, which is for -T.
        if option.long == "wait" { #expect(error.hint == duration, "\(name)") }
      }
    }
  }

  /// What somebody looks for in the help of a command, and the words that answer it.
  @Test(arguments: [
    ("luna", "every boot"), ("luna setup", "luna-local"), ("luna local", "enable --now luna-local"),
    ("luna", "-i hci1"), ("luna", "(MQTT)"), ("luna", "Google Earth"),
    ("luna home", "not heard for two minutes"), ("luna rule", "not heard for two minutes"),
    ("luna tracker export", "[NAME ...] FILE"),
    ("luna home", "every boot"), ("luna home run", "enable --now luna-home"),
    ("luna scan", "beside other conditions"), ("luna scan", "yesterday 9:00"),
    ("luna scan", "time >= yesterday 09:00"), ("luna scan", "-i, --adapter hciN|ADDRESS Listen"),
    ("luna owner events", "Google Earth"), ("luna owner events", "luna login"),
    ("luna local", "Home Assistant"), ("luna local", "Who came home"),
    ("luna buzz", "cannot stop what another connection began"),
    ("luna identify", "ends with 1 where it does not"),
    ("luna onboard", "however far it has come"),
  ])
  func helpAnswers(line: String, words: String) throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == line })
    let text = HelpText.text(for: page).split(whereSeparator: \.isWhitespace)
    #expect(text.joined(separator: " ").contains(words), "\(text)")
  }

  /// It writes no recording, and does not count what it hears.
  @Test func helpOfTheFinderNamesNothingThatItRefuses() throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == "luna finder" })
    let words = HelpText.text(for: page).split { !($0.isLetter || $0 == "-") }
    #expect(Set(words).isDisjoint(with: ["-w", "--write", "-c", "--count", "--force"]))
  }

  /// SIGTERM ends them with 0, as systemd wants it; what judges a network is for others.
  @Test(arguments: ["luna finder", "luna backend", "luna home run", "luna uplink serve"])
  func helpOfServicesSaysHowTheyEnd(line: String) throws {
    let page = try #require(LunaCommand.tree.description.pages().first { $0.line == line })
    let statuses = page.command.exitStatuses
    #expect(statuses.first == ExitStatus(0, "Done, or ended by SIGTERM."))
    #expect(statuses.contains { $0.code == 130 })
    #expect(!statuses.contains { [10, 11, 143].contains($0.code) }, "\(statuses)")
  }

  @Test(arguments: LunaCommand.tree.description.pages())
  func helpFitsATerminal(page: CommandPage) {
    for line in HelpText.text(for: page).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
