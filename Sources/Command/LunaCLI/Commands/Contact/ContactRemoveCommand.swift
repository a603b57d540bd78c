import CommandSpec
import LunaStore

/// `luna contact remove`: removes a contact.
struct ContactRemoveCommand: Sendable {
  var name = ""
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "remove", "Remove a contact.",
    discussion: [
      "Nothing more is taken from them. What is shared stays so until its end; luna share end ends it."
    ],
    initial: ContactRemoveCommand(),
    arguments: [.required("NAME", "The contact", \.name, ContactCommand.nameReader)],
    groups: [StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general)],
    examples: [Example("luna contact remove ben", "Ben is no contact any more")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, nil, general) { session in
      guard try await session.store.removeContact(name) else {
        throw CommandFailure.noContact(name)
      }
      session.diagnostics.note("luna: \(name) is no contact any more")
      return .done
    }
  }
}
