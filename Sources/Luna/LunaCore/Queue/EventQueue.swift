public import Bluetooth

/// Keeps sealed events until a backend has them. What a call has returned from survives the end of
/// the process at any moment. ``InMemoryEventQueue`` does so for as long as the process lives;
/// `LunaStore` in SQLite.
///
/// A queue holds a limited number of events. When it is full, those that were set aside go first,
/// then doubtful ones, the oldest of each first; then the oldest that wait: an owner wants to know
/// where a tracker was last. A doubtful event never takes the place of another. Each one that goes is
/// counted under ``DropReason/queueFull``.
public protocol EventQueue: Sendable {
  /// Adds events: all of them or, with an error, none; then they are counted under
  /// ``DropReason/storage``.
  ///
  /// - Parameter isDoubtful: whether they may be made up: of identifiers that appeared in a flood.
  func append(
    _ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool
  ) async throws(DeviceStoreError)

  /// The events whose turn it is: those that were postponed least often, the oldest first; doubtful
  /// ones after all others.
  func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedEvent]

  /// An event that waits; nil when it does not any more.
  func event(_ id: Int64) async throws(DeviceStoreError) -> QueuedEvent?

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
  func count(dropped reason: String, by number: Int, at time: Timestamp) async

  /// Notes for who asks for the status whether identifiers appear too fast; nil when not any more.
  func note(_ crowd: CrowdStatus?) async

  /// Looks after itself: writes what could not be written, makes a new file where its own is gone. To
  /// be called every second or so, and after events were added.
  ///
  /// - Returns: what has happened since the last time, each thing once.
  func tend(at time: Timestamp) async -> [QueueNotice]

  /// How many events wait.
  var waiting: Int { get async }

  /// What there is to tell.
  func status(at now: Timestamp) async throws(DeviceStoreError) -> QueueStatus

  /// Lets go of what keeps other users out: a file, a lock. It is the last call, and another queue may be
  /// opened in the same place when it returns. One that lives in memory has nothing to let go of.
  func close() async
}

extension EventQueue {
  /// Adds events about which there is no doubt.
  public func append(
    _ events: [TrackerEvent], at time: Timestamp
  ) async throws(DeviceStoreError) {
    try await append(events, at: time, isDoubtful: false)
  }
}
