import BlueZ
import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaLocal
import TrackerSimulation

/// Options of commands that listen to trackers and connect to them.
struct RadioOptions: Sendable {
  var adapters: [AdapterSelector] = []
  var radio: RadioName?
  var end: StopTime?
  var clock = ClockOptions()
  var zone = ZoneOptions()

  /// How long all of it may take from now on; nil for the usual time.
  var duration: Duration? { end?.duration(zone) }

  static var group: OptionGroup<RadioOptions> {
    OptionGroup(
      "Radio",
      [
        .repeated(
          "adapter", short: "i", "hciN|ADDRESS", "Use this adapter", \.adapters,
          ListenOptions.adaptersReader
        ),
        .value(
          "radio", "PATH",
          "How to listen and connect; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed",
          \.radio, RadioName.reader()
        ).defaulting(to: "auto"),
        .value(
          "duration", short: "T", "TIME", "Give up after TIME (30s, 5m), or at TIME (15:00)", \.end,
          .stopTime
        ).defaulting(to: "150s"),
      ]
    ).fromEnvironment("LUNA").excluding("adapter", beside: "radio", "virtual")
  }

  /// The simulated room with the trackers of a state directory, where that is asked for.
  func makeRoom(state: String, _ diagnostics: Diagnostics) throws -> TrackerRoom? {
    guard case .virtual(let seed) = radio else { return nil }
    return try TrackerRoom.make(seed: seed, time: clock.time(zone), state: state, diagnostics)
  }

  /// What hears and connects.
  func makeProvider(in room: TrackerRoom?) throws(SourceError) -> any RadioProvider {
    if let room { return room }
    let path = if case .path(let path) = radio { path } else { RadioPath.auto }
    let radio = AdapterRadio(path, options: ScanOptions(adapters: adapters))
    // What makes no sense is said before anything begins.
    _ = try radio.makeRadio(.auto)
    return radio
  }
}
