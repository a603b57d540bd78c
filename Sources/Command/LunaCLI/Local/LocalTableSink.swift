import Bluetooth
import Glibc
import LunaCore
import LunaLocal

/// Shows the live table of one's own trackers and the foreign ones nearby.
final class LocalTableSink: ReportSink {
  private let following: LocalFollowing
  private let rows: LocalRows
  private let display: TableDisplay
  private let minder: Task<Void, Never>
  private let showsForeign: Bool

  init(
    _ description: SourceDescription, _ following: LocalFollowing, showsForeign: Bool,
    style: TableStyle, run: ListenRun
  ) throws {
    self.following = following
    self.showsForeign = showsForeign
    let rows = LocalRows(
      source: description.name + (description.simulated ? " (simulated)" : ""),
      showsForeign: showsForeign, isFile: run.isFile)
    self.rows = rows
    display = try TableDisplay(
      style: style, run: run, catalog: LocalRows.catalog, setNotice: { rows.setNotice($0) }
    ) {
      rows.snapshot(following.devices, $0)
    }
    minder = run.isFile ? Task {} : following.mind { rows.hear($0, at: .unknown) }
  }

  var isRestricting: Bool { true }

  func take(_ report: AdvertisingReport) -> Bool {
    var isShown = false
    following.receive([report]) { update in
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
    minder.cancel()
    await minder.value
    await following.save()
  }
}
