import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RemoteCommandTests {
  private static let now = Timestamp(microseconds: 1_795_255_200_000_000)
  private let backend = FakeOwnerBackend()
  private let device = Samples.device(3)

  private func owner() -> LunaOwner {
    LunaOwner(store: InMemoryDeviceStore(devices: [device]), backend: backend)
  }

  private func sent() async throws -> RemoteCommand {
    try await owner().sendRemotely(
      .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(86_400))
  }

  /// What the tracker would answer.
  private func receipt(
    _ package: ControlPackage, _ status: ControlStatus = .done
  ) throws -> [UInt8] {
    var schedule = try KeySchedule()
    var authenticator = try ControlAuthenticator()
    let keys = schedule.keys(of: try #require(device.masterKey))
    let bytes = try authenticator.receipt(
      for: package, status: status, clock: 1_795_255_300, keys: keys)
    return bytes.indices.map { bytes[$0] }
  }

  @Test func leavesPackagesForTheComingHours() async throws {
    let command = try await sent()
    // 85 for the day, and 37 because its clock was not heard for three years.
    #expect(command.packages.count == 122)
    #expect(Set(command.packages.map(\.counter)).count == 1)
    #expect(backend.state.withLock { $0.packages } == command.packages)
    #expect(
      command.status.expiresAt
        == Timestamp(microseconds: Self.now.microseconds + 86_400_000_000))
    #expect(!command.isFinal)
    #expect(try await owner().followed(command).receipt == nil)
  }

  @Test func verifiesTheReceipt() async throws {
    let command = try await sent()
    let package = command.packages[3]
    backend.confirm(command.requestID, package.heid, try receipt(package))
    let followed = try await owner().followed(command)
    #expect(followed.isFinal)
    #expect(followed.isProven)
    #expect(try followed.receipt?.get().clock == 1_795_255_300)
  }

  @Test func tellsWhatBecomesOfACommand() async throws {
    let command = try await sent()
    let clock = WallClock(now: { Self.now }, elapsed: { .zero }, sleep: { _ in await Task.yield() })
    let owner = LunaOwner(
      store: InMemoryDeviceStore(devices: [device]), backend: backend, clock: clock)
    var updates = owner.updates.makeAsyncIterator()
    owner.startFollowing(command)
    owner.startFollowing(command)
    let package = command.packages[3]
    backend.confirm(command.requestID, package.heid, try receipt(package))
    let told = await updates.next()
    #expect(told?.isProven == true && told?.requestID == command.requestID)
    // What is not there is told once, and not asked about again.
    var errors = owner.errors.makeAsyncIterator()
    let other = try await sent()
    backend.state.withLock { $0.commands = [:] }
    owner.startFollowing(other)
    #expect((await errors.next() as? BackendError)?.kind == .notFound)
    owner.stopFollowing()
  }

  /// Though a command is asked about every second at first; and no backend is waited for longer than an hour.
  @Test(arguments: [(60, 60), (.max, 3600)] as [(Int, Int)])
  func asksNoSoonerThanTheBackendWants(asked: Int, waited: Int) async throws {
    let command = try await sent()
    let pauses = Mutex<[Duration]>([])
    let clock = WallClock(
      now: { Self.now }, elapsed: { .zero },
      sleep: { pause in pauses.withLock { $0.append(pause) } })
    let owner = LunaOwner(
      store: InMemoryDeviceStore(devices: [device]), backend: backend, clock: clock)
    let package = command.packages[3]
    backend.confirm(command.requestID, package.heid, try receipt(package))
    backend.state.withLock { $0.fault = BackendError(.busy, "later", retryAfter: asked) }
    var updates = owner.updates.makeAsyncIterator()
    owner.startFollowing(command)
    let told = await updates.next()
    #expect(told?.isProven == true)
    #expect(pauses.withLock(\.self) == [.seconds(1), .seconds(waited)])
  }

  @Test func passesOnHowLongTheAnswerMayTake() async throws {
    let command = try await sent()
    _ = try await owner().followed(command, within: .seconds(3))
    _ = try await owner().followed(command)
    #expect(backend.state.withLock { $0.limits } == [.seconds(3), nil])
  }

  @Test func believesNoForgery() async throws {
    let command = try await sent()
    let package = command.packages[3]
    var forged = try receipt(package)
    forged[16] ^= 1
    backend.confirm(command.requestID, package.heid, forged)
    var followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.auth))
    #expect(!followed.isProven)
    // The receipt of another period's package.
    backend.confirm(
      command.requestID, command.packages[4].heid, try receipt(package))
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.auth))
    backend.confirm(command.requestID, HEID(high: 1, low: 1), try receipt(package))
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.unverifiable))
    backend.confirm(command.requestID, package.heid, [0, 0, 0, 0, 0])
    followed = try await owner().followed(command)
    #expect(followed.receipt == .failure(.unauthenticated))
  }

  @Test func tellsWhatTheTrackerRefused() async throws {
    let command = try await sent()
    let package = command.packages[0]
    backend.confirm(command.requestID, package.heid, try receipt(package, .limited))
    let followed = try await owner().followed(command)
    #expect(try followed.receipt?.get().status == .limited)
    #expect(!followed.isProven)
  }

  /// A command that a ring of a share has made stale is left there anew, above all rings that the tracker
  /// may see, three times at most.
  @Test func makesAStaleOneAnew() async throws {
    let clock = WallClock(now: { Self.now }, elapsed: { .zero }, sleep: { _ in })
    let owner = LunaOwner(
      store: InMemoryDeviceStore(devices: [device]), backend: backend, clock: clock)
    var command = try await owner.sendRemotely(
      .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(3600))
    #expect(command.packages[0].counter == 1_795_255_200)
    var counters = [command.packages[0].counter]
    for round in 1...3 {
      let package = command.packages[2]
      backend.confirm(command.requestID, package.heid, try receipt(package, .stale))
      let again = try await owner.followed(command)
      #expect(again.requestID != command.requestID)
      #expect(again.reissues == round)
      #expect(again.receipt == nil && !again.isFinal)
      #expect(again.packages.allSatisfy { $0.command == .buzzStart && $0.argument == 10 })
      #expect(again.status.expiresAt == command.status.expiresAt)
      // The clock in the receipt is in period 1,753,179.
      #expect(again.packages[0].counter >= 1024 * (1_795_255_300 / 1024 + 2))
      counters.append(again.packages[0].counter)
      command = again
    }
    #expect(counters == counters.sorted() && Set(counters).count == 4)
    let package = command.packages[2]
    backend.confirm(command.requestID, package.heid, try receipt(package, .stale))
    let last = try await owner.followed(command)
    #expect(last.requestID == command.requestID)
    #expect(try last.receipt?.get().status == .stale)
    #expect(!last.isProven)
  }

  @Test func afterItsTimeItIsNotMadeAnew() async throws {
    let clock = WallClock(
      now: { Timestamp(microseconds: Self.now.microseconds + 3_600_000_000) },
      elapsed: { .zero }, sleep: { _ in })
    let owner = LunaOwner(
      store: InMemoryDeviceStore(devices: [device]), backend: backend, clock: clock)
    let command = try await owner.sendRemotely(
      .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(3600))
    let package = command.packages[2]
    backend.confirm(command.requestID, package.heid, try receipt(package, .stale))
    #expect(try await owner.followed(command).requestID == command.requestID)
  }

  @Test func callsACommandOff() async throws {
    let command = try await sent()
    let over = try await owner().cancel(command)
    #expect(backend.state.withLock { $0.cancelled } == [command.requestID])
    #expect(over.isFinal && !over.isProven)
    #expect(over.status.state == .cancelled && over.status.cancelledAt != nil)
  }

  @Test func whatWasDeliveredIsNotCalledOff() async throws {
    let command = try await sent()
    let package = command.packages[3]
    backend.confirm(command.requestID, package.heid, try receipt(package))
    let over = try await owner().cancel(command)
    #expect(over.isProven, "the receipt is verified all the same")
    #expect(backend.state.withLock { $0.cancelled }.isEmpty)
  }

  @Test func knowsForWhichDeviceACommandIs() async throws {
    backend.state.withLock { $0.time = Self.now }
    let (first, other) = (Samples.device(3), Samples.device(4))
    let wall = WallClock(now: { Self.now }, elapsed: { .zero }, sleep: { _ in })
    let before = LunaOwner(
      store: InMemoryDeviceStore(devices: [first, other]), backend: backend, clock: wall)
    for device in [other, first] {
      _ = try await before.sendRemotely(
        .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(86_400))
    }
    let listed = try await before.remoteCommands()
    #expect(listed.map(\.device?.uuid) == [other.uuid, first.uuid])
    // The first package began long before the command, since the clock was not known; now it is.
    let store = InMemoryDeviceStore(devices: [first])
    let clock = ClockState(
      interval: ClockInterval(onboardingTimestamp: UInt32(Self.now.unixMilliseconds / 1000)))
    store.save([first.uuid: clock])
    let owner = LunaOwner(store: store, backend: backend, clock: wall)
    let after = try await owner.remoteCommands()
    #expect(after.map(\.device?.uuid) == [nil, first.uuid])
    let gone = try await owner.cancel(after[1])
    #expect(gone.device?.uuid == first.uuid && gone.status.state == .cancelled)
    // A backend that has lost its mind is not believed for thousands of years.
    for time in [Int64.min, -62_135_596_800_000_000, 253_402_300_799_000_000, .max] {
      backend.state.withLock { state in
        state.commands["x"] = CommandStatus(
          requestID: "x", state: .queued, createdAt: Timestamp(microseconds: time),
          expiresAt: Self.now, firstHeid: HEID(high: 1, low: 2))
      }
      #expect(try await owner.remoteCommands().map(\.device?.uuid) == [nil, first.uuid, nil])
    }
  }

  @Test func needsABackend() async {
    let error = await #expect(throws: OwnerError.self) {
      try await LunaOwner(store: InMemoryDeviceStore(devices: [device])).sendRemotely(
        .buzzStart, argument: 10, to: device, from: Self.now, lasting: .seconds(60))
    }
    #expect(error?.kind == .noBackend)
  }
}
