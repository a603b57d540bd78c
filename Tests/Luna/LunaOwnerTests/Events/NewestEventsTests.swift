import Bluetooth
import LunaCore
import LunaOwner
import LunaProtocol
import LunaTesting
import Synchronization
import Testing

struct NewestEventsTests {
  /// 2026-11-21T10:00:00Z, ms
  private static let now: Int64 = 1_795_255_200_000
  private static let day: Int64 = 86_400_000
  private let backend = FakeOwnerBackend()
  /// Onboarded a month before.
  private let device = Device(
    uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray(repeating: 5)),
    onboardingTimestamp: Timestamp(microseconds: (now - 30 * day) * 1000), name: "Keys")

  private func owner() -> LunaOwner {
    LunaOwner(store: InMemoryDeviceStore(devices: [device]), backend: backend)
  }

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: milliseconds * 1000)
  }

  private func store(_ events: [StoredEvent]) { backend.state.withLock { $0.events += events } }

  /// The days that were asked for, in their order.
  private func asked() -> [String] {
    backend.state.withLock { $0.queries }.map {
      $0.days.lowerBound == $0.days.upperBound ? $0.days.lowerBound.description : "several"
    }
  }

  @Test func areThoseOfTheLastDayThatHasAny() async throws {
    var sealing = try Sealing(device)
    let times = [Self.now - 3 * Self.day, Self.now - 3 * Self.day - 3_600_000]
    store(try times.map { try sealing.event(at: $0) })
    store([try sealing.event(at: Self.now - 5 * Self.day)])
    let events = try await owner().newestEvents(of: device, before: time(Self.now))
    #expect(events.map(\.collectedAt) == times.sorted().map { time($0) })
    #expect(asked() == ["2026-11-21", "2026-11-20", "2026-11-19", "2026-11-18"])
  }

  @Test func noMoreThanAWeekIsAskedFor() async throws {
    var sealing = try Sealing(device)
    store([try sealing.event(at: Self.now - 8 * Self.day)])
    #expect(try await owner().newestEvents(of: device, before: time(Self.now)).isEmpty)
    #expect(asked().count == 7 && asked().last == "2026-11-15")
  }

  /// Somebody who plays a recording does not hide where it is.
  @Test func aDayOfWhatCannotBeTrueIsPassedOver() async throws {
    var sealing = try Sealing(device)
    let good = Self.now - Self.day
    store([
      try sealing.event(at: Self.now - 60_000, period: Period.number(at: Self.now) - 20),
      try sealing.event(at: good),
    ])
    let events = try await owner().newestEvents(of: device, before: time(Self.now))
    #expect(events.map(\.collectedAt) == [time(good)])
  }

  /// At midnight, and within the first millisecond after it, there is no time that could be asked for.
  @Test(arguments: [0, 500])
  func aDayThatBeginsJustNowIsPassedOver(microseconds: Int64) async throws {
    let midnight = Self.now - 10 * 3_600_000
    let events = try await owner().newestEvents(
      of: device, before: Timestamp(microseconds: midnight * 1000 + microseconds), days: 2)
    #expect(events.isEmpty)
    #expect(asked().first == "2026-11-20")
  }

  /// One owner's client makes a request after the other: several ask at the same time, or nobody would be answered.
  @Test(.timeLimit(.minutes(10))) func severalAreAskedForAtATime() async throws {
    let asking = Mutex(0)
    let devices = [device, Samples.device(2), Samples.device(3)] + Samples.oneOfEach().suffix(1)
    let store = InMemoryDeviceStore(devices: devices)
    let backends = (0..<3).map { _ in
      FakeOwnerBackend {
        asking.withLock { $0 += 1 }
        while asking.withLock({ $0 }) < 3 { await Task.yield() }
      }
    }
    var sealing = try Sealing(device)
    let event = try sealing.event(at: Self.now - Self.day)
    for backend in backends { backend.state.withLock { $0.events = [event] } }
    let found = try await LunaOwner.newestEvents(
      of: devices, by: backends.map { LunaOwner(store: store, backend: $0) },
      before: time(Self.now))
    // Of the one of another maker nothing is known.
    #expect(Set(found.keys) == Set(devices.prefix(3).map(\.uuid)))
    #expect(found[device.uuid]?.map(\.collectedAt) == [time(Self.now - Self.day)])
    #expect(found[devices[1].uuid] == [])
  }

  @Test func nothingIsAskedOfOtherMakers() async throws {
    let foreign = try #require(Samples.oneOfEach().last)
    let error = await #expect(throws: OwnerError.self) {
      try await owner().newestEvents(of: foreign, before: time(Self.now))
    }
    #expect(error?.kind == .foreignDevice)
    #expect(asked().isEmpty)
  }
}
