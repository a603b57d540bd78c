package import Beacons
public import Bluetooth
public import SafeText

/// What is known of one advertiser after many advertisements.
public struct Advertiser: AdvertiserEntry {
  /// Whom the advertisements came from.
  public struct Identity: Hashable, Sendable {
    /// The address; 0 where there is none.
    public let address: BluetoothAddress
    /// Its type.
    public let addressType: AddressType
  }

  /// Whom the advertisements came from.
  public let identity: Identity
  /// When the first came, by the clock: the times of a recording may go back.
  public private(set) var firstTime: Timestamp
  /// When the last came, by the clock.
  public internal(set) var lastTime: Timestamp
  /// How many there were.
  public internal(set) var count: UInt64 = 0
  /// The last RSSI, dBm; nil when none came.
  public internal(set) var rssi: Int8?
  /// Which adapter has heard that.
  private var signal = SignalChoice()
  /// The lowest RSSI, dBm.
  public internal(set) var minimumRSSI = Int8.max
  /// The highest RSSI, dBm.
  public internal(set) var maximumRSSI = Int8.min
  package var rssiSum: Int64 = 0
  package var rssiCount: Int64 = 0
  /// What recognised families it sent, as they were met.
  package var families = FamilySet()
  /// What kind of device it is, where it is one of Apple's Find My, as it said last.
  package var deviceType: AppleFindMy.DeviceType?
  /// Whether a family of trackers or beacons was recognised: what `luna scan --trackers` keeps.
  public var isTracker: Bool { !families.isEmpty }
  /// Who made it, by the number that begins its manufacturer data, else by the network of its beacon.
  package var company: UInt16?
  /// What it calls itself.
  public internal(set) var name: ForeignText?
  /// Whether the name is not a shortened one, which would give way for it.
  package var hasCompleteName = false
  /// Whether one of them said that it takes connections.
  public internal(set) var isConnectable = false
  /// Whether one of them said whether it does: bluetoothd does not, nor does a scan response.
  package private(set) var tellsConnectable = false
  /// Hashes of the payloads decoded last: what is among them need not be decoded again.
  package var knownPayloads: InlineArray<4, UInt64> = InlineArray(repeating: 0)
  package var nextKnown = 0

  package init(_ identity: Identity, at time: Timestamp) {
    self.identity = identity
    firstTime = time
    lastTime = time
  }

  /// Takes a report into account, all but its payload.
  @inline(__always)
  package mutating func add(_ report: AdvertisingReport) {
    if report.time != .unknown {
      if lastTime < report.time { lastTime = report.time }
      if firstTime == .unknown || report.time < firstTime { firstTime = report.time }
    }
    count &+= 1
    if let takesConnections = report.isConnectable {
      tellsConnectable = true
      if takesConnections { isConnectable = true }
    }
    guard let value = report.rssi else { return }
    if signal.takes(report) { rssi = value }
    if value < minimumRSSI { minimumRSSI = value }
    if value > maximumRSSI { maximumRSSI = value }
    rssiSum &+= Int64(value)
    rssiCount &+= 1
  }

  /// Whether a payload with this hash was decoded not long ago; if not, it counts as such now.
  @inline(__always)
  package mutating func isKnown(_ hash: UInt64) -> Bool {
    for index in 0..<4 where knownPayloads[index] == hash { return true }
    knownPayloads[nextKnown] = hash
    nextKnown = (nextKnown + 1) & 3
    return false
  }

  /// Mean RSSI, dBm.
  public var meanRSSI: Double? { rssiCount == 0 ? nil : Double(rssiSum) / Double(rssiCount) }

  /// The name of its company, or its number where that is not assigned.
  package var companyName: String? {
    company.map { code in
      CompanyIdentifier(code).name ?? "0x" + Hex.lower([UInt8(code >> 8), UInt8(code & 0xFF)])
    }
  }

  /// The same as text, with a decimal place at most.
  package var meanText: String? {
    meanRSSI.map { DecimalText.text(Int64(($0 * 10).rounded()), digits: 1) }
  }
}

extension Advertiser.Identity {
  /// The address as text; nil when there is none.
  package var addressText: String? { addressType.hasAddress ? address.description : nil }

  /// What kind of address it is, such as `random static`; nil where nobody knows.
  package var addressDetail: String? {
    addressType.name.map { name in
      let kind = addressType == .random ? address.randomKind?.rawValue : nil
      return kind.map { "\(name) \($0)" } ?? "\(name)"
    }
  }
}
