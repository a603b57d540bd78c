public import Bluetooth
public import LunaBuzzer
public import LunaCore
public import LunaFinder

extension FinderRadio {
  /// A radio that also delivers commands.
  ///
  /// - Parameters:
  ///   - radio: what hears and connects, not started.
  ///   - configuration: how trackers are told something.
  ///   - clock: what time limits are measured with.
  public init(
    _ radio: Radio, _ configuration: BuzzerConfiguration = BuzzerConfiguration(),
    clock: WallClock = .system
  ) {
    self.init(
      source: radio.source,
      runner: LunaBuzzer(client: radio.client, configuration: configuration, clock: clock),
      close: { await radio.client.close() })
  }
}
