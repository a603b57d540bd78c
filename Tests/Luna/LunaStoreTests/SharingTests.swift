import Bluetooth
import Foundation
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare
import LunaStore
import LunaTesting
import SQLite
import Testing

/// Contacts, and what is shared.
struct SharingTests {
  private let place: Workplace
  private let cheap = Scrypt(cost: 16, blockSize: 8, parallelization: 1)
  private let now = Int64(Date().timeIntervalSince1970)

  init() throws { place = try Workplace() }

  private func shared(until: Int64, _ first: UInt32 = 1_660_156) throws -> SharedPeriods {
    try SharedPeriods(
      of: MasterKey(bytes: InlineArray { UInt8($0) }),
      periods: PeriodRange(first: first, last: first + 9),
      rights: ShareRights(status: true, ring: RingRight(seconds: 12, perPeriod: 2)), until: until)
  }

  private func device(_ periods: SharedPeriods) -> Device {
    Device(
      uuid: Samples.uuid(7), keys: .lunaShared(periods),
      onboardingTimestamp: Timestamp(microseconds: 1), name: "bike of Anna")
  }

  private func row(_ serial: Int64, until: Int64, isEnd: Bool = false) -> ReceivedShareRow {
    ReceivedShareRow(
      sender: [UInt8](repeating: 3, count: 32), share: Samples.uuid(9), serial: serial,
      until: until, device: isEnd ? nil : Samples.uuid(7),
      rights: ShareRights(status: true), periods: PeriodRange(first: 1, last: 10), model: "m",
      backend: "b", issuedAt: 5)
  }

