/// Whose signal strength stands for an advertiser that several adapters hear: the one that hears it
/// best, until another one does so clearly better or it does not hear it any more.
///
/// Without that the number would jump with every report between a near adapter and a far one.
package struct SignalChoice: Hashable, Sendable {
  /// Another adapter has to hear it by so many dB better.
  package static let margin = 6
  /// An adapter that has not heard it for so long stands back.
  package static let patience: UInt64 = 10_000_000

  private var adapter: UInt16?
  private var rssi: Int8 = -127
  private var time: Timestamp = .unknown

  package init() {}

  /// Whether the signal strength of this report is to be shown.
  package mutating func takes(_ report: borrowing AdvertisingReport) -> Bool {
    guard let rssi = report.rssi else { return false }
    guard
      time == .unknown || report.adapter == adapter || Int(rssi) >= Int(self.rssi) + Self.margin
        // In both directions: the clock may have been set back since.
        || (report.time.microseconds &- time.microseconds).magnitude > Self.patience
    else { return false }
    adapter = report.adapter
    self.rssi = rssi
    time = report.time
    return true
  }
}
