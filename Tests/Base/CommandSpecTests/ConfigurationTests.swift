import CommandSpec
import LunaTesting
import Testing

@Suite struct ConfigurationTests {
  static let file = """
    \u{FEFF}# everywhere
    color = never
    verbose = 2
      quiet=no

    [scan]
    adapter = hci0
    adapter = hci1
    trackers = yes
    merge = off
    passive = yes
    filter =  name ~ "# [x]" = 'y'\t
    format = jsonl
    verbose = 1
    [owner]
    format = csv
    [ owner   list ]
    format = table
    """

  @Test func everyKeyIsAnOption() throws {
    var wanted = ScanOptions(trackers: true, filter: "name ~ \"# [x]\" = 'y'", merge: false)
    wanted.listen.adapters = ["hci0", "hci1"]
    wanted.listen.mode = .passive
    wanted.general = GeneralOptions(verbosity: 1, color: .never, format: .jsonl)
    #expect(try SampleProgram.run(["scan"], config: Self.file) == .scan(wanted))
    let windows = Self.file.replacing("\n", with: "\r\n")
    #expect(try SampleProgram.run(["scan"], config: windows) == .scan(wanted))
  }

  @Test func commandLineWins() throws {
    let words = ["scan", "-i", "hci7", "--active", "--merge", "--color=always", "-vvv"]
    var wanted = ScanOptions(trackers: true, filter: "name ~ \"# [x]\" = 'y'")
    wanted.listen.adapters = ["hci7"]
    wanted.listen.mode = .active
    wanted.general = GeneralOptions(verbosity: 3, color: .always, format: .jsonl)
    #expect(try SampleProgram.run(words, config: Self.file) == .scan(wanted))
  }

  @Test func nearerSectionWins() throws {
    let list = GeneralOptions(verbosity: 2, color: .never, format: .table)
    #expect(try SampleProgram.run(["owner", "list"], config: Self.file) == .ownerList(list))
    let decode = DecodeOptions(general: GeneralOptions(verbosity: 2, color: .never))
    #expect(try SampleProgram.run(["decode"], config: Self.file) == .decode(decode))
  }

  @Test func requiredOptionMayStandInTheFile() throws {
    let wanted = ReportOptions(keyFile: "k", report: "r")
    let config = "[report]\nmaster-key-file = k"
    #expect(try SampleProgram.run(["report", "r"], config: config) == .report(wanted))
  }

