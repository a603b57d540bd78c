public import Bluetooth
import Synchronization

/// Keeps events for as long as the process lives.
public final class InMemoryEventQueue: EventQueue {
  private struct Entry {
    let queued: QueuedEvent
    var attempts = 0
  }

  private struct Contents {
    var entries: [Entry] = []
    var confirmations: [QueuedConfirmation] = []
    var setAside: [String] = []
    var dropped: [String: Int] = [:]
    var last: Int64 = 0

    mutating func number() -> Int64 {
      last += 1
      return last
    }
  }

  /// How many events fit.
  public let limit: Int

  private let contents = Mutex(Contents())

  /// An empty queue.
  public init(limit: Int = 10_000) { self.limit = max(1, limit) }

  /// Adds events.
  public func append(_ events: [TrackerEvent], at time: Timestamp) {
    contents.withLock { contents in
      for event in events {
        let id = contents.number()
        contents.entries.append(Entry(queued: QueuedEvent(id: id, event: event, queuedAt: time)))
      }
      var excess = contents.entries.count + contents.setAside.count - limit
      guard excess > 0 else { return }
      contents.dropped[DropReason.queueFull, default: 0] += excess
      let aside = min(excess, contents.setAside.count)
      contents.setAside.removeFirst(aside)
      excess -= aside
      contents.entries.removeFirst(excess)
    }
  }

  /// The events whose turn it is.
  public func next(_ limit: Int) -> [QueuedEvent] {
    contents.withLock { contents in
      // Sorting keeps the order of those that are equal.
      contents.entries.sorted { $0.attempts < $1.attempts }.prefix(limit).map(\.queued)
    }
  }

  /// Takes note of what became of an upload.
  public func settle(_ settlement: UploadSettlement) {
    contents.withLock { contents in
      let stored = Set(settlement.stored)
      let postponed = Set(settlement.postponed)
      contents.entries = contents.entries.compactMap { entry in
        if stored.contains(entry.queued.id) { return nil }
        if let code = settlement.refused[entry.queued.id] {
          contents.setAside.append(code)
          return nil
        }
        var entry = entry
        if postponed.contains(entry.queued.id) { entry.attempts += 1 }
        return entry
      }
    }
  }

  /// Adds a confirmation.
  public func append(_ confirmation: CommandConfirmation, at time: Timestamp) {
    contents.withLock { contents in
      let id = contents.number()
      contents.confirmations.append(QueuedConfirmation(id: id, confirmation: confirmation))
    }
  }

  /// The oldest confirmation.
  public func nextConfirmation() -> QueuedConfirmation? {
    contents.withLock { $0.confirmations.first }
  }

  /// Removes a confirmation.
  public func settleConfirmation(_ id: Int64, refusal: String?) {
    contents.withLock { contents in
      contents.confirmations.removeAll { $0.id == id }
      if let refusal { contents.dropped[refusal, default: 0] += 1 }
    }
  }

  /// Counts sightings that were lost.
  public func count(dropped reason: String, by number: Int) {
    contents.withLock { $0.dropped[reason, default: 0] += number }
  }

  /// How many events wait.
  public var waiting: Int { contents.withLock { $0.entries.count } }

  /// What there is to tell; not how much an hour brings.
  public func status(at now: Timestamp) -> QueueStatus {
    contents.withLock { contents in
      var status = QueueStatus()
      status.waiting = contents.entries.count
      status.oldest = contents.entries.map(\.queued.queuedAt).min()
      status.limit = limit
      status.confirmations = contents.confirmations.count
      for code in contents.setAside { status.setAside[code, default: 0] += 1 }
      status.dropped = contents.dropped
      return status
    }
  }
}
