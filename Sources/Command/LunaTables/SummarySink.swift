import Beacons
package import Bluetooth
import LunaCore
package import LunaDocuments
import SafeText
import TerminalTable

/// Prints a line per advertiser at the end, the longest silent first; those that have to give way
/// before (there is room for 65,536) are printed as they go. Or a line per group of them.
package final class SummarySink: ReportSink {
  /// Rows that are laid out together at most.
  private static let pageCount = AdvertiserTable<Advertiser>.capacity

  private let output: OutputBuffer
  private let format: Listing.Form
  private let selection: ReportSelection
  private let adapterName: String?
  private let clock: ClockText
  private var filter: FilterEvaluator?
  private var observer = AdvertiserObserver()
  /// nil where each advertiser has its line.
  private var groups: AdvertiserGroups?
  private var timeText = TimeText()
  /// What is not printed yet of a table, since its widths follow from all of it.
  private var page: [Advertiser] = []
  private let gate: ListeningGate?
  private var isInBatch = false
  private var isFinished = false

  /// - Parameter gate: Lets lines about listening stand among these, where they are JSON.
  package init(
    _ output: OutputBuffer, format: Listing.Form, adapterName: String?, selection: ReportSelection,
    clock: ClockText, by key: AdvertiserGroups.Key? = nil, gate: ListeningGate? = nil
  ) {
    self.output = output
    self.gate = gate
    self.format = format
    self.adapterName = adapterName
    self.clock = clock
    self.selection = selection
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    groups = key.map { AdvertiserGroups($0) }
    guard format == .csv else { return }
    if groups == nil {
      AdvertiserDocument.appendHead(to: output)
    } else {
      AdvertiserGroupDocument.appendHead(to: output)
    }
  }

  package var isRestricting: Bool { selection.isRestricting }

  package var tellsAtTheEnd: Bool { true }

  @inline(__always)
  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    if selection.trackersOnly, !isRecognised(report) { return false }
    groups?.count(report)
    if let dropped = observer.observe(report) {
      enter()
      append(dropped)
      try output.flushIfLarge()
    }
    return true
  }

  /// Writes from now on, until ``flush()``.
  private func enter() {
    guard !isInBatch else { return }
    isInBatch = true
    gate?.enter()
  }

  private func flush() throws(OutputBuffer.WriteError) {
    isInBatch = false
    if let gate { try gate.leave(flushes: true) } else { try output.flush() }
  }

  private func isRecognised(_ report: AdvertisingReport) -> Bool {
    var nothing = FieldCollector([])
    return AdvertisementDocument.writeTail(report, to: &nothing)
  }

  /// What waits is the first line, and who had to give way: the rest may be hours away.
  package func endBatch() throws(OutputBuffer.WriteError) { try flush() }

  package func finish() throws(OutputBuffer.WriteError) {
    isFinished = true
    enter()
    try observer.table.forEachOldestFirst { (advertiser) throws(OutputBuffer.WriteError) in
      append(advertiser)
      try output.flushIfLarge()
    }
    if let groups { append(groups) } else if format == .table { appendPage() }
    try flush()
  }

  package var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? { gate?.display }

  /// Whoever ends a scan wants to know what came of it: most scans end with Ctrl-C.
  package func summarize(_ summary: ListenSummary) {
    if !isFinished {
      do throws(OutputBuffer.WriteError) { try finish() } catch { return }
    }
    guard format == .jsonl else { return }
    ListeningLines.append(summary, to: output)
    // Who does not read any more has been noticed.
    try? output.flush()
  }

  private func append(_ advertiser: borrowing Advertiser) {
    guard groups == nil else {
      groups?.add(advertiser)
      return
    }
    switch format {
    case .jsonl: AdvertiserDocument.appendJSON(advertiser, &timeText, to: output)
    case .csv: AdvertiserDocument.appendCSV(advertiser, &timeText, to: output)
    case .table:
      page.append(copy advertiser)
      if page.count >= SummarySink.pageCount { appendPage() }
    }
  }

  private func append(_ groups: AdvertiserGroups) {
    let sorted = groups.sorted
    switch format {
    case .jsonl:
      for group in sorted {
        AdvertiserGroupDocument.appendJSON(group, by: groups.key, &timeText, to: output)
      }
    case .csv:
      for group in sorted {
        AdvertiserGroupDocument.appendCSV(group, by: groups.key, &timeText, to: output)
      }
    case .table:
      let time = SummarySink.text(
        for: sorted.flatMap { [$0.firstTime, $0.lastTime] }, clock)
      let rows = sorted.map { group in
        [
          SummarySink.title(of: group, groups.key), "\(group.advertisers)", "\(group.count)",
          time(group.firstTime), time(group.lastTime),
        ]
      }
      ColumnTable.append(columns(of: groups.key), rows, to: output)
    }
  }

  /// What a group is called, as the live table says it.
  private static func title(
    of group: AdvertiserGroups.Group, _ key: AdvertiserGroups.Key
  ) -> String {
    guard let value = group.value else { return "-" }
    guard key == .family else { return value }
    return BeaconFamily(rawValue: value)?.title ?? value
  }

  /// How times are shown: with the day where there are several.
  static func text(for times: [Timestamp], _ clock: ClockText) -> (Timestamp) -> String {
    let days = Set(times.filter { $0 != .unknown }.map(clock.date))
    let text = days.count > 1 ? clock.dateAndTime : clock.time
    return { $0 == .unknown ? "-" : text($0) }
  }

  private func appendPage() {
    let time = SummarySink.text(for: page.flatMap { [$0.firstTime, $0.lastTime] }, clock)
    let rows = page.map { SummarySink.row($0, time) }
    ColumnTable.append(SummarySink.columns(clock), rows, to: output)
    page = []
  }

  /// The values of ``columns(_:)``.
  static func row(_ advertiser: Advertiser, _ time: (Timestamp) -> String) -> [String] {
    [
      what(advertiser) ?? "-", advertiser.name?.description ?? "-",
      advertiser.identity.addressText ?? "anonymous", advertiser.rssi.map(String.init) ?? "-",
      String(advertiser.count), advertiser.meanText ?? "-", time(advertiser.firstTime),
      time(advertiser.lastTime), advertiser.identity.addressDetail ?? "-",
    ]
  }

  /// What it is, as the live table says it: its families (an AirTag is one of Apple Find My), those of
  /// trackers alone where there are any, or who made it.
  private static func what(_ advertiser: Advertiser) -> String? {
    let families = advertiser.families.members
    let trackers = families.filter(\.isTracker)
    let titles = (trackers.isEmpty ? families : trackers).map { family in
      family == .appleFindMy ? advertiser.deviceType?.title ?? family.title : family.title
    }
    return titles.isEmpty ? advertiser.companyName : titles.joined(separator: ", ")
  }

  private func columns(of key: AdvertiserGroups.Key) -> [ColumnTable.Column] {
    [
      .init(title: key.rawValue.uppercased(), minimum: 12),
      .init(title: "ADVERTISERS", isNumber: true), .init(title: "PACKETS", isNumber: true),
      .init(title: clock.head("FIRST"), isOptional: true),
      .init(title: clock.head("LAST"), isOptional: true),
    ]
  }

  /// The columns, with the words of the live table. Those at the end go first where a terminal is
  /// narrow: at 40 columns there is room for the first and for address and RSSI.
  static func columns(_ clock: ClockText) -> [ColumnTable.Column] {
    [
      .init(title: "WHAT", minimum: 12), .init(title: "NAME", minimum: 10, isOptional: true),
      .init(title: "ADDRESS"), .init(title: "RSSI", isNumber: true),
      .init(title: "PACKETS", isNumber: true, isOptional: true),
      .init(title: "MEAN", isNumber: true, isOptional: true),
      .init(title: clock.head("FIRST"), isOptional: true),
      .init(title: clock.head("LAST"), isOptional: true), .init(title: "TYPE", isOptional: true),
    ]
  }
}
