import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import LunaTesting

/// A tracker with a clock that drifts, as it would be heard.
final class SimulatedTracker {
  let device: Device
  let onboarding: Int64
  /// The error of the oscillator, parts per million.
  let ppm: Double
  /// By how much the clock was set wrong, ms.
  var offset: Int64 = 0
  var battery = BatteryLevel.normal
  var isSounding = false
  private let keys: TrackerKeys
  private var schedule: KeySchedule
  private var reports: ReportKeyDeriver
  private let number: UInt64

  init(_ number: UInt64, onboarding: Int64 = 1_700_000_123_000, ppm: Double = 0) throws {
    self.number = number
    self.ppm = ppm
    self.onboarding = onboarding
    var generator = Seeded(number)
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let masterKey = try present(MasterKey(SecretBytes(copying: bytes.span)))
    device = Device(
      uuid: DeviceUUID(high: 0xFEED, low: number), masterKey: masterKey,
      onboardingTimestamp: Timestamp(unixMilliseconds: onboarding), name: "tracker \(number)")
    schedule = try KeySchedule()
    reports = try ReportKeyDeriver()
    keys = schedule.keys(of: masterKey)
  }

  /// The period on the air at the owner's time, ms.
  func period(at time: Int64) -> UInt32 {
    let elapsed = Double(time - onboarding)
    let clock = time + Int64((elapsed * ppm / 1e6).rounded()) + offset
    let target = UInt64(clamping: clock / Period.milliseconds)
    var generator = Seeded(number &* 1_000_003 &+ target)
    let delay = Int64.random(in: 0..<Period.rotationDelayLimit, using: &generator)
    return Rotation.periodOnAir(clock: clock, delay: delay, minimumPeriod: 0)
  }

  func address(of period: UInt32) -> BluetoothAddress {
    var generator = Seeded(number &* 7_000_003 &+ UInt64(period))
    return BluetoothAddress(value: generator.next() & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000)
  }

  func frame(of period: UInt32, connectable: Bool = false) -> LunaFrame {
    guard let location = keys.location, let control = keys.control else { fatalError("all keys") }
    let status = TrackerStatus(
      battery: battery, isConnectable: connectable, isSounding: isSounding)
    return LunaFrame(
      isConnectable: connectable, isOnboardable: false, isSeparated: false,
      keyRollingCounter: UInt8(truncatingIfNeeded: period),
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period),
      esf: schedule.sealStatus(status, botp: schedule.botp(control, period: period)))
  }

  /// What is heard at the owner's time, ms.
  func report(at time: Int64, rssi: Int8 = -60) -> AdvertisingReport {
    report(of: period(at: time), at: time, rssi: rssi)
  }

  /// What is heard of a given period.
  func report(of period: UInt32, at time: Int64, rssi: Int8 = -60) -> AdvertisingReport {
    let bytes = frame(of: period).encoded
    return makeReport(bytes.indices.map { bytes[$0] }, address(of: period), time, rssi)
  }

  /// The iBeacon frame that is heard at the owner's time, ms.
  func iBeacon(at time: Int64) -> AdvertisingReport {
    let period = period(at: time)
    let frame = frame(of: period)
    let heid = reports.heid(eid: frame.eid, aotp: frame.aotp)
    let bytes = IBeaconFrame(
      region: IBeaconFrame.defaultRegions[0],
      heidPrefix: UInt32(truncatingIfNeeded: heid.high >> 32)
    ).encoded
    return makeReport(bytes.indices.map { bytes[$0] }, address(of: period), time, -70)
  }
}

func makeReport(
  _ bytes: [UInt8], _ address: BluetoothAddress, _ time: Int64, _ rssi: Int8 = -60,
  type: AddressType = .random
) -> AdvertisingReport {
  AdvertisingReport(
    time: Timestamp(unixMilliseconds: time), adapter: nil, address: address, addressType: type,
    payload: AdvertisingPayload(bytes), rssi: rssi)
}

extension TrackerFollower {
  /// What one report leads to.
  func hear(_ report: AdvertisingReport) -> [LocalUpdate] {
    var updates: [LocalUpdate] = []
    receive(report, into: &updates)
    return updates
  }
}

struct Missing: Error {}

func present<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}
