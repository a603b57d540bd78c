import LunaJSON
import LunaStore

extension HomeChange {
  /// It in words; nil for what changes all the time, and for what is for the app alone.
  package var text: String? {
    switch event {
    case .value(let tracker, let value):
      ["rssi", "identifier", "heardBy", "lastSeen", "location"].contains(value.name)
        ? nil : "\(tracker): \(value.name) is \(value.value)"
    case .firing(let firing):
      "\(firing.rule) runs: \(firing.cause.text) \(firing.cause.tracker ?? "")"
    case .held(let held): "\(held.rule) is held back (\(held.why.rawValue)): \(held.cause.text)"
    case .outcome(let outcome):
      "\(outcome.name) of \(outcome.firing): \(outcome.state.rawValue) \(outcome.detail)"
    case .command(let command) where !command.isOfWatch:
      "\(command.action) of \(command.tracker): \(command.state) \(command.detail)"
    case .link(let name, let link): "\(name): \(link.state.rawValue) \(link.text)"
    // Who else reads what a process prints is not known: that one is for the app.
    case .notices, .tracker, .config, .watch, .command: nil
    }
  }
}
