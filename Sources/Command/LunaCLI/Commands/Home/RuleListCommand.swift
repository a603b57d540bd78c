import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaHome
import LunaTables
import TerminalTable

/// `luna rule list`: the rules of a home's file.
struct RuleListCommand: Sendable {
  var path: String?
  var showsTime = false
  var count = 10
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the rules of a home.",
    discussion: [
      "With --time, the next runs of those that begin by the clock instead, the soonest first."
    ],
    initial: RuleListCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("file", "FILE", "The home's file", \.path, .file)
            .defaulting(to: "$XDG_CONFIG_HOME/luna/home.json"),
          .flag("time", "The next runs by the clock", \.showsTime),
          .value("count", "N", "With --time: how many of each rule", \.count, .integer(1...1000))
            .defaulting(to: "10"),
        ]),
      OutputOptions.group.scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna rule list", "All of them"),
      Example("luna rule list --time --count 3", "The next three runs of each"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      report.tellErrors()
      try report.requireUsable()
      let configuration = HomeConfiguration.ofThisMachine(report.file)
      if showsTime {
        let now = Timestamp.now.microseconds / 1_000_000
        let runs = HomeSchedule.runs(of: configuration, after: now, count: count)
        switch report.format {
        case .jsonl:
          for run in runs { append(run, to: output) }
        case .csv:
          CSVRows.append(["rule", "time"], to: output) { lines in
            for run in runs { append(run, to: lines) }
          }
        case .table:
          let times = zone.times
          ColumnTable.append(
            [.init(title: times.head("TIME"), minimum: 19), .init(title: "RULE")],
            runs.map { [times.cell(Self.moment($0.at)), $0.rule] }, to: output)
        }
        if runs.isEmpty { general.diagnostics.note("luna: no rule begins by the clock") }
        return .done
      }
      switch report.format {
      case .jsonl:
        for rule in configuration.ruleSummaries { append(rule, to: output) }
      case .csv:
        CSVRows.append(["rule", "name", "enabled", "when", "then"], to: output) { lines in
          for rule in configuration.ruleSummaries { append(rule, to: lines) }
        }
      case .table:
        ColumnTable.append(
          [
            .init(title: "RULE", minimum: 8), .init(title: "ENABLED"), .init(title: "WHEN"),
            .init(title: "THEN"), .init(title: "NAME"),
          ],
          configuration.ruleSummaries.map {
            [
              $0.id, $0.isEnabled ? "yes" : "no", $0.triggers.joined(separator: " "),
              $0.actions.joined(separator: " "), $0.name,
            ]
          }, to: output)
      }
      if configuration.ruleSummaries.isEmpty {
        general.diagnostics.note("luna: there are no rules")
      }
      return .done
    }
  }

  private static func moment(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: seconds * 1_000_000)
  }

  private func append(_ run: HomeSchedule.Run, to output: OutputBuffer) {
    output.appendLine("run") { writer in
      writer.string("rule", run.rule)
      writer.string("time", Self.moment(run.at).rfc3339)
    }
  }

  private func append(_ rule: RuleSummary, to output: OutputBuffer) {
    output.appendLine("rule") { writer in
      writer.string("rule", rule.id)
      writer.string("name", rule.name)
      writer.boolean("enabled", rule.isEnabled)
      writer.beginList("when")
      for trigger in rule.triggers { writer.element(trigger) }
      writer.endList()
      writer.beginList("then")
      for action in rule.actions { writer.element(action) }
      writer.endList()
    }
  }
}
