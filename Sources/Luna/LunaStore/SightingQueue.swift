import LunaCore
import Synchronization

/// Sightings on their way into the store, which takes them in batches.
final class SightingQueue: Sendable {
  /// How many make a batch.
  static let batchCount = 1000
  /// How long the first one of a batch waits.
  static let delay = Duration.seconds(1)
  /// How many wait when they cannot be written; then the oldest go.
  static let capacity = 65_536

  private struct State {
    var waiting: [Sighting] = []
    var dropped = 0
    /// Whether somebody will write what is waiting.
    var isExpected = false
  }

  private let state = Mutex(State())

  /// Adds some to what waits.
  ///
  /// - Returns: after how long somebody has to write what waits; nil when that is cared for.
  func append(_ sightings: [Sighting]) -> Duration? {
    state.withLock { state in
      let before = state.waiting.count
      state.waiting += sightings
      let excess = state.waiting.count - SightingQueue.capacity
      if excess > 0 {
        state.waiting.removeFirst(excess)
        state.dropped += excess
      }
      defer { state.isExpected = true }
      let limit = SightingQueue.batchCount
      if before < limit, state.waiting.count >= limit { return .zero }
      return state.isExpected ? nil : SightingQueue.delay
    }
  }

  /// Hands what waits to `write`. When that fails it goes on waiting.
  ///
  /// To be called by the store alone: so whoever flushes also waits for a batch that is being
  /// written already.
  ///
  /// - Returns: how many went since the last time, since too many were waiting.
  func drain(
    _ write: ([Sighting]) throws(DeviceStoreError) -> Void
  ) throws(DeviceStoreError) -> Int {
    let (batch, dropped) = state.withLock { state in
      defer { state = State() }
      return (state.waiting, state.dropped)
    }
    guard !batch.isEmpty else { return 0 }
    do throws(DeviceStoreError) {
      try write(batch)
      return dropped
    } catch {
      state.withLock { state in
        let room = max(0, SightingQueue.capacity - state.waiting.count)
        state.waiting = batch.suffix(room) + state.waiting
        state.dropped += dropped + max(0, batch.count - room)
      }
      throw error
    }
  }
}
