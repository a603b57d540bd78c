public import Bluetooth
import Synchronization

/// Keeps events for as long as the process lives.
public final class InMemoryEventQueue: EventQueue {
  private struct Entry {
    let queued: QueuedEvent
    let isDoubtful: Bool
    var attempts = 0
  }

  private struct Contents {
    var entries: [Entry] = []
    var confirmations: [QueuedConfirmation] = []
    var setAside: [String] = []
    var losses: [String: LossCount] = [:]
    var crowd: CrowdStatus?
    /// How many had to go since that was told.
    var untold = 0
    var last: Int64 = 0

    mutating func number() -> Int64 {
      last += 1
      return last
    }
  }

  /// How many events fit.
  public let limit: Int

  private let contents = Mutex(Contents())

  /// A queue that forgets all when the process ends.
  ///
  /// - Parameter limit: how many events fit, those that are set aside among them; 1 or more.
  public init(limit: Int = 10_000) { self.limit = max(1, limit) }

  /// Adds events, and lets go of as many as are too many: see ``EventQueue`` for which.
  public func append(_ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool) {
    contents.withLock { contents in
      for event in events {
        let id = contents.number()
        let queued = QueuedEvent(id: id, event: event, queuedAt: time)
        contents.entries.append(Entry(queued: queued, isDoubtful: isDoubtful))
      }
      let excess = contents.entries.count + contents.setAside.count - limit
      guard excess > 0 else { return }
      contents.losses[DropReason.queueFull, default: LossCount(0)].add(excess, at: time)
      contents.untold += excess
      let aside = min(excess, contents.setAside.count)
      contents.setAside.removeFirst(aside)
      // Sorting keeps the order of those that are equal.
      let going = contents.entries.sorted { $0.isDoubtful && !$1.isDoubtful }.prefix(excess - aside)
      let gone = Set(going.map(\.queued.id))
      contents.entries.removeAll { gone.contains($0.queued.id) }
    }
  }

  /// The events whose turn it is.
  public func next(_ limit: Int) -> [QueuedEvent] {
    contents.withLock { contents in
      // Sorting keeps the order of those that are equal.
      contents.entries.sorted {
        $0.isDoubtful == $1.isDoubtful ? $0.attempts < $1.attempts : $1.isDoubtful
      }.prefix(limit).map(\.queued)
    }
  }

  /// An event that waits; nil when it does not any more.
  public func event(_ id: Int64) -> QueuedEvent? {
    contents.withLock { contents in contents.entries.first { $0.queued.id == id }?.queued }
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

  /// Adds a confirmation behind the others; they have no limit.
  public func append(_ confirmation: CommandConfirmation, at time: Timestamp) {
    contents.withLock { contents in
      let id = contents.number()
      contents.confirmations.append(QueuedConfirmation(id: id, confirmation: confirmation))
    }
  }

  /// The oldest confirmation, which stays until it is settled; nil where none waits.
  public func nextConfirmation() -> QueuedConfirmation? {
    contents.withLock { $0.confirmations.first }
  }

  /// Removes a confirmation that the backend has.
  ///
  /// - Parameter refusal: the reason under which it is counted as lost; nil where it was taken.
  public func settleConfirmation(_ id: Int64, refusal: String?) {
    contents.withLock { contents in
      contents.confirmations.removeAll { $0.id == id }
      if let refusal { contents.losses[refusal, default: LossCount(0)].add(1) }
    }
  }

  /// Counts sightings that were lost.
  public func count(dropped reason: String, by number: Int, at time: Timestamp) {
    contents.withLock { $0.losses[reason, default: LossCount(0)].add(number, at: time) }
  }

  /// Notes whether identifiers appear too fast.
  public func note(_ crowd: CrowdStatus?) { contents.withLock { $0.crowd = crowd } }

  /// Tells how many events had to go.
  public func tend(at time: Timestamp) -> [QueueNotice] {
    contents.withLock { contents in
      defer { contents.untold = 0 }
      return contents.untold > 0 ? [.full(contents.untold)] : []
    }
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
      status.losses = contents.losses
      status.crowd = contents.crowd
      return status
    }
  }

  /// Keeps what it has, for who uses it next.
  public func close() {}
}
