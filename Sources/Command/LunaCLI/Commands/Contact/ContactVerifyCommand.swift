import CommandSpec
import LunaDocuments
import LunaShare
import LunaStore

/// `luna contact verify`: both have compared the codes.
struct ContactVerifyCommand: Sendable {
  var name = ""
  var isConfirmed = false
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "verify", "Say that the code of a contact was compared.",
    discussion: ["Let the person read the code of their own card to you, not by mail."],
    initial: ContactVerifyCommand(),
    arguments: [.required("NAME", "The contact", \.name, ContactCommand.nameReader)],
    groups: [
      OptionGroup("Options", [.flag("yes", short: "y", "Do not ask", \.isConfirmed)]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna contact verify ben", "Ben is on the telephone")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      if !isConfirmed { try Confirmation.checkTerminal(for: "luna contact verify") }
      var contact = try await session.contact(name)
      if !isConfirmed {
        let code = try ContactKey(contact.key)?.code() ?? "-"
        try await Confirmation.ask(
          "Does \(name) read \(code)?", for: "luna contact verify")
      }
      contact.isVerified = true
      try await session.store.put(contact)
      try session.show(contact)
      return .done
    }
  }
}
