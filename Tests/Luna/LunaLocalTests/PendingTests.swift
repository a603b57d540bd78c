import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import Synchronization
import Testing

/// Trackers whose onboarding has not ended are followed, and not told of.
@Suite(.timeLimit(.minutes(10)))
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
    #expect(problem.contains("LunaOnboarder"))
    #expect(local.devices.isEmpty)
    await local.stop()
  }

  /// Who is being onboarded is no problem, and one of the devices once that has ended.
  @Test func becomesOneOfTheDevices() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([])
    let local = follower.follow(pending: tracker.device, isBeingOnboarded: true)
    #expect(follower.hear(tracker.report(at: start)).isEmpty)
    #expect(follower.takeProblems().isEmpty)
    var named = tracker.device
    named.name = "Keys"
    #expect(follower.follow(onboarded: named))
    #expect(!follower.follow(onboarded: named), "it is one already")
    #expect(follower.follow(pending: named) === local)
    #expect(follower.devices.map(\.name) == ["Keys"])
    #expect(follower.devices.first === local)
    let updates = follower.hear(tracker.report(at: start + 1000))
    #expect(updates.map(\.event) == [.appeared])
    #expect(follower.takeProblems().isEmpty)
    // One that nobody followed before.
    let other = try SimulatedTracker(2, onboarding: start)
    #expect(follower.follow(onboarded: other.device))
    #expect(follower.hear(other.report(at: start + 2000)).map(\.event) == [.appeared])
    #expect(follower.devices.count == 2)
  }

  /// Another program, or another part of this one, has onboarded a tracker while a scan is on.
  @Test func appearsInAScanThatIsOn() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let source = ScriptedSource([])
    let store = InMemoryDeviceStore()
    let isStored = Mutex(false)
    let (device, begin) = (tracker.device, Timestamp(unixMilliseconds: start))
    let clock = WallClock(
      now: { begin }, elapsed: { .zero },
      sleep: { _ in
        // The first tick is over: the scan knows what was there before.
        if !isStored.withLock({ $0 }) {
          isStored.withLock { $0 = true }
          store.put([device])
        }
        try await Task.sleep(for: .milliseconds(5))
      })
    let local = LunaLocal(store: store, clock: clock) { source }
    let updates = local.updates
    let names = await withCheckedContinuation { continuation in
      let wasTold = Mutex(false)
      local.onDevicesUpdate = { devices in
        guard !devices.isEmpty, !wasTold.withLock({ $0 }) else { return }
        wasTold.withLock { $0 = true }
        continuation.resume(returning: devices.map(\.uuid))
      }
      local.startScanning([])
    }
    #expect(names == [tracker.device.uuid])
    source.give([tracker.report(at: start)])
    for await update in updates {
      #expect(update.event == .appeared && update.device.uuid == tracker.device.uuid)
      break
    }
    await local.stop()
  }

  /// What is heard of a tracker that was forgotten is nobody's, and told of as such.
  @Test func whoIsForgottenIsNobodys() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let other = try SimulatedTracker(2, onboarding: start)
    let follower = try TrackerFollower([tracker.device, other.device])
    #expect(follower.hear(tracker.report(at: start)).map(\.event) == [.appeared])
    follower.rename([tracker.device.uuid: "Bag"])
    #expect(follower.hear(tracker.report(at: start + 1000)).map(\.state.name) == ["Bag"])
    follower.forget([tracker.device.uuid])
    #expect(follower.hear(tracker.report(at: start + 2000)).first?.state.uuid == nil)
    #expect(follower.devices.compactMap(\.uuid) == [other.device.uuid])
    // Nor is it told that it is gone.
    var updates: [LocalUpdate] = []
    follower.advance(to: Timestamp(unixMilliseconds: start + 4_000_000), into: &updates)
    #expect(updates.allSatisfy { $0.state.uuid == nil })
    // Imported anew, it is one again.
    #expect(follower.follow(onboarded: tracker.device))
    #expect(!follower.follow(onboarded: tracker.device))
    #expect(
      follower.hear(tracker.report(at: start + 4_001_000)).last?.state.uuid == tracker.device.uuid)
    #expect(follower.devices.compactMap(\.uuid).count == 2)
  }

  /// Another program has renamed a tracker, or forgotten it, while a scan is on.
  @Test func leavesAScanThatIsOn() async throws {
    let (keys, bag) = (
      try SimulatedTracker(1, onboarding: start), try SimulatedTracker(2, onboarding: start)
    )
    let store = InMemoryDeviceStore()
    store.put([keys.device, bag.device])
    let local = LunaLocal(store: store) { ScriptedSource([]) }
    try await local.start([keys.device, bag.device])
    let (changes, change) = AsyncStream.makeStream(of: [LocalDevice].self)
    local.onDevicesUpdate = { change.yield($0) }
    #expect(store.rename(keys.device.uuid, to: "Keys of the car"))
    #expect(store.forget(bag.device.uuid))
    for await devices in changes where devices.count == 1 {
      #expect(devices.map(\.name) == ["Keys of the car"])
      break
    }
    await local.stop()
  }
}
