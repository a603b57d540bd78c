import Bluetooth
import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaStore

/// `luna home export`: what a home was told on a day, for `luna rule test`.
struct HomeExportCommand: Sendable {
  var day: CivilDate?
  var path: String?
  var overwrites = false
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "export", "Write what the rules of a home were told on a day.",
    discussion: [
      "JSON lines, for luna rule test --replay. Of frames one each ten seconds is kept. What the last eight "
        + "days have brought is there. A day is one of the system's time zone."
    ],
    initial: HomeExportCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "day", "DAY", "The day: 2026-05-01, yesterday; today without it", \.day, dayReader),
          .value("output", short: "o", "FILE", "Write to FILE", \.path, .file),
          .flag("force", "Overwrite an existing file", \.overwrites),
        ]),
      StateOption.group.scoped(to: \.state),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home export --day 2026-05-01 -o day.jsonl", "A day"),
      Example("luna home export | luna rule test --replay -", "What would have run today?"),
    ],
    exitStatuses: HomeCommand.statuses)

  private static var dayReader: ValueReader<CivilDate?> {
    ValueReader(expects: "a day such as 2026-05-01, today or yesterday") {
      text throws(ValueProblem) in
      switch text {
      case "today": return today
      case "yesterday": return CivilDate(days: today.days - 1)
      default:
        guard let day = CivilDate(text) else { throw ValueProblem("is not a day") }
        return day
      }
    }
  }

  private static var today: CivilDate {
    SystemZone.current.day(at: Timestamp.now.microseconds / 1_000_000)
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let span = SystemZone.current.span(of: day ?? HomeExportCommand.today)
      guard let store = try await HomeStore.reading(in: StateDirectory(path: try state.path()))
      else { throw CommandFailure.noHome(in: try state.path()) }
      var lines: [UInt8] = []
      let count = try await HomeDay.write(from: store, span) { line in
        if path == nil {
          output.append(line: line)
        } else {
          lines += Array(line.utf8) + [0x0A]
        }
      }
      // What is there is not replaced by nothing.
      if let path, count > 0 { try OutputFile.writeSecret(lines, to: path, replacing: overwrites) }
      general.diagnostics.note("luna: \(count) input\(count == 1 ? "" : "s")")
      return count > 0 ? .done : .notFound
    }
  }
}
