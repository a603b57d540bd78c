import CommandSpec
import LunaCore
import LunaOwner

/// `luna owner forget`: removes a device and its keys.
struct OwnerForgetCommand: Sendable {
  var device = ""
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "forget", "Remove a device and all that is known of it.",
    discussion: [
      "Without a copy of its key (luna owner export) its locations can never be read again, and it "
        + "has to be reset by its button before it can be onboarded anew."
    ],
    initial: OwnerForgetCommand(),
    arguments: [.required("DEVICE", "Uuid, its beginning, or name", \.device, .text)],
    groups: [
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna owner forget keys", "It is not yours any more")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let found = try await session.owner.device(matching: device)
      try await session.owner.forgetDevice(found)
      session.tell("forgotten", found, "\(found.name) is forgotten")
      return .done
    }
  }
}
