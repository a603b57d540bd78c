public import Bluetooth

/// Keeps sealed events until a backend has them. What a call has returned from survives the end of
/// the process at any moment. ``InMemoryEventQueue`` does so for as long as the process lives;
/// `LunaStore` in SQLite.
///
/// A queue holds a limited number of events. When it is full, those that were set aside go first,
/// the oldest of them first; then the oldest that wait: an owner wants to know where a tracker was
/// last. Each one that goes is counted under ``DropReason/queueFull``.
public protocol EventQueue: Sendable {
  /// Adds events: all of them or, with an error, none; then they are counted under
  /// ``DropReason/storage``.
  func append(_ events: [TrackerEvent], at time: Timestamp) async throws(DeviceStoreError)

  /// The events whose turn it is: those that were postponed least often, the oldest first.
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedEvent]

  /// Takes note of what became of an upload. With an error it is remembered all the same for as long
  /// as the process lives, and written later.
  func settle(_ settlement: UploadSettlement) async throws(DeviceStoreError)

  /// Adds a confirmation.
  func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) async throws(DeviceStoreError)

  /// The oldest confirmation.
  func nextConfirmation() async throws(DeviceStoreError) -> QueuedConfirmation?

  /// Removes a confirmation that the backend has.
  ///
  /// - Parameter refusal: the reason under which it is counted when the backend does not want it.
  func settleConfirmation(_ id: Int64, refusal: String?) async throws(DeviceStoreError)

  /// Counts sightings that were lost.
  func count(dropped reason: String, by number: Int) async

  /// How many events wait.
  var waiting: Int { get async }

  /// What there is to tell.
  func status(at now: Timestamp) async throws(DeviceStoreError) -> QueueStatus
}
