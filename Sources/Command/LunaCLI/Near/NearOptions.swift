import CommandSpec
import Luna
import LunaCore

/// Options of commands about a tracker nearby.
struct NearOptions: Sendable {
  var output = OutputOptions()
  var radio = RadioOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static var groups: [OptionGroup<NearOptions>] {
    [
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      RadioOptions.group.scoped(to: \.radio),
      ClockOptions.group.scoped(to: \.radio.clock), StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.radio.zone), GeneralOptions.group.scoped(to: \.general),
    ]
  }

  /// Refuses what makes no sense.
  func check() throws(ValueProblem) {
    try radio.clock.check(radio.zone)
  }

  /// How Luna is put together for them.
  func makeSettings(
    _ store: any DeviceStore, _ diagnostics: Diagnostics
  ) throws -> LunaSettings {
    var settings = LunaSettings()
    settings.store = store
    let room = try radio.makeRoom(state: try self.store.state.path(), diagnostics)
    settings.radio = try radio.makeProvider(in: room)
    settings.time = radio.clock.time(radio.zone)
    settings.local.followsNewDevices = false
    return settings
  }

  /// The form of standard output.
  var format: OutputFormat { OutputFormat.chosen(output.format) }
}
