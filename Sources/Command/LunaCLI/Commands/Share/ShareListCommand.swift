import CommandSpec
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaShare
import LunaStore

/// `luna share list`: what one shares, and what others do.
struct ShareListCommand: Sendable {
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List what you share, and what others share with you.", initial: ShareListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna share list", "A line for each")],
    exitStatuses: ExitCode.statuses)

  private static let fields = [
    "id", "direction", "tracker", "contact", "rights", "firstPeriod", "periodCount", "serial",
    "issuedAt", "until", "state",
  ]

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general, isMade: false) { session in
      let (sent, received) = (
        try await session.store.sentShares(), try await session.store.receivedShares()
      )
      try await session.list(Self.fields) { session in
        for row in sent { try await session.show(row, zone.times) }
        for row in received { try await session.show(row, zone.times) }
      }
      if sent.isEmpty, received.isEmpty { session.diagnostics.note("luna: nothing is shared") }
      return .done
    }
  }
}
