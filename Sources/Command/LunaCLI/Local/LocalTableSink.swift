import Bluetooth
import Glibc
import LunaCore
import LunaDocuments
import LunaLocal
import LunaTables
import TerminalTable

/// Shows the live table of one's own trackers and the foreign ones nearby.
final class LocalTableSink: ReportSink {
  private let scan: LocalScan
  private let rows: LocalRows
  private let display: TableDisplay
  private let minder: Task<Void, Never>
  private let showsForeign: Bool

  init(
    _ description: SourceDescription, _ scan: LocalScan, showsForeign: Bool,
    style: TableStyle, run: ListenRun
  ) throws {
    self.scan = scan
    self.showsForeign = showsForeign
    let rows = LocalRows(
      source: description.name + (description.simulated ? " (simulated)" : ""),
      showsForeign: showsForeign, isFile: run.isFile)
    self.rows = rows
    display = try TableDisplay(
      LocalRows.table { $0.text }, style: style, run: run, setNotice: { rows.setNotice($0) },
      snapshot: { rows.snapshot(scan.devices, $0) })
    minder = Task { for await update in scan.timeouts { rows.hear(update, at: .unknown) } }
  }

  var isRestricting: Bool { true }

  func take(_ report: AdvertisingReport) -> Bool {
    var isShown = false
    for update in scan.follow([report]) {
      if showsForeign || update.state.uuid != nil { isShown = isShown || update.event != .timedOut }
      rows.hear(update, at: report.time)
    }
    return isShown
  }

  func endBatch() {}

  func finish() {
    rows.end()
    display.finish()
  }

  var stateDisplay: (@Sendable (SourceState) -> Void)? { display.stateDisplay }

  func close() async {
    await display.close()
    await scan.stop()
    await minder.value
  }
}
