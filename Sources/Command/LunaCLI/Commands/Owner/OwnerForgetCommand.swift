import CommandSpec
import LunaCore
import LunaOwner

/// `luna owner forget`: removes a device and its keys.
struct OwnerForgetCommand: Sendable {
  var device = ""
  var isConfirmed = false
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "forget", "Remove a device and everything known about it.",
    discussion: [
      "It asks first; where there is no terminal to ask on, it needs --yes. Without a copy of the "
        + "device's key (luna owner export), its locations can never be read again, and it has to "
        + "be reset with its button before it can be onboarded again."
    ],
    initial: OwnerForgetCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
    ],
    groups: [
      OptionGroup("What to do", [.flag("yes", short: "y", "Do not ask", \.isConfirmed)]),
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner forget keys", "It is no longer yours"),
      Example("luna owner forget --yes keys", "In a script"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      if !isConfirmed { try Confirmation.checkTerminal(for: "luna owner forget") }
      let found = try await session.owner.device(matching: device)
      if !isConfirmed {
        try await Confirmation.ask("Forget \(found.name) and its key?", for: "luna owner forget")
      }
      try await session.owner.forgetDevice(found)
      session.tell("forgotten", found, "\(found.name) is forgotten")
      return .done
    }
  }
}
