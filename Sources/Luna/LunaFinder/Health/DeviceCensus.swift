import Beacons
import Bluetooth
import LunaCore
import LunaCrypto

/// Who stays near a gateway: advertisers with an address that does not change, and in which hours they were
/// heard. Addresses that rotate, and trackers of any maker, are never in it. It is kept in memory alone, and
/// knows no time but the one that it is told.
struct DeviceCensus: Sendable {
  /// Who was heard in fewer of the last 24 hours passes by.
  static let fewestHours = 3
  /// How often is told who stays.
  static let interval = Duration.seconds(15 * 60)
  /// More are not told apart.
  static let limit = 8192
  /// From which signal strength on something is near, and from which it is not far, dBm.
  private static let (near, mid) = (-65.0, -85.0)

  /// An address that does not change.
  struct Identity: Hashable {
    let address: BluetoothAddress
    let isPublic: Bool
  }

  private struct Entry {
    /// Up to the hour in which it was heard last.
    var hours: HeardHours
    /// The hour in which it was heard first.
    let first: Int64
    var family: BeaconFamily?
    /// The signal strength, smoothed; nil when no report told.
    var strength: Double?
    var isTracker = false
  }

  private var entries: [Identity: Entry] = [:]
  /// The hour in which room was made last.
  private var sweptAt: Int64?
  private let decoder: BeaconDecoder
  private let signs: TrackerSigns
  private var beacons: [Beacon] = []

  init(decoder: BeaconDecoder) {
    self.decoder = decoder
    signs = TrackerSigns(decoder)
  }

  /// How many are told apart.
  var count: Int { entries.count }

  /// Somebody was heard.
  mutating func take(_ report: AdvertisingReport, at time: Timestamp) {
    guard let identity = Identity(report), time.ifPlausible != .unknown else { return }
    let now = HeardHours(bits: 1, at: time)
    var entry = Entry(hours: now, first: now.hour)
    if let known = entries[identity] {
      // Where the clock was set back, what was before cannot be told any more.
      if known.hours.hour <= now.hour, now.hour - known.hours.hour < 24 { entry = known }
      entry.isTracker = known.isTracker
    } else if entries.count >= DeviceCensus.limit, !makeRoom(at: now.hour) {
      return
    }
    entry.hours = entry.hours.union(now)
    if let rssi = report.rssi {
      entry.strength = entry.strength.map { $0 + (Double(rssi) - $0) / 8 } ?? Double(rssi)
    }
    if !entry.isTracker { look(at: report, for: &entry) }
    entries[identity] = entry
  }

  /// Each report is looked at: something can be a tracker and a beacon in turn.
  private mutating func look(at report: AdvertisingReport, for entry: inout Entry) {
    beacons.removeAll(keepingCapacity: true)
    decoder.decode(report, into: &beacons)
    entry.isTracker = TrackerSigns.areIn(beacons) || signs.areIn(report)
    if entry.family == nil { entry.family = beacons.first?.family }
  }

  /// Lets go of those who passed by, once an hour: a flood of new addresses drives out nobody who stays.
  private mutating func makeRoom(at hour: Int64) -> Bool {
    guard sweptAt != hour else { return false }
    sweptAt = hour
    entries = entries.filter { _, entry in
      let hours = entry.hours.moved(to: hour)
      return hours.bits & 1 != 0 || hours.bits.nonzeroBitCount > 1
    }
    return entries.count < DeviceCensus.limit
  }

  /// Who stays: those heard in most hours first.
  func staying(at time: Timestamp, _ names: DeviceNames) throws(CryptoError) -> [DeviceReport] {
    let hour = HeardHours.hour(of: time)
    let staying = entries.filter { _, entry in
      !entry.isTracker && entry.hours.hour <= hour
        && entry.hours.count(at: time) >= DeviceCensus.fewestHours
    }.sorted {
      let (left, right) = ($0.value.hours.count(at: time), $1.value.hours.count(at: time))
      return (left, $0.key.address.value) > (right, $1.key.address.value)
    }
    var reports: [DeviceReport] = []
    for (identity, entry) in staying.prefix(DeviceReport.limit) {
      reports.append(
        DeviceReport(
          ref: try names.name(identity), family: entry.family?.rawValue ?? "unknown",
          first: HeardHours.beginning(of: entry.first),
          last: HeardHours.beginning(of: entry.hours.hour), hours: entry.hours,
          band: DeviceCensus.band(entry.strength)))
    }
    return reports
  }

  /// How near something is; what no source tells of is not said to be near.
  private static func band(_ strength: Double?) -> DeviceBand {
    guard let strength else { return .far }
    return strength >= near ? .near : strength >= mid ? .mid : .far
  }
}

extension DeviceCensus.Identity {
  /// Who sent a report; nil for an address that rotates, or is none. One that the controller resolved has
  /// rotated on the air.
  init?(_ report: AdvertisingReport) {
    switch report.addressType {
    case .public: self.init(address: report.address, isPublic: true)
    case .random where report.address.randomKind == .static:
      self.init(address: report.address, isPublic: false)
    default: return nil
    }
  }
}
