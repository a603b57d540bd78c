import Beacons
package import Bluetooth
import LunaCore
package import LunaDocuments
import SafeText
import TerminalTable

/// Prints a line per advertiser at the end, the longest silent first; those that have to give way
/// before (there is room for 65,536) are printed as they go.
package final class SummarySink: ReportSink {
  /// The forms of a summary.
  package enum Form: String, Sendable {
    case table, jsonl, csv
  }

  /// Rows that are laid out together at most.
  private static let pageCount = AdvertiserTable<Advertiser>.capacity

  private let output: OutputBuffer
  private let format: Form
  private let selection: ReportSelection
  private let adapterName: String?
  private var filter: FilterEvaluator?
  private var observer = AdvertiserObserver()
  private var timeText = TimeText()
  /// What is not printed yet of a table, since its widths follow from all of it.
  private var page: [Advertiser] = []

  package init(
    _ output: OutputBuffer, format: Form, adapterName: String?, selection: ReportSelection
  ) {
    self.output = output
    self.format = format
    self.adapterName = adapterName
    self.selection = selection
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    switch format {
    case .jsonl: break
    case .csv: AdvertiserDocument.appendHead(to: output)
    case .table: break
    }
  }

  package var isRestricting: Bool { selection.isRestricting }

  @inline(__always)
  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    if selection.trackersOnly, !isRecognised(report) { return false }
    if let dropped = observer.observe(report) {
      append(dropped)
      try output.flushIfLarge()
    }
    return true
  }

  private func isRecognised(_ report: AdvertisingReport) -> Bool {
    var nothing = FieldCollector([])
    return AdvertisementDocument.writeTail(report, to: &nothing)
  }

  package func endBatch() {}

  package func finish() throws(OutputBuffer.WriteError) {
    try observer.table.forEachOldestFirst { (advertiser) throws(OutputBuffer.WriteError) in
      append(advertiser)
      try output.flushIfLarge()
    }
    if format == .table { appendPage() }
    try output.flush()
  }

  package func summarize(_ summary: ListenSummary) {
    guard format == .jsonl else { return }
    ListeningLines.append(summary, to: output)
    // Who does not read any more has been noticed.
    try? output.flush()
  }

  private func append(_ advertiser: borrowing Advertiser) {
    switch format {
    case .jsonl: AdvertiserDocument.appendJSON(advertiser, &timeText, to: output)
    case .csv: AdvertiserDocument.appendCSV(advertiser, &timeText, to: output)
    case .table:
      page.append(copy advertiser)
      if page.count >= SummarySink.pageCount { appendPage() }
    }
  }

  private func appendPage() {
    let days = Set(page.flatMap { [$0.firstTime, $0.lastTime] }.map { $0.rfc3339.prefix(10) })
    let text = days.count > 1 ? ClockText.dateAndTime : ClockText.time
    func time(_ time: Timestamp) -> String { time == .unknown ? "-" : text(time) }
    let rows = page.map { advertiser in
      let families = advertiser.families.members.map(\.rawValue).joined(separator: ", ")
      return [
        advertiser.identity.addressText ?? "-",
        advertiser.identity.addressType.name?.description ?? "-", String(advertiser.count),
        advertiser.rssi.map(String.init) ?? "-", advertiser.meanText ?? "-",
        time(advertiser.firstTime), time(advertiser.lastTime), families.isEmpty ? "-" : families,
        advertiser.name?.description ?? "-",
      ]
    }
    ColumnTable.append(SummarySink.columns, rows, to: output)
    page = []
  }

  private static let columns: [ColumnTable.Column] = [
    .init(title: "ADDRESS"), .init(title: "TYPE", isOptional: true),
    .init(title: "COUNT", isNumber: true), .init(title: "RSSI", isNumber: true),
    .init(title: "MEAN", isNumber: true, isOptional: true),
    .init(title: "FIRST (UTC)", isOptional: true), .init(title: "LAST (UTC)", isOptional: true),
    .init(title: "WHAT", minimum: 12), .init(title: "NAME", minimum: 10),
  ]
}
