import CommandSpec
import LunaCore
import LunaOwner
import SafeText

/// `luna owner rename`: gives a device another name.
struct OwnerRenameCommand: Sendable {
  var device = ""
  var name = ""
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "rename", "Rename a device.", initial: OwnerRenameCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text),
      .required("NAME", "The new name", \.name, nameReader),
    ],
    groups: [
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna owner rename keys 'car keys'", "A new name")],
    exitStatuses: ExitCode.statuses)

  private static var nameReader: ValueReader<String> {
    ValueReader(expects: "a name of 1 to 200 characters") { text throws(ValueProblem) in
      let text = VisibleText.of(text)
      guard (1...200).contains(text.count) else { throw ValueProblem("is empty or too long") }
      return text
    }
  }

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      var found = try await session.owner.device(matching: device)
      let before = found.name
      try await session.owner.renameDevice(found, to: name)
      found.name = name
      session.tell("renamed", found, "\(before) is now called \(name)")
      return .done
    }
  }
}
