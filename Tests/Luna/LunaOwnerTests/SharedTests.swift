import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaShare
import LunaTesting
import Synchronization
import Testing

/// What can be done with a tracker that somebody else has shared.
struct SharedTests {
  /// 379 s into period 1,660,156.
  private static let now: Int64 = 1_700_000_123
  private let owned = Device(
    uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
    onboardingTimestamp: Timestamp(microseconds: 1_690_000_000_000_000), name: "anchor")
  private let backend = FakeOwnerBackend()

  private func device(
    _ rights: ShareRights, first: UInt32 = 1_660_150, last: UInt32 = 1_660_200,
    until: Int64 = 1_700_050_000
  ) throws -> Device {
    let masterKey = try #require(owned.masterKey)
    let shared = try SharedPeriods(
      of: masterKey, periods: PeriodRange(first: first, last: last), rights: rights, until: until)
    return Device(
      uuid: Samples.uuid(2), keys: .lunaShared(shared),
      onboardingTimestamp: Timestamp(microseconds: Int64(first) * 1_024_000_000), name: "of Anna")
  }

  private func owner(_ device: Device, clock error: Int64 = 0) -> LunaOwner {
    let store = InMemoryDeviceStore(devices: [device])
    store.save([
      device.uuid: ClockState(
        interval: ClockInterval(low: error, high: error, time: Self.now * 1000))
    ])
    let clock = WallClock(
      now: { Timestamp(microseconds: Self.now * 1_000_000) }, elapsed: { .zero }, sleep: { _ in })
    return LunaOwner(store: store, backend: backend, clock: clock)
  }

  private func packages(
    _ device: Device, _ command: ControlCommand = .buzzStart, clock error: Int64 = 0
  ) async throws -> [ControlPackage] {
    try await owner(device, clock: error).deferredPackages(
      command, argument: command == .buzzStart ? 12 : 0, for: device.uuid,
      from: Timestamp(microseconds: Self.now * 1_000_000), lasting: .seconds(3600))
  }

  private let ring = ShareRights(ring: RingRight(seconds: 7, perPeriod: 4))

