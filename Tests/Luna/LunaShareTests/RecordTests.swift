import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare
import Testing

/// What a share gives, and what is not in it.
struct RecordTests {
  private func owner() throws -> TrackerKeys {
    var schedule = try KeySchedule()
    return schedule.keys(of: Samples.masterKey)
  }

  @Test func valuesAreThoseOfTheOwner() throws {
    let shared = try Samples.periods(rights: Samples.all)
    var schedule = try KeySchedule()
    let keys = try owner()
    for period in shared.periods.first...shared.periods.last {
      #expect(shared.eid(period) == schedule.eid(keys.identification, period: period))
      #expect(shared.aotp(period) == schedule.aotp(try #require(keys.location), period: period))
      let botp = schedule.botp(try #require(keys.control), period: period)
      #expect(shared.statusKey(period) == schedule.statusKey(botp: botp))
      let status = try #require(TrackerStatus(rawValue: 6))
      let esf = schedule.sealStatus(status, botp: botp)
      let key = try #require(shared.statusKey(period))
      #expect(try schedule.openStatus(esf, statusKey: key) == status)
    }
    for period in [shared.periods.first - 1, shared.periods.last + 1, 0, .max] {
      #expect(shared.eid(period) == nil)
      #expect(shared.aotp(period) == nil)
      #expect(shared.statusKey(period) == nil)
    }
    #expect(try Samples.periods().statusKey(Samples.period) == nil)
  }

  @Test(arguments: RingRight.choices)
  func ringsAreThoseOfTheOwner(perPeriod: Int) throws {
    let ring = RingRight(seconds: 5, perPeriod: perPeriod)
    let shared = try Samples.periods(rights: ShareRights(status: true, ring: ring))
    var heids = try ReportKeyDeriver()
    var authenticator = try ControlAuthenticator()
    let keys = try owner()
    let start = 1024 * Int64(Samples.period + 1)
    for slot in 0..<Int64(perPeriod) {
      let counter = start + slot * 1024 / Int64(perPeriod)
      for now in [counter, counter + 1024 / Int64(perPeriod) - 1] {
        let package = try #require(shared.ringPackage(Samples.period + 1, at: now, heids: &heids))
        let made = try authenticator.deferredPackage(
          .buzzStart, argument: 5, counter: UInt32(counter), period: Samples.period + 1,
          keys: keys)
        #expect(package == made)
      }
    }
    // A clock that is off: the first before the period, the last after it.
    let early = try #require(shared.ringPackage(Samples.period + 1, at: 0, heids: &heids))
    #expect(Int64(early.counter) == start)
    let late = try #require(shared.ringPackage(Samples.period + 1, at: .max, heids: &heids))
    #expect(Int64(late.counter) == start + 1024 - 1024 / Int64(perPeriod))
    #expect(shared.ringPackage(Samples.period + 3, at: start, heids: &heids) == nil)
    #expect(try Samples.periods().ringPackage(Samples.period, at: start, heids: &heids) == nil)
  }

  /// Neither the master key, nor a branch, nor what opens a whole period, nor anything of other periods.
  @Test func nothingElseIsInIt() throws {
    let shared = try Samples.periods(count: 5, rights: Samples.all)
    let records = Samples.bytes(shared.records)
    var schedule = try KeySchedule()
    let keys = try owner()
    let control = try #require(keys.control)
    var secrets: [SecretBytes] = [
      Samples.masterKey.secret, keys.identification, try #require(keys.location), control,
      try #require(keys.owner), schedule.interactiveControlKey(try #require(keys.owner)),
    ]
    for period in shared.periods.first...shared.periods.last {
      let botp = schedule.botp(control, period: period)
      secrets += [botp, schedule.deferredControlKey(botp: botp)]
    }
    for secret in secrets {
      // Not even half of one.
      #expect(!records.contains(Array(Samples.bytes(secret).prefix(16))))
      #expect(!records.contains(Array(Samples.bytes(secret).suffix(16))))
    }
    for distance in 1...50 as ClosedRange<UInt32> {
      for period in [shared.periods.first - distance, shared.periods.last + distance] {
        let eid = schedule.eid(keys.identification, period: period).bytes
        let aotp = schedule.aotp(try #require(keys.location), period: period).bytes
        #expect(!records.contains(eid.indices.map { eid[$0] }))
        #expect(!records.contains(aotp.indices.map { aotp[$0] }))
      }
    }
    let eid = schedule.eid(keys.identification, period: shared.periods.last).bytes
    #expect(records.contains(eid.indices.map { eid[$0] }))
  }

  @Test func lengthsAreThoseOfTheText() throws {
    #expect(ShareRights().recordCount == 15)
    #expect(ShareRights(status: true).recordCount == 47)
    #expect(Samples.all.recordCount == 111)
    #expect(RingRight(seconds: 0, perPeriod: 1) == nil)
    #expect(RingRight(seconds: 61, perPeriod: 1) == nil)
    #expect(RingRight(seconds: 1, perPeriod: 3) == nil)
    let thirtyDays = 30 * 86_400 / 1024
    #expect(thirtyDays * ShareRights().recordCount / 1000 == 37)
    let error = #expect(throws: ShareError.self) {
      try SharedPeriods(
        of: Samples.masterKey, periods: PeriodRange(first: 1, last: 33_751), rights: ShareRights(),
        until: 1)
    }
    #expect(error?.kind == .range)
    let large = #expect(throws: ShareError.self) {
      try SharedPeriods(
        of: Samples.masterKey, periods: PeriodRange(first: 1, last: 33_750),
        rights: ShareRights(status: true, ring: RingRight(seconds: 1, perPeriod: 8)), until: 1)
    }
    #expect(large?.kind == .size)
  }
}
