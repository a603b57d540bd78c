package import Bluetooth

/// The recent past of a device's signal.
package struct DeviceHistory: Sendable {
  /// How many RSSI values the trend is drawn from.
  private static let limit = 16

  /// Stays with the device.
  package let id: UInt64
  /// The last RSSI values, dBm, the newest at the end.
  package private(set) var values: [Int8] = []
  /// How often it was heard.
  package private(set) var count = 0
  private var lastSeen: Timestamp
  private var meter: RateMeter

  init(id: UInt64, at time: Timestamp) {
    self.id = id
    lastSeen = time
    meter = RateMeter(at: time)
  }

  mutating func hear(_ rssi: Double?, at time: Timestamp) {
    lastSeen = time
    meter.observe(at: time)
    count += 1
    guard let rssi else { return }
    values.append(Int8(rssi))
    if values.count > DeviceHistory.limit { values.removeFirst() }
  }

  /// Packets a second at the time `now`.
  package func rate(at now: Timestamp) -> Double { meter.value(at: now) }

  /// The seconds since it was heard last.
  package func age(at now: Timestamp) -> Double { lastSeen.seconds(to: now) }
}
