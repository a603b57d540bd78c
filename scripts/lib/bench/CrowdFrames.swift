import LunaCrypto
import LunaProtocol

/// What is in the air in a crowd: a tenth are one's own trackers, a tenth foreign ones, the rest
/// other things.
struct CrowdFrames: ~Copyable {
  private var schedule: KeySchedule
  private var generator = SeededGenerator(state: 11)
  private var foreign: [[UInt8]] = []

  private static let other: [UInt8] = [
    0x02, 0x01, 0x1A, 0x02, 0x0A, 0x0C, 0x0B, 0xFF, 0x4C, 0x00, 0x10, 0x06, 1, 2, 3, 4, 5, 6,
  ]

  init() throws { schedule = try KeySchedule() }

  /// What a tracker shows in a period.
  mutating func frame(_ masterKey: MasterKey, _ period: UInt32) -> [UInt8] {
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else { return [] }
    let bytes = LunaFrame(
      isConnectable: false, isOnboardable: false, isSeparated: false,
      keyRollingCounter: UInt8(truncatingIfNeeded: period),
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period),
      esf: schedule.sealStatus(
        TrackerStatus(battery: .normal), botp: schedule.botp(control, period: period))
    ).encoded
    return bytes.indices.map { bytes[$0] }
  }

  /// The advertisement with a number, and whose it is. 200 of one's own and 200 foreign trackers are
  /// near.
  mutating func advertisement(_ number: Int, own: [[UInt8]]) -> (data: [UInt8], address: UInt64) {
    let place = number / 10 % 200
    switch number % 10 {
    case 0: return (own[place % own.count], UInt64(place) + 1000)
    case 1:
      while foreign.count <= place {
        var bytes = own[0]
        for index in 13..<28 { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
        foreign.append(bytes)
      }
      return (foreign[place], UInt64(place) + 2000)
    default: return (CrowdFrames.other, UInt64(number % 1000) + 10_000)
    }
  }
}
