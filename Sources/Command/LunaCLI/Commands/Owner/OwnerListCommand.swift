import CommandSpec
import LunaOwner

/// `luna owner list`: a line for each device.
struct OwnerListCommand: Sendable {
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List your devices.", initial: OwnerListCommand(),
    groups: [
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna owner list", "One line per device")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let devices = try await session.owner.allDevices()
      if devices.isEmpty {
        session.diagnostics.note(
          "luna: there are no devices yet; add some with luna onboard or luna owner import")
      }
      try await session.list(devices, clock: zone.clock)
      return .done
    }
  }
}
