import Testing

@testable import CommandSpec

@Suite("Sections for one of several things of a command")
struct NamedSectionTests {
  private struct Options: Sendable, Equatable {
    var port = 1
    var urls: [String: [String]] = [:]
  }

  private static let serve = Command(
    "serve", "Serves.", initial: Options(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("port", "N", "Where", \.port, .integer(1...10)),
          .key(
            "url", "URL", "A place",
            ValueReader(expects: "a URL", hint: .text) { text throws(ValueProblem) in
              guard text.hasPrefix("http") else { throw ValueProblem("is no URL") }
              return text
            }
          ) { $0.urls[$1 ?? "", default: []].append($2) },
        ])
    ])

  private static let root = CommandNode<Options>(
    "tool", "A tool.", groups: [],
    subcommands: [
      serve.node(subcommands: [
        Command("list", "Lists.", initial: Options(), groups: []).node { $0 }
      ]) { $0 }
    ])

  private func read(_ text: String, _ words: [String] = ["serve"]) throws -> Options {
    guard case .run(var match) = try Self.root.parse(words) else { return Options() }
    try match.merge(ConfigurationFile(text.utf8, name: "file"))
    return try match.resolve()
  }

  @Test("The command itself, and things with names")
  func reads() throws {
    let options = try read(
      """
      [serve]
      port = 2
      url = http://a
      [serve one]
      url = http://b
      url = http://c
      [serve two]
      url = http://d
      """)
    #expect(options.port == 2)
    #expect(
      options.urls == ["": ["http://a"], "one": ["http://b", "http://c"], "two": ["http://d"]])
  }

  @Test(
    "Only what is for several things may stand there, and it has to be good",
    arguments: [
      "[serve one]\nport = 2", "[serve one]\nurl = x", "[serve one]\nurls = http://a",
      "[serve one two]\nurl = http://a", "[serve \u{E9}]\nurl = http://a", "[one]\nurl = http://a",
      "[serve list]\nurl = http://a",
    ])
  func refuses(_ text: String) {
    #expect(throws: UsageError.self) { try read(text) }
  }

  @Test("Mistakes are found without running anything")
  func checks() throws {
    var problems: [UsageError] = []
    let file = ConfigurationFile(
      "[serve one]\nurl = x\nport = 3\n[serve two]\nurl = http://a".utf8, name: "file",
      problems: &problems)
    let check = ConfigurationCheck(Self.root)
    #expect(check.problems(with: file).map(\.kind) == [.badValue, .unknownKey])
  }

  @Test("No command line has it, and help does not speak of it")
  func commandLine() throws {
    #expect(throws: UsageError.self) { try read("", ["serve", "--url", "http://a"]) }
    guard case .help(let text) = try Self.root.parse(["serve", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(!text.contains("--url"))
  }
}
