import Beacons
package import Bluetooth
package import LunaDocuments
import SafeText
import TerminalTable

/// Prints a line for people per advertisement: for terminals that cannot show the live table.
package final class PlainSink: ReportSink {
  /// Where lines have less room, the time goes before what an advertiser is.
  private static let enough = 51

  private let output: OutputBuffer
  private let selection: ReportSelection
  private var filter: FilterEvaluator?
  private var advertisers = AdvertiserTable<LiveAdvertiser>()
  private let width: Int?
  private let clock: ClockText

  package init(
    _ output: OutputBuffer, adapterName: String?, selection: ReportSelection, width: Int?,
    clock: ClockText
  ) {
    self.output = output
    self.selection = selection
    self.width = width
    self.clock = clock
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
    append(clock.head("TIME"), "RSSI", "ADDRESS", "WHAT", "NAME", label: "WHAT")
  }

  package var isRestricting: Bool { selection.isRestricting }

  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    if selection.trackersOnly, AdvertisementDocument.decoder.beacons(in: report).isEmpty {
      return false
    }
    var (address, kind, name, label) = ("", "", "", "")
    _ = advertisers.withAdvertiser(Advertiser.Identity(report), at: report.time) { advertiser in
      advertiser.observe(report)
      address = advertiser.identity.addressText ?? "anonymous"
      kind = advertiser.kind
      name = advertiser.summary.name?.raw ?? ""
      label = advertiser.label
    }
    append(
      report.time == .unknown ? "-" : clock.time(report.time),
      report.rssi.map { String($0) } ?? "-", address, kind, name, label: label)
    try output.flushIfLarge()
    return true
  }

  package func endBatch() throws(OutputBuffer.WriteError) { try output.flush() }

  package func finish() throws(OutputBuffer.WriteError) { try output.flush() }

  private func append(
    _ time: String, _ rssi: String, _ address: String, _ what: String, _ name: String,
    label: String
  ) {
    func cell(_ text: String, _ width: Int) -> String {
      let text = DisplayText.truncate(DisplayText.clean(text), to: width, ellipsis: "...")
      return text + String(repeating: " ", count: width - DisplayText.width(text))
    }
    let blanks = String(repeating: " ", count: max(0, 4 - rssi.utf8.count))
    var line = "\(blanks)\(rssi)  \(cell(address, 17))  "
    if let width, width < PlainSink.enough {
      line += DisplayText.clean(label)
    } else {
      line = "\(cell(time, 12))  \(line)\(cell(what, 28))  \(DisplayText.clean(name))"
    }
    line = String(line.reversed().drop { $0 == " " }.reversed())
    if let width { line = DisplayText.truncate(line, to: width, ellipsis: "...") }
    output.append(line: line)
  }
}
