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

  /// Neither the master key, nor a branch, nor what opens a whole period, nor anything of other periods: in all that is
  /// sealed, as bytes or as the digits of a text.
  @Test(arguments: ShareMessageTests.rights)
  func nothingElseIsInIt(rights: ShareRights) throws {
    let shared = try Samples.periods(count: 5, rights: rights)
    var message = try Samples.message(rights: rights)
    message.grant?.periods = shared
    let envelope = try message.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    let (_, opened) = try ShareEnvelope.open(
      envelope, to: Samples.ben, from: [Samples.key(Samples.anna)])
    let content = Samples.bytes(opened)
    #expect(content.count > shared.records.count + 100)
    let pieces = Set([7, 8, 16].flatMap { Self.pieces(of: content, $0) })
    let lower = content.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
    let digits = Set([14, 16, 32].flatMap { Self.pieces(of: lower, $0) })
    func holds(_ bytes: [UInt8]) -> Bool {
      pieces.contains(bytes) || digits.contains(Array(Hex.lower(bytes.span).utf8))
    }
    var schedule = try KeySchedule()
    let keys = try owner()
    let control = try #require(keys.control)
    let location = try #require(keys.location)
    var secrets: [SecretBytes] = [
      Samples.masterKey.secret, keys.identification, location, control,
      try #require(keys.owner), schedule.interactiveControlKey(try #require(keys.owner)),
    ]
    for period in shared.periods.first - 50...shared.periods.last + 50 {
      let botp = schedule.botp(control, period: period)
      secrets += [botp, schedule.deferredControlKey(botp: botp)]
      let isShared = shared.periods.contains(period)
      if !isShared || !rights.status { secrets.append(schedule.statusKey(botp: botp)) }
      let eid = schedule.eid(keys.identification, period: period).bytes
      let aotp = schedule.aotp(location, period: period).bytes
      // What is there is found so.
      #expect(holds(eid.indices.map { eid[$0] }) == isShared)
      #expect(holds(aotp.indices.map { aotp[$0] }) == isShared)
    }
    for secret in secrets {
      // Not even half of one.
      #expect(!holds(Array(Samples.bytes(secret).prefix(16))))
      #expect(!holds(Array(Samples.bytes(secret).suffix(16))))
    }
  }

  /// All that stands in some bytes, by its length.
  private static func pieces(of bytes: [UInt8], _ count: Int) -> [[UInt8]] {
    (0...bytes.count - count).map { Array(bytes[$0..<$0 + count]) }
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
