import Testing

@testable import CommandSpec

@Suite struct SettingTests {
  private func settings(
    _ words: [String], _ files: [(name: String, text: String)],
    _ environment: [String: String] = [:]
  ) throws -> [String: [Setting]] {
    var problems: [UsageError] = []
    let files = files.map { ConfigurationFile($0.text.utf8, name: $0.name, problems: &problems) }
    let all = try SampleProgram.root.settings(of: words, files: files) { environment[$0] }
    return Dictionary(grouping: all, by: \.option.long)
  }

  @Test func theLaterFileWinsAndTheEnvironmentOverBoth() throws {
    let found = try settings(
      ["scan"],
      [
        ("machine", "[scan]\ncount = 5\nfilter = a\nadapter = hci1\nadapter = hci2"),
        ("user", "\ncount = 6"),
      ], ["LUNA_ADAPTER": "hci7"])
    #expect(found["count"]?.map(\.value) == ["6"])
    #expect(found["count"]?.first?.origin == .file("user", line: 2))
    #expect(found["filter"]?.first?.origin == .file("machine", line: 3))
    #expect(found["adapter"]?.map(\.value) == ["hci7"])
    #expect(found["adapter"]?.first?.origin == .environment("LUNA_ADAPTER"))
  }

  @Test func saysWhatHoldsByItself() throws {
    let found = try settings(["scan"], [])
    #expect(found["fields"]?.first?.value == "time,rssi")
    #expect(found["fields"]?.first?.origin == .usual)
    #expect(found["count"]?.first?.value == nil)
  }

  @Test func eachOfSeveralIsOne() throws {
    let found = try settings(["scan"], [("f", "adapter = hci1\nadapter = hci2\nverbose = 2")])
    #expect(found["adapter"]?.map(\.value) == ["hci1", "hci2"])
    #expect(found["adapter"]?.last?.origin == .file("f", line: 2))
    #expect(found["verbose"]?.map(\.value) == ["2"])
  }

  @Test func leavesOutWhatMakesNoSense() throws {
    let found = try settings(
      ["scan"], [("f", "count = many\n[scan]\nnonsense = 1\ntrackers = yes")],
      ["LUNA_ADAPTER": "hci3"])
    #expect(found["count"]?.first?.origin == .usual)
    #expect(found["trackers"]?.first?.value == "yes")
  }

  private struct Forms: Sendable, Equatable { var format: String? }

  private static func command(_ name: String, _ words: [String]) -> Command<Forms> {
    Command(
      name, "Prints.", initial: Forms(),
      groups: [
        OptionGroup(
          "Options",
          [.value("format", "F", "How", \.format, .choice(words.map { (Choice($0), $0) }))]
        ).fromEnvironment("SAMPLE")
      ])
  }

  private static let two = CommandNode<Forms>(
    "sample", "Two commands.",
    subcommands: [
      command("list", ["table", "csv"]).node { $0 }, command("run", ["text", "table"]).node { $0 },
    ])

  private func form(
    _ command: String, _ file: String, _ environment: [String: String] = [:]
  ) throws -> String? {
    guard case .run(var match) = try Self.two.parse([command]) else { return nil }
    try match.merge { environment[$0] }
    try match.merge(try ConfigurationFile(file.utf8, name: "f"))
    return try match.resolve().format
  }

  /// As a key that only other commands have changes nothing.
  @Test func aWordForOtherCommandsIsLeftToThem() throws {
    #expect(try form("list", "format = csv") == "csv")
    #expect(try form("run", "format = csv") == nil)
    #expect(try form("run", "format = table", ["SAMPLE_FORMAT": "csv"]) == "table")
    #expect(throws: UsageError.self) { try form("run", "format = cvs") }
    #expect(throws: UsageError.self) { try form("run", "[run]\nformat = csv") }
    var problems: [UsageError] = []
    let file = ConfigurationFile(
      "format = csv\n[run]\nformat = csv".utf8, name: "f", problems: &problems)
    #expect(ConfigurationCheck(Self.two).problems(with: file).map(\.place) == [.file("f", line: 3)])
  }

  private struct Depths: Sendable {
    var depth: String?
    var limit: String?
  }

  /// The name of one variable is the beginning of another's.
  @Test func onlyTheVariableThatIsWrongIsLeftOut() throws {
    let root = Command(
      "sample", "Two numbers.", initial: Depths(),
      groups: [
        OptionGroup(
          "Numbers",
          [
            .value("depth", "N", "How deep", \.depth, .choice([(Choice("5"), "5")])),
            .value(
              "depth-limit", "N", "How deep at most", \.limit, .choice([(Choice("5"), "5")])),
          ]
        ).fromEnvironment("SAMPLE")
      ]
    ).node { $0 }
    let variables = ["SAMPLE_DEPTH": "5", "SAMPLE_DEPTH_LIMIT": "deep"]
    let found = try root.settings(of: [], files: []) { variables[$0] }
    #expect(found.first { $0.option.long == "depth" }?.origin == .environment("SAMPLE_DEPTH"))
    #expect(found.first { $0.option.long == "depth-limit" }?.origin == .usual)
  }
}
