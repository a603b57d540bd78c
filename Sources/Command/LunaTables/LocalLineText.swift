import LunaCore
package import LunaDocuments
package import LunaLocal
import TerminalTable

/// A line of `luna local` for people, on terminals that cannot show the live table.
package struct LocalLineText: Sendable {
  private let clock: ClockText

  package init(_ clock: ClockText) { self.clock = clock }

  package var head: String { columns(clock.head("TIME"), "EVENT", "RSSI", "ADDRESS", "NAME") }

  package func line(_ update: LocalUpdate) -> String {
    let state = update.state
    return columns(
      state.lastSeenDate.map(clock.time) ?? "-", update.event.rawValue,
      state.rssi.map { String(Int($0)) } ?? "-", state.identifier,
      state.name ?? (state.uuid == nil ? "(not yours)" : ""))
  }

  private func columns(
    _ time: String, _ event: String, _ rssi: String, _ address: String, _ name: String
  ) -> String {
    func cell(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }
    let line = [
      cell(time, 12), cell(event, 8), cell(rssi, 4), cell(address, 17), DisplayText.clean(name),
    ].joined(separator: "  ")
    guard let width = Terminal.standardOutputWidth else { return line }
    return DisplayText.truncate(line, to: width, ellipsis: "...")
  }
}
