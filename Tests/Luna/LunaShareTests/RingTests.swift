import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare
import LunaTesting
import Testing

/// What a tracker and its owner make of rings by a share (SHARING.md, 1).
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
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        #expect(status(period, last: 0, changed) != .done)
      }
    }
  }

  /// Rings of all kinds in any order: the owner's next command works, at the latest with the raised
  /// counter.
  @Test func theOwnersNextCommandWorks() throws {
    let keys = try owner()
    var heids = try ReportKeyDeriver()
    var tracker = try ControlAuthenticator()
    var maker = try ControlAuthenticator()
    var random = Seeded(14)
    let shares = try RingRight.choices.map { choice in
      try Samples.periods(
        count: 8, rights: ShareRights(ring: RingRight(seconds: 5, perPeriod: choice)))
    }
    for _ in 0..<1000 {
      // The period on air, and the clocks of tracker and owner in it.
      let onAir = Samples.period + UInt32.random(in: 1...6, using: &random)
      let now = 1024 * onAir + UInt32.random(in: 0..<1024, using: &random)
      var situation = ControlSituation(periodOnAir: onAir, lastCounter: 0, clock: now)
      var issued = now - 5000
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        guard let shared = shares.randomElement(using: &random) else { continue }
        let period = onAir - 1 + UInt32.random(in: 0...2, using: &random)
        let time = 1024 * Int64(period) + Int64.random(in: 0..<1024, using: &random)
        guard let ring = shared.ringPackage(period, at: time, heids: &heids) else { continue }
        situation.lastCounter =
          tracker.judge(ring.bytes.span, keys: keys, in: situation).lastCounter
      }
      var tries = 0
      while true {
        tries += 1
        issued = try #require(ControlCounter.next(after: issued, unixTime: now))
        let package = try maker.deferredPackage(
          .buzzStart, argument: 10, counter: issued, period: onAir, keys: keys)
        let verdict = tracker.judge(package.bytes.span, keys: keys, in: situation)
        if verdict.status == .done { break }
        #expect(verdict.status == .stale)
        guard tries == 1 else {
          Issue.record("a raised counter was not enough")
          break
        }
        issued = max(issued, 1024 * (onAir + 2) - 1)
      }
    }
  }
}
