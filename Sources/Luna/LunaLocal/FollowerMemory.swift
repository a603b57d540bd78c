package import Bluetooth
package import LunaCore
package import LunaProtocol

/// What a store knows for a follower: trackers whose onboarding has not ended, clocks, and whose word can be forged.
package struct FollowerMemory: Sendable {
  /// Devices whose onboarding has not ended.
  package let pending: [Device]
  /// The clocks of all devices.
  package let clocks: [DeviceUUID: ClockState]
  /// The devices of which somebody else was given the status, and until when.
  package let sharedStatus: [DeviceUUID: Timestamp]

  /// What somebody knows.
  package init(
    pending: [Device], clocks: [DeviceUUID: ClockState],
    sharedStatus: [DeviceUUID: Timestamp] = [:]
  ) {
    self.pending = pending
    self.clocks = clocks
    self.sharedStatus = sharedStatus
  }

  /// What a store knows.
  ///
  /// - Throws: as the store.
  package init(of store: any DeviceStore) async throws(DeviceStoreError) {
    pending = try await store.pendingOnboardings().map(\.device)
    clocks = try await store.clockStates()
    sharedStatus = try await store.sharedStatus()
  }
}

extension TrackerFollower {
  /// Goes on where an earlier run ended. To be called before the first report.
  package func recall(_ memory: FollowerMemory) {
    // First all that is followed, then what is known of each.
    for device in memory.pending { _ = follow(pending: device) }
    restore(memory.clocks)
    mark(sharedStatus: memory.sharedStatus)
  }
}
