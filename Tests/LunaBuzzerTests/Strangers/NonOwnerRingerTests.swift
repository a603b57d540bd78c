import Bluetooth
import LunaCore
import LunaTracker
import Synchronization
import Testing

@testable import LunaBuzzer

/// The ringer against our own software tracker, whose non-owner sound service is that of IETF DULT.
@Suite(.timeLimit(.minutes(10)))
struct NonOwnerRingerTests {
  private func ringer(
    _ world: TrackerWorld, progress: @escaping @Sendable (BuzzerProgress) -> Void = { _ in }
  ) -> NonOwnerRinger {
    NonOwnerRinger(
      client: world, clock: world.clock,
      hearing: {
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

  @Test func explainsThatTheOwnerIsNear() async throws {
    let world = try TrackerWorld(after: 60)
    let (news, error) = await told { (tell) throws(BuzzerError) in
      try await ringer(world).ring(for: .seconds(30), tell)
    }
    #expect(news.isEmpty && world.sounds.isEmpty)
    #expect(error?.kind == .notSeparated)
    #expect(error?.hint?.contains("separated") == true)
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
