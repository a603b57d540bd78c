import BlueZ
import Bluetooth
import CommandSpec
import LunaCore
import LunaLocal
import LunaTracker

/// Options of commands that listen to trackers and connect to them.
struct RadioOptions: Sendable {
  var adapters: [AdapterSelector] = []
  var radio: RadioChoice?
  var duration: Duration?
  var clock = ClockOptions()

  static var group: OptionGroup<RadioOptions> {
    OptionGroup(
      "Radio",
      [
        .repeated(
          "adapter", short: "i", "hciN|ADDRESS", "Use this adapter", \.adapters,
          ListenOptions.adapterReader
        ).fromEnvironment("LUNA_ADAPTER"),
        .value(
          "radio", "PATH",
          "How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed",
          \.radio, ListenOptions.radioReader
        ).defaulting(to: "auto").fromEnvironment("LUNA_RADIO"),
        .value(
          "duration", short: "T", "TIME", "Give up after TIME, such as 30s or 5m", \.duration,
          .duration
        ).defaulting(to: "150s"),
      ])
  }

  /// The simulated room with the trackers of a state directory, where that is asked for.
  func makeRoom(state: String, _ diagnostics: Diagnostics) throws -> TrackerRoom? {
    guard case .virtual(let seed) = radio else { return nil }
    return try TrackerRoom.make(seed: seed, time: clock.time, state: state, diagnostics)
  }

  /// Something to hear with and to connect with, not started.
  func makeRadio(in room: TrackerRoom?) throws -> Radio {
    if let room { return room.radio() }
    let path = if case .path(let path) = radio { path } else { RadioPath.auto }
    return try BlueZ.makeRadio(path, options: ScanOptions(adapters: adapters))
  }
}
