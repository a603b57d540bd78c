import Beacons
import Bluetooth
import Glibc

/// An advertiser as the live table needs it: with its recent past, and its last advertisements for
/// the details.
struct LiveAdvertiser: AdvertiserEntry {
  /// How many RSSI values the trend is drawn from.
  private static let historyCount = 16
  /// The time over which the rate is averaged, s.
  private static let rateWindow = 5.0

  private(set) var summary: Advertiser
  /// Stays with the advertiser; 0 until the first observation.
  var id: UInt64 = 0
  private var history: InlineArray<16, Int8> = InlineArray(repeating: 0)
  private var historyUsed = 0
  private var rate = 0.0
  /// The last one of each kind, since a scan response complements an advertisement.
  private(set) var lastAdvertisement: AdvertisingReport?
  private(set) var lastScanResponse: AdvertisingReport?
  /// What the last recognised frame was, for people.
  private var title: String?
  /// Who made it, for advertisers that no family recognises.
  private var maker: String?

  init(_ identity: Advertiser.Identity, at time: Timestamp) {
    summary = Advertiser(identity, at: time)
  }

  var identity: Advertiser.Identity { summary.identity }

  mutating func observe(_ report: AdvertisingReport) {
    let elapsed = LiveAdvertiser.seconds(from: summary.lastTime, to: report.time)
    rate = rate * exp(-elapsed / LiveAdvertiser.rateWindow) + 1 / LiveAdvertiser.rateWindow
    if summary.observe(report), maker == nil { maker = LiveAdvertiser.maker(of: report) }
    updateTitle(report)
    if report.isScanResponse == true {
      lastScanResponse = report
    } else {
      lastAdvertisement = report
    }
    guard let rssi = report.rssi else { return }
    history[historyUsed % LiveAdvertiser.historyCount] = rssi
    historyUsed += 1
  }

  /// A repeat of the last payload says nothing new.
  private mutating func updateTitle(_ report: AdvertisingReport) {
    guard !summary.families.isEmpty, report.payload != lastAdvertisement?.payload,
      report.payload != lastScanResponse?.payload
    else { return }
    if let beacon = AdvertisementDocument.decoder.beacons(in: report).last { title = beacon.title }
  }

  /// The row of the table at the time `now`.
  func row(at now: Timestamp, withDetails: Bool, adapterName: String?) -> TableRow {
    var row = TableRow(id: id)
    row.kind = title ?? maker ?? ""
    row.isTracker = summary.isTracker
    row.name = summary.name
    row.address = identity.addressText ?? ""
    row.addressDetail = addressDetail
    row.rssi = summary.rssi.map(Int.init)
    let kept = min(historyUsed, LiveAdvertiser.historyCount)
    row.rssiHistory = (historyUsed - kept..<historyUsed).map {
      history[$0 % LiveAdvertiser.historyCount]
    }
    row.packets = Int(clamping: summary.count)
    row.lastSeen = LiveAdvertiser.seconds(from: summary.lastTime, to: now)
    row.rate = displayedRate(at: now)
    if withDetails { row.details = details(adapterName) }
    return row
  }

  /// In the first seconds the average has not settled: then count.
  private func displayedRate(at now: Timestamp) -> Double {
    let known = LiveAdvertiser.seconds(from: summary.firstTime, to: now)
    if known < LiveAdvertiser.rateWindow { return Double(summary.count) / max(known, 1) }
    let silent = LiveAdvertiser.seconds(from: summary.lastTime, to: now)
    return rate * exp(-silent / LiveAdvertiser.rateWindow)
  }

  private var addressDetail: String {
    let kind = identity.addressType == .random ? identity.address.randomKind?.rawValue : nil
    let type = identity.addressType.name?.description ?? "unknown"
    return kind.map { "\(type) \($0)" } ?? type
  }

  private func details(_ adapterName: String?) -> [TableRow.Detail] {
    var writer = DetailWriter()
    if let rssi = summary.rssi, let mean = summary.meanRSSI {
      writer.add(
        "rssi",
        "\(rssi) dBm, mean \(Int(mean.rounded())), \(summary.minimumRSSI) to \(summary.maximumRSSI)"
      )
    }
    for report in [lastAdvertisement, lastScanResponse].compactMap({ $0 }) {
      AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
      AdvertisementDocument.writeTail(report, to: &writer)
    }
    return writer.details
  }

  private static func maker(of report: AdvertisingReport) -> String? {
    report.payload.withBytes { bytes in
      var reader = ADStructureReader()
      while let structure = reader.next(in: bytes) {
        if structure.type == ADSummary.manufacturerData, structure.count >= 2 {
          let code = UInt16(bytes[structure.offset]) | UInt16(bytes[structure.offset + 1]) << 8
          return CompanyIdentifier(rawValue: code).name
        }
      }
      return nil
    }
  }

  private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
    guard start != .unknown, end != .unknown else { return 0 }
    return max(0, Double(end.microseconds &- start.microseconds) / 1_000_000)
  }
}
