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
    } else if let text = change.text {
      output.append(line: times.moment(Timestamp(microseconds: change.time)) + "  " + text)
    } else {
      return
    }
    try output.flush()
  }
}
