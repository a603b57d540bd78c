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
        let times = zone.times
        Listing(
          fields: ["rule", "time"],
          columns: [.init(title: times.head("TIME"), minimum: 19), .init(title: "RULE")]
        ).append(
          runs.count, as: report.format.ofList, to: output, line: { append(runs[$0], to: $1) },
          cells: { [times.cell(Self.moment(runs[$0].at)), runs[$0].rule] })
        if runs.isEmpty { general.diagnostics.note("luna: no rule begins by the clock") }
        return .done
      }
      let rules = configuration.ruleSummaries
      Listing(
        fields: ["rule", "name", "enabled", "when", "then"],
        columns: [
          .init(title: "RULE", minimum: 8), .init(title: "ENABLED"), .init(title: "WHEN"),
          .init(title: "THEN"), .init(title: "NAME"),
        ]
      ).append(
        rules.count, as: report.format.ofList, to: output, line: { append(rules[$0], to: $1) },
        cells: { cells(rules[$0]) })
      if rules.isEmpty {
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

  private func cells(_ rule: RuleSummary) -> [String] {
    [
      rule.id, rule.isEnabled ? "yes" : "no", rule.triggers.joined(separator: " "),
      rule.actions.joined(separator: " "), rule.name,
    ]
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
