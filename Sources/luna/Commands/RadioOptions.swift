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
          ListenOptions.adapterReader),
        .value(
          "radio", "PATH",
          "How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: a number as seed",
          \.radio, ListenOptions.radioReader
        ).defaulting(to: "auto"),
        .value(
          "duration", short: "T", "TIME", "Give up after TIME (30s, 5m)", \.duration, .duration
        ).defaulting(to: "150s"),
      ])
  }

  /// Something to hear with and to connect with, not started; in a simulated room with the trackers
  /// of a state directory.
  func makeRadio(state: String, _ diagnostics: Diagnostics) throws -> Radio {
    switch radio ?? .path(.auto) {
    case .virtual(let seed):
      return try TrackerRoom.make(
        seed: seed, time: clock.time, state: state, diagnostics
      ).radio()
    case .path(let path):
      return try BlueZ.makeRadio(path, options: ScanOptions(adapters: adapters))
    }
  }
}
