import LunaCore
import Synchronization

/// A queue of telemetry that is in trouble.
final class TroubledStore: TelemetryStore {
  /// What is the matter.
  enum Trouble {
    /// Another program sends from it for ever.
    case busy
    /// It has two items and lies on a disk without any room: what waits can be counted, and no more.
    case full
    /// The same, and there is no room even for the lock.
    case fullForTheLock
    /// It takes what was recorded; what was lost it counts from the second time on.
    case forgetful
  }

  private struct State {
    var records = 0
    var losses: [String: Int] = [:]
    var tries = 0
  }

  private let trouble: Trouble
  private let state = Mutex(State())

  init(_ trouble: Trouble) { self.trouble = trouble }

  /// How many records it has taken.
  var records: Int { state.withLock(\.records) }
  /// What it has counted.
  var losses: [String: Int] { state.withLock(\.losses) }

  private var isFull: Bool { trouble == .full || trouble == .fullForTheLock }

  private func checkRoom() throws(DeviceStoreError) {
    if isFull { throw DeviceStoreError(.full, "the disk is full") }
  }

  func append(
    _ records: [TelemetryRecord], within window: Duration
  ) async throws(DeviceStoreError) {
    try checkRoom()
    state.withLock { $0.records += records.count }
  }
  func count(lost reason: String, by number: Int) async throws(DeviceStoreError) {
    try checkRoom()
    let isFirst = state.withLock { state in
      state.tries += 1
      if state.tries > 1 { state.losses[reason, default: 0] += number }
      return state.tries == 1
    }
    if trouble == .forgetful, isFirst { throw DeviceStoreError(.failed, "there is no room") }
  }
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedTelemetry] {
    try checkRoom()
    return []
  }
  func settle(_ settlement: TelemetrySettlement) async throws(DeviceStoreError) { try checkRoom() }
  func note(_ problem: String?) async throws(DeviceStoreError) { try checkRoom() }
  func prune(olderThan age: Duration) async throws(DeviceStoreError) { try checkRoom() }
  func clear(as reason: String?) async throws(DeviceStoreError) -> Int {
    try checkRoom()
    return 0
  }
  func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool {
    if trouble == .fullForTheLock { try checkRoom() }
    return trouble != .busy
  }
  func endTurn() async {}
  func status() async throws(DeviceStoreError) -> TelemetryQueueStatus {
    var status = TelemetryQueueStatus()
    if isFull { status.waiting = 2 }
    return status
  }
}
