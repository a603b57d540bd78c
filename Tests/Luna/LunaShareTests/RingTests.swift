import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare
import Testing

/// What a tracker makes of rings by a share (SHARING.md, 1).
struct RingTests {
  private func owner() throws -> TrackerKeys {
    var schedule = try KeySchedule()
    return schedule.keys(of: Samples.masterKey)
  }

  @Test(arguments: RingRight.choices)
  func theTrackerTakesEachInItsPeriod(perPeriod: Int) throws {
    let ring = RingRight(seconds: 5, perPeriod: perPeriod)
    let shared = try Samples.periods(rights: ShareRights(ring: ring))
    let keys = try owner()
    var heids = try ReportKeyDeriver()
    var tracker = try ControlAuthenticator()
    let period = Samples.period + 1
    for slot in 0..<Int64(perPeriod) {
      let time = 1024 * Int64(period) + slot * 1024 / Int64(perPeriod)
      let package = try #require(shared.ringPackage(period, at: time, heids: &heids))
      func status(_ onAir: UInt32, last: UInt32, _ bytes: [UInt8]) -> ControlStatus {
        tracker.judge(
          bytes.span, keys: keys,
          in: ControlSituation(periodOnAir: onAir, lastCounter: last, clock: 0)
        ).status
      }
      let bytes = package.bytes.indices.map { package.bytes[$0] }
      for distance in [-1, 0, 1] as [Int64] {
        #expect(status(UInt32(Int64(period) + distance), last: 0, bytes) == .done)
      }
      #expect(status(period - 2, last: 0, bytes) == .wrongPeriod)
      #expect(status(period + 2, last: 0, bytes) == .wrongPeriod)
      #expect(status(period, last: package.counter - 1, bytes) == .done)
      #expect(status(period, last: package.counter, bytes) == .stale)
      for bit in 0..<8 * bytes.count {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(status(period, last: 0, changed) != .done)
      }
    }
  }
}
