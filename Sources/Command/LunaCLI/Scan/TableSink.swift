import Beacons
import Bluetooth
import LunaDocuments
import LunaTables
import TerminalTable

/// Shows the live table on the terminal.
final class TableSink: ReportSink {
  private let rows: AdvertiserRows
  private let selection: ReportSelection
  private var filter: FilterEvaluator?
  private var batch: [AdvertisingReport] = []
  private let display: TableDisplay

  /// Opens the terminal.
  ///
  /// - Parameters:
  ///   - zone: That of times in filters that are typed.
  ///   - run: What is to end when the user quits.
  init(
    _ description: SourceDescription, selection: ReportSelection, zone: any CivilZone,
    style: TableStyle, run: ListenRun
  ) throws {
    self.selection = selection
    filter = selection.filter.map {
      FilterEvaluator($0, adapterName: description.adapterName)
    }
    let rows = AdvertiserRows(
      source: description.name + (description.simulated ? " (simulated)" : ""),
      adapterName: description.adapterName, isFile: run.isFile)
    self.rows = rows
    display = try TableDisplay(
      .advertisers(in: zone, past: selection.options) { $0.text }, style: style, run: run,
      setNotice: { rows.setNotice($0) }, snapshot: { rows.snapshot($0) })
  }

  var isRestricting: Bool { selection.isRestricting }

  func take(_ report: AdvertisingReport) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    if selection.trackersOnly,
      AdvertisementDocument.decoder.beacons(in: report).isEmpty
    {
      return false
    }
    batch.append(report)
    return true
  }

  func endBatch() {
    rows.observe(batch)
    batch.removeAll(keepingCapacity: true)
  }

  func finish() {
    endBatch()
    rows.end()
    display.finish()
  }

  var stateDisplay: (@Sendable (SourceState) -> Void)? { display.stateDisplay }

  func close() async { await display.close() }
}
