import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaTables

/// `luna watch list`: what the watch of a home has found.
struct WatchListCommand: Sendable {
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the trackers that stayed with a home, and those that are known.",
    discussion: [
      "What weighs most comes first, then what is known and not judged. Works without a running home. The "
        + "last line says how long was listened: an empty list says nothing without that. With --format csv it "
        + "is said on standard error."
    ],
    initial: WatchListCommand(),
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group.scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna watch list", "Did anything come along?")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let report = try await HomeWatchDoor.ask(state) { try await $0.report() }
      let lines = SuspectLines(output, self.output.format, zone.times)
      lines.list(report)
      if self.output.format == .csv {
        general.diagnostics.note("luna: \(lines.listening(report))")
      }
      return .done
    }
  }
}
