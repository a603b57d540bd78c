import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaTables

/// `luna watch mark`: says what a tracker is.
struct WatchMarkCommand: Sendable {
  var suspect = ""
  var word: String?
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  /// Those of a home, and one that takes them back.
  private static var words: [(Choice, String?)] {
    LunaHome.marks.map { word -> (Choice, String?) in (Choice(word), word) }
      + [(Choice("none"), nil)]
  }

  static let command = Command(
    "mark", "Say that a tracker is yours, somebody's whom you know, or a false alarm.",
    discussion: [
      "A tracker that is marked is listed with its trips, and never told of again for as long as its identifiers "
        + "can be linked; after that it is a stranger again. none takes back what was said. Works without a "
        + "running home."
    ],
    initial: WatchMarkCommand(),
    arguments: [
      .required("ID", "An identifier of it, as luna watch list shows it", \.suspect, .text),
      .required(
        "WORD", "What it is: mine, known, falseAlarm or none", \.word,
        .choice(words)),
    ],
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna watch mark tile:c0ffee000001 known", "It is a friend's")],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let one = try await HomeWatchDoor.ask(state) {
        try await $0.mark(suspect, as: word, by: LoginName.current)
      }
      SuspectLines(output, self.output.format, zone.times).show(one)
      return .done
    }
  }
}
