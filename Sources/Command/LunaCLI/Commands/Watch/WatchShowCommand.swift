import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaTables

/// `luna watch show`: what speaks for a tracker's following somebody.
struct WatchShowCommand: Sendable {
  var suspect = ""
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what speaks for a tracker's staying with a home.",
    discussion: [
      "The trips that it was heard on, the identifiers that were taken as one tracker, and what was said of it. "
        + "Works without a running home."
    ],
    initial: WatchShowCommand(),
    arguments: [
      .required("ID", "An identifier of it, as luna watch list shows it", \.suspect, .text)
    ],
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna watch show tile:c0ffee000001 --format jsonl > evidence.json", "Keep it")
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let one = try await HomeWatchDoor.ask(state) { try await $0.suspect(suspect) }
      SuspectLines(output, self.output.format, zone.times).show(one)
      return .done
    }
  }
}
