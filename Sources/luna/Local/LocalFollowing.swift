import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import Synchronization

/// A follower between the scan, which brings reports, and a task that minds the time and the store.
final class LocalFollowing: Sendable {
  /// Gets what happened, in order.
  typealias Handler = @Sendable ([LocalUpdate]) -> Void

  private let state: Mutex<FollowerSession>
  private let store: any DeviceStore
  private let diagnostics: Diagnostics
  private let clock = WallClock.system

  /// A follower with the clocks and derivations of the store.
  init(
    _ devices: [Device], configuration: LocalConfiguration, store: any DeviceStore,
    diagnostics: Diagnostics
  ) async throws {
    self.store = store
    self.diagnostics = diagnostics
    let following = try FollowerSession(devices, configuration: configuration, clock: clock)
    let follower = following.follower
    follower.recall(try await FollowerMemory(of: store))
    for key in follower.wantedDerivations(at: clock.now()) {
      guard let bytes = try await store.derivations(for: key) else { continue }
      follower.addDerivations(bytes, for: key)
    }
    state = Mutex(following)
  }

  /// All devices that are known or present.
  var devices: [LocalDevice] { state.withLock { $0.follower.devices } }

  /// What was heard.
  var counters: LocalCounters { state.withLock { $0.follower.counters } }

  /// Takes reports; the handler is called before anything else can happen.
  func receive(_ reports: [AdvertisingReport], _ handler: (LocalUpdate) -> Void) {
    state.withLock { state in
      var updates: [LocalUpdate] = []
      state.receive(reports, into: &updates)
      updates.forEach(handler)
      tellProblems(state.follower)
    }
  }

  /// Minds the time while nothing is heard, and saves now and then, until it is cancelled.
  func mind(_ handler: @escaping @Sendable (LocalUpdate) -> Void) -> Task<Void, Never> {
    Task {
      var seconds = 0
      while (try? await clock.sleep(.seconds(1))) != nil, !Task.isCancelled {
        seconds += 1
        tick(handler)
        if seconds % FollowerSession.saveInterval == 0 { await save() }
      }
    }
  }

  private func tick(_ handler: (LocalUpdate) -> Void) {
    state.withLock { state in
      var updates: [LocalUpdate] = []
      state.tick(into: &updates)
      updates.forEach(handler)
      tellProblems(state.follower)
    }
  }

  private func tellProblems(_ follower: TrackerFollower) {
    for problem in follower.takeProblems() { diagnostics.note("luna: \(problem)") }
  }

  /// Saves what was learned.
  func save() async {
    let news = state.withLock { $0.follower.takeNews() }
    guard let news else { return }
    do throws(DeviceStoreError) {
      try await news.save(to: store)
      try await store.flush()
    } catch {
      diagnostics.note("luna: \(error)")
    }
  }
}

extension LocalFollowing: NearbyTrackers {
  /// Follows a device whose onboarding has not ended; it is not among ``devices``.
  func follow(pending device: Device) -> LocalDevice? {
    state.withLock { $0.follower.follow(pending: device) }
  }
}
