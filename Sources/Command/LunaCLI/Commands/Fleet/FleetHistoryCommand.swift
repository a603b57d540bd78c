import CommandSpec
import LunaDocuments
import LunaJSON
import LunaTables
import TerminalTable

/// `luna fleet history`: who changed what, and when.
struct FleetHistoryCommand: Sendable {
  var gateway: String?
  var fleet = FleetOptions()

  static let command = Command(
    "history", "Show who changed what, oldest first.", initial: FleetHistoryCommand(),
    arguments: [.optional("GW", "Only this gateway: id, key or name", \.gateway, .text)],
    groups: FleetOptions.groups(OutputFormat.allCases).map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet history kitchen", "What happened to it")],
    exitStatuses: ExitCode.clientStatuses)

  private static let fields = [
    "change", "time", "actor", "kind", "object", "action", "revision", "fields", "undoes", "bulk",
  ]

  private var heads: [ColumnTable.Column] {
    [
      .init(title: "CHANGE", isNumber: true), .init(title: fleet.zone.clock.head("TIME")),
      .init(title: "ACTOR", minimum: 8), .init(title: "WHAT"), .init(title: "OBJECT"),
      .init(title: "FIELDS", minimum: 8),
    ]
  }

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      var path = "/v1/changes"
      if let gateway {
        path = "/v1/gateways/\(try await session.id(of: gateway))/history"
      }
      var changes: [JSONObject] = []
      var since: Int64 = 0
      while true {
        let page = try await session.ask("GET", "\(path)?since=\(since)").objects("changes")
        guard let end = page.last?.integer("change") else { break }
        guard end > since else {
          throw CommandFailure(.backend, "the backend has the same changes ever again")
        }
        since = end
        changes += page
      }
      Listing(fields: Self.fields, columns: heads).append(
        changes.count, as: session.format.ofList, to: session.output,
        line: { session.line("change", changes[$0], to: $1) }, cells: { row(changes[$0]) })
      return .done
    }
  }

  private func row(_ change: JSONObject) -> [String] {
    var fields = "-"
    if case .object(let object)? = change["fields"] {
      fields = object.members.map(\.name).joined(separator: ", ")
    }
    let time = FleetText.time(change["time"], fleet.zone.clock)
    return [FleetText.of(change["change"]), time]
      + ["actor", "action", "object"].map { FleetText.of(change[$0]) } + [fields]
  }
}
