import Bluetooth
import Diagnosis
import LunaCore
import LunaOwner
import LunaProtocol
import LunaShare
import LunaTesting
import Synchronization
import Testing
import TrackerMachine

@testable import LunaBuzzer

/// The whole buzzer against the software tracker, as it is without a radio.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
  private let world: TrackerWorld
  private let store: InMemoryDeviceStore
  private let buzzer: LunaBuzzer

  init() throws {
    world = try TrackerWorld()
    store = InMemoryDeviceStore(devices: [Samples.device()])
    buzzer = LunaBuzzer(
      client: world, packages: LunaOwner(store: store), store: store, clock: world.clock)
  }

  private func error(_ body: () async throws -> Void) async -> BuzzerError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? BuzzerError
    }
  }

  @Test func makesItSound() async throws {
    let progress = Mutex<[BuzzerProgress]>([])
    let receipt = try await buzzer.buzz(world.device, seconds: 7) { step in
      progress.withLock { $0.append(step) }
    }
    #expect(world.sounds == [7])
    #expect(receipt.verified?.status == .done)
    #expect(receipt.package.format == .interactive)
    #expect(world.steps == ["connect", "subscribe", "read", "write", "receive"])
    let steps = progress.withLock { $0 }
    #expect(steps.first == .waiting)
    #expect(steps.suffix(2) == [.connected, .sent])
    #expect(world.state.withLock { !$0.isConnected }, "it has let go")
  }

  /// A tracker accepts connections in one of four slots.
  @Test func waitsUntilItAcceptsConnections() async throws {
    world.advance(by: 1000)
    while world.device.connectable != false { world.advance(by: 500) }
    let start = world.now
    _ = try await buzzer.buzz(world.device)
    #expect(world.now - start > 1000)
    #expect(world.now - start < 66_000)
  }

  @Test func keepsWhatTheClockTells() async throws {
    for command in [ControlCommand.ping, .setClock, .buzzStart] {
      store.save([
        Samples.uuid: ClockState(interval: ClockInterval(low: -9_000_000, high: 9_000_000, time: 0))
      ])
      world.advance(by: 3000)
      let receipt = try await buzzer.send(command, to: world.device)
      let interval = try #require(store.clockStates()[Samples.uuid]).interval
      #expect(interval == receipt.clock)
      #expect(interval.time == receipt.answered)
      let width = interval.high - interval.low
      #expect(width <= 1000 + receipt.answered - receipt.sent)
      // The clock of this tracker is right, but for what setClock cuts off.
      #expect(interval.low <= 0 && 0 <= interval.high + (command == .setClock ? 1000 : 0))
    }
  }

  /// With simulated time the follower tells in protocol time when it heard the tracker.
  @Test(arguments: [60, 400] as [Int64])
  func hearsATrackerWhoseTimeGoesFaster(speed: Int64) async throws {
    let fast = try TrackerWorld(speed: speed)
    let buzzer = LunaBuzzer(
      client: fast, packages: LunaOwner(store: store), store: store,
      configuration: BuzzerConfiguration(protocolTime: { [time = fast.time] in time($0) }),
      clock: fast.clock)
    let receipt = try await buzzer.buzz(fast.device, seconds: 3)
    #expect(receipt.verified?.status == .done)
    #expect(fast.sounds == [3])
    // What was heard minutes ago, in the time of trackers seconds of ours, is not there any more.
    fast.state.withLock { $0.isSilent = true }
    fast.advance(by: 4000)
    let start = fast.now
    let failure = await error { try await buzzer.buzz(fast.device) }
    #expect(failure?.kind == .notHeard)
    #expect(fast.now - start < 61_000)
  }

  /// A peer that is slow at every step gets no more time than there is for all of it.
  @Test(arguments: [3000, 6000, 9000] as [Int64])
  func keepsToTheTimeWithASlowPeer(latency: Int64) async throws {
    var limits = BuzzerLimits(total: .seconds(10))
    limits.silence = .seconds(10)
    world.state.withLock { $0.latency = latency }
    let buzzer = LunaBuzzer(
      client: world, packages: LunaOwner(store: store), store: store,
      configuration: BuzzerConfiguration(limits: limits), clock: world.clock)
    let start = world.now
    let failure = await error { try await buzzer.buzz(world.device) }
    #expect(world.now - start <= 10_100, "\(world.now - start) ms")
    #expect(failure?.kind == .unreachable || failure?.kind == .noAnswer)
    #expect(failure?.remedy?.description.contains("nearer") == false, "it is heard, and answers")
  }

  @Test func keepsToTheTimeWhenNoAnswerComes() async throws {
    world.state.withLock { $0.isMute = true }
    let buzzer = LunaBuzzer(
      client: world, packages: LunaOwner(store: store), store: store,
      configuration: BuzzerConfiguration(limits: BuzzerLimits(total: .seconds(5))),
      clock: world.clock)
    let start = world.now
    let failure = await error { try await buzzer.buzz(world.device) }
    #expect(world.now - start <= 5_100)
    #expect(failure?.kind == .noAnswer)
  }

  /// Only who is out of reach is to be gone nearer to.
  @Test func saysWhatToDoByTheCause() async throws {
    for (kind, words) in [
      (GATTError.Kind.outOfRange, "nearer"), (.timedOut, "silent"), (.malformed, "faulty"),
      (.busy, "other connection"), (.abortedByPeer, "faulty"), (.refused, "policy"),
    ] {
      for step in 1...5 {
        let error = BuzzerError(
          GATTError(
            kind, during: ["connect", "subscribe", "read", "write", "receive"][step - 1], "x"))
        #expect(error.remedy?.description.contains(words) == true, "\(kind): \(error)")
        #expect(error.remedy?.description.contains("nearer") == (kind == .outOfRange))
      }
    }
  }

  @Test func setsAClockThatIsWrong() async throws {
    world.state.withLock { $0.owner += 3_600_000 }
    _ = try await buzzer.send(.setClock, to: world.device)
    let interval = try #require(store.clockStates()[Samples.uuid]).interval
    #expect(abs(interval.low) < 1500 && abs(interval.high) < 1500)
    let reading = try await buzzer.send(.ping, to: world.device)
    #expect(abs(Int64(reading.verified?.clock ?? 0) * 1000 - world.now) < 3000)
  }

  @Test func neverGivesACounterTwice() async throws {
    let counters = Mutex<[UInt32]>([])
    for _ in 0..<3 {
      let receipt = try await buzzer.send(.ping, to: world.device)
      counters.withLock { $0.append(receipt.package.counter) }
    }
    let all = counters.withLock { $0 }
    #expect(Set(all).count == 3 && all == all.sorted())
  }

  @Test func resetsItToFactoryState() async throws {
    let receipt = try await buzzer.send(.factoryReset, to: world.device)
    #expect(receipt.verified?.status == .done)
    #expect(receipt.clock == nil)
    #expect(world.state.withLock { $0.machine.record.ownership == nil })
  }

  @Test func deliversThePackageOfThePeriod() async throws {
    let period = world.period
    let packages = try (period - 3...period + 80).map { try Samples.deferred(period: $0) }
    let receipt = try await buzzer.deliver(packages, to: world.device)
    #expect(receipt.package.reference == period)
    #expect(receipt.verified?.status == .done)
    #expect(receipt.clock == nil, "a receipt without a challenge may be an old one")
    #expect(world.sounds == [10])
  }

  @Test func passesOnWhatItCannotVerify() async throws {
    let foreign = try TrackerWorld(uuid: nil)
    let finder = LunaBuzzer(client: foreign, clock: foreign.clock)
    let package = try Samples.deferred(period: foreign.period)
    let receipt = try await finder.deliver([package], to: foreign.device)
    #expect(receipt.verified == nil)
    #expect(receipt.status == .done)
    var authenticator = try ControlAuthenticator()
    let verified = try authenticator.verify(
      receipt.bytes.span, for: package, keys: Samples.keys())
    #expect(verified.status == .done)
  }

  /// Somebody with whom it is shared has rung it with a counter ahead of the owner's: the command is told
  /// again, above all of those; the clock can be set once the time has passed them.
  @Test func aRingOfAShareIsOvertaken() async throws {
    let period = world.period
    let ahead = 1024 * (period + 1) + 768
    let ring = try Samples.deferred(counter: ahead, period: period)
    _ = try await buzzer.deliver([ring], to: world.device)
    let receipt = try await buzzer.buzz(world.device, seconds: 7)
    #expect(receipt.verified?.status == .done)
    #expect(receipt.package.counter >= 1024 * (period + 2))
    #expect(world.sounds == [10, 7])
    let clock = await error { try await buzzer.send(.setClock, to: world.device) }
    #expect(clock?.description.contains("the clock cannot be set before") == true)
  }

  /// Somebody with whom it is shared rings it, and cannot verify what it answers.
  @Test func ringsByAShare() async throws {
    let shared = try SharedPeriods(
      of: Samples.masterKey, periods: PeriodRange(first: world.period - 2, last: world.period + 20),
      rights: ShareRights(ring: RingRight(seconds: 9, perPeriod: 4)), until: .max)
    let device = Device(
      uuid: Samples.uuid, keys: .lunaShared(shared),
      onboardingTimestamp: Timestamp(microseconds: 1), name: "of Anna")
    let store = InMemoryDeviceStore(devices: [device])
    store.save([
      Samples.uuid: ClockState(
        interval: ClockInterval(low: -1000, high: 1000, time: world.now))
    ])
    let owner = LunaOwner(store: store)
    let ben = LunaBuzzer(client: world, packages: owner, store: store, clock: world.clock)
    let packages = try await owner.deferredPackages(
      .buzzStart, argument: 12, for: Samples.uuid,
      from: Timestamp(unixMilliseconds: world.now), lasting: .seconds(60))
    let receipt = try await ben.deliver(packages, to: world.device)
    #expect(receipt.status == .done)
    #expect(receipt.verified == nil)
    #expect(world.sounds == [9])
    // Until the next slot it has been used.
    let again = await error { try await ben.deliver(packages, to: world.device) }
    #expect(again?.kind == .stale)
    #expect(again?.isVerified == false)
    #expect(world.sounds == [9])
    // Who waits for that rings it once more.
    let waited = Mutex<[Duration]>([])
    let next = try await ben.ring(
      world.device, spacing: 256,
      packages: { time in
        try await owner.deferredPackages(
          .buzzStart, argument: 12, for: Samples.uuid, from: time, lasting: .seconds(60))
      }, waits: { pause in waited.withLock { $0.append(pause) } })
    #expect(next.status == .done)
    #expect(world.sounds == [9, 9])
    let pauses = waited.withLock { $0 }
    #expect(pauses.count == 1 && pauses.allSatisfy { $0 > .zero && $0 <= .seconds(256) })
  }

  /// Who was given a tracker, and rings it, with what its owner knew of its clock.
  private func ring(_ world: TrackerWorld, clock error: Int64) async throws -> ControlReceipt {
    let now = UInt32(world.now / 1_024_000)
    let shared = try SharedPeriods(
      of: Samples.masterKey, periods: PeriodRange(first: now - 9, last: now + 20),
      rights: ShareRights(ring: RingRight(seconds: 9, perPeriod: 8)), until: .max)
    let store = InMemoryDeviceStore(devices: [
      Device(
        uuid: Samples.uuid, keys: .lunaShared(shared),
        onboardingTimestamp: Timestamp(microseconds: 1), name: "of Anna")
    ])
    store.save([
      Samples.uuid: ClockState(
        interval: ClockInterval(low: error - 1000, high: error + 1000, time: world.now))
    ])
    let owner = LunaOwner(store: store)
    let ben = LunaBuzzer(client: world, packages: owner, store: store, clock: world.clock)
    return try await ben.ring(
      world.device, spacing: 128,
      packages: { time in
        try await owner.ringPackages(
          .buzzStart, for: Samples.uuid, showing: world.device.snapshot.period, from: time)
      })
  }

  @Test(arguments: [-3, 3] as [Int64])
  func ringsByAShareATrackerWhoseClockIsOff(periods: Int64) async throws {
    // No clock is before the time at which its tracker was onboarded.
    let world = try TrackerWorld(after: 10 + 10 * 1024, clockError: periods * 1_024_000)
    let period = world.period
    #expect(Int64(period) == world.now / 1_024_000 + periods)
    let receipt = try await ring(world, clock: periods * 1_024_000)
    #expect(receipt.status == .done && receipt.package.reference == period)
    #expect(world.sounds == [9])
    // Its owner, who does not need to know.
    let owned = LunaBuzzer(
      client: world, packages: LunaOwner(store: store), store: store, clock: world.clock)
    #expect(try await owned.buzz(world.device, seconds: 7).verified?.status == .done)
    #expect(world.sounds == [9, 7])
  }

  /// Its owner sets the clock during the share: it is rung in the period that it shows since then, whether that is
  /// before what was to be expected or after it.
  @Test(arguments: [-3, 3] as [Int64])
  func ringsByAShareATrackerWhoseClockWasSetAnew(periods: Int64) async throws {
    let world = try TrackerWorld(clockError: periods * 1_024_000)
    let owned = LunaBuzzer(
      client: world, packages: LunaOwner(store: store), store: store, clock: world.clock)
    #expect(try await owned.send(.setClock, to: world.device).verified?.status == .done)
    while Int64(world.device.snapshot.period ?? 0) != world.now / 1_024_000 {
      world.advance(by: 1000)
    }
    // The counter with which it was set is that of the time: the next slot is waited for.
    let receipt = try await ring(world, clock: periods * 1_024_000)
    #expect(receipt.status == .done && world.sounds == [9])
    #expect(try await owned.buzz(world.device, seconds: 7).verified?.status == .done)
    #expect(world.sounds == [9, 7])
  }

  @Test func theClockIsNotSetBeforeItsTime() async throws {
    let ahead = 1024 * (world.period + 1) + 768
    _ = try await buzzer.deliver(
      [Samples.deferred(counter: ahead, period: world.period)], to: world.device)
    let clock = await error { try await buzzer.send(.setClock, to: world.device) }
    #expect(clock?.kind == .stale)
    #expect(clock?.remedy?.description.contains("try again after") == true)
  }

  /// Whoever waits sets it then, and is told until when: the attempt before has a counter ahead of the time, too.
  @Test func theClockIsSetOnceTheTimeHasPassedARing() async throws {
    let period = world.period
    let ahead = 1024 * (period + 1) + 768
    _ = try await buzzer.deliver(
      [Samples.deferred(counter: ahead, period: period)], to: world.device)
    let end = Int64(1024 * (period + 2)) * 1_000_000
    let times = Mutex<[Timestamp]>([])
    let hurried = await error {
      _ = try await buzzer.setClock(
        of: world.device, patience: .seconds(60),
        waits: { time in
          times.withLock { $0.append(time) }
        })
    }
    #expect(hurried?.possibleAt == Timestamp(microseconds: end))
    #expect(times.withLock { $0.isEmpty })
    let receipt = try await buzzer.setClock(
      of: world.device, patience: .seconds(2100),
      waits: { time in
        times.withLock { $0.append(time) }
      })
    #expect(receipt.verified?.status == .done)
    #expect(receipt.package.command == ControlCommand.setClock)
    #expect(times.withLock { $0.last } == Timestamp(microseconds: end))
    #expect(world.now * 1000 >= end)
  }

  /// The owner's own counter was raised above a ring: the time has to pass that as well.
  @Test func theClockIsSetOnceTheTimeHasPassedTheOwnersCounter() async throws {
    let start = UInt32(world.now / 1000)
    _ = try store.issueControlCounter(for: Samples.uuid, unixTime: start + 400)
    let receipt = try await buzzer.setClock(of: world.device, patience: .seconds(600))
    #expect(receipt.verified?.status == .done)
    #expect(receipt.package.counter > start + 401)
  }

  @Test func refusesReplayedPackages() async throws {
    let package = try Samples.deferred(period: world.period)
    _ = try await buzzer.deliver([package], to: world.device)
    let error = await error { try await buzzer.deliver([package], to: world.device) }
    #expect(error?.kind == .stale)
    #expect(error?.isVerified == true)
    #expect(world.sounds.count == 1)
  }

  @Test func refusesForeignPackages() async throws {
    // For this tracker by its heid, and authenticated with another key.
    let mine = try Samples.deferred(period: world.period)
    var bytes = mine.bytes
    bytes[40] ^= 1
    let made = ControlPackage(bytes.span)
    let forged = try #require(made)
    let error = await error { try await buzzer.deliver([forged], to: world.device) }
    #expect(error?.kind == .unauthorized)
    #expect(error?.isVerified == false)
    #expect(world.sounds.isEmpty)
    let other = try Samples.deferred(period: world.period, key: Samples.otherKey)
    let second = await self.error { try await buzzer.deliver([other], to: world.device) }
    #expect(second?.kind == .noMatchingPackage)
  }

  @Test func refusesPackagesOfOtherPeriods() async throws {
    let period = world.period
    let other = try Samples.deferred(period: period + 3)
    let error = await error { try await buzzer.deliver([other], to: world.device) }
    #expect(error?.kind == .noMatchingPackage)
    // One whose period was altered to look like it.
    var bytes = try Samples.deferred(period: period).bytes
    bytes[7] &+= 3
    let made = ControlPackage(bytes.span)
    let altered = try #require(made)
    let second = await self.error { try await buzzer.deliver([altered], to: world.device) }
    #expect(second?.kind == .wrongPeriod)
    #expect(world.sounds.isEmpty)
  }

  @Test func refusesTheCommandsOfAnotherOwner() async throws {
    store.put([Samples.device(Samples.otherKey)])
    let error = await error { try await buzzer.buzz(world.device) }
    #expect(error?.kind == .unauthorized)
    #expect(world.steps.count { $0 == "connect" } == 2, "with a second challenge")
  }

  @Test func tellsThatItIsLimited() async throws {
    for _ in 0..<10 { _ = try await buzzer.send(.ping, to: world.device) }
    let error = await error { try await buzzer.send(.ping, to: world.device) }
    #expect(error?.kind == .limited)
    #expect(error?.isVerified == true)
    #expect(error?.remedy?.description.contains("minute") == true)
  }

  @Test func tellsThatItIsBusy() async throws {
    world.state.withLock { $0.machine.isBusy = true }
    let error = await error { try await buzzer.buzz(world.device) }
    #expect(error?.kind == .busy)
    #expect(world.steps.count { $0 == "connect" } > 2, "it was asked again")
  }

  @Test func needsKeys() async throws {
    let foreign = try TrackerWorld(uuid: nil)
    let error = await error {
      try await LunaBuzzer(client: foreign, packages: LunaOwner(store: store), clock: foreign.clock)
        .buzz(foreign.device)
    }
    #expect(error?.kind == .noPackage)
    #expect(foreign.steps.isEmpty)
  }

  @Test func believesNoForgedAnswer() async throws {
    let changes: [(@Sendable ([UInt8]) -> [UInt8], BuzzerError.Kind)] = [
      ({ $0.dropLast() + [$0[16] ^ 1] }, .forged), ({ [$0[0] ^ 2] + $0.dropFirst() }, .forged),
      ({ Array($0.prefix(12)) }, .malformed), ({ _ in [] }, .malformed),
      ({ _ in .init(repeating: 0, count: 5) }, .refused),
    ]
    for (change, kind) in changes {
      world.state.withLock { $0.corrupt = change }
      let error = await error { try await buzzer.buzz(world.device) }
      #expect(error?.kind == kind)
    }
    world.state.withLock { $0.corrupt = nil }
    #expect(try await buzzer.buzz(world.device).verified != nil, "the next attempt succeeds")
  }

  static let passing: [GATTError.Kind] = [
    .outOfRange, .busy, .abortedLocally, .abortedByPeer, .timedOut, .daemonRestarted,
  ]

  /// The connection breaks at any step, before or after the tracker got what was sent.
  @Test(arguments: passing, 1...5)
  func survivesAFaultAtEveryStep(kind: GATTError.Kind, step: Int) async throws {
    for isAfterEffect in [false, true] {
      let world = try TrackerWorld()
      let buzzer = LunaBuzzer(
        client: world, packages: LunaOwner(store: store), store: store, clock: world.clock)
      world.fault(
        at: step,
        .init(isAfterEffect: isAfterEffect, error: GATTError(kind, during: "step", "it broke")))
      let start = world.now
      let receipt = try await buzzer.buzz(world.device)
      #expect(receipt.verified?.status == .done)
      #expect(world.steps.count { $0 == "connect" } == 2)
      #expect(!world.sounds.isEmpty)
      #expect(world.now - start < 150_000)
      #expect(world.state.withLock { !$0.isConnected })
    }
  }

  @Test(arguments: [GATTError.Kind.adapterLost, .refused, .malformed], 1...5)
  func endsWithItsOwnError(kind: GATTError.Kind, step: Int) async throws {
    world.fault(at: step, .init(error: GATTError(kind, during: "step", "it broke")))
    let error = await error { try await buzzer.buzz(world.device) }
    let expected: BuzzerError.Kind =
      switch kind {
      case .adapterLost: .adapter
      case .malformed: .malformed
      default: .unreachable
      }
    #expect(error?.kind == expected)
    #expect(error?.reason.contains("it broke") == true)
    #expect(world.state.withLock { !$0.isConnected })
    #expect(try await buzzer.buzz(world.device).verified != nil, "the next attempt succeeds")
  }

  @Test func knowsThatALostReceiptMayHaveBeenOne() async throws {
    // The write arrives, the receipt does not.
    world.fault(
      at: 4, .init(error: GATTError(.abortedByPeer, during: "indication", "it broke")))
    let package = try Samples.deferred(period: world.period)
    let error = await error { try await buzzer.deliver([package], to: world.device) }
    #expect(error?.kind == .alreadyExecuted)
    #expect(error?.isVerified == true)
    #expect(world.sounds == [10], "once")
  }

  @Test func endsWhenNoAnswerComes() async throws {
    world.state.withLock { $0.isMute = true }
    let start = world.now
    let error = await error { try await buzzer.buzz(world.device) }
    #expect(error?.kind == .noAnswer)
    #expect(world.now - start <= 161_000, "the limit, and the answer that was waited for")
  }

  @Test func endsWhenItVanishes() async throws {
    world.state.withLock { $0.isSilent = true }
    let start = world.now
    #expect(await error { try await buzzer.buzz(world.device) }?.kind == .notHeard)
    #expect((59_000...61_000).contains(world.now - start))
  }

  @Test func doesNotTrustOldFrames() async throws {
    world.advance(by: 70_000)
    while world.device.connectable != true { world.advance(by: 500) }
    world.state.withLock { $0.isSilent = true }
    world.advance(by: 5000)
    #expect(await error { try await buzzer.buzz(world.device) }?.kind == .notHeard)
    #expect(world.steps.isEmpty, "no attempt at what was heard long ago")
  }

  @Test func followsAChangeOfAddress() async throws {
    // Two seconds before a period ends, and a connection that breaks.
    let period = world.period
    world.fault(at: 1, .init(error: GATTError(.outOfRange, during: "connect", "no answer")))
    let toChange = Int64(period + 1) * 1_024_000 - world.now
    world.advance(by: toChange - 2000)
    _ = try await buzzer.buzz(world.device)
    #expect(world.sounds.count == 1)
  }

  private func event(
    _ buzzer: LunaBuzzer, _ start: () -> Void
  ) async -> LunaBuzzerEvent? {
    let (stream, continuation) = AsyncStream<LunaBuzzerEvent>.makeStream()
    buzzer.onEvent = { continuation.yield($0) }
    start()
    var events = stream.makeAsyncIterator()
    return await events.next()
  }

  @Test func tellsWhatCame() async throws {
    let first = await event(buzzer) { buzzer.startBuzzing(localDevice: world.device) }
    var receipt: ControlReceipt?
    if case .buzzing(let given)? = first { receipt = given }
    #expect(receipt?.verified?.status == .done)
    #expect(world.sounds == [12])
    let package = try Samples.deferred(period: world.period + 9)
    let second = await event(buzzer) {
      buzzer.startBuzzing(localDevice: world.device, controlPackages: [package])
    }
    var error: BuzzerError?
    if case .failed(let given)? = second { error = given }
    #expect(error?.kind == .noMatchingPackage)
  }

  @Test func stopsTheSound() async throws {
    _ = await event(buzzer) { buzzer.startBuzzing(localDevice: world.device) }
    buzzer.stopBuzzing()
    while world.state.withLock({ $0.stops }) == 0 { await Task.yield() }
    #expect(world.state.withLock { $0.machine.record.lastCounter } > Samples.time)
  }

  /// It sounds as soon as it has the command, before anybody here can know.
  @Test func stopsTheSoundOfACommandThatIsUnderWay() async throws {
    world.state.withLock { state in
      state.corrupt = { [buzzer] bytes in
        buzzer.stopBuzzing()
        return bytes
      }
    }
    buzzer.startBuzzing(localDevice: world.device)
    while world.steps.count(where: { $0 == "write" }) < 2 { await Task.yield() }
    #expect(world.sounds == [12])
  }

  /// What is still being told to be silent, and is to sound now, sounds.
  @Test func soundsAfterItWasToldToBeSilent() async throws {
    let packages = SlowPackages(LunaOwner(store: store))
    let buzzer = LunaBuzzer(client: world, packages: packages, store: store, clock: world.clock)
    _ = await event(buzzer) { buzzer.startBuzzing(localDevice: world.device) }
    buzzer.stopBuzzing()
    try await packages.isAsked.until { $0 }
    let second = await event(buzzer) { buzzer.startBuzzing(localDevice: world.device) }
    guard case .buzzing? = second else {
      Issue.record("told \(String(describing: second))")
      return
    }
    #expect(world.sounds.count == 2)
  }

  @Test func canBeCancelled() async throws {
    world.state.withLock { $0.isSilent = true }
    let task = Task { [buzzer, world] in try await buzzer.buzz(world.device) }
    task.cancel()
    let error = await error { _ = try await task.value }
    #expect(error?.kind == .stopped)
  }

  @Test func runsCommandsForOthers() async throws {
    let foreign = try TrackerWorld(uuid: nil)
    let finder: any CommandRunner = LunaBuzzer(client: foreign, clock: foreign.clock)
    let package = try Samples.deferred(period: foreign.period)
    let done = await finder.run(package, on: foreign.device)
    #expect(done.kind == .done && done.receipt?.count == 17 && done.receipt?.first == 0)
    let again = await finder.run(package, on: foreign.device)
    #expect(again.kind == .done && again.receipt?.first == 2, "answered: the owner judges")
    #expect(again.detail != nil)
    foreign.state.withLock { $0.isMute = true }
    let mute = await finder.run(
      try Samples.deferred(counter: Samples.time + 5, period: foreign.period), on: foreign.device)
    #expect(mute.kind == .failed && mute.receipt == nil)
    foreign.state.withLock { $0.isSilent = true }
    foreign.advance(by: 10_000)
    let gone = await finder.run(package, on: foreign.device)
    #expect(gone.kind == .notReached && gone.receipt == nil)
  }
}
