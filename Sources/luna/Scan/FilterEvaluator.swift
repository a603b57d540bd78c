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
    collector = FieldCollector(names: filter.names)
  }

  /// Whether the filter lets `report` through.
  mutating func passes(_ report: AdvertisingReport) -> Bool {
    collector.reset()
    AdvertisementDocument.writeAll(
      report, adapterName: adapterName, timeText: &timeText, to: &collector)
    return filter.holds(collector)
  }
}
