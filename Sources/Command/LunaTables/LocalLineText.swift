import LunaCore
package import LunaDocuments
package import LunaLocal
import TerminalTable

/// A line of `luna local` for people, on terminals that cannot show the live table.
package struct LocalLineText: Sendable {
  /// Where lines have less room, the address goes before the name.
  private static let enough = 61

  private let clock: ClockText
  private let width: Int?

  /// - Parameter width: how wide a line may be; nil where that does not matter.
  package init(_ clock: ClockText, width: Int? = Terminal.standardOutputWidth) {
    self.clock = clock
    self.width = width
  }

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
    var cells = [cell(time, 12), cell(event, 8), cell(rssi, 4)]
    if width.map({ $0 >= LocalLineText.enough }) ?? true { cells.append(cell(address, 17)) }
    cells.append(DisplayText.clean(name))
    let line = cells.joined(separator: "  ")
    return width.map { DisplayText.truncate(line, to: $0, ellipsis: "...") } ?? line
  }
}
