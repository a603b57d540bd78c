public import Bluetooth

/// Holds a filter against reports, reusing the memory of the values between them.
public struct FilterEvaluator: Sendable {
  private let filter: FilterExpression
  private let adapterName: String?
  private var collector: FieldCollector
  private var timeText = TimeText()

  /// - Parameter adapterName: what stands for an adapter that has no number.
  public init(_ filter: FilterExpression, adapterName: String? = nil) {
    self.filter = filter
    self.adapterName = adapterName
    collector = FieldCollector(filter.fields, findsDeviceTypes: true)
  }

  /// Whether the filter lets `report` through.
  public mutating func passes(_ report: AdvertisingReport) -> Bool {
    collector.reset()
    add(report)
    return filter.holds(collector)
  }

  /// Whether the filter lets an advertiser through that sends these frames by turns, the last one
  /// at the end: all are looked at as one, with the time and the RSSI of the last.
  package mutating func passes(frames: some Collection<AdvertisingReport>) -> Bool {
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
