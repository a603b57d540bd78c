import Bluetooth

/// Holds a filter against reports, reusing the memory of the values between them.
struct FilterEvaluator {
  private let filter: FilterExpression
  private let adapterName: String?
  private var collector: FieldCollector
  private var timeText = TimeText()

  init(_ filter: FilterExpression, adapterName: String?) {
    self.filter = filter
    self.adapterName = adapterName
    collector = FieldCollector(filter.fields)
  }

  /// Whether the filter lets `report` through.
  mutating func passes(_ report: AdvertisingReport) -> Bool {
    collector.reset()
    add(report)
    return filter.holds(collector)
  }

  /// Whether the filter lets an advertiser through that sends these frames by turns, the last one
  /// at the end: all are looked at as one, with the time and the RSSI of the last.
  mutating func passes(frames: some Collection<AdvertisingReport>) -> Bool {
    collector.reset()
    for (index, report) in frames.enumerated() {
      if index == frames.count - 1 {
        add(report)
      } else {
        AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &collector)
        AdvertisementDocument.writeTail(report, to: &collector)
      }
    }
    return filter.holds(collector)
  }

  private mutating func add(_ report: AdvertisingReport) {
    AdvertisementDocument.writeAll(
      report, adapterName: adapterName, timeText: &timeText, to: &collector)
  }
}
