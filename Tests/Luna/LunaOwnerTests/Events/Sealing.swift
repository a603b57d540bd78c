import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol

/// What a finder would upload of a device of the samples.
struct Sealing: ~Copyable {
  private var schedule: KeySchedule
  private var sealer: ReportSealer
  private let keys: TrackerKeys

  init(_ device: Device) throws {
    guard let key = device.masterKey else { throw CryptoFailure() }
    var schedule = try KeySchedule()
    let sealer = try ReportSealer()
    keys = schedule.keys(of: key)
    self.schedule = schedule
    self.sealer = sealer
  }

  struct CryptoFailure: Error {}

  mutating func heid(_ period: UInt32) throws -> HEID {
    guard let location = keys.location else { throw CryptoFailure() }
    var deriver = try ReportKeyDeriver()
    return deriver.heid(
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period))
  }

  /// - Parameters:
  ///   - time: Unix ms.
  ///   - period: by default the one of that time.
  mutating func event(
    at time: Int64, period: UInt32? = nil, latitude: Double = 52, longitude: Double = 13,
    accuracy: Double? = 8, battery: BatteryLevel = .normal, day: Day? = nil
  ) throws -> StoredEvent {
    let period = period ?? Period.number(at: time)
    guard let location = keys.location, let control = keys.control else { throw CryptoFailure() }
    let record = try LocationRecord(
      ReportedLocation(
        collectedAt: time, latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy))
    let esf = schedule.sealStatus(
      TrackerStatus(battery: battery), botp: schedule.botp(control, period: period))
    let report = sealer.seal(
      record, eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period), esf: esf,
      random: try SecureRandom.bytes())
    let received = Timestamp(microseconds: time * 1000 + 5_000_000)
    return StoredEvent(
      TrackerEvent(report, day: day ?? Day(Timestamp(microseconds: time * 1000))),
      receivedAt: received)
  }
}
