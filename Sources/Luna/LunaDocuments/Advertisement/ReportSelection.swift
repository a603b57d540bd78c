public import Bluetooth

/// Which advertisements are shown.
public struct ReportSelection: Sendable {
  /// Those that were received with at least so much, dBm; nil for all.
  public var minimumRSSI: Int?
  /// Those of beacons and trackers that are recognised.
  public var trackersOnly = false
  /// Those for which this holds; nil for all.
  public var filter: FilterExpression?

  /// All, unless something is said.
  public init(
    minimumRSSI: Int? = nil, trackersOnly: Bool = false, filter: FilterExpression? = nil
  ) {
    self.minimumRSSI = minimumRSSI
    self.trackersOnly = trackersOnly
    self.filter = filter
  }

  /// Whether something is left out at all.
  public var isRestricting: Bool { minimumRSSI != nil || trackersOnly || filter != nil }

  /// Whether the RSSI is high enough; reports without one pass only when none is asked for.
  @inline(__always)
  public func passesRSSI(_ report: AdvertisingReport) -> Bool {
    guard let minimumRSSI else { return true }
    return report.rssi.map { Int($0) >= minimumRSSI } ?? false
  }
}
