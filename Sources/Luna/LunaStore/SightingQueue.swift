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

  private let connection: StoreConnection
  private let logger: any Logger
  private let state = Mutex(State())

  init(_ connection: StoreConnection, _ logger: any Logger) {
    self.connection = connection
    self.logger = logger
  }

  func append(_ sightings: [Sighting]) {
    let (isFull, isFirst) = state.withLock { state in
      let before = state.waiting.count
      state.waiting += sightings
      let excess = state.waiting.count - SightingQueue.capacity
      if excess > 0 {
        state.waiting.removeFirst(excess)
        state.dropped += excess
      }
      defer { state.isExpected = true }
      let limit = SightingQueue.batchCount
      return (before < limit && state.waiting.count >= limit, !state.isExpected)
    }
    guard isFirst || isFull else { return }
    Task {
      if !isFull { try? await Task.sleep(for: SightingQueue.delay) }
      await writeInBackground()
    }
  }

  private func writeInBackground() async {
    do throws(DeviceStoreError) {
      try await connection.drain(self)
    } catch {
      // They go on waiting; the next sightings bring the next attempt.
      logger.log(.ERROR, "sightings could not be kept: \(error)")
    }
  }

  /// Hands what waits to `write`. When that fails it goes on waiting.
  ///
  /// To be called by the connection alone: so whoever flushes also waits for a batch that is being
  /// written already.
  func drain(
    _ write: ([Sighting]) throws(DeviceStoreError) -> Void
  ) throws(DeviceStoreError) {
    let (batch, dropped) = state.withLock { state in
      defer { state = State() }
      return (state.waiting, state.dropped)
    }
    guard !batch.isEmpty else { return }
    do throws(DeviceStoreError) {
      try write(batch)
      if dropped > 0 {
        logger.log(.ERROR, "\(dropped) sightings were lost while the store could not be written")
      }
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
