import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments
import LunaTables
import TerminalTable

/// `luna backend settings`: what all backends on one database go by.
struct BackendSettingsCommand: Sendable {
  var changes: [Change] = []
  var isConfirmed = false
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  /// A setting, and what it is to be.
  struct Change: Sendable {
    let setting: SharedSetting
    let value: Int
  }

  static let command = Command(
    "settings", "Show or change what all backends on one PostgreSQL database go by.",
    discussion: [
      "They are named as the options of luna backend: retention, events-per-identifier, events-per-second, "
        + "requests-per-second, open-commands. Backends that run follow within a minute.",
      "A shorter retention drops events for good: it says how many, and asks first; where there is no "
        + "terminal to ask on, it needs --yes. With SQLite there is one backend, and its options say all this.",
    ],
    initial: BackendSettingsCommand(),
    arguments: [
      .repeated(
        "NAME=N", "Change this, such as retention=400; without one, show them", \.changes, reader)
    ],
    groups: [
      OptionGroup("What to do", [.flag("yes", short: "y", "Do not ask", \.isConfirmed)]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna backend settings --store postgres:service=luna", "What holds"),
      Example(
        "luna backend settings --store postgres:service=luna retention=400", "Keep events longer"),
    ],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["setting", "value"]
  private static let heads: [ColumnTable.Column] = [.init(title: "SETTING"), .init(title: "VALUE")]

  private static var reader: ValueReader<Change> {
    let names = SharedSetting.allCases.map(\.rawValue).joined(separator: ", ")
    return ValueReader(expects: "NAME=N, with one of these names: \(names)") {
      text throws(ValueProblem) in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let setting = SharedSetting(rawValue: parts[0]) else {
        throw ValueProblem("is no such setting")
      }
      guard let value = Int(parts[1]), setting.range.contains(value) else {
        throw ValueProblem(
          "is not from \(setting.range.lowerBound) to \(setting.range.upperBound)")
      }
      return Change(setting: setting, value: value)
    }
  }

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general, isMade: !changes.isEmpty) { session in
      guard session.storage.isShared else {
        throw CommandFailure(
          .usage, "with SQLite there is one backend, which goes by its options",
          hint: "give them to luna backend, or name a PostgreSQL database with --store")
      }
      if changes.isEmpty { return try await show(session) }
      var new: [SharedSetting: Int] = [:]
      for change in changes { new[change.setting] = change.value }
      try await confirm(new, session)
      try await session.storage.change(new)
      session.diagnostics.note("luna: changed; backends that run follow within a minute")
      return .done
    }
  }

  private func show(_ session: BackendSession) async throws -> ExitCode {
    let settings = try await session.storage.sharedSettings()
      .sorted { $0.key.rawValue < $1.key.rawValue }
    guard !settings.isEmpty else {
      session.diagnostics.note("luna: no backend has begun with this database yet")
      return .notFound
    }
    Listing(fields: Self.fields, columns: Self.heads).append(
      settings.count, as: session.format.ofList, to: session.output,
      line: { row, output in
        var writer = JSONFieldWriter("agreed", in: output)
        writer.string("setting", settings[row].key.rawValue)
        writer.integer("value", Int64(settings[row].value))
        writer.endLine()
      },
      cells: { [settings[$0].key.rawValue, String(settings[$0].value)] })
    return .done
  }

  /// Says what a shorter retention would drop, and asks.
  private func confirm(
    _ new: [SharedSetting: Int], _ session: BackendSession
  ) async throws {
    // What cannot be read is set anew.
    let known = try? await session.storage.sharedSettings()
    guard let days = new[.retention], days < known?[.retention] ?? .max, !isConfirmed else {
      return
    }
    try Confirmation.checkTerminal(for: "luna backend settings")
    let today = Day(session.storage.now)
    let longest = known?[.retention] ?? BackendConfiguration()[.retention]
    var count = 0
    for day in days + 1..<max(days, longest) + 1 {
      count += try await session.storage.eventCount(of: today + -Int32(clamping: day))
    }
    try await Confirmation.ask(
      "Drop \(count) events that are older than \(days) days?", for: "luna backend settings")
  }
}
