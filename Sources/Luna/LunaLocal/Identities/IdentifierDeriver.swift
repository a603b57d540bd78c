import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Derives what devices of all families will show, and recognises what cannot be derived. Keeps its
/// contexts; one per thread.
struct IdentifierDeriver: ~Copyable {
  var schedule: KeySchedule
  var reports: ReportKeyDeriver
  private var eddystone: EddystoneEIDDeriver
  private var addresses: AddressResolver
  var slow = SlowDerivations()

  init() throws(CryptoError) {
    let schedule = try KeySchedule()
    let reports = try ReportKeyDeriver()
    let eddystone = try EddystoneEIDDeriver()
    let addresses = try AddressResolver()
    self.schedule = schedule
    self.reports = reports
    self.eddystone = eddystone
    self.addresses = addresses
  }

  /// The index keys of some periods of a device whose identifiers are quick to derive.
  mutating func keys(
    of device: TrackedDevice, periods: PeriodRange, _ body: (UInt32, UInt64) -> Void
  ) {
    guard !periods.isEmpty else { return }
    switch device.device.keys {
    case .luna:
      guard let keys = device.lunaKeys else { return }
      schedule.eids(keys.identification, periods: periods) { body($0, $1.value) }
    case .eddystoneEID(let keys):
      // Lengths and exponent were checked when the keys were made.
      try? eddystone.eids(keys.identityKey, rotations: periods, exponent: keys.exponent) {
        body($0, $1.value)
      }
    case .lunaShared(let shared):
      let first = max(periods.first, shared.periods.first)
      let last = min(periods.last, shared.periods.last)
      guard first <= last else { return }
      for period in first...last { if let eid = shared.eid(period) { body(period, eid.value) } }
    case .googleFindHub, .appleFindMy, .appleFindMyKey, .resolvableAddress: break
    }
  }

  /// The same for identifiers that are slow to derive: of those that are derived already.
  func slowKeys(
    of device: TrackedDevice, periods: PeriodRange, sequence: UInt8,
    _ body: (UInt32, UInt64) -> Void
  ) {
    guard !periods.isEmpty else { return }
    let isFindMy = device.device.keys.kind.sends == .appleFindMy
    for period in periods.first...periods.last {
      guard
        let identifier = slow.identifier(device.device, sequence: sequence, period: period)
      else { continue }
      body(
        period,
        isFindMy
          ? IdentifierKey.findMy(publicKey: identifier) : IdentifierKey.leading(identifier))
    }
  }

  /// Whether an address was made with the key of a device.
  mutating func resolves(_ address: BluetoothAddress, _ device: TrackedDevice) -> Bool {
    guard case .resolvableAddress(let key) = device.device.keys else { return false }
    return (try? addresses.resolves(address, key: key.secret)) ?? false
  }

  /// The HEID of a period of a LunaTracker whose location branch is held.
  mutating func heid(of device: TrackedDevice, period: UInt32) -> HEID? {
    if let shared = device.device.shared {
      guard let eid = shared.eid(period), let aotp = shared.aotp(period) else { return nil }
      return reports.heid(eid: eid, aotp: aotp)
    }
    guard let keys = device.lunaKeys, let location = keys.location else { return nil }
    return reports.heid(
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period))
  }

  /// The status of a frame; nil when it is not authentic, or the control branch is not held.
  mutating func status(of frame: LunaFrame, _ device: TrackedDevice, period: UInt32)
    -> TrackerStatus?
  {
    if let key = device.device.shared?.statusKey(period) {
      return try? schedule.openStatus(frame.esf, statusKey: key)
    }
    guard let control = device.lunaKeys?.control else { return nil }
    return try? schedule.openStatus(frame.esf, botp: schedule.botp(control, period: period))
  }
}
