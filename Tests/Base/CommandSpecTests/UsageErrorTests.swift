import CommandSpec
import LunaTesting
import Testing

@Suite struct UsageErrorTests {
  /// A command line, and the kind and whole text of the error it leads to.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var kind: UsageError.Kind
    var text: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., is kind: UsageError.Kind, text: String) {
      self.words = words
      self.kind = kind
      self.text = text
    }
  }

  @Test(arguments: [
    Case(
      is: .missingSubcommand,
      text: "luna: a command is missing; use scan, decode, report, finder or owner"),
    Case("owner", is: .missingSubcommand, text: "luna owner: a command is missing; use list"),
    Case(
      "scna", is: .unknownSubcommand,
      text: "luna: unknown command 'scna'; did you mean 'luna scan'?"),
    Case("xyz", is: .unknownSubcommand, text: "luna: unknown command 'xyz'; see 'luna --help'"),
    Case(
      "owner", "lst", is: .unknownSubcommand,
      text: "luna owner: unknown command 'lst'; did you mean 'luna owner list'?"),
    Case(
      "finder", "x", is: .unknownSubcommand,
      text: "luna finder: unknown command 'x'; see 'luna finder --help'"),
    Case(
      "--", "scan", is: .unknownSubcommand,
      text: "luna: unknown command 'scan'; did you mean 'luna scan'?"),
    Case(
      "scan", "--triggers", is: .unknownOption,
      text: "luna scan: unknown option '--triggers'; did you mean --trackers?"),
    Case(
      "scan", "--track", is: .unknownOption,
      text: "luna scan: unknown option '--track'; did you mean --trackers?"),
    Case(
      "scan", "--zzz=1", is: .unknownOption,
      text: "luna scan: unknown option '--zzz'; see 'luna scan --help'"),
    Case(
      "scan", "--=1", is: .unknownOption,
      text: "luna scan: unknown option '--'; see 'luna scan --help'"),
    Case(
      "scan", "-x", is: .unknownOption,
      text: "luna scan: unknown option '-x'; see 'luna scan --help'"),
    Case(
      "scan", "-vxq", is: .unknownOption,
      text: "luna scan: unknown option '-x' in '-vxq'; see 'luna scan --help'"),
    Case(
      "scan", "--no-trackers", is: .unknownOption,
      text: "luna scan: unknown option '--no-trackers'; did you mean --trackers?"),
    Case(
      "scan", "--version", is: .unknownOption,
      text: "luna scan: unknown option '--version'; see 'luna scan --help'"),
    Case(
      "--trackers", "scan", is: .unknownOption,
      text: "luna: unknown option '--trackers'; options of a command stand after its name"),
    Case(
      "finder", "--once", "status", is: .unknownOption,
      text: "luna finder status: --once is an option of 'luna finder' and none of this command; "
        + "see 'luna finder status --help'"),
    Case("scan", "-c", is: .missingValue, text: "luna scan: -c needs a value; write -c N"),
    Case(
      "scan", "--count", "--trackers", is: .missingValue,
      text: "luna scan: --count needs a value before '--trackers'; "
        + "write --count N, or --count=N if it begins with a hyphen"),
    Case(
      "scan", "--read", "-T", is: .missingValue,
      text: "luna scan: --read needs a value before '-T'; "
        + "write --read FILE, or --read=FILE if it begins with a hyphen"),
    Case(
      "scan", "--read", "--", is: .missingValue,
      text: "luna scan: --read needs a value before '--'; "
        + "write --read FILE, or --read=FILE if it begins with a hyphen"),
    Case(
      "scan", "--trackers=3", is: .unexpectedValue,
      text: "luna scan: --trackers takes no value; write --trackers alone"),
    Case(
      "scan", "--no-merge=3", is: .unexpectedValue,
      text: "luna scan: --no-merge takes no value; write --no-merge alone"),
    Case(
      "scan", "--help=3", is: .unexpectedValue,
      text: "luna scan: --help takes no value; write --help alone"),
    Case(
      "scan", "-c", "0", is: .badValue,
      text: "luna scan: '0' for -c is out of range; use a whole number of at least 1"),
    Case(
      "scan", "-c", "99999999999999999999", is: .badValue,
      text:
        "luna scan: '99999999999999999999' for -c is out of range; use a whole number of at least 1"
    ),
    Case(
      "scan", "--count=1x", is: .badValue,
      text: "luna scan: '1x' for --count is not a whole number; use a whole number of at least 1"),
    Case(
      "scan", "--count=", is: .badValue,
      text: "luna scan: '' for --count is not a whole number; use a whole number of at least 1"),
    Case(
      "scan", "--min-rssi", "-200", is: .badValue,
      text: "luna scan: '-200' for --min-rssi is out of range; use a whole number from -127 to 20"),
    Case(
      "scan", "-T", "10x", is: .badValue,
      text: "luna scan: '10x' for -T is not a time; use a time such as 500ms, 10s, 2m or 1h"),
    Case(
      "scan", "-T", "0s", is: .badValue,
      text: "luna scan: '0s' for -T is not above zero; use a time such as 500ms, 10s, 2m or 1h"),
    Case(
      "scan", "--format", "jsnl", is: .badValue,
      text:
        "luna scan: 'jsnl' for --format is not known (did you mean jsonl?); use table, jsonl or csv"
    ),
    Case(
      "scan", "--fields", "time,nme", is: .badValue,
      text: "luna scan: 'time,nme' for --fields has an entry 'nme' that is not known "
        + "(did you mean name?); use a list, separated by commas, of time, address, rssi or name"),
    Case(
      "scan", "--fields", "time,", is: .badValue,
      text: "luna scan: 'time,' for --fields has an empty entry; "
        + "use a list, separated by commas, of time, address, rssi or name"),
    Case("scan", "-r", "", is: .badValue, text: "luna scan: '' for -r is empty; use a file"),
    Case(
      "scan", "--count", "a\nb\u{1B}[2J\u{202E}", is: .badValue,
      text: "luna scan: 'a\\x0ab\\x1b[2J\\u202e' for --count is not a whole number; "
        + "use a whole number of at least 1"),
    Case(
      "scan", "--active", "--passive", is: .conflict,
      text: "luna scan: --active and --passive exclude each other; give one of them"),
    Case(
      "scan", "-r", "a", "--read=b", is: .conflict,
      text: "luna scan: --read is given twice; each run takes one"),
    Case(
      "scan", "--radio", "virtual:7", "-i", "hci0", is: .conflict,
      text: "luna scan: -i means nothing beside --radio virtual; give one of them"),
    Case(
      "scan", "-r", "f", "-i", "hci0", is: .conflict,
      text: "luna scan: --read and --adapter exclude each other; give one of them"),
    Case(
      "scan", "air", is: .unexpectedArgument,
      text: "luna scan: unexpected argument 'air'; see 'luna scan --help'"),
    Case(
      "report", "r", is: .missingOption,
      text: "luna report: --master-key-file is missing; add --master-key-file FILE"),
    Case(
      "report", "--master-key-file", "k", is: .missingArgument,
      text: "luna report: REPORT is missing; see 'luna report --help'"),
    Case(
      "report", "--master-key-file", "k", "a", "b", "c", is: .unexpectedArgument,
      text: "luna report: unexpected argument 'c'; see 'luna report --help'"),
    Case(
      "report", "--master-key-file", "k", "", is: .badValue,
      text: "luna report: '' for REPORT is empty; use a file"),
    Case(
      "report", "--latitude", "91", is: .badValue,
      text: "luna report: '91' for --latitude is out of range; use a number from -90.0 to 90.0"),
    Case(
      "report", "--latitude", "nan", is: .badValue,
      text: "luna report: 'nan' for --latitude is not a number; use a number from -90.0 to 90.0"),
    Case(
      "report", "--code", "0000-secret", is: .badValue,
      text: "luna report: the value for --code is not a code; use a code as on the label"),
    Case(
      "--color", "blue", "scan", is: .badValue,
      text: "luna: 'blue' for --color is not known; use auto, always or never"),
  ])
  func oneLine(_ test: Case) {
    let error = SampleProgram.error(test.words)
    #expect(error?.kind == test.kind)
    #expect(error?.description == test.text)
  }

  @Test(arguments: [
    (["decode", "--trackers"], "'luna scan' has it"),
    (["finder", "status", "--once"], "'luna finder' has it"),
    // Nobody has it, too many have it, and what is mistyped.
    (["decode", "--zzz"], "see 'luna decode --help'"),
    (["scan", "--triggers"], "did you mean --trackers?"),
    (["decode", "-c"], "see 'luna decode --help'"),
  ])
  func namesWhoHasTheOption(words: [String], hint: String) throws {
    let error = try #require(SampleProgram.error(words))
    #expect(error.naming(commandsIn: SampleProgram.root.description).hint == hint)
  }

  @Test func longWordsAreCut() throws {
    let error = try #require(SampleProgram.error([String(repeating: "x", count: 10_000)]))
    #expect(error.description.count < 160)
  }

  /// Whatever the words, there is an answer and never a trap.
  @Test func anyWordsAreAnswered() {
    let pieces = [
      "-", "--", "---", "-=", "--=", "=", "", "-c", "--count", "scan", "owner", "list", "-h=", "-é",
      "-\u{301}", "--\u{301}", "\u{0}", "help", "-vvc", "--no-", "--no-merge", "😀", "-😀", "--😀=😀",
      "decode", "-r", "--fields=,", "-T", "1e99", "--latitude=1e999", "9999999999d",
      "-T9999999999d",
    ]
    var generator = Seeded.drawn()
    for _ in 0..<20_000 {
      let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let error = SampleProgram.error(words)
      #expect(error?.description.contains("\n") != true, "\(words)")
    }
  }
}
