import CommandSpec
import LunaStore

/// Where a person's devices, trackers and queues are.
struct StateOption: Sendable {
  var directory: String?

  static var group: OptionGroup<StateOption> {
    OptionGroup(
      "State",
      [
        .value(
          "state", "DIR", "Keep devices and trackers in DIR", \.directory, .directory
        ).defaulting(to: "$XDG_DATA_HOME/luna").fromEnvironment("LUNA_STATE")
      ])
  }

  /// The directory, which need not be there.
  func path() throws -> String { try directory ?? StateDirectory.standard().path }
}
