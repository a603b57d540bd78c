import LunaCore

/// A queue from which another program sends for ever.
struct BusyStore: TelemetryStore {
  func append(
    _ records: [TelemetryRecord], within window: Duration
  ) async throws(DeviceStoreError) {}
  func count(lost reason: String, by number: Int) async throws(DeviceStoreError) {}
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedTelemetry] { [] }
  func settle(_ settlement: TelemetrySettlement) async throws(DeviceStoreError) {}
  func note(_ problem: String?) async throws(DeviceStoreError) {}
  func prune(olderThan age: Duration) async throws(DeviceStoreError) {}
  func clear(as reason: String?) async throws(DeviceStoreError) -> Int { 0 }
  func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool { false }
  func endTurn() async {}
  func status() async throws(DeviceStoreError) -> TelemetryQueueStatus { TelemetryQueueStatus() }
}
