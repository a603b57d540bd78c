import Bluetooth
import Glibc
import LunaProtocol
import LunaTracker

/// Runs a command of the user's for what trackers tell (`--exec`), beside the trackers, which never
/// wait for it. For each tracker and kind of event one runs at a time; the next one ends it.
actor EventCommand {
  /// The kinds of events that a command can be run for.
  static let kinds = [
    "sound", "light", "state", "connected", "disconnected", "rotated", "mode", "connectable",
  ]

  private let command: String
  private let kinds: Set<String>
  private let diagnostics: Diagnostics
  private var running: [String: ShellCommand] = [:]
  private var directory: String?

  private let news: AsyncStream<TrackerNews>
  private let inlet: AsyncStream<TrackerNews>.Continuation

  /// - Parameters:
  ///   - command: what `sh -c` is given.
  ///   - kinds: of ``kinds``.
  init(_ command: String, for kinds: Set<String>, diagnostics: Diagnostics) {
    self.command = command
    self.kinds = kinds
    self.diagnostics = diagnostics
    (news, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Something happened.
  nonisolated func tell(_ news: TrackerNews) { inlet.yield(news) }

  /// Runs commands until ``close()``.
  func run() async {
    for await news in news { take(news) }
  }

  /// Ends what runs and takes the files away.
  func close() {
    inlet.finish()
    for command in running.values { command.kill() }
    running = [:]
    guard let directory else { return }
    for kind in EventCommand.kinds { unlink("\(directory)/\(kind).wav") }
    rmdir(directory)
    self.directory = nil
  }

  private func take(_ news: TrackerNews) {
    let kind = news.event.name.description
    guard kinds.contains(kind) else { return }
    let key = "\(kind) \(news.tracker)"
    running.removeValue(forKey: key)?.end()
    guard let variables = variables(news) else { return }
    let all = [("LUNA_EVENT", kind), ("LUNA_TRACKER", news.tracker)] + variables
    guard let process = ShellCommand(command, variables: all) else {
      return diagnostics.note("luna: --exec: no process can be started")
    }
    running[key] = process
    running = running.filter { !$0.value.hasEnded }
  }

  /// What the command is told; nil for what only ends something.
  private func variables(_ news: TrackerNews) -> [(name: String, value: String)]? {
    switch news.event {
    case .sound(let seconds?):
      [("LUNA_SECONDS", String(seconds))] + (wave(seconds).map { [("LUNA_WAV", $0)] } ?? [])
    case .light(let seconds?): [("LUNA_SECONDS", String(seconds))]
    case .sound(nil), .light(nil): nil
    case .state(let state), .started(let state, _): [("LUNA_TRACKER_STATE", state.name)]
    case .connected(let address?): [("LUNA_ADDRESS", address.description)]
    case .connected(nil), .disconnected: []
    case .rotated(let advertisement):
      [
        ("LUNA_ADDRESS", advertisement.address.description),
        ("LUNA_EID", advertisement.eid.description),
      ]
    case .mode(let mode, _): [("LUNA_MODE", mode.rawValue)]
    case .connectable(let isConnectable): [("LUNA_CONNECTABLE", isConnectable ? "1" : "0")]
    }
  }

  /// Writes the sound to a file that only this user may read.
  private func wave(_ seconds: Int) -> String? {
    if directory == nil { directory = EventCommand.makeDirectory() }
    guard let directory else {
      diagnostics.note("luna: --exec: no directory can be made for the sound")
      return nil
    }
    let path = "\(directory)/sound.wav"
    do throws(CommandFailure) {
      try OutputFile.writeSecret(Tone.file(seconds: seconds), to: path, replacing: true)
    } catch {
      diagnostics.note("luna: --exec: \(error.reason)")
      return nil
    }
    return path
  }

  private static func makeDirectory() -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/luna.XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
  }
}
