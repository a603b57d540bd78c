import Beacons
import Bluetooth
import LunaCore
import SafeText

/// Prints a line per advertiser at the end, the longest silent first; those that have to give way
/// before (there is room for 65,536) are printed as they go.
final class SummarySink: ReportSink {
  /// Rows that are laid out together at most.
  private static let pageCount = AdvertiserTable<Advertiser>.capacity

  private let output: OutputBuffer
  private let format: OutputFormat
  private let selection: ReportSelection
  private let adapterName: String?
  private var filter: FilterEvaluator?
  private var observer = AdvertiserObserver()
  private var timeText = TimeText()
  /// What is not printed yet of a table, since its widths follow from all of it.
  private var page: [Advertiser] = []

  init(
    _ output: OutputBuffer, format: OutputFormat, adapterName: String?, selection: ReportSelection
  ) {
    self.output = output
    self.format = format
    self.adapterName = adapterName
    self.selection = selection
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    switch format {
    case .jsonl: break
    case .csv: output.append("address,addressType,count,rssi,rssiMean,first,last,beacons,name\n")
    case .table: break
    }
  }

  var isRestricting: Bool { selection.isRestricting }

  @inline(__always)
  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
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

  func endBatch() {}

  func finish() throws(OutputBuffer.WriteError) {
    try observer.table.forEachOldestFirst { (advertiser) throws(OutputBuffer.WriteError) in
      append(advertiser)
      try output.flushIfLarge()
    }
    if format == .table { appendPage() }
    try output.flush()
  }

  func summarize(_ summary: ListenSummary) {
    guard format == .jsonl else { return }
    ListeningLines.append(summary, to: output)
    // Who does not read any more has been noticed.
    try? output.flush()
  }

  private func append(_ advertiser: borrowing Advertiser) {
    switch format {
    case .jsonl: appendJSON(advertiser)
    case .csv: appendCSV(advertiser)
    case .table:
      page.append(copy advertiser)
      if page.count >= SummarySink.pageCount { appendPage() }
    }
  }

  private func appendJSON(_ advertiser: borrowing Advertiser) {
    output.append("{\"type\":\"advertiser\"")
    var writer = JSONFieldWriter(output, continuing: true)
    let identity = advertiser.identity
    if identity.addressType.hasAddress { writer.address("address", identity.address) }
    if let name = identity.addressType.name { writer.string("addressType", name) }
    if identity.addressType == .random, let kind = identity.address.randomKind {
      writer.string("addressKind", kind.rawValue)
    }
    if let name = advertiser.name { writer.text("name", name) }
    writer.integer("count", Int64(clamping: advertiser.count))
    if advertiser.firstTime != .unknown {
      writer.string("firstSeenAt", timeText.string(advertiser.firstTime))
      writer.string("lastSeenAt", timeText.string(advertiser.lastTime))
    }
    if let rssi = advertiser.rssi, let mean = advertiser.meanRSSI {
      writer.integer("rssi", Int64(rssi))
      writer.integer("rssiMin", Int64(advertiser.minimumRSSI))
      writer.integer("rssiMax", Int64(advertiser.maximumRSSI))
      writer.decimal("rssiMean", Int64((mean * 10).rounded()), digits: 1)
    }
    writer.boolean("connectable", advertiser.isConnectable)
    writer.beginItems("beacons")
    for family in advertiser.families.members {
      writer.beginItem()
      writer.string("beacon", family.rawValue)
      writer.endItem()
    }
    writer.endItems()
    writer.boolean("tracker", advertiser.isTracker)
    output.append("}\n")
  }

  private func appendCSV(_ advertiser: borrowing Advertiser) {
    CSVLine.append(
      [
        advertiser.identity.addressText ?? "",
        advertiser.identity.addressType.name?.description ?? "", String(advertiser.count),
        advertiser.rssi.map(String.init) ?? "", meanText(advertiser) ?? "",
        text(advertiser.firstTime) ?? "", text(advertiser.lastTime) ?? "",
        advertiser.families.members.map(\.rawValue).joined(separator: ";"),
        advertiser.name?.raw ?? "",
      ], to: output)
  }

  private func text(_ time: Timestamp) -> String? {
    time == .unknown ? nil : timeText.string(time)
  }

  private func meanText(_ advertiser: borrowing Advertiser) -> String? {
    advertiser.meanRSSI.map { DecimalText.text(Int64(($0 * 10).rounded()), digits: 1) }
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
        advertiser.rssi.map(String.init) ?? "-", meanText(advertiser) ?? "-",
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

extension Advertiser.Identity {
  /// The address as text; nil when there is none.
  var addressText: String? { addressType.hasAddress ? address.description : nil }
}
