package import ChildProcess
import LunaDocuments
package import LunaTracker

/// Runs a command of the user's for what trackers tell, with a sound in a file.
package final class TrackerEvents: Sendable {
  /// The kinds of events that a command can be run for.
  package static let kinds = [
    "sound", "light", "state", "connected", "disconnected", "rotated", "mode", "connectable",
  ]

  private let command: EventCommand
  private let kinds: Set<String>
  private let sound: SoundFile

  /// - Parameters:
  ///   - command: what `sh -c` is given.
  ///   - kinds: of ``kinds``.
  ///   - report: gets why a command was not run.
  ///   - complain: gets why there is no file for a sound, of which the command is told all the same.
  package init(
    _ command: String, for kinds: Set<String>,
    report: @escaping @Sendable (EventCommand.Problem) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.kinds = kinds
    sound = SoundFile(complain)
    self.command = EventCommand(command, repetition: .ends, report: report)
  }

  /// Something happened.
  package func tell(_ news: TrackerNews) {
    let kind = news.event.name.description
    guard kinds.contains(kind) else { return }
    command.tell(
      EventCommand.Occurrence("\(kind) \(news.tracker)") { [sound] in
        guard var variables = TrackerDocument.variables(of: news.event) else { return nil }
        if case .sound(let seconds?) = news.event, let file = await sound.write(seconds) {
          variables.append(("LUNA_WAV", file))
        }
        return [("LUNA_EVENT", kind), ("LUNA_TRACKER", news.tracker)] + variables
      })
  }

  /// Runs commands until ``close()``.
  package func run() async { await command.run() }

  /// Ends what runs and takes the file away.
  package func close() async {
    await command.close()
    await sound.remove()
  }
}
