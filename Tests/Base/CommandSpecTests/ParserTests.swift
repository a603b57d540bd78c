import CommandSpec
import Testing

@Suite struct ParserTests {
  /// Words after `scan`, and what they change in the default options.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var change: @Sendable (inout ScanOptions) -> Void
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., change: @escaping @Sendable (inout ScanOptions) -> Void) {
      self.words = words
      self.change = change
    }
  }

  @Test(arguments: [
    Case { _ in },
    Case("--trackers") { $0.trackers = true },
    Case("--count", "3") { $0.listen.count = 3 },
    Case("--count=3") { $0.listen.count = 3 },
    Case("-c", "3") { $0.listen.count = 3 },
    Case("-c3") { $0.listen.count = 3 },
    Case("-c=3") { $0.listen.count = 3 },
    Case("-c", "3", "-c", "4") { $0.listen.count = 4 },
    Case("-vqc7") {
      ($0.general.verbosity, $0.general.isQuiet, $0.listen.count) = (1, true, 7)
    },
    Case("-vvv", "--verbose") { $0.general.verbosity = 4 },
    Case("-i", "hci0", "--adapter=hci1", "-ihci2") {
      $0.listen.adapters = ["hci0", "hci1", "hci2"]
    },
    Case("--min-rssi", "-70") { $0.minimumRSSI = -70 },
    Case("--min-rssi=-70") { $0.minimumRSSI = -70 },
    Case("--read", "-") { $0.listen.file = "-" },
    Case("-r-") { $0.listen.file = "-" },
    Case("--filter", "") { $0.filter = "" },
    Case("--filter=") { $0.filter = "" },
    Case("--filter", "a=b") { $0.filter = "a=b" },
    Case("--filter=a=b") { $0.filter = "a=b" },
    Case("--filter=--trackers") { $0.filter = "--trackers" },
    Case("--filter", "-x") { $0.filter = "-x" },
    Case("--passive") { $0.listen.mode = .passive },
    Case("--active", "--active") { $0.listen.mode = .active },
    Case("--no-merge") { $0.merge = false },
    Case("--no-merge", "--merge") { $0.merge = true },
    Case("--fields", "name,time") { $0.fields = ["name", "time"] },
    Case("--fields", "name, time") { $0.fields = ["name", "time"] },
    Case("--phy", "coded,1m") { $0.listen.phys = [.coded, .oneM] },
    Case("--format", "jsonl") { $0.general.format = .jsonl },
    Case("-T", "500ms") { $0.listen.duration = .milliseconds(500) },
    Case("--duration=1h30m") { $0.listen.duration = .seconds(5400) },
    Case("-T", "10", "--") { $0.listen.duration = .seconds(10) },
  ])
  func scan(_ test: Case) throws {
    var wanted = ScanOptions()
    test.change(&wanted)
    #expect(try SampleProgram.scan.parse(test.words) == wanted)
    #expect(try SampleProgram.run(["scan"] + test.words) == .scan(wanted))
  }

  @Test func argumentsMayStandAnywhere() throws {
    var wanted = DecodeOptions(inputs: ["0201", "-", "06"])
    wanted.general.verbosity = 1
    #expect(try SampleProgram.decode.parse(["0201", "-v", "-", "06"]) == wanted)
    wanted.inputs = ["-v", "--", "--help"]
    #expect(try SampleProgram.decode.parse(["-v", "--", "-v", "--", "--help"]) == wanted)
    var report = ReportOptions(keyFile: "k", latitude: -33.5, report: "r")
    #expect(
      try SampleProgram.report.parse(["r", "--master-key-file", "k", "--latitude", "-33.5"])
        == report)
    (report.note, report.code, report.latitude) = ("n", "LUNA1:x", 0)
    #expect(
      try SampleProgram.report.parse(["r", "--code=LUNA1:x", "n", "--master-key-file=k"])
        == report)
  }

  @Test func commandsNest() throws {
    #expect(try SampleProgram.run(["owner", "list"]) == .ownerList(GeneralOptions()))
    #expect(try SampleProgram.run(["owner", "secret"]) == .ownerList(GeneralOptions()))
    #expect(try SampleProgram.run(["finder", "--once"]) == .finder(FinderOptions(once: true)))
    #expect(try SampleProgram.run(["finder"]) == .finder(FinderOptions()))
    #expect(try SampleProgram.run(["finder", "status"]) == .finderStatus(GeneralOptions()))
  }

  @Test func optionsBeforeTheCommandCountForIt() throws {
    let general = GeneralOptions(verbosity: 3, color: .never, format: .csv)
    let words = ["-v", "--color", "never", "owner", "-v", "--format=csv", "list", "-v"]
    #expect(try SampleProgram.run(words) == .ownerList(general))
    #expect(
      try SampleProgram.run(["-q", "finder"])
        == .finder(FinderOptions(general: GeneralOptions(isQuiet: true))))
  }

  /// Swift makes U+FFFD of bytes that are not UTF-8.
  @Test(arguments: [
    ["scan", "--filter", "a\u{FFFD}"], ["decode", "\u{FFFD}"], ["scan", "--fields", "a,\u{FFFD}"],
  ])
  func refusesWhatIsNotUTF8(_ words: [String]) {
    #expect(throws: UsageError.self) { try SampleProgram.run(words) }
  }

  @Test func matchTellsAnOptionBeforeValuesAreChecked() throws {
    let request = try SampleProgram.root.parse(["scan", "--config", "a", "--config=b", "-c", "x"])
    guard case .run(let match) = request else {
      Issue.record("no command was matched")
      return
    }
    #expect(match.path == ["luna", "scan"])
    #expect(match.text(of: "config") == "b")
    #expect(match.text(of: "format") == nil)
    #expect(throws: UsageError.self) { try match.resolve() }
  }

  @Test func builtInRequests() throws {
    func isVersion(_ words: [String]) throws -> Bool {
      if case .version = try SampleProgram.root.parse(words) { true } else { false }
    }
    func help(_ words: [String]) throws -> String? {
      if case .help(let text) = try SampleProgram.root.parse(words) { text } else { nil }
    }
    #expect(try isVersion(["--version"]))
    #expect(try isVersion(["-v", "--version", "--nonsense"]))
    #expect(try help(["--help"])?.hasPrefix("Usage: luna ") == true)
    #expect(try help(["help"]) == help(["-h"]))
    #expect(try help(["scan", "--help"])?.hasPrefix("Usage: luna scan ") == true)
    #expect(try help(["help", "scan"]) == help(["scan", "-vh", "--nonsense"]))
    #expect(try help(["help", "owner", "list"]) == help(["owner", "list", "--help"]))
    guard case .specification = try SampleProgram.root.parse(["--dump-spec"]) else {
      Issue.record("no dump")
      return
    }
  }
}
