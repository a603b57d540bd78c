import Bluetooth
import LunaCore
import LunaDocuments
import LunaHome
import LunaJSON
import LunaStore

/// What happens in a home, a line each.
struct HomePrinter {
  let output: OutputBuffer
  let isJSON: Bool
  let times: ShownTimes

  /// The line that a stream of JSON begins with.
  func begin(_ snapshot: HomeSnapshot, isSimulated: Bool) {
    guard isJSON else { return }
    StartLine.append(
      source: snapshot.name, simulated: isSimulated || snapshot.radio.isSimulated, to: output)
  }

  func print(_ change: HomeChange) throws(OutputBuffer.WriteError) {
    if isJSON {
      output.append(line: change.json.description)
    } else if let text = text(change) {
      output.append(line: times.moment(Timestamp(microseconds: change.time)) + "  " + text)
    } else {
      return
    }
    try output.flush()
  }

  private func text(_ change: HomeChange) -> String? {
    switch change.event {
    case .value(let tracker, let value):
      // Those change all the time.
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
    // Who else reads what the process prints is not known: that one is for the app.
    case .notices, .tracker, .config, .watch, .command: nil
    }
  }
}
