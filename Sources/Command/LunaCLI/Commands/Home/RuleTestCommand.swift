import Bluetooth
import Captures
import CommandSpec
import Glibc
import Luna
import LunaCore
import LunaDocuments
import LunaHome

/// `luna rule test`: what rules would have done.
struct RuleTestCommand: Sendable {
  var rule: String?
  var replay: String?
  var who = "self"
  var from: GivenTime?
  var to: GivenTime?
  var expected: Int?
  var path: String?
  var store = StoreOptions()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "test", "Say what rules would have done, without doing it.",
    discussion: [
      "Judges again what is in a file: a day of a home as JSON lines, a capture (btsnoop, pcap, pcapng), "
        + "a GPX track, or GeoJSON as luna owner events writes it; a track is that of --who. Your trackers "
        + "are known in a capture by the keys in the state directory. Prints what would have run, and what would "
        + "have been held back and why; where nothing is, standard error says why. Exits with 1 when nothing would "
        + "have run, or with --expect another number of times."
    ],
    initial: RuleTestCommand(),
    arguments: [.optional("RULE", "Only this rule", \.rule, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("replay", "FILE", "What has happened; - is standard input", \.replay, .file),
          .value("who", "TRACKER", "The tracker that a track is of", \.who, .text)
            .defaulting(to: "self"),
          .value(
            "from", "TIME", ZoneOptions.help("Nothing before this is told"), \.from, .time),
          .value("to", "TIME", "What comes after this is left out", \.to, .time),
          .value(
            "expect", "N", "How many runs there have to be", \.expected, .integer(0...1_000_000)),
          .value("file", "FILE", "The home's file", \.path, .file)
            .defaulting(to: "$XDG_CONFIG_HOME/luna/home.json"),
        ]),
      StoreOptions.group.scoped(to: \.store),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna rule test --replay walk.gpx --who keys", "Where would the keys have been told of?"),
      Example("luna rule test left --replay day.jsonl --expect 2", "One rule, for a script"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard let replay else {
        throw CommandFailure(
          .usage, "there is nothing to judge",
          hint: "use --replay FILE, such as a day that luna home export writes")
      }
      let report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      report.tellErrors()
      try report.requireUsable()
      let configuration = HomeConfiguration.ofThisMachine(report.file)
      if let rule, !configuration.ruleSummaries.contains(where: { $0.id == rule }) {
        throw CommandFailure(
          .notFound, "there is no rule \(EscapedPath.text(rule))", hint: "luna rule list names all")
      }
      let file = try await file(replay, configuration)
      if file.damaged > 0 {
        general.diagnostics.warning(
          "luna: \(file.damaged) line\(file.damaged == 1 ? "" : "s") or points of "
            + "\(EscapedPath.text(replay)) could not be read")
      }
      let (first, last) = (try zone.moment(from), try zone.moment(to))
      let outcomes = HomeReplay.outcomes(
        of: file, with: configuration, rule: rule, from: first?.microseconds ?? .min,
        to: last?.microseconds ?? .max)
      var count = 0
      for outcome in outcomes {
        if case .firing = outcome { count += 1 }
        append(outcome, report.format, to: output)
      }
      // What was held back says why by itself.
      let silence =
        outcomes.isEmpty
        ? file.silence(
          of: rule, with: configuration, from: first?.microseconds ?? .min,
          to: last?.microseconds ?? .max) : nil
      general.diagnostics.note(
        "luna: \(count) run\(count == 1 ? "" : "s") in \(file.entries.count) inputs"
          + (silence.map { ": " + EscapedPath.text($0) } ?? ""))
      return (expected.map { $0 == count } ?? (count > 0)) ? .done : .notFound
    }
  }

  private func file(
    _ replay: String, _ configuration: HomeConfiguration
  ) async throws -> ReplayFile {
    let bytes = try await InputFile.read(replay)
    guard replay != "-", ReplayFile.isCapture(bytes) else {
      return try ReplayedFile.read(bytes, who: who, name: replay)
    }
    var settings = LunaSettings()
    settings.store = try await store.open(isMade: false)
    settings.radio = CaptureRadio(replay)
    settings.logger = SilentLogger()
    return try await ReplayFile(hearing: Luna(settings), for: configuration)
  }

  private func append(
    _ outcome: HomeReplay.Outcome, _ format: OutputFormat, to output: OutputBuffer
  ) {
    let moment = Timestamp(microseconds: outcome.wall)
    let time = format == .jsonl ? moment.rfc3339 : zone.times.moment(moment)
    switch (outcome, format) {
    case (.firing(let firing), .jsonl):
      output.appendLine("firing") { writer in
        writer.string("time", time)
        writer.string("rule", firing.rule)
        if let tracker = firing.cause.tracker { writer.string("who", tracker) }
        writer.string("trigger", firing.cause.text)
        writer.beginList("actions")
        for action in firing.actions { writer.element(action) }
        writer.endList()
      }
    case (.held(let held), .jsonl):
      output.appendLine("held") { writer in
        writer.string("time", time)
        writer.string("rule", held.rule)
        if let tracker = held.cause.tracker { writer.string("who", tracker) }
        writer.string("trigger", held.cause.text)
        writer.string("why", held.why.rawValue)
      }
    case (.firing(let firing), _):
      output.append(
        line: "\(time)  \(firing.rule): \(firing.cause.text) \(firing.cause.tracker ?? "") -> "
          + firing.actions.joined(separator: ", "))
    case (.held(let held), _):
      output.append(
        line: "\(time)  \(held.rule): \(held.cause.text) \(held.cause.tracker ?? "") held back: "
          + held.why.rawValue)
    }
  }
}
