import CommandSpec
import LunaOwner

/// `luna owner show`: what is known of one device.
struct OwnerShowCommand: Sendable {
  var device = ""
  var secrets = false
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what is known about a device.", initial: OwnerShowCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
    ],
    groups: [
      OptionGroup("Options", [.flag("secrets", "Show the keys too", \.secrets)]),
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna owner show keys", "When it was last seen, and its clock")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general, isMade: false) { session in
      let found = try await session.owner.device(matching: device)
      if session.format == .table {
        try await session.show(found, clock: zone.clock, revealing: secrets)
      } else {
        try await session.list([found], clock: zone.clock, revealing: secrets)
      }
      return .done
    }
  }
}
