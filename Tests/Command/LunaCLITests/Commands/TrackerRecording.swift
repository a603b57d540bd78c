import Bluetooth
import Captures
import LunaCrypto
import LunaProtocol

/// Makes recordings of a tracker whose key is known.
struct TrackerRecording: ~Copyable {
  /// The first period, which begins at 1,699,999,744 s, and the time at which the tracker was
  /// onboarded, Unix s.
  static let period: UInt32 = 1_660_156
  static let onboarded: Int64 = 1_700_000_000
  static let uuid = "0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F"

  /// What `luna owner import` takes.
  static let keys = """
    {"format":"luna-devices","version":1,"devices":[{"uuid":"\(uuid)","name":"Keys",
    "masterKey":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "onboardingTimestamp":\(onboarded)}]}
    """

  private var schedule: KeySchedule
  private let keys: TrackerKeys
  private(set) var reports: [AdvertisingReport] = []

  init() throws {
    var schedule = try KeySchedule()
    keys = schedule.keys(of: MasterKey(bytes: InlineArray { UInt8($0) }))
    self.schedule = schedule
  }

  /// The tracker is heard in a period, some seconds after it was onboarded.
  mutating func hear(_ period: UInt32, at seconds: Double) {
    guard let location = keys.location, let control = keys.control else { return }
    let status = TrackerStatus(battery: .low)
    append(
      LunaFrame(
        isConnectable: false, isOnboardable: false, isSeparated: false,
        keyRollingCounter: UInt8(truncatingIfNeeded: period),
        eid: schedule.eid(keys.identification, period: period),
        aotp: schedule.aotp(location, period: period),
        esf: schedule.sealStatus(status, botp: schedule.botp(control, period: period))),
      address: 0xC000_0000_0000 | UInt64(period), at: seconds)
  }

  /// Somebody else's tracker is heard.
  mutating func hearForeign(at seconds: Double) {
    append(
      LunaFrame(
        isConnectable: true, isOnboardable: false, isSeparated: false, keyRollingCounter: 7,
        eid: EID(value: 1), aotp: AOTP(value: 2), esf: ESF(value: 3)),
      address: 0xC0FF_EE00_0001, at: seconds)
  }

  private mutating func append(_ frame: LunaFrame, address: UInt64, at seconds: Double) {
    let bytes = frame.encoded
    var report = AdvertisingReport(
      time: Timestamp(
        microseconds: Self.onboarded * 1_000_000 + Int64((seconds * 1e6).rounded())),
      adapter: 0, address: BluetoothAddress(value: address), addressType: .random,
      payload: AdvertisingPayload(bytes.indices.map { bytes[$0] }), rssi: -61)
    report.setLegacyPDU(frame.isConnectable ? .advInd : .advNonconnInd)
    reports.append(report)
  }

  /// Writes what was heard.
  func write(to path: String) async throws {
    let writer = try await CaptureWriter(path: path, replacing: true)
    try await writer.write(reports)
    try await writer.finish()
  }
}
