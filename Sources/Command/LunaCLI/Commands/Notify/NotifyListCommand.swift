import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaNotify
import LunaStore
import LunaTables
import TerminalTable

/// `luna notify list`: what is still to be told, and what could not be.
struct NotifyListCommand: Sendable {
  var showsFailed = false
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List what is still to be told, and what could not be.",
    discussion: ["The oldest first. What could not be told is kept for thirty days."],
    initial: NotifyListCommand(),
    groups: [
      OptionGroup("Options", [.flag("failed", "Only what could not be told", \.showsFailed)]),
      StateOption.group.scoped(to: \.state),
      OutputOptions.group.scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna notify list --failed", "What was not told, and why?")],
    exitStatuses: NotifyCommand.statuses)

  private static let fields = [
    "id", "time", "rule", "channel", "contact", "state", "reason", "attempts", "dueAt", "endedAt",
    "text",
  ]

  private var heads: [ColumnTable.Column] {
    [
      .init(title: "ID"), .init(title: zone.times.head("TIME"), minimum: 19), .init(title: "RULE"),
      .init(title: "CHANNEL"), .init(title: "CONTACT"), .init(title: "STATE"),
      .init(title: "REASON", minimum: 12),
    ]
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let onlyFailed = showsFailed
      let store = try await HomeStore.reading(in: StateDirectory(path: try state.path()))
      let rows =
        try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
          try OutboxTable.list(onlyFailed: onlyFailed, in: database.connection)
        } ?? []
      Listing(fields: Self.fields, columns: heads).append(
        rows.count, as: OutputFormat.chosen(self.output.format).ofList, to: output,
        line: { append(rows[$0], to: $1) }, cells: { cells(rows[$0]) })
      if rows.isEmpty {
        general.diagnostics.note(
          onlyFailed ? "luna: everything could be told" : "luna: nothing waits")
      }
      return .done
    }
  }

  private func cells(_ row: OutboxTable.Row) -> [String] {
    let (entry, message) = (row.entry, row.entry.message)
    return [
      String(entry.id), zone.times.cell(Timestamp(microseconds: message.at)), message.rule,
      entry.request == nil ? entry.channel : "webhook", entry.contact, row.state.rawValue,
      row.reason,
    ]
  }

  private func append(_ row: OutboxTable.Row, to output: OutputBuffer) {
    let entry = row.entry
    func time(_ microseconds: Int64) -> String { Timestamp(microseconds: microseconds).rfc3339 }
    output.appendLine("notification") { writer in
      writer.string("id", String(entry.id))
      writer.string("time", time(entry.message.at))
      writer.string("firing", entry.message.firing)
      writer.string("rule", entry.message.rule)
      writer.string("level", entry.message.level.rawValue)
      if !entry.channel.isEmpty { writer.string("channel", entry.channel) }
      if !entry.contact.isEmpty { writer.string("contact", entry.contact) }
      writer.string("text", entry.message.text)
      writer.string("state", row.state.rawValue)
      writer.integer("attempts", Int64(entry.attempts))
      if row.state == .waiting { writer.string("dueAt", time(entry.due)) }
      if let ended = row.ended { writer.string("endedAt", time(ended)) }
      if !row.reason.isEmpty { writer.string("reason", row.reason) }
    }
  }
}
