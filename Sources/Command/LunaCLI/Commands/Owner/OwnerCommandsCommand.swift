import Bluetooth
import CommandSpec
import LunaClient
import LunaCore
import LunaDocuments
import LunaOwner
import LunaTables
import TerminalTable

/// `luna owner commands`: the remote rings that wait, and what became of those of the last day.
struct OwnerCommandsCommand: Sendable {
  var device: String?
  var format: OutputFormat?
  var zone = ZoneOptions()
  var client = ClientOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  /// How long those are shown that are over.
  private static let shown: Duration = .seconds(86_400)

  private static let fields = [
    "device", "requestId", "state", "createdAt", "expiresAt", "cancelledAt",
  ]

  static let command = Command(
    "commands", "List the remote rings that wait at the backend, and those of the last day.",
    discussion: [
      "All that were left there with this token are shown, whichever machine they came from. Which device each is "
        + "for is found out here: the backend does not know. Without its packages the tracker's answer cannot be "
        + "verified; luna owner buzz does that while it waits."
    ],
    initial: OwnerCommandsCommand(),
    arguments: [
      .optional(
        "DEVICE", "Only those for it: the device's uuid, the start of it, or its name", \.device,
        .text)
    ],
    groups: [
      OptionGroup("Options", [OutputFormat.option(\.format)]),
      ZoneOptions.group.scoped(to: \.zone),
      ClientOptions.group(.owner, signsIn: true).scoped(to: \.client),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner commands --backend https://luna.example", "What still waits to ring")
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, format, general, client, isMade: false) { session in
      let wanted: Device?
      if let device {
        wanted = try await session.owner.device(matching: device)
      } else {
        wanted = nil
      }
      let start = Timestamp.now.advanced(by: .zero - Self.shown)
      let commands = try await session.owner.remoteCommands().filter { command in
        (command.status.isOpen || command.status.createdAt >= start)
          && (wanted == nil || command.device?.uuid == wanted?.uuid)
      }
      if session.format != .table || !commands.isEmpty {
        let table = CommandTable(commands, clock: zone.clock)
        let rows = table.rows
        Listing(fields: Self.fields, columns: table.heads).append(
          commands.count, as: session.format.ofList, to: session.output,
          line: { RemoteCommandDocument.append(commands[$0], to: $1) }, cells: { rows[$0] })
      }
      if commands.isEmpty { session.diagnostics.note("luna: there are none of the last day") }
      return .done
    }
  }
}
