import CommandSpec
import LunaLocal

/// Options of commands about a tracker nearby.
struct NearOptions: Sendable {
  var output = OutputOptions()
  var radio = RadioOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static var groups: [OptionGroup<NearOptions>] {
    [
      OutputOptions.group.scoped(to: \.output), RadioOptions.group.scoped(to: \.radio),
      ClockOptions.group.scoped(to: \.radio.clock), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ]
  }

  /// Refuses what makes no sense.
  func check() throws(ValueProblem) {
    try radio.clock.check()
    guard output.format != .csv else { throw ValueProblem("this command has no --format csv") }
  }

  /// How the owner's trackers are followed on the way to a connection.
  var localConfiguration: LocalConfiguration {
    var configuration = LocalConfiguration()
    configuration.time = radio.clock.time
    return configuration
  }

  /// The form of standard output.
  var format: OutputFormat { OwnerSession.format(output.format) }
}
