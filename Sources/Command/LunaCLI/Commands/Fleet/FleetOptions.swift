import CommandSpec
import LunaClient

/// Options of all commands about the fleet.
struct FleetOptions: Sendable {
  var output = OutputOptions()
  var client = ClientOptions()
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static func groups(_ forms: [OutputFormat] = [.table, .jsonl]) -> [OptionGroup<FleetOptions>] {
    [
      OutputOptions.group(of: forms).scoped(to: \.output),
      ClientOptions.group(.admin, signsIn: true).scoped(to: \.client),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ]
  }
}
