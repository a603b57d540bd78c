import LunaCore
import Synchronization

/// A queue that takes what was recorded; what was lost it counts from the second time on.
final class ForgetfulStore: TelemetryStore {
  private struct State {
    var records = 0
    var losses: [String: Int] = [:]
    var tries = 0
  }

  private let state = Mutex(State())

  var records: Int { state.withLock(\.records) }
  var losses: [String: Int] { state.withLock(\.losses) }

  func append(
    _ records: [TelemetryRecord], within window: Duration
  ) async throws(DeviceStoreError) {
    state.withLock { $0.records += records.count }
  }
  func count(lost reason: String, by number: Int) async throws(DeviceStoreError) {
    let isFull = state.withLock { state in
      state.tries += 1
      if state.tries > 1 { state.losses[reason, default: 0] += number }
      return state.tries == 1
    }
    if isFull { throw DeviceStoreError(.failed, "there is no room") }
  }
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedTelemetry] { [] }
  func settle(_ settlement: TelemetrySettlement) async throws(DeviceStoreError) {}
  func note(_ problem: String?) async throws(DeviceStoreError) {}
  func prune(olderThan age: Duration) async throws(DeviceStoreError) {}
  func clear(as reason: String?) async throws(DeviceStoreError) -> Int { 0 }
  func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool { true }
  func endTurn() async {}
  func status() async throws(DeviceStoreError) -> TelemetryQueueStatus { TelemetryQueueStatus() }
}
