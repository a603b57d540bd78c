/// Keeps telemetry until a backend has it; any number of processes may add to it at once, and one at a time
/// sends. What a call has returned from survives the end of the process at any moment.
///
/// A store holds a limited number of items. When it is full, appearances and disappearances go first, then
/// the oldest; those that were sent and of which nobody knows yet whether they came stay.
public protocol TelemetryStore: Sendable {
  /// Adds records: all of them or, with an error, none. An item of a key and a value that were added less
  /// than `window` before, and not sent since, counts up what is there.
  func append(
    _ records: [TelemetryRecord], within window: Duration
  ) async throws(DeviceStoreError)

  /// Counts what was lost before it could be added.
  func count(lost reason: String, by number: Int) async throws(DeviceStoreError)

  /// What is to be sent next: what was sent before without an answer, then the oldest. From now on it
  /// stays as it is.
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedTelemetry]

  /// Takes note of what became of what was sent.
  func settle(_ settlement: TelemetrySettlement) async throws(DeviceStoreError)

  /// Notes how an attempt to send ended, for who asks for the status.
  func note(_ problem: String?) async throws(DeviceStoreError)

  /// Drops what is older than `age`.
  func prune(olderThan age: Duration) async throws(DeviceStoreError)

  /// Drops everything that waits.
  ///
  /// - Parameter reason: the reason under which that is counted; nil when it was asked for.
  /// - Returns: how many items and samples that were.
  func clear(as reason: String?) async throws(DeviceStoreError) -> Int

  /// Waits until no other process sends, and keeps others from it until ``endTurn()``.
  ///
  /// - Returns: false when another one still does after `patience`.
  func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool

  /// Lets others send.
  func endTurn() async

  /// What there is to tell.
  func status() async throws(DeviceStoreError) -> TelemetryQueueStatus
}
