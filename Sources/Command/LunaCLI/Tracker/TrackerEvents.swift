import ChildProcess
import Diagnosis
import EventLoop
import FileOutput
import LunaDocuments
import LunaTracker

/// Runs a command of the user's for what trackers tell (`--exec`), with a sound in a file.
final class TrackerEvents: Sendable {
  /// The kinds of events that a command can be run for.
  static let kinds = [
    "sound", "light", "state", "connected", "disconnected", "rotated", "mode", "connectable",
  ]

  private let command: EventCommand
  private let kinds: Set<String>
  private let sound: SoundFile

  /// - Parameters:
  ///   - command: what `sh -c` is given.
  ///   - kinds: of ``kinds``.
  init(_ command: String, for kinds: Set<String>, diagnostics: Diagnostics) {
    self.kinds = kinds
    sound = SoundFile { diagnostics.note("luna: --exec: \($0)") }
    self.command = EventCommand(command, repetition: .ends) { problem in
      switch problem {
      case .noProcess: diagnostics.note("luna: --exec: cannot start a process")
      case .tooMany(let count): diagnostics.note("luna: --exec: \(count) commands run already")
      }
    }
  }

  /// Something happened.
  func tell(_ news: TrackerNews) {
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
  func run() async { await command.run() }

  /// Ends what runs and takes the file away.
  func close() async {
    await command.close()
    await sound.remove()
  }
}

/// The sound in a file that only this user may read, in a directory of its own.
private actor SoundFile {
  private var folder: TemporaryFolder?
  private let complain: @Sendable (String) -> Void

  init(_ complain: @escaping @Sendable (String) -> Void) { self.complain = complain }

  /// The path of the file; nil when it cannot be written.
  func write(_ seconds: Int) async -> String? {
    if folder == nil { folder = TemporaryFolder("luna") }
    guard let folder else {
      complain("cannot make a directory for the sound")
      return nil
    }
    let path = "\(folder.path)/sound.wav"
    do throws(FileOutputError) {
      try await Blocking.run { () throws(FileOutputError) in
        try FileOutput.write(
          Tone.file(seconds: seconds), to: path, replacing: true, isSecret: true)
      }
      return path
    } catch {
      complain(error.reason)
      return nil
    }
  }

  func remove() {
    folder?.remove()
    folder = nil
  }
}