  @Test func sixPeriodsAreRungWithCountersOfTheirOwn() async throws {
    let packages = try await packages(try device(ring))
    #expect(packages.map(\.reference) == Array(1_660_156...1_660_161))
    // 379 s after the start of the present one: its second slot; of the others the first.
    #expect(packages[0].counter == 1_699_999_744 + 256)
    for package in packages.dropFirst() { #expect(package.counter == 1024 * package.reference) }
    #expect(packages.allSatisfy { $0.command == .buzzStart && $0.argument == 7 })
    var authenticator = try ControlAuthenticator()
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: try #require(owned.masterKey))
    for package in packages {
      let own = try authenticator.deferredPackage(
        .buzzStart, argument: 7, counter: package.counter, period: package.reference, keys: keys)
      #expect(own == package)
    }
  }

  /// A tracker whose clock is three periods behind shows an earlier one: the last ring of that.
  @Test func aClockThatIsOffIsMinded() async throws {
    let packages = try await packages(try device(ring), clock: -3 * 1_024_000)
    #expect(packages[0].reference == 1_660_153)
    #expect(packages[0].counter == 1_660_153 * 1024 + 768)
    let ahead = try await self.packages(try device(ring), clock: 3 * 1_024_000)
    #expect(ahead[0].reference == 1_660_159)
    #expect(ahead[0].counter == 1_660_159 * 1024)
  }

  /// Its owner has set its clock anew, and nobody here was told: what it shows is rung, and what it was to show.
  @Test(arguments: [-3, 3] as [Int64])
  func aClockThatWasSetAnewIsMinded(periods: Int64) async throws {
    let device = try device(ring)
    let packages = try await owner(device, clock: periods * 1_024_000).ringPackages(
      .buzzStart, for: device.uuid, showing: 1_660_156,
      from: Timestamp(microseconds: Self.now * 1_000_000))
    let first = try #require(packages.first)
    #expect(first.reference == 1_660_156)
    #expect(first.counter == 1_699_999_744 + 256)
    let references = packages.map(\.reference)
    #expect(Set(references).count == references.count)
    #expect(references.contains(UInt32(1_660_156 + periods)))
  }

  /// What is heard is rung also where nothing is known of its clock.
  @Test func whatIsHeardIsRungWithoutItsClock() async throws {
    let device = try device(ring)
    let store = InMemoryDeviceStore(devices: [device])
    let day: Int64 = 86_400_000
    store.save([
      device.uuid: ClockState(
        interval: ClockInterval(low: -day, high: day, time: Self.now * 1000))
    ])
    let (owner, time) = (LunaOwner(store: store), Timestamp(microseconds: Self.now * 1_000_000))
    let error = await #expect(throws: OwnerError.self) {
      try await owner.ringPackages(.buzzStart, for: device.uuid, showing: nil, from: time)
    }
    #expect(error?.kind == .clock)
    let packages = try await owner.ringPackages(
      .buzzStart, for: device.uuid, showing: 1_660_199, from: time)
    #expect(packages.map(\.reference) == [1_660_199, 1_660_200])
    await #expect(throws: OwnerError.self) {
      try await owner.ringPackages(.buzzStart, for: device.uuid, showing: 1_660_201, from: time)
    }
  }

  @Test func theLastPeriodsAreFewer() async throws {
    let packages = try await packages(try device(ring, last: 1_660_158))
    #expect(packages.map(\.reference) == [1_660_156, 1_660_157, 1_660_158])
  }

  @Test func whatWasNotSharedIsRefused() async throws {
    func kind(_ device: Device, _ command: ControlCommand = .buzzStart) async -> OwnerError.Kind? {
      let error = await #expect(throws: OwnerError.self) { try await packages(device, command) }
      return error?.kind
    }
    #expect(await kind(try device(ShareRights(status: true))) == .foreignDevice)
    #expect(await kind(try device(ring), .buzzStop) == .foreignDevice)
    #expect(await kind(try device(ring), .ping) == .foreignDevice)
    #expect(await kind(try device(ring, until: Self.now)) == .foreignDevice)
    #expect(await kind(try device(ring, first: 1_660_170)) == .foreignDevice)
    #expect(await kind(try device(ring, last: 1_660_154)) == .foreignDevice)
  }

  @Test func aRingIsLeftAtTheBackendAndProvesNothing() async throws {
    let device = try device(ring)
    let owner = owner(device)
    let command = try await owner.sendRemotely(
      .buzzStart, argument: 12, to: device, from: Timestamp(microseconds: Self.now * 1_000_000),
      lasting: .seconds(3600))
    #expect(backend.state.withLock { $0.packages }.count == 6)
    let package = try #require(command.packages.first)
    // What the tracker itself answers.
    var authenticator = try ControlAuthenticator()
    var schedule = try KeySchedule()
    let keys = schedule.keys(of: try #require(owned.masterKey))
    let receipt = try authenticator.receipt(
      for: package, status: .done, clock: 1_700_000_130, keys: keys)
    backend.confirm(command.requestID, package.heid, receipt.indices.map { receipt[$0] })
    let followed = try await owner.followed(command)
    #expect(followed.receipt == .failure(.unverifiable))
    #expect(!followed.isProven)
  }

  private func find(_ device: Device, _ events: [StoredEvent]) async throws -> FoundEvents {
    backend.state.withLock { $0.events = events }
    return try await owner(device).findEvents(
      device: device, dateFrom: Timestamp(microseconds: (Self.now - 20_000) * 1_000_000),
      dateTo: Timestamp(microseconds: (Self.now + 20_000) * 1_000_000))
  }

  @Test(arguments: [false, true])
  func reportsOfTheSharedPeriodsAreOpened(status: Bool) async throws {
    var sealing = try Sealing(owned)
    let device = try device(
      ShareRights(status: status), first: 1_660_150, last: 1_660_156)
    let times = (1_660_147...1_660_159).map { Int64($0) * 1_024_000 + 500_000 }
    let found = try await find(device, try times.map { try sealing.event(at: $0, battery: .low) })
    #expect(found.events.map(\.period) == Array(1_660_150...1_660_156))
    #expect(found.events.allSatisfy { $0.batteryStatus == status })
    #expect(found.periods == 7)
    // A page has two events, and each question for another names all.
    let asked = Set(backend.state.withLock { $0.queries.flatMap(\.heids) })
    #expect(asked.count == 7)
    #expect(asked.contains(try sealing.heid(1_660_156)))
    #expect(!asked.contains(try sealing.heid(1_660_157)))
    #expect(!asked.contains(try sealing.heid(1_660_149)))
  }

  @Test func nothingIsAskedAfterTheEnd() async throws {
    let device = try device(ShareRights(), until: Self.now)
    let error = await #expect(throws: OwnerError.self) { try await find(device, []) }
    #expect(error?.kind == .foreignDevice)
    #expect(backend.state.withLock { $0.queries }.isEmpty)
  }
}
