import LunaCore

/// A queue with two items on a disk without any room: what waits can be counted, and no more.
struct FullStore: TelemetryStore {
  /// Whether there is no room even for the lock.
  var hasNoLock = false

  private static let full = DeviceStoreError(.full, "the disk is full")

  func append(
    _ records: [TelemetryRecord], within window: Duration
  ) async throws(DeviceStoreError) { throw FullStore.full }
  func count(lost reason: String, by number: Int) async throws(DeviceStoreError) {
    throw FullStore.full
  }
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedTelemetry] {
    throw FullStore.full
  }
  func settle(_ settlement: TelemetrySettlement) async throws(DeviceStoreError) {
    throw FullStore.full
  }
  func note(_ problem: String?) async throws(DeviceStoreError) { throw FullStore.full }
  func prune(olderThan age: Duration) async throws(DeviceStoreError) { throw FullStore.full }
  func clear(as reason: String?) async throws(DeviceStoreError) -> Int { throw FullStore.full }
  func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool {
    if hasNoLock { throw FullStore.full }
    return true
  }
  func endTurn() async {}
  func status() async throws(DeviceStoreError) -> TelemetryQueueStatus {
    var status = TelemetryQueueStatus()
    status.waiting = 2
    return status
  }
}
