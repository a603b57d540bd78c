import CommandSpec
import LunaClient
import LunaOwner

/// `luna owner list`: a line for each device.
struct OwnerListCommand: Sendable {
  var showsPlaces = false
  var output = OutputOptions()
  var client = ClientOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "list", "List your devices.",
    discussion: [
      "LAST SEEN is when this machine last heard a device (kept once a minute). With --where, luna "
        + "also asks the backend where gateways heard each one last, as luna owner events does: for "
        + "the newest of the last seven days (in UTC) for which there are reports. A device that "
        + "nobody has reported, or that the backend cannot be asked for, has a -. Reports from a "
        + "time when the tracker cannot have sent what was heard are left out."
    ],
    initial: OwnerListCommand(),
    groups: [
      OptionGroup(
        "What to show",
        [
          .flag("where", "Ask the backend where gateways heard each device last", \.showsPlaces)
        ]),
      OutputOptions.group.scoped(to: \.output),
      ClientOptions.group(.owner, signsIn: true).scoped(to: \.client),
      StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner list", "One line per device"),
      Example(
        "luna owner list --where --backend https://luna.example", "And where each one was last"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    // Who asks for no places needs no backend, whatever a configuration file says of one.
    await OwnerSession.run(
      store, output.format, general, showsPlaces ? client : nil, isMade: false
    ) { session in
      guard !showsPlaces || client.backend != nil else {
        throw CommandFailure(.usage, "no backend is named", hint: "use --backend URL")
      }
      let devices = try await session.owner.allDevices()
      if devices.isEmpty {
        session.diagnostics.note(
          "luna: there are no devices yet; add some with luna onboard or luna owner import")
      }
      let places = showsPlaces ? try await session.places(of: devices, clock: zone.clock) : nil
      try await session.list(devices, clock: zone.clock, places: places)
      return .done
    }
  }
}
