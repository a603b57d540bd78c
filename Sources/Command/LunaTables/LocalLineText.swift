import LunaCore
import LunaDocuments
package import LunaLocal
import TerminalTable

/// A line of `luna local` for people, on terminals that cannot show the live table.
package enum LocalLineText {
  package static let head = columns("TIME (UTC)", "EVENT", "RSSI", "ADDRESS", "NAME")

  package static func line(_ update: LocalUpdate) -> String {
    let state = update.state
    return columns(
      state.lastSeenDate.map(ClockText.time) ?? "-", update.event.rawValue,
      state.rssi.map { String(Int($0)) } ?? "-", state.identifier,
      state.name ?? (state.uuid == nil ? "(not yours)" : ""))
  }

  private static func columns(
    _ time: String, _ event: String, _ rssi: String, _ address: String, _ name: String
  ) -> String {
    func cell(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }
    let line = [
      cell(time, 10), cell(event, 8), cell(rssi, 4), cell(address, 17), DisplayText.clean(name),
    ].joined(separator: "  ")
    guard let width = Terminal.standardOutputWidth else { return line }
    return DisplayText.truncate(line, to: width, ellipsis: "...")
  }
}
