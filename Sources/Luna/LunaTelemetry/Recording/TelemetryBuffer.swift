import LunaCore

/// What was recorded and is not in the queue yet. It knows no time but the one that it is told.
struct TelemetryBuffer: Sendable {
  /// So many new items are written at once.
  static let fullCount = 100
  /// So many wait when they cannot be written; then the oldest go.
  static let limit = 1000

  /// What somebody has to do.
  enum Advice: Equatable {
    case nothing
    /// To write within a second.
    case soon
    /// To write at once.
    case now
  }

  private struct Name: Hashable {
    let key: String
    let value: String
  }

  private struct Entry {
    /// When the first came, and how that is written down.
    let opened: Duration
    let time: TelemetryTime
    /// In which order they came.
    let number: Int
    /// How many are not written yet.
    var pending: Int64
  }

  private var entries: [Name: Entry] = [:]
  /// What is not to be counted up any more, and what could not be written.
  private var ready: [TelemetryRecord] = []
  /// How many of the entries were never written.
  private var freshCount = 0
  private var last = 0
  private(set) var losses: [String: Int] = [:]
  /// Whether somebody will write.
  private var isExpected = false
  private var isFull = false

  /// How many records wait to be written.
  var waiting: Int { ready.count + entries.count { $0.value.pending > 0 } }

  /// Something happened.
  ///
  /// - Parameter window: how long it is counted up.
  mutating func add(
    key: String, value: String, at elapsed: Duration, within window: Duration,
    time: () -> TelemetryTime
  ) -> Advice {
    let name = Name(key: key, value: value)
    if let index = entries.index(forKey: name) {
      if elapsed - entries.values[index].opened < window {
        entries.values[index].pending += 1
        return expect()
      }
      retire(name, entries.values[index])
    }
    last += 1
    entries[name] = Entry(opened: elapsed, time: time(), number: last, pending: 1)
    freshCount += 1
    shorten()
    return expect()
  }

  mutating func add(_ sample: HealthReport, time: TelemetryTime) -> Advice {
    ready.append(TelemetryRecord(.sample(sample), at: time))
    shorten()
    return expect()
  }

  /// Something was lost before it could be recorded.
  mutating func lose(_ reason: String) -> Advice {
    losses[reason, default: 0] += 1
    return expect()
  }

  private mutating func expect() -> Advice {
    if freshCount >= TelemetryBuffer.fullCount, !isFull {
      isFull = true
      return .now
    }
    defer { isExpected = true }
    return isExpected ? .nothing : .soon
  }

  private mutating func retire(_ name: Name, _ entry: Entry) {
    if entry.pending > 0 { ready.append(TelemetryBuffer.record(name, entry)) }
    entries[name] = nil
  }

  private static func record(_ name: Name, _ entry: Entry) -> TelemetryRecord {
    TelemetryRecord(
      .item(key: name.key, value: name.value), at: entry.time, count: entry.pending)
  }

  /// Takes out what is to be written.
  mutating func drain(at elapsed: Duration, within window: Duration) -> [TelemetryRecord] {
    isExpected = false
    isFull = false
    freshCount = 0
    var pending: [(number: Int, record: TelemetryRecord)] = []
    var ended: [Name] = []
    for index in entries.indices {
      let (name, entry) = entries[index]
      if entry.pending > 0 {
        pending.append((entry.number, TelemetryBuffer.record(name, entry)))
        entries.values[index].pending = 0
      }
      if elapsed - entry.opened >= window { ended.append(name) }
    }
    for name in ended { entries[name] = nil }
    defer { ready = [] }
    return ready + pending.sorted { $0.number < $1.number }.map(\.record)
  }

  /// Takes out the losses.
  mutating func drainLosses() -> [String: Int] {
    defer { losses = [:] }
    return losses
  }

  /// Takes back what could not be written.
  mutating func restore(_ records: [TelemetryRecord], _ losses: [String: Int]) {
    ready = records + ready
    self.losses.merge(losses, uniquingKeysWith: +)
    shorten()
  }

  /// Lets the oldest go when there are too many.
  private mutating func shorten() {
    var excess = ready.count + freshCount - TelemetryBuffer.limit
    guard excess > 0 else { return }
    losses[TelemetryLoss.storage, default: 0] += excess
    let old = min(excess, ready.count)
    ready.removeFirst(old)
    excess -= old
    guard excess > 0 else { return }
    for (name, _) in entries.sorted(by: { $0.value.number < $1.value.number }).prefix(excess) {
      entries[name] = nil
    }
    freshCount -= excess
  }
}
