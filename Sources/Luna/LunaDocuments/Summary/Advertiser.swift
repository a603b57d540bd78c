import Bluetooth
import SafeText

/// What is known of one advertiser after many advertisements.
struct Advertiser: AdvertiserEntry {
  /// Whom the advertisements came from.
  struct Identity: Hashable {
    let address: BluetoothAddress
    let addressType: AddressType
  }

  let identity: Identity
  private(set) var firstTime: Timestamp
  var lastTime: Timestamp
  var count: UInt64 = 0
  /// The last RSSI, dBm; nil when none came.
  var rssi: Int8?
  var minimumRSSI = Int8.max
  var maximumRSSI = Int8.min
  var rssiSum: Int64 = 0
  var rssiCount: Int64 = 0
  /// What recognised families it sent, as they were met.
  var families = FamilySet()
  /// Whether one of them was a tracker's.
  var isTracker = false
  var name: ForeignText?
  /// Whether the name is not a shortened one, which would give way for it.
  var hasCompleteName = false
  var isConnectable = false
  /// Hashes of the payloads decoded last: what is among them need not be decoded again.
  var knownPayloads: InlineArray<4, UInt64> = InlineArray(repeating: 0)
  var nextKnown = 0

  init(_ identity: Identity, at time: Timestamp) {
    self.identity = identity
    firstTime = time
    lastTime = time
  }

  /// Takes a report into account, all but its payload.
  @inline(__always)
  mutating func add(_ report: AdvertisingReport) {
    if report.time != .unknown {
      lastTime = report.time
      if firstTime == .unknown { firstTime = report.time }
    }
    count &+= 1
    if report.isConnectable == true { isConnectable = true }
    guard let value = report.rssi else { return }
    rssi = value
    if value < minimumRSSI { minimumRSSI = value }
    if value > maximumRSSI { maximumRSSI = value }
    rssiSum &+= Int64(value)
    rssiCount &+= 1
  }

  /// Whether a payload with this hash was decoded not long ago; if not, it counts as such now.
  @inline(__always)
  mutating func isKnown(_ hash: UInt64) -> Bool {
    for index in 0..<4 where knownPayloads[index] == hash { return true }
    knownPayloads[nextKnown] = hash
    nextKnown = (nextKnown + 1) & 3
    return false
  }

  /// Mean RSSI, dBm.
  var meanRSSI: Double? { rssiCount == 0 ? nil : Double(rssiSum) / Double(rssiCount) }
}