  /// Whether any file here has some bytes.
  private func holds(_ bytes: [UInt8]) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: place.state.path).contains {
      try Data(contentsOf: URL(fileURLWithPath: "\(place.state.path)/\($0)"))
        .range(of: Data(bytes)) != nil
    }
  }

  private func bytes(_ secret: SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test(arguments: [Int64.min, .max])
  func whatADamagedRowSaysCanBeReckonedWith(number: Int64) async throws {
    let store = try place.store()
    let contact = ContactRow(
      name: "Anna", email: "", key: [UInt8](repeating: 3, count: 32), isVerified: false,
      addedAt: number)
    try await store.put(contact)
    #expect(try await store.contacts().map(\.addedAt.magnitude) == [1 << 53])
    #expect(try await store.take(row(number, until: number, isEnd: true), as: nil, clock: nil))
    let share = try #require(try await store.receivedShares().first)
    #expect(share.serial.magnitude == 1 << 53 && share.until.magnitude == 1 << 53)
    #expect(try shared(until: number).isLive(at: 0) == (number > 0))
  }

  @Test func theKeyOfTheCardIsKeptAndSealed() async throws {
    let key = try SecureRandom.secret(count: 32)
    do {
      let store = try place.store()
      #expect(try await store.contactKey() == nil)
      try await store.putContactKey(key, name: "Anna")
    }
    do {
      let store = try place.store()
      #expect(try await store.contactKey()?.key == key)
      #expect(try await store.contactKey()?.name == "Anna")
      try await store.seal(under: Samples.passphrase("x"), work: cheap)
      #expect(try await store.contactKey()?.key == key)
    }
    #expect(try !holds(bytes(key)))
    let locked = try place.store()
    #expect(await storeError { _ = try await locked.contactKey() }?.kind == .locked)
    let store = try SQLiteDeviceStore(in: place.state) { Samples.passphrase("x") }
    #expect(try await store.contactKey()?.key == key)
    try await store.unseal()
    #expect(try await store.contactKey()?.key == key)
  }

  @Test func whoMakesACardAtOnceGetsTheSameKey() async throws {
    let (store, other) = (try place.store(), try place.store())
    let key = try SecureRandom.secret(count: 32)
    #expect(try await store.keepContactKey(key, name: "Anna") == key)
    #expect(try await other.keepContactKey(SecureRandom.secret(count: 32), name: "Ann") == key)
    #expect(try await store.contactKey()?.name == "Ann")
  }

  @Test func contactsAreKept() async throws {
    let store = try place.store()
    var ben = ContactRow(
      name: "ben", email: "b@x", key: [UInt8](repeating: 1, count: 32), isVerified: false,
      addedAt: 9)
    try await store.put(ben)
    #expect(try await store.contacts() == [ben])
    ben.isVerified = true
    try await store.put(ben)
    #expect(try await place.store().contacts() == [ben])
    // Who is added takes nobody's place.
    var other = ben
    other.email = "other"
    #expect(try await !store.add(other))
    other.key = [UInt8](repeating: 2, count: 32)
    #expect(try await !store.add(other))
    other.name = "other"
    other.key = ben.key
    #expect(try await !store.add(other))
    #expect(try await store.contacts() == [ben])
    other.key = [UInt8](repeating: 2, count: 32)
    #expect(try await store.add(other))
    #expect(try await store.removeContact("other"))
    #expect(try await store.removeContact("ben"))
    #expect(try await !store.removeContact("ben"))
  }

  @Test func sharesOfOnesOwnAreKept() async throws {
    let store = try place.store()
    var share = SentShareRow(
      share: Samples.uuid(1), tracker: Samples.uuid(2), contact: "ben",
      recipient: [UInt8](repeating: 1, count: 32), serial: 1,
      periods: PeriodRange(first: 5, last: 8),
      rights: ShareRights(status: true, ring: RingRight(seconds: 5, perPeriod: 8)), issuedAt: 10,
      until: 20, isRenewed: true)
    try await store.put(share)
    #expect(try await store.sentShares() == [share])
    let end = [share.tracker: Timestamp(unixMilliseconds: 20_000)]
    #expect(try await store.sharedStatus() == end)
    share.serial = 2
    share.endedAt = 15
    share.isRenewed = false
    try await store.put(share)
    #expect(try await place.store().sentShares() == [share])
    // It is not given back by who has looked at it before.
    var revived = share
    revived.serial = 3
    revived.endedAt = nil
    try await store.put(revived)
    #expect(try await store.sentShares() == [share])
    // Who has the keys keeps them.
    #expect(try await store.sharedStatus() == end)
    var other = share
    other.share = Samples.uuid(3)
    other.tracker = Samples.uuid(4)
    other.rights = ShareRights(ring: RingRight(seconds: 5, perPeriod: 1))
    try await store.put(other)
    #expect(try await store.sharedStatus() == end)
  }

  @Test func aShareIsADeviceAndComesBack() async throws {
    let store = try place.store()
    let periods = try shared(until: now + 1000)
    let clock = ClockInterval(low: -3, high: 4, time: 1_700_000_000_000)
    #expect(
      try await store.take(row(1, until: now + 1000), as: device(periods), clock: clock))
    #expect(try await place.store().allDevices() == [device(periods)])
    #expect(try await place.store().receivedShares() == [row(1, until: now + 1000)])
    #expect(try await store.clockStates()[Samples.uuid(7)]?.interval == clock)
    // What is learned here is newer than what the owner knew.
    let learned = ClockInterval(low: 1, high: 2, time: 1_800_000_000_000)
    try await store.save([Samples.uuid(7): ClockState(interval: learned)])
    let later = try shared(until: now + 2000, 1_660_160)
    #expect(try await store.take(row(2, until: now + 2000), as: device(later), clock: clock))
    #expect(try await store.clockStates()[Samples.uuid(7)]?.interval == learned)
    #expect(try await store.allDevices() == [device(later)])
    try await store.seal(under: Samples.passphrase("x"), work: cheap)
    #expect(try await store.allDevices() == [device(later)])
    #expect(DeviceFile.encode([device(later)]).contains("bike") == false)
  }

  @Test func olderMessagesChangeNothing() async throws {
    let store = try place.store()
    let periods = try shared(until: now + 1000)
    #expect(try await store.take(row(3, until: now + 1000), as: device(periods), clock: nil))
    for serial in [1, 3] as [Int64] {
      #expect(try await !store.take(row(serial, until: 1, isEnd: true), as: nil, clock: nil))
    }
    #expect(try await store.allDevices().count == 1)
    #expect(try await store.take(row(4, until: now + 1000, isEnd: true), as: nil, clock: nil))
    #expect(try await store.allDevices().isEmpty)
    // Also after its end an older one is known.
    #expect(try await !store.take(row(3, until: now + 1000), as: device(periods), clock: nil))
    #expect(try await store.receivedShares().map(\.serial) == [4])
  }

  @Test func whatHasEndedIsWiped() async throws {
    let periods = try shared(until: now + 1000)
    let eid = try #require(periods.eid(1_660_158)).bytes
    let secret = eid.indices.map { eid[$0] }
    do {
      let store = try place.store()
      #expect(try await store.take(row(1, until: now + 1000), as: device(periods), clock: nil))
      #expect(try holds(secret))
      #expect(try await store.wipeEndedShares(at: now + 999) == 0)
      #expect(try await store.wipeEndedShares(at: now + 1000) == 1)
      #expect(try await store.allDevices().isEmpty)
      #expect(try await store.receivedShares().isEmpty)
    }
    #expect(try !holds(secret))
  }

  @Test func whatHasEndedMeanwhileIsWipedOnOpening() async throws {
    do {
      let store = try place.store()
      let periods = try shared(until: now - 1)
      #expect(try await store.take(row(1, until: now - 1), as: device(periods), clock: nil))
      try await store.put(Samples.device(1))
    }
    let store = try place.store()
    #expect(try await store.allDevices().map(\.uuid) == [Samples.device(1).uuid])
    #expect(try await store.receivedShares().isEmpty)
  }

  /// Who only wants to read waits for nobody who writes.
  @Test func isOpenedWhileAnotherProgramWrites() async throws {
    do {
      let store = try place.store()
      let periods = try shared(until: now - 1)
      #expect(try await store.take(row(1, until: now - 1), as: device(periods), clock: nil))
    }
    let other = try Database<DeviceStoreError>(path: place.file, patience: .zero)
    try other.execute("BEGIN IMMEDIATE")
    do {
      let store = try SQLiteDeviceStore(in: place.state, patience: .zero)
      #expect(try await store.allDevices().count == 1)
    }
    try other.execute("ROLLBACK")
    #expect(try await place.store().allDevices().isEmpty)
  }

  /// Neither the master key, nor a branch, nor BOTP and Kctl of any period, nor an identifier of others.
  @Test func theDatabaseHoldsNothingElse() async throws {
    let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: masterKey)
    let (location, control, owner) = (
      try #require(keys.location), try #require(keys.control), try #require(keys.owner)
    )
    let periods = try shared(until: now + 1000)
    do {
      let store = try place.store()
      #expect(try await store.take(row(1, until: now + 1000), as: device(periods), clock: nil))
    }
    var secrets = [masterKey.secret, keys.identification, location, control, owner].map(bytes)
    for period in 1_660_100...1_660_220 as ClosedRange<UInt32> {
      let botp = schedule.botp(control, period: period)
      secrets += [bytes(botp), bytes(schedule.deferredControlKey(botp: botp))]
      guard !periods.periods.contains(period) else { continue }
      let eid = schedule.eid(keys.identification, period: period).bytes
      let aotp = schedule.aotp(location, period: period).bytes
      secrets += [
        eid.indices.map { eid[$0] }, aotp.indices.map { aotp[$0] },
        bytes(schedule.statusKey(botp: botp)),
      ]
    }
    for secret in secrets { #expect(try !holds(secret)) }
    let eid = try #require(periods.eid(1_660_156)).bytes
    #expect(try holds(eid.indices.map { eid[$0] }))
  }
}
