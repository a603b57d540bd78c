import CommandSpec
import LunaDocuments
import LunaStore

/// `luna contact list`: all contacts.
struct ContactListCommand: Sendable {
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List the contacts.", initial: ContactListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna contact list", "A line for each, with the code to compare")],
    exitStatuses: ExitCode.statuses)

  private static let fields = ["name", "code", "verified", "email", "addedAt"]

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general, isMade: false) { session in
      let contacts = try await session.store.contacts()
      try await session.list(Self.fields) { session in
        for contact in contacts { try session.show(contact) }
      }
      if contacts.isEmpty { session.diagnostics.note("luna: there are no contacts yet") }
      return .done
    }
  }
}
