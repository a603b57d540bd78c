public import Bluetooth

/// Writes a line of comma-separated values per advertisement, a header line first. One thread at a
/// time may use it.
public final class AdvertisementColumns {
  /// The columns when none are chosen.
  public static let defaultFields = [
    "time", "adapter", "address", "addressType", "pdu", "rssi", "name", "beacon", "data",
  ].compactMap { try? FieldCatalog.advertisement.field($0) }

  private let buffer: OutputBuffer
  private let adapterName: String?
  private let selection: ReportSelection
  private var filter: FilterEvaluator?
  private var collector: FieldCollector
  /// Where the values of each column are in the collector.
  private let columns: [Int]
  private var timeText = TimeText()

  /// Writes the header line.
  ///
  /// - Parameters:
  ///   - buffer: where the lines go.
  ///   - adapterName: what stands for an adapter that has no number.
  ///   - selection: which advertisements are written.
  ///   - fields: the columns in their order.
  public init(
    _ buffer: OutputBuffer, adapterName: String? = nil,
    selection: ReportSelection = ReportSelection(), fields: [FieldReference] = defaultFields
  ) {
    self.buffer = buffer
    self.adapterName = adapterName
    self.selection = selection
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    var unique: [FieldReference] = []
    for field in fields where !unique.contains(field) { unique.append(field) }
    collector = FieldCollector(unique)
    columns = fields.compactMap(unique.firstIndex)
    CSVLine.append(fields.map(\.text), to: buffer)
  }

  /// Appends the line of a report, if it passes the selection.
  ///
  /// - Returns: Whether it does.
  public func append(_ report: AdvertisingReport) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    collector.reset()
    let recognised = AdvertisementDocument.writeAll(
      report, adapterName: adapterName, timeText: &timeText, to: &collector)
    guard recognised || !selection.trackersOnly else { return false }
    // Several values of one column, such as two beacons in one PDU, stand side by side.
    CSVLine.append(
      columns.map { collector.values[$0].map(\.columnText).joined(separator: ";") }, to: buffer)
    return true
  }
}
