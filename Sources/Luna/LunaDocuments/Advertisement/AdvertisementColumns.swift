import Bluetooth

/// Prints a line of comma-separated values per advertisement, a header line first.
final class CSVSink: ReportSink {
  /// The columns when none are chosen.
  static let defaultFields = [
    "time", "adapter", "address", "addressType", "pdu", "rssi", "name", "beacon", "data",
  ].compactMap { try? FieldCatalog.advertisement.field($0) }

  private let output: OutputBuffer
  private let adapterName: String?
  private let selection: ReportSelection
  private let flushesEveryBatch: Bool
  private var filter: FilterEvaluator?
  private var collector: FieldCollector
  /// Where the values of each column are in the collector.
  private let columns: [Int]
  private var timeText = TimeText()

  init(
    _ output: OutputBuffer, adapterName: String?, selection: ReportSelection,
    fields: [FieldReference],
    flushesEveryBatch: Bool
  ) {
    self.output = output
    self.adapterName = adapterName
    self.selection = selection
    self.flushesEveryBatch = flushesEveryBatch
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    var unique: [FieldReference] = []
    for field in fields where !unique.contains(field) { unique.append(field) }
    collector = FieldCollector(unique)
    columns = fields.compactMap(unique.firstIndex)
    CSVLine.append(fields.map(\.text), to: output)
  }

  var isRestricting: Bool { selection.isRestricting }

  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    collector.reset()
    let recognised = AdvertisementDocument.writeAll(
      report, adapterName: adapterName, timeText: &timeText, to: &collector)
    guard recognised || !selection.trackersOnly else { return false }
    // Several values of one column, such as two beacons in one PDU, stand side by side.
    CSVLine.append(
      columns.map { collector.values[$0].map(\.columnText).joined(separator: ";") }, to: output)
    try output.flushIfLarge()
    return true
  }

  func endBatch() throws(OutputBuffer.WriteError) { if flushesEveryBatch { try output.flush() } }

  func finish() throws(OutputBuffer.WriteError) { try output.flush() }
}