  /// What a command borrows counts where its own section says nothing, and before what is for all.
  @Test func borrowsKeysOfAnotherSection() throws {
    struct Options: Sendable, Equatable {
      var backend = "", place = "", duration = ""
    }
    let group = OptionGroup<Options>(
      "Options",
      [
        .value("backend", "URL", "Where", \.backend, .text),
        .value("place", "PLACE", "Where", \.place, .text),
        .value("duration", "TIME", "How long", \.duration, .text),
      ])
    let finder = Command("finder", "Finds.", initial: Options(), groups: [group])
    let doctor = Command(
      "doctor", "Looks.", initial: Options(), groups: [group],
      borrowed: [BorrowedKeys(from: ["finder"], ["backend", "place"])])
    let nurse = Command(
      "nurse", "Looks after.", initial: Options(), groups: [group],
      borrowed: [
        BorrowedKeys(from: ["doctor"], ["place", "duration"]),
        BorrowedKeys(from: ["finder"], ["backend", "place"]),
      ])
    let root = CommandNode<Options>(
      "luna", "Luna.",
      subcommands: [finder.node { $0 }, doctor.node { $0 }, nurse.node { $0 }])
    func run(_ words: [String], _ config: String) throws -> Options? {
      guard case .run(var match) = try root.parse(words) else { return nil }
      try match.merge(ConfigurationFile(Array(config.utf8), name: "luna.conf"))
      return try match.resolve()
    }
    let config = """
      backend = all
      duration = 1
      [finder]
      backend = finder
      place = finder
      duration = 2
      [doctor]
      place = doctor
      """
    #expect(
      try run(["doctor"], config) == Options(backend: "finder", place: "doctor", duration: "1"))
    #expect(
      try run(["finder"], config) == Options(backend: "finder", place: "finder", duration: "2"))
    // The nearest section first.
    #expect(
      try run(["nurse"], config) == Options(backend: "finder", place: "doctor", duration: "1"))
    #expect(try run(["doctor", "--backend", "own"], config)?.backend == "own")
  }

  @Test func emptyFileChangesNothing() throws {
    #expect(try SampleProgram.run(["scan"], config: "") == .scan(ScanOptions()))
    #expect(try SampleProgram.run(["scan"], config: "\n[scan]\n# x\n") == .scan(ScanOptions()))
  }

  @Test(arguments: [
    (
      "x", UsageError.Kind.badConfigurationLine,
      "luna.conf:1: this is no setting; write 'key = value'"
    ),
    ("\n= 3", .badConfigurationLine, "luna.conf:2: this is no setting; write 'key = value'"),
    ("[scan", .badConfigurationLine, "luna.conf:1: this section is not complete; write [COMMAND]"),
    ("[ ]", .badConfigurationLine, "luna.conf:1: this section is not complete; write [COMMAND]"),
    (
      "a = \u{1B}", .badConfigurationLine,
      "luna.conf:1: this is no text; save the file as plain UTF-8"
    ),
    ("[scann]", .unknownSection, "luna.conf:1: there is no command 'scann'; did you mean [scan]?"),
    (
      "[luna scan]", .unknownSection,
      "luna.conf:1: there is no command 'luna scan'; see 'luna --help' for the commands"
    ),
    ("colour = never", .unknownKey, "luna.conf:1: unknown key 'colour'; did you mean color?"),
    ("--color = never", .unknownKey, "luna.conf:1: unknown key '--color'; did you mean color?"),
    (
      "[decode]\ntrackers = yes", .unknownKey,
      "luna.conf:2: unknown key 'trackers'; the keys are the long options of 'luna decode --help'"
    ),
    (
      "help = yes", .unknownKey,
      "luna.conf:1: unknown key 'help'; the keys are the long options of 'luna --help'"
    ),
    (
      "config = other.conf", .unknownKey,
      "luna.conf:1: a file names no other one; write here what is in it, or give --config on the command line"
    ),
    (
      "trackers = maybe", .badValue,
      "luna.conf:1: 'maybe' for trackers is neither yes nor no; use yes or no"
    ),
    (
      "verbose = -1", .badValue,
      "luna.conf:1: '-1' for verbose is not a number of times; use a whole number from 0 to 9"
    ),
    (
      "[scan]\n\ncount = x", .badValue,
      "luna.conf:3: 'x' for count is not a whole number; use a whole number of at least 1"
    ),
    (
      "active = yes\npassive = yes", .conflict,
      "luna.conf:2: active and passive exclude each other; give one of them"
    ),
  ])
  func errorsNameFileAndLine(config: String, kind: UsageError.Kind, text: String) {
    let error = SampleProgram.error(["scan"], config: config)
    #expect(error?.kind == kind)
    #expect(error?.description == text)
  }

  @Test func flagTakenBackExcludesNothing() throws {
    let config = "active = no\npassive = yes"
    #expect(SampleProgram.error(["scan"], config: config) == nil)
  }

  @Test func bytesThatAreNoTextAreNamed() {
    #expect {
      try ConfigurationFile([0x0A, 0x61, 0xFF], name: "f")
    } throws: {
      ($0 as? UsageError)?.description == "f:2: this is no text; save the file as plain UTF-8"
    }
  }

  /// Damaged files give an error or a meaning, never a trap.
  @Test func anyBytesAreAnswered() {
    var generator = Seeded.drawn()
    let bytes = Array(Self.file.utf8)
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0..<3 {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[index] = UInt8.random(in: 0...255, using: &generator)
      }
      let count = Int.random(in: 0...damaged.count, using: &generator)
      _ = try? ConfigurationFile(damaged.prefix(count), name: "f")
    }
  }
}
