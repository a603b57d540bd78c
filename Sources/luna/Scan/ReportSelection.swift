import Bluetooth

/// Which advertisements are shown: `--min-rssi`, `--trackers`, `--filter`.
struct ReportSelection: Sendable {
  var minimumRSSI: Int?
  var trackersOnly = false
  var filter: FilterExpression?

  /// Whether something is left out at all.
  var isRestricting: Bool { minimumRSSI != nil || trackersOnly || filter != nil }

  /// Whether the RSSI is high enough; reports without one pass only when none is asked for.
  @inline(__always)
  func passesRSSI(_ report: AdvertisingReport) -> Bool {
    guard let minimumRSSI else { return true }
    return report.rssi.map { Int($0) >= minimumRSSI } ?? false
  }
}
