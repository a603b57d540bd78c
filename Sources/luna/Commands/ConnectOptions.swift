import Bluetooth
import BlueZ
import CommandSpec
import LunaCore
import LunaLocal

/// Options of every command that connects to trackers.
struct ConnectOptions: Sendable {
  var adapters: [AdapterSelector] = []
  var radio: RadioChoice?
  var clock = ClockOptions()

  static var group: OptionGroup<ConnectOptions> {
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
      ])
  }

  /// A radio as the options describe it, not started. A simulated room has the trackers of the state
  /// directory in it.
  func makeRadio(state: String, _ diagnostics: Diagnostics) throws -> Radio {
    var listen = ListenOptions()
    (listen.adapters, listen.radio, listen.clock) = (adapters, radio, clock)
    return try listen.makeRadio(state: state, diagnostics)
  }

  /// Protocol time at the time of this machine.
  var protocolTime: ProtocolTime {
    ProtocolTime(epoch: clock.epoch ?? Timestamp(microseconds: 0), speed: clock.speed)
  }

  /// How one's own trackers are followed on the way to a connection.
  var localConfiguration: LocalConfiguration {
    var configuration = LocalConfiguration()
    configuration.time = protocolTime
    return configuration
  }
}
