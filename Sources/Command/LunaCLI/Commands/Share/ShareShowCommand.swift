import CommandSpec
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaShare
import LunaStore

/// `luna share show`: one share of one's own.
struct ShareShowCommand: Sendable {
  var share = ""
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what you share, and what ending it cannot do.", initial: ShareShowCommand(),
    arguments: [.required("SHARE", "Its id, or the start of it", \.share, .text)],
    groups: [
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna share show 6BA7B810", "With whom, what and until when?")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general, isMade: false) { session in
      try await session.show(try await session.sentShare(share), zone.times)
      for line in ShareCommand.warning { session.diagnostics.note("luna: \(line)") }
      return .done
    }
  }
}
