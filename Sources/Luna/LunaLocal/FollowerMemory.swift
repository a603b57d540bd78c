public import LunaCore
public import LunaProtocol

/// What a store knows for a follower: trackers whose onboarding has not ended, and clocks.
public struct FollowerMemory: Sendable {
  /// Devices whose onboarding has not ended.
  public let pending: [Device]
  /// The clocks of all devices.
  public let clocks: [DeviceUUID: ClockState]

  /// What somebody knows.
  public init(pending: [Device], clocks: [DeviceUUID: ClockState]) {
    self.pending = pending
    self.clocks = clocks
  }

  /// What a store knows.
  ///
  /// - Throws: as the store.
  public init(of store: any DeviceStore) async throws(DeviceStoreError) {
    let pending = try await (store as? any PendingStore)?.pendingOnboardings() ?? []
    self.pending = pending.map(\.device)
    clocks = try await store.clockStates()
  }
}

extension TrackerFollower {
  /// Goes on where an earlier run ended. To be called before the first report.
  public func recall(_ memory: FollowerMemory) {
    // First all that is followed, then what is known of each.
    for device in memory.pending { _ = follow(pending: device) }
    restore(memory.clocks)
  }
}
