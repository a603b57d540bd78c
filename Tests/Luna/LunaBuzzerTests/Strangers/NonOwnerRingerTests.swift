import Bluetooth
import Diagnosis
import LunaCore
import Synchronization
import Testing
import TrackerMachine

@testable import LunaBuzzer

/// The ringer against our own software tracker, whose non-owner sound service is that of IETF DULT.
@Suite(.timeLimit(.minutes(10)))
struct NonOwnerRingerTests {
  private func ringer(
    _ world: TrackerWorld, limits: BuzzerLimits = BuzzerLimits(),
    progress: @escaping @Sendable (BuzzerProgress) -> Void = { _ in }
  ) -> NonOwnerRinger {
    NonOwnerRinger(
      client: world, limits: limits, clock: world.clock,
      hearing: { _ in
        world.advance(by: 100)
        let state = world.device.snapshot
        guard let address = state.address else { return nil }
        var report = AdvertisingReport(
          time: .unknown, adapter: nil, address: address, addressType: .random,
          payload: AdvertisingPayload(), rssi: nil)
        report.isConnectable = state.connectable
        return report
      }, progress: progress)
  }

  /// Runs and returns what was told, and the error.
  private func told(
    _ body: (@escaping @Sendable (RingNews) async -> Void) async throws(BuzzerError) -> Void
  ) async -> ([RingNews], BuzzerError?) {
    let news = Mutex<[RingNews]>([])
    var failure: BuzzerError?
    do throws(BuzzerError) {
      try await body { told in news.withLock { $0.append(told) } }
    } catch {
      failure = error
    }
    return (news.withLock { $0 }, failure)
  }

  @Test func ringsASeparatedTracker() async throws {
    let world = try TrackerWorld(after: 3600)
    let (news, error) = await told { (tell) throws(BuzzerError) in
      try await ringer(world).ring(for: .seconds(30), tell)
    }
    #expect(error == nil)
    #expect(news == [.sounding(.dult, isConfirmed: true), .ended(isConfirmed: true)])
    #expect(world.sounds == [10], "for as long as the tracker likes")
    #expect(world.state.withLock { !$0.isConnected })
  }

  @Test func stopsTheSoundEarlier() async throws {
    let world = try TrackerWorld(after: 3600)
    let (news, error) = await told { (tell) throws(BuzzerError) in
      try await ringer(world).ring(for: .seconds(4), tell)
    }
    #expect(error == nil)
    #expect(news.last == .ended(isConfirmed: true))
    #expect(world.state.withLock { $0.stops } == 1)
  }

  /// The time is for all of it, but for a sound that has begun.
  @Test(arguments: [0, 2900, 4000] as [Int64])
  func keepsToTheTime(latency: Int64) async throws {
    for isMute in [false, true] {
      let world = try TrackerWorld(after: 3600)
      world.advance(by: 2000)
      while world.device.connectable != true { world.advance(by: 500) }
      world.state.withLock {
        $0.latency = latency
        $0.isMute = isMute
      }
      let start = world.now
      let ringer = ringer(world, limits: BuzzerLimits(total: .seconds(8), silence: .seconds(8)))
      let (news, error) = await told { (tell) throws(BuzzerError) in
        try await ringer.ring(for: .seconds(30), tell)
      }
      if latency == 0, !isMute {
        #expect(news == [.sounding(.dult, isConfirmed: true), .ended(isConfirmed: true)])
        #expect(world.now - start > 8_000, "the sound goes on after the time to begin it")
      } else {
        #expect(world.now - start <= 8_100, "\(world.now - start) ms")
        #expect(error?.kind == .noAnswer || error?.kind == .unreachable)
        #expect(error?.remedy?.description.contains("nearer") == false)
      }
      let begin = world.now
      do throws(BuzzerError) {
        try await ringer.identify { _ in }
      } catch {}
      #expect(world.now - begin <= 8_200, "\(world.now - begin) ms")
    }
  }

  @Test func explainsThatTheOwnerIsNear() async throws {
    let world = try TrackerWorld(after: 60)
    let (news, error) = await told { (tell) throws(BuzzerError) in
      try await ringer(world).ring(for: .seconds(30), tell)
    }
    #expect(news.isEmpty && world.sounds.isEmpty)
    #expect(error?.kind == .notSeparated)
    #expect(error?.remedy?.description.contains("separated") == true)
  }

  @Test func canBeCancelledWhileItSounds() async throws {
    let world = try TrackerWorld(after: 3600)
    let ringer = ringer(world)
    let isSounding = Mutex(false)
    let task = Task {
      try await ringer.ring(for: .seconds(30)) { news in
        if case .sounding = news {
          isSounding.withLock { $0 = true }
          // So that the sound does not end in simulated time before the test cancels.
          while !Task.isCancelled { await Task.yield() }
        }
      }
    }
    while !isSounding.withLock({ $0 }) { await Task.yield() }
    task.cancel()
    _ = try? await task.value
    #expect(world.state.withLock { $0.stops } == 1)
    #expect(world.state.withLock { !$0.isConnected })
  }

  /// Ours offers only the sound; DULT wants it to say that it does not know the rest.
  @Test func identifiesNothingOfOurs() async throws {
    let world = try TrackerWorld(after: 3600)
    var failure: BuzzerError?
    do throws(BuzzerError) {
      try await ringer(world).identify { _ in }
    } catch {
      failure = error
    }
    #expect(failure?.kind == .notSeparated)
  }

  @Test(arguments: DeliveryTests.passing)
  func survivesABrokenConnection(kind: GATTError.Kind) async throws {
    for step in 1...2 {
      let world = try TrackerWorld(after: 3600)
      world.fault(at: step, .init(error: GATTError(kind, during: "step", "it broke")))
      let (news, error) = await told { (tell) throws(BuzzerError) in
        try await ringer(world).ring(for: .seconds(30), tell)
      }
      #expect(error == nil)
      #expect(news.last == .ended(isConfirmed: true))
    }
  }
}
