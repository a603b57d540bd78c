import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import Testing

/// Trackers whose onboarding has not ended are followed, and not told of.
struct PendingTests {
  let start: Int64 = 1_750_000_000_000

  @Test func followedButNotListed() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([])
    let local = follower.follow(pending: tracker.device)
    #expect(follower.follow(pending: tracker.device) === local)
    var addresses: Set<String> = []
    for second in stride(from: Int64(0), to: 3 * 1024, by: 10) {
      #expect(follower.hear(tracker.report(at: start + 1000 * second)).isEmpty)
      addresses.insert(local.identifier)
    }
    #expect(follower.devices.isEmpty)
    #expect(local.uuid == tracker.device.uuid)
    #expect(local.timedOut == false)
    #expect(addresses.count >= 3, "through its rotations")
    #expect(follower.takeProblems() == [.pendingHeard(tracker.device.uuid)])
    var updates: [LocalUpdate] = []
    follower.advance(to: Timestamp(unixMilliseconds: start + 4_000_000), into: &updates)
    #expect(updates.isEmpty)
    #expect(local.timedOut == true)
  }

  @Test func followedFromTheMiddleOfAScan() throws {
    let own = try SimulatedTracker(1, onboarding: start)
    let pending = try SimulatedTracker(2, onboarding: start)
    let follower = try TrackerFollower([own.device])
    #expect(follower.hear(own.report(at: start)).count == 1)
    #expect(follower.hear(pending.report(at: start)).first?.state.uuid == nil)
    let local = follower.follow(pending: pending.device)
    #expect(follower.hear(pending.report(at: start + 1000)).isEmpty)
    #expect(local.timedOut == false)
    #expect(follower.hear(own.report(at: start + 1000)).first?.state.uuid == own.device.uuid)
    #expect(follower.devices.compactMap(\.uuid) == [own.device.uuid])
  }

  @Test func thoseOfTheStoreAreFollowedByThemselves() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = InMemoryDeviceStore()
    try store.addPending(PendingOnboarding(device: tracker.device, hint: ESF(value: 1)))
    let batch = [tracker.report(at: start), tracker.report(at: start + 1000)]
    let local = LunaLocal(store: store) { ScriptedSource([batch]) }
    #expect(local.follow(pending: tracker.device) == nil, "nobody listens")
    let problem = await withCheckedContinuation { continuation in
      local.onError = { continuation.resume(returning: "\($0)") }
      local.startScanning([])
    }
    #expect(problem.contains("luna onboard"))
    #expect(local.devices.isEmpty)
    await local.stop()
  }
}
