import Bluetooth
import LunaCore
import LunaOwner
import LunaProtocol
import LunaTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FindEventsTests {
  /// 2026-11-21T10:00:00Z, ms
  private static let now: Int64 = 1_795_255_200_000
  private let backend = FakeOwnerBackend()
  /// Onboarded a week before.
  private let device = Device(
    uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray(repeating: 5)),
    onboardingTimestamp: Timestamp(microseconds: (now - 7 * 86_400_000) * 1000), name: "Keys")

  private func owner() -> LunaOwner {
    LunaOwner(store: InMemoryDeviceStore(devices: [device]), backend: backend)
  }

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: milliseconds * 1000)
  }

  private func find(hours: Int64 = 24) async throws -> FoundEvents {
    try await owner().findEvents(
      device: device, dateFrom: time(Self.now - hours * 3_600_000), dateTo: time(Self.now))
  }

  private func store(_ events: [StoredEvent]) { backend.state.withLock { $0.events += events } }

  @Test func fetchesAndOpensOldestFirst() async throws {
    var sealing = try Sealing(device)
    let times = [3_600_000, 60_000, 7_200_000, 1_000].map { Self.now - $0 }
    store(try times.map { try sealing.event(at: $0, latitude: 50) })
    let found = try await find()
    #expect(found.events.map(\.collectedAt) == times.sorted().map { time($0) })
    #expect(found.events.allSatisfy { $0.latitude == 50 && $0.longitude == 13 })
    #expect(found.events.allSatisfy { $0.isPlausible })
    #expect(found.events.allSatisfy { $0.location.horizontalAccuracy == 8 })
    #expect(found.unopened.isEmpty)
    // Two to a page.
    #expect(found.requests == 2)
  }

  /// A backend that names another cursor each time keeps nobody for ever.
  @Test func anEndlessBackendIsLeft() async throws {
    let endless = FakeOwnerBackend(isEndless: true)
    let owner = LunaOwner(store: InMemoryDeviceStore(devices: [device]), backend: endless)
    let error = await #expect(throws: BackendError.self) {
      _ = try await owner.findEvents(
        device: device, dateFrom: time(Self.now - 86_400_000), dateTo: time(Self.now))
    }
    #expect(error?.kind == .answer)
    #expect(endless.state.withLock { $0.queries.count } == EventQuery.pageLimit + 1)
  }

  @Test func asksForThePeriodsOfTheTimeInBlocks() async throws {
    _ = try await find(hours: 24 * 14)
    let queries = backend.state.withLock { $0.queries }
    let heids = queries.flatMap(\.heids)
    #expect(Set(heids).count == heids.count)
    #expect(queries.allSatisfy { $0.heids.count <= 128 })
    // Not before onboarding: a week has 590 periods.
    #expect((590...596).contains(heids.count))
    #expect(queries.count == 5)
    // Of a block only its own days, and one more: it was onboarded on the 14th.
    #expect(queries.first?.days.lowerBound.description == "2026-11-13")
    // Not after what was asked for.
    #expect(queries.last?.days.upperBound.description == "2026-11-21")
  }

  @Test func aYearIs241Blocks() async throws {
    let old = Device(
      uuid: Samples.uuid(2), masterKey: MasterKey(bytes: InlineArray(repeating: 6)),
      onboardingTimestamp: time(Self.now - 500 * 86_400_000), name: "Old")
    let found = try await LunaOwner(
      store: InMemoryDeviceStore(devices: [old]), backend: backend
    ).findEvents(
      device: old, dateFrom: time(Self.now - 365 * 86_400_000), dateTo: time(Self.now))
    #expect((30_780...30_830).contains(found.periods))
    #expect(found.requests == 241)
    let queries = backend.state.withLock { $0.queries }
    // 128 periods are a day and a half.
    #expect(queries.allSatisfy { $0.days.lowerBound + 4 >= $0.days.upperBound })
    // Every day is asked for, and none beyond the year.
    #expect(queries.first?.days.lowerBound == Day(time(Self.now - 365 * 86_400_000)))
    #expect(queries.last?.days.upperBound == Day(time(Self.now - 1)))
    for (one, next) in zip(queries, queries.dropFirst()) {
      #expect(next.days.lowerBound <= one.days.upperBound)
    }
  }

  /// A year is more requests than a backend takes in a moment.
  @Test func waitsWhereItIsAskedToBePatient() async throws {
    var sealing = try Sealing(device)
    store([try sealing.event(at: Self.now - 60_000)])
    let refuse = { BackendError(.busy, "there are too many requests", status: 429, retryAfter: $0) }
    backend.state.withLock { $0.refusals = [7, nil, 90_000, 1].map(refuse) }
    let pauses = Mutex<[Duration]>([])
    let clock = WallClock(
      now: WallClock.system.now, elapsed: WallClock.system.elapsed,
      sleep: { pause in pauses.withLock { $0.append(pause) } })
    let owner = LunaOwner(
      store: InMemoryDeviceStore(devices: [device]), backend: backend, clock: clock)
    let (start, end) = (time(Self.now - 3_600_000), time(Self.now))
    let found = try await owner.findEvents(device: device, dateFrom: start, dateTo: end)
    #expect(found.events.count == 1)
    #expect(pauses.withLock { $0 } == [7, 1, 60, 1].map { .seconds($0) })
    // Not for ever.
    backend.state.withLock { $0.refusals = (0..<100).map { _ in refuse(1) } }
    let error = await #expect(throws: BackendError.self) {
      _ = try await owner.findEvents(device: device, dateFrom: start, dateTo: end)
    }
    #expect(error?.kind == .busy)
    #expect(pauses.withLock { $0.count } == 9)
  }

  /// What lies at the edge of a block is asked for with it, wherever the year's days change.
  @Test(arguments: [0, 1, 127, 128, 255, 256, 1023, 1024, 5000, 30_000])
  func asksOfEachBlockForAllItsDays(back: Int64) async throws {
    let old = Device(
      uuid: Samples.uuid(3), masterKey: MasterKey(bytes: InlineArray(repeating: 7)),
      onboardingTimestamp: time(Self.now - 500 * 86_400_000), name: "Old")
    var sealing = try Sealing(old)
    let period = Period.number(at: Self.now) - 40 - UInt32(back)
    let middle = Period.start(of: period)
    store([
      try sealing.event(at: middle - 2 * 3_600_000, period: period),
      try sealing.event(at: middle + 2 * 3_600_000, period: period),
      // A finder whose clock is 20 hours off.
      try sealing.event(at: middle - 20 * 3_600_000, period: period),
    ])
    let found = try await LunaOwner(
      store: InMemoryDeviceStore(devices: [old]), backend: backend
    ).findEvents(
      device: old, dateFrom: time(Self.now - 366 * 86_400_000), dateTo: time(Self.now))
    #expect(found.events.count == 3)
    #expect(found.unopened.isEmpty)
  }

  @Test func looksAtTheTimeBeforeItAsks() async throws {
    for (from, to) in [
      (Self.now, Self.now), (Self.now, Self.now - 1),
      (Self.now - 366 * 86_400_000 - 1, Self.now),
    ] {
      let error = await #expect(throws: OwnerError.self) {
        try await owner().findEvents(device: device, dateFrom: time(from), dateTo: time(to))
      }
      #expect(error?.kind == .range)
    }
    _ = try await owner().findEvents(
      device: device, dateFrom: time(Self.now - 366 * 86_400_000), dateTo: time(Self.now))
    // Of the week since it was onboarded.
    #expect(backend.state.withLock { $0.queries.count } == 5)
  }

  @Test func needsABackendAndALunaTracker() async throws {
    let without = LunaOwner(store: InMemoryDeviceStore(devices: [device]))
    let error = await #expect(throws: OwnerError.self) {
      try await without.findEvents(device: device, dateFrom: time(1), dateTo: time(2))
    }
    #expect(error?.kind == .noBackend)
    let foreign = try #require(Samples.oneOfEach().last)
    let other = await #expect(throws: OwnerError.self) {
      try await owner().findEvents(device: foreign, dateFrom: time(1), dateTo: time(2))
    }
    #expect(other?.kind == .foreignDevice)
  }

  @Test func countsWhatItCannotOpen() async throws {
    var sealing = try Sealing(device)
    let good = try sealing.event(at: Self.now - 1000)
    var bytes = good.event.encodedLocation
    bytes[20] ^= 1
    let altered = TrackerEvent(
      heid: good.event.heid, encodedLocation: bytes, esf: good.event.esf, day: good.event.day)
    bytes[0] = 2
    let newer = TrackerEvent(
      heid: good.event.heid, encodedLocation: bytes, esf: good.event.esf, day: good.event.day)
    // All but the version, which backwards might be any.
    bytes = [good.event.encodedLocation[0]] + good.event.encodedLocation.dropFirst().reversed()
    let otherESF = TrackerEvent(
      heid: good.event.heid, encodedLocation: bytes, esf: ESF(value: 1), day: good.event.day)
    store(
      [good] + [altered, newer, otherESF].map { StoredEvent($0, receivedAt: good.receivedAt) })
    let found = try await find()
    #expect(found.events.count == 1)
    #expect(found.unopened == ["auth": 2, "version": 1])
    #expect(found.summary.contains("3") || found.summary.contains("auth"))
  }

  @Test func anEventThatComesTwiceCountsOnce() async throws {
    var sealing = try Sealing(device)
    let event = try sealing.event(at: Self.now - 1000)
    store([event, event, event])
    #expect(try await find().events.count == 1)
  }

  @Test func marksImplausibleTimes() async throws {
    var sealing = try Sealing(device)
    let period = Period.number(at: Self.now) - 20
    // Somebody who recorded a frame makes a report hours later.
    store([
      try sealing.event(at: Self.now - 60_000, period: period),
      try sealing.event(at: Self.now - 60_000, day: Day(time(Self.now - 86_400_000))),
      try sealing.event(at: Self.now - 30_000),
    ])
    let found = try await find()
    #expect(found.events.map(\.isPlausible) == [false, false, true])
    #expect(found.implausible == 2)
    #expect(found.summary.contains("implausible"))
  }

  @Test func keepsToTheTimeThatWasAskedFor() async throws {
    var sealing = try Sealing(device)
    // The backend gives whole days.
    store([
      try sealing.event(at: Self.now - 3_600_000), try sealing.event(at: Self.now),
      try sealing.event(at: Self.now - 3_600_001),
    ])
    let found = try await find(hours: 1)
    #expect(found.events.map(\.collectedAt) == [time(Self.now - 3_600_000)])
    #expect(found.unopened.isEmpty)
  }

  @Test func readsTheStatus() async throws {
    var sealing = try Sealing(device)
    store([
      try sealing.event(at: Self.now - 2000, battery: .low),
      try sealing.event(at: Self.now - 1000, battery: .normal),
    ])
    #expect(try await find().events.map(\.batteryStatus) == [true, false])
  }

  @Test func givesTheCallbackForm() async throws {
    var sealing = try Sealing(device)
    store([try sealing.event(at: Self.now - 1000)])
    let owner = owner()
    let text = await withCheckedContinuation { (result: CheckedContinuation<String, Never>) in
      owner.findEvents(
        device: device, dateFrom: time(Self.now - 60_000), dateTo: time(Self.now),
        { events, summary in result.resume(returning: "\(events.count): \(summary)") },
        { result.resume(returning: $0) })
    }
    #expect(text == "1: 1 event")
    let problem = await withCheckedContinuation { (result: CheckedContinuation<String, Never>) in
      owner.findEvents(
        device: device, dateFrom: time(2), dateTo: time(1),
        { _, _ in result.resume(returning: "") },
        { result.resume(returning: $0) })
    }
    #expect(problem.contains("emptyRange"))
  }
}
